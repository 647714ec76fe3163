/** Numbers of extensions, instructions and errors are those of the programs' published clients. */
import { readFileSync } from "node:fs";
import * as metadata from "@metaplex-foundation/mpl-token-metadata";
import { expect, test } from "vitest";
import { programNumbers } from "../../../scripts/program-numbers.ts";
import { customErrorMeaning, encodeBase58, loadParsers, PROGRAM } from "../../../src/chain/solana/index.ts";
import * as tables from "../../../src/chain/solana/program-numbers.ts";

const { parseInstruction } = await loadParsers();
const accounts = Array.from({ length: 12 }, (_, index) => encodeBase58(new Uint8Array(32).fill(index + 1)));

test("the tables are those that the script writes now", () => {
  const file = new URL("../../../src/chain/solana/program-numbers.ts", import.meta.url);
  expect(readFileSync(file, "utf8"), "run node scripts/program-numbers.ts").toBe(programNumbers());
});

/** Programs with a table, how many bytes their numbers have, and instructions that zeros are no data of. */
const PROGRAMS = [
  [PROGRAM.system, tables.SYSTEM_INSTRUCTIONS, 4],
  [PROGRAM.stake, tables.STAKE_INSTRUCTIONS, 4],
  [PROGRAM.computeBudget, tables.COMPUTE_BUDGET_INSTRUCTIONS, 1],
  [PROGRAM.lookupTable, tables.LOOKUP_TABLE_INSTRUCTIONS, 4],
  [PROGRAM.upgradeableLoader, tables.LOADER_INSTRUCTIONS, 4],
  [PROGRAM.associatedToken, tables.ASSOCIATED_TOKEN_INSTRUCTIONS, 1],
  [PROGRAM.token2022, tables.TOKEN_INSTRUCTIONS, 1],
] as const;

test.each(PROGRAMS)("%s: every number of the client selects an instruction of our own", (program, table, bytes) => {
  const types = [...tables.numbersOf(table)].map(([name, number]) => {
    const hash = number.startsWith("0x") ? Buffer.from(number.slice(2), "hex") : undefined;
    const head =
      hash ?? Buffer.concat(number.split(".").map((part) => Buffer.from([Number(part), 0, 0, 0].slice(0, bytes))));
    const data = name === "batch" ? head : Buffer.concat([head, Buffer.alloc(200)]);
    return [name, parseInstruction(program, accounts, data)?.type];
  });
  expect(types.filter(([, type]) => type === undefined)).toEqual([]);
  expect(new Set(types.map(([, type]) => type)).size).toBe(types.length);
});

/** Instructions of Metaplex's client: many have a version or a role in their names, and share a number. */
const metadataInstructions = Object.entries(metadata).flatMap(([name, value]) => {
  const instruction = /^get(.*)InstructionDataSerializer$/.exec(name)?.[1];
  const number = / discriminator: (\d+)/.exec(String(value))?.[1];
  return instruction === undefined || number === undefined ? [] : [[instruction, Number(number)] as const];
});

test("Metaplex: every number of the client selects the instruction of its name", () => {
  expect(metadataInstructions.length).toBeGreaterThan(80);
  const others = metadataInstructions.filter(([name, number]) => {
    const data = Buffer.concat([Buffer.of(number), Buffer.alloc(200)]);
    const type = parseInstruction(PROGRAM.tokenMetadata, accounts, data)?.type;
    return type === undefined || !name.toLowerCase().startsWith(type.toLowerCase());
  });
  expect(others).toEqual([]);
});

test("an error of Metaplex has its name", () => {
  expect(customErrorMeaning(PROGRAM.tokenMetadata, 9, undefined)).toBe("not mint authority");
  expect(customErrorMeaning(PROGRAM.tokenMetadata, 0xb5, undefined)).toBe("invalid instructions sysvar");
});

test("an error of Anchor that has no sentence has its name", () => {
  expect(customErrorMeaning(undefined, 2020, undefined)).toBe("constraint account is none");
  expect(customErrorMeaning(undefined, 2000, undefined)).toBe("an account must be writable");
  expect(customErrorMeaning(undefined, 2040, undefined)).toBeUndefined();
});
