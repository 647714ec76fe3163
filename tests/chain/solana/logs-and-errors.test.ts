/** Logs, compute units and errors of transactions. */

import * as stakeClient from "@solana-program/stake";
import * as systemClient from "@solana-program/system";
import * as tokenClient from "@solana-program/token";
import * as token2022Client from "@solana-program/token-2022";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ChainInstruction,
  type ChainTransaction,
  computeUnitProfile,
  customErrorMeaning,
  type LogCall,
  logTree,
  PROGRAM,
  priorityFeeOf,
  transactionErrorText,
} from "../../../src/chain/solana/index.ts";

const OWN = "6Q4Xu2sXxMLMhS2pSBJwhDrL5AMWGbrBT3yaN48kYX7G";
const { token: TOKEN, system: SYSTEM, computeBudget: BUDGET } = PROGRAM;

const LOGS = [
  `Program ${BUDGET} invoke [1]`,
  `Program ${BUDGET} success`,
  `Program ${OWN} invoke [1]`,
  "Program log: Instruction: Swap",
  `Program ${TOKEN} invoke [2]`,
  "Program log: Instruction: Transfer",
  `Program ${TOKEN} consumed 4645 of 190000 compute units`,
  `Program ${TOKEN} success`,
  "Program data: AQID BAU=",
  `Program ${SYSTEM} invoke [2]`,
  `Program ${SYSTEM} success`,
  `Program return: ${OWN} AQ==`,
  `Program ${OWN} consumed 20000 of 199850 compute units`,
  `Program ${OWN} failed: custom program error: 0x1771`,
];

const instruction = (program: string, parent = -1, data?: Uint8Array): ChainInstruction => ({
  ...{ program, parent, height: parent < 0 ? 1 : 2, accounts: [], data, parsed: undefined },
});

const limit = Uint8Array.of(2, 64, 13, 3, 0);
const price = Uint8Array.of(3, 16, 39, 0, 0, 0, 0, 0, 0);
const transaction = {
  ...{ detail: "full", signatures: ["a", "b"], fee: 10_100n, computeUnits: 20_150, limits: undefined, logs: LOGS },
  instructions: [instruction(BUDGET, -1, limit), instruction(OWN), instruction(TOKEN, 1), instruction(SYSTEM, 1)],
} as Partial<ChainTransaction> as ChainTransaction;

/** Returns all texts that a call and the calls in it printed. */
const textsOf = ({ entries }: LogCall): readonly string[] =>
  entries.flatMap((entry) => (typeof entry === "string" ? [entry] : textsOf(entry)));

describe("logs", () => {
  test("are nested as the calls were", () => {
    const calls = logTree(LOGS);
    expect(calls.map(({ program, outcome }) => [program, outcome])).toEqual([
      [BUDGET, "success"],
      [OWN, "failure"],
    ]);
    const call = calls[1] as LogCall;
    expect(call).toMatchObject({ units: 20_000, unitLimit: 199_850, failure: "custom program error: 0x1771" });
    expect(call.entries.map((entry) => (typeof entry === "string" ? entry : entry.program))).toEqual([
      "Instruction: Swap",
      TOKEN,
      SYSTEM,
      `${OWN} AQ==`,
    ]);
    expect(textsOf(call)).toContain("Instruction: Transfer");
  });

  test("that are cut off leave calls open", () => {
    const calls = logTree([...LOGS.slice(0, 6), "Log truncated"]);
    expect(calls[1]).toMatchObject({ outcome: undefined, units: undefined });
    expect(calls[1]?.entries[1]).toMatchObject({ program: TOKEN, outcome: undefined });
  });

  test("any lines in any order keep every text of a call", () => {
    const ends = /(success|failed: .*)$/;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...LOGS, "text", "Log truncated")), (lines) => {
        const first = lines.findIndex((line) => line.includes(" invoke ["));
        const inCalls = first < 0 ? [] : lines.slice(first).filter((line) => !ends.test(line));
        const texts = (all: readonly string[]) => all.filter((line) => line === "text");
        const outside = first < 0 ? lines : lines.slice(0, first);
        expect(texts(logTree([...outside, ...inCalls]).flatMap(textsOf))).toEqual(texts(inCalls));
        logTree(lines);
      }),
    );
  });
});

test("compute units of each instruction", () => {
  const profile = computeUnitProfile(transaction);
  expect(profile.instructions.map(({ units, own }) => [units, own])).toEqual([
    [undefined, undefined],
    [20_000, 15_355],
    [4645, 4645],
    [undefined, undefined],
  ]);
  expect(profile).toMatchObject({ limit: 200_000, price: undefined });
  expect(priorityFeeOf(transaction)).toBe(100n);
  const priced = {
    ...transaction,
    instructions: [instruction(BUDGET, -1, price), instruction(BUDGET, -1, Uint8Array.of(2))],
  };
  expect(computeUnitProfile(priced)).toMatchObject({ price: 10_000n, limit: undefined });
  const limited = { ...transaction, limits: { computeUnitLimit: 5 } };
  expect(computeUnitProfile(limited)).toMatchObject({ limit: 5 });
});

describe("errors", () => {
  const failed = (program: string, lines: readonly string[], code: number) => [
    `Program ${program} invoke [1]`,
    ...lines,
    `Program ${program} failed: custom program error: 0x${code.toString(16)}`,
  ];

  test.each([
    ["BlockhashNotFound", "The blockhash is unknown or expired"],
    [{ InsufficientFundsForRent: { account_index: 1 } }, "Account 2 would be left below the rent-exempt minimum"],
    [{ DuplicateInstruction: 2 }, "Instruction 3 is a duplicate"],
    [{ InstructionError: [0, "InvalidAccountData"] }, "Instruction 1 failed: invalid account data"],
    [{ InstructionError: [0, { BorshIoError: "Unknown" }] }, "Instruction 1 failed: invalid Borsh data"],
    [{ InstructionError: [2, { Custom: 9999 }] }, "Instruction 3 failed: custom error 9999"],
    [{ SomethingNew: null }, "Something new"],
    [null, "Unknown error"],
    [[], "Unknown error"],
    [{}, "Unknown error"],
  ])("%j", (error, text) => {
    expect(transactionErrorText(error)).toBe(text);
  });

  test("custom errors of known programs", () => {
    const context = { instructions: [instruction(SYSTEM), instruction(TOKEN)] };
    expect(transactionErrorText({ InstructionError: [1, { Custom: 1 }] }, context)).toBe(
      "Instruction 2 (Token Program) failed: insufficient funds (custom error 1)",
    );
    expect(transactionErrorText({ InstructionError: [0, { Custom: 1 }] }, context)).toBe(
      "Instruction 1 (System Program) failed: insufficient lamports (custom error 1)",
    );
  });

  test.each([
    [PROGRAM.system, systemClient],
    [PROGRAM.token, tokenClient],
    [PROGRAM.stake, stakeClient],
    [PROGRAM.token2022, token2022Client],
  ])("%s: every error that its client knows has a text", (program, client) => {
    const codes = Object.entries(client).flatMap(([name, code]) => (/_ERROR__/.test(name) ? [Number(code)] : []));
    expect(codes.length).toBeGreaterThan(8);
    for (const code of codes)
      expect([code, customErrorMeaning(program, code, undefined)]).not.toEqual([code, undefined]);
  });

  test("each number has the name that the client of its program gives it", async () => {
    const clients = { SYSTEM: systemClient, TOKEN: tokenClient, STAKE: stakeClient, TOKEN_2022: token2022Client };
    const programs = { ...PROGRAM, SYSTEM: PROGRAM.system, TOKEN, STAKE: PROGRAM.stake, TOKEN_2022: PROGRAM.token2022 };
    const lines = Object.entries(clients).flatMap(([name, client]) =>
      Object.entries(client)
        .flatMap(([key, code]) => (key.startsWith(`${name}_ERROR__`) ? [[key, Number(code)] as const] : []))
        .toSorted(([, a], [, b]) => a - b)
        .map(([key, code]) => {
          const meaning = customErrorMeaning(programs[name as keyof typeof clients], code, undefined);
          return `${key} ${code}: ${meaning}`;
        }),
    );
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("client-errors.txt");
  });

  test("the program that failed may be one that the instruction called", () => {
    const logs = [
      `Program ${OWN} invoke [1]`,
      `Program ${TOKEN} invoke [2]`,
      `Program ${TOKEN} failed: custom program error: 0x1`,
      `Program ${OWN} failed: custom program error: 0x1`,
    ];
    const context = { instructions: [instruction(OWN), instruction(TOKEN, 0)], logs };
    expect(transactionErrorText({ InstructionError: [0, { Custom: 1 }] }, context)).toBe(
      `Instruction 1 (${OWN}) failed in Token Program: insufficient funds (custom error 1)`,
    );
  });

  test("what a program prints about its error, else what its framework means", () => {
    const text = (lines: readonly string[], code: number) =>
      transactionErrorText(
        { InstructionError: [0, { Custom: code }] },
        { instructions: [instruction(OWN)], logs: failed(OWN, lines, code) },
      ).replace(/^.*failed: /, "");
    const anchor =
      "Program log: AnchorError occurred. Error Code: Slippage. Error Number: 6001. Error Message: Too much slippage.";
    expect(text([anchor], 6001)).toBe("Too much slippage (custom error 6001)");
    expect(text(["Program log: Error: no liquidity"], 5)).toBe("no liquidity (custom error 5)");
    expect(text([], 3012)).toBe("an account is not initialized (custom error 3012)");
    expect(text([], 2999)).toBe("custom error 2999");
  });
});
