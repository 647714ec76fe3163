/** Parses instructions into the form of the encoding `jsonParsed`. Loaded when an instruction has to be parsed. */

import { PROGRAM } from "../../../catalogue/index.ts";
import { attempt, ByteReader } from "../bytes.ts";
import type { ChainInstruction, ChainTransaction, ParsedInstruction } from "../model.ts";
import { type ProgramLayouts, parseLayout } from "./layout.ts";
import { TOKEN_METADATA } from "./metaplex.ts";
import { NATIVE_PROGRAMS } from "./native.ts";
import { ASSOCIATED_TOKEN, TOKEN } from "./token.ts";

const PROGRAMS: Readonly<Record<string, ProgramLayouts>> = {
  ...NATIVE_PROGRAMS,
  [PROGRAM.token]: TOKEN,
  [PROGRAM.token2022]: TOKEN,
  [PROGRAM.associatedToken]: ASSOCIATED_TOKEN,
  [PROGRAM.tokenMetadata]: TOKEN_METADATA,
};

const MEMO_PROGRAMS: readonly string[] = [PROGRAM.memoV1, PROGRAM.memo, PROGRAM.memoV4];

/**
 * Returns the parsed form of an instruction; undefined when the program is unknown or the data does not have the form
 * that the program expects.
 */
export function parseInstruction(
  program: string,
  accounts: readonly string[],
  data: Uint8Array,
): ParsedInstruction | undefined {
  if (MEMO_PROGRAMS.includes(program)) return parseMemo(data);
  const layouts = PROGRAMS[program];
  if (layouts === undefined) return undefined;
  // Anybody can send any data: what is not understood stays raw.
  return attempt(() => {
    const reader = new ByteReader(data);
    const selected = layouts.select(reader);
    return selected && parseLayout(layouts.program, selected, { accounts, reader });
  });
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parseMemo(data: Uint8Array): ParsedInstruction | undefined {
  try {
    return { program: "spl-memo", type: "memo", info: { memo: utf8.decode(data) } };
  } catch {
    return undefined;
  }
}

/** Returns the transaction with the parsed form of every instruction that can be parsed. */
export function parseInstructions(transaction: ChainTransaction): ChainTransaction {
  return { ...transaction, instructions: transaction.instructions.map(withParsed) };
}

function withParsed(instruction: ChainInstruction): ChainInstruction {
  const { program, accounts, data, parsed } = instruction;
  if (parsed !== undefined || accounts === undefined || data === undefined) return instruction;
  return { ...instruction, parsed: parseInstruction(program, accounts, data) };
}
