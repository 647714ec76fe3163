/** Opens the ledger of an index, for queries in process and over HTTP. */
import { existsSync } from "node:fs";
import { isSqliteError, NotFoundError, nearestName, ServerError } from "../../base/index.ts";
import { loadStoredDecoder } from "../../chain/indexer/index.ts";
import { type InstructionDecoder, type Ledger, loadLedgerStore } from "../../chain/ledger/index.ts";
import type { Settings } from "../../config/index.ts";
import { indexFile, indexNames } from "./files.ts";

/** Opens the ledger of an index with the decoder of its instructions, for answers. Throws what openIndexLedger throws. */
export async function openIndexForAnswers(settings: Settings, name: string): Promise<Ledger> {
  const { createStoredDecoder } = await loadStoredDecoder();
  let ledger: Ledger | undefined;
  const decode = await createStoredDecoder((property) => {
    const row = ledger?.db.prepare("SELECT value FROM meta WHERE name = ?").get(property);
    return row && String(row.value);
  });
  ledger = await openIndexLedger(settings, name, decode);
  return ledger;
}

/**
 * Opens the ledger of an index; an indexer may be writing it.
 * @throws NotFoundError when there is none of that name, ServerError when its file cannot be used
 */
export async function openIndexLedger(settings: Settings, name: string, decode?: InstructionDecoder): Promise<Ledger> {
  const path = indexFile(settings.paths, name);
  if (!existsSync(path)) throw unknownIndexError(settings, name);
  const { openGrowingLedger } = await loadLedgerStore();
  const unusable = (reason: string, cause?: unknown) =>
    new ServerError(`The index ${name} cannot be used: ${reason}.`, {
      code: "INDEX",
      hint: `Remove it and index again: solx index remove ${name}`,
      cause,
    });
  try {
    const ledger = openGrowingLedger(path, decode);
    if (ledger) return ledger;
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    throw unusable((error as Error).message, error);
  }
  throw unusable("it was made by another version of solx");
}

/** Returns the error for an index that does not exist. */
export function unknownIndexError({ paths }: Settings, name: string): NotFoundError {
  const names = indexNames(paths);
  const near = nearestName(name, names);
  const known = names.length > 0 ? `Indexes: ${names.join(", ")}.` : "There is no index yet.";
  const hint = near ? `Did you mean ${near}?` : `${known} To create it: solx index --rpc <node> --index ${name}`;
  return new NotFoundError(`There is no index "${name}".`, { code: "NO_INDEX", hint });
}
