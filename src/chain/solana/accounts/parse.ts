/** Parses the data of accounts into the form of the encoding `jsonParsed`. */

import { PROGRAM, SYSVAR } from "../../../catalogue/index.ts";
import { ByteReader } from "../bytes.ts";
import type { ChainAccount } from "../model.ts";
import { sortKeys } from "../values.ts";
import { parseConfig, parseLookupTable, parseNonce, parseStake, parseUpgradeable } from "./native.ts";
import type { AccountParser, ParsedAccount } from "./parser.ts";
import { parseSysvar } from "./sysvars.ts";
import { parseToken } from "./token.ts";
import { parseVote } from "./vote.ts";

/** Parsers by the program that owns the account, with the name of the program in the parsed form. */
const PARSERS: Readonly<Record<string, readonly [program: string, parse: AccountParser]>> = {
  [PROGRAM.system]: ["nonce", parseNonce],
  [PROGRAM.token]: ["spl-token", parseToken],
  [PROGRAM.token2022]: ["spl-token-2022", parseToken],
  [PROGRAM.stake]: ["stake", parseStake],
  [PROGRAM.vote]: ["vote", parseVote],
  [PROGRAM.lookupTable]: ["address-lookup-table", parseLookupTable],
  [PROGRAM.upgradeableLoader]: ["bpf-upgradeable-loader", parseUpgradeable],
  [PROGRAM.config]: ["config", parseConfig],
  [SYSVAR.owner]: ["sysvar", parseSysvar],
};

/**
 * Returns the parsed form of an account; undefined when its program is unknown or its data has another format. The
 * decimals of a mint are not in the data of a token account: it has `amount` in place of `tokenAmount`. Code of programs
 * is omitted.
 */
export function parseAccount(address: string, owner: string, data: Uint8Array): ChainAccount["parsed"] {
  const [program, parse] = PARSERS[owner] ?? [];
  if (program === undefined || parse === undefined || data.length === 0) return undefined;
  const parsed = attempt(() => parse(new ByteReader(data), address));
  return parsed && { program, type: parsed.type, info: sortKeys(parsed.info) };
}

function attempt(parse: () => ParsedAccount | undefined): ParsedAccount | undefined {
  try {
    return parse();
  } catch (error) {
    // Programs can store other data than they usually do: what is not understood stays raw.
    if (error instanceof RangeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
