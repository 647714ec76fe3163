/** Programs that facts depend on. */
import type { ProgramFact } from "../../ledger/index.ts";
import { PROGRAM, programName } from "../../solana/index.ts";

/** Programs that are part of the runtime: the native loader owns them. */
export const BUILT_IN_PROGRAMS: ReadonlySet<string> = new Set([
  PROGRAM.system,
  PROGRAM.vote,
  PROGRAM.computeBudget,
  PROGRAM.upgradeableLoader,
  PROGRAM.loaderV1,
  PROGRAM.loaderV2,
  PROGRAM.loaderV4,
  PROGRAM.zkElGamalProof,
  PROGRAM.ed25519,
  PROGRAM.secp256k1,
  PROGRAM.secp256r1,
]);

/** Programs that verify signatures given as data, each of which costs as much as a signature of the transaction. */
export const PRECOMPILES: ReadonlySet<string> = new Set([PROGRAM.ed25519, PROGRAM.secp256k1, PROGRAM.secp256r1]);

/** Returns the fact about a known program. */
export function programFact(address: string): ProgramFact | undefined {
  const name = programName(address);
  return name === undefined ? undefined : { address, name };
}
