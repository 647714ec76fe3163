/** Parses instructions into the form of the encoding `jsonParsed`. Loaded when an instruction has to be parsed. */

import { PROGRAM } from "../../../catalogue/index.ts";
import { ByteReader } from "../bytes.ts";
import type { ChainInstruction, ChainTransaction, ParsedInstruction } from "../model.ts";
import { type ProgramLayouts, parseLayout } from "./layout.ts";
import { TOKEN_METADATA } from "./metaplex.ts";
import { STAKE } from "./stake.ts";
import { COMPUTE_BUDGET, LOADER, LOADER_V4, LOOKUP_TABLE, precompile, SYSTEM, UPGRADEABLE_LOADER } from "./system.ts";
import { ASSOCIATED_TOKEN, TOKEN } from "./token.ts";
import { VOTE } from "./vote.ts";

const PROGRAMS: Readonly<Record<string, ProgramLayouts>> = {
  [PROGRAM.system]: SYSTEM,
  [PROGRAM.token]: TOKEN,
  [PROGRAM.token2022]: TOKEN,
  [PROGRAM.associatedToken]: ASSOCIATED_TOKEN,
  [PROGRAM.stake]: STAKE,
  [PROGRAM.vote]: VOTE,
  [PROGRAM.computeBudget]: COMPUTE_BUDGET,
  [PROGRAM.lookupTable]: LOOKUP_TABLE,
  [PROGRAM.upgradeableLoader]: UPGRADEABLE_LOADER,
  [PROGRAM.loaderV1]: LOADER,
  [PROGRAM.loaderV2]: LOADER,
  [PROGRAM.loaderV4]: LOADER_V4,
  [PROGRAM.ed25519]: precompile("ed25519"),
  [PROGRAM.secp256k1]: precompile("secp256k1"),
  [PROGRAM.secp256r1]: precompile("secp256r1"),
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
  try {
    const reader = new ByteReader(data);
    const selected = layouts.select(reader);
    return selected && parseLayout(layouts.program, selected, { accounts, reader });
  } catch (error) {
    // Anybody can send any data: what is not understood stays raw.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
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
