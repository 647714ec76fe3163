/** Opens the ledger of an index, for queries in process and over HTTP. */
import { existsSync, rmSync } from "node:fs";
import {
  databaseFiles,
  isBusy,
  isSqliteError,
  type JsonObject,
  measureFiles,
  NotFoundError,
  ServerError,
  suggestName,
} from "../../base/index.ts";
import { loadStoredDecoder } from "../../chain/indexer/index.ts";
import {
  type ChainDecoder,
  indexedGaps,
  isStoreAddress,
  type Ledger,
  type LedgerMeta,
  type LedgerReader,
  loadLedgerStore,
  loadStore,
  PASSWORD_VARIABLE,
  parseStoreAddress,
  type RemoteLedger,
  type StoreAddress,
} from "../../chain/ledger/index.ts";
import { type KeyOwner, loadSecret, type Paths, type Settings } from "../../config/index.ts";
import { rowSchema } from "../row-schema.ts";
import type { RunContext } from "../run/context.ts";
import { indexFile, indexNames, namedIndexFile } from "./files.ts";

/**
 * Opens the ledger of an index with the decoder of its instructions, for answers.
 * @param name the name of an index on this machine, or the address of one in ClickHouse
 * @throws NotFoundError or ServerError, AuthError and NetworkError from ClickHouse
 */
export async function openIndexForAnswers(settings: Settings, name: string): Promise<Ledger | RemoteLedger> {
  const { createStoredDecoder } = await loadStoredDecoder();
  if (isStoreAddress(name)) {
    const { openStore } = await loadStore();
    return openStore(await storeAddress(settings, name), createStoredDecoder, settings.get("timeout"));
  }
  let ledger: Ledger | undefined;
  const decode = await createStoredDecoder((property) => {
    const row = ledger?.db.prepare("SELECT value FROM meta WHERE name = ?").get(property);
    return row && String(row.value);
  });
  ledger = await openIndexLedger(settings, name, decode);
  return ledger;
}

/** Returns the address of a database of ClickHouse with its password: that of the environment, or the saved one. */
export async function storeAddress(settings: Settings, text: string, signal?: AbortSignal): Promise<StoreAddress> {
  const address = parseStoreAddress(text, settings.env[PASSWORD_VARIABLE] || undefined);
  if (address.password !== undefined) return address;
  const owner = passwordOwner(settings, address);
  const found = await loadSecret(owner, signal, {
    name: `The password of ${owner.profile}`,
    hint: `Unlock the keychain and retry, set ${PASSWORD_VARIABLE}, or save it again: solx auth login --store ${text}`,
  });
  return { ...address, password: found?.value };
}

/** Returns whom the password of a database is saved for: the user of the server. */
export const passwordOwner = ({ owner }: Settings, { user, url }: StoreAddress): KeyOwner => ({
  ...owner,
  profile: `${user}@${new URL(url).host}`,
});

/** Opens the ledger of an index, which an indexer may be writing. Throws NotFoundError or ServerError. */
export async function openIndexLedger(settings: Settings, name: string, decode?: ChainDecoder): Promise<Ledger> {
  const path = namedIndexFile(settings.paths, name);
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
    if (isBusy(error))
      throw new ServerError(`The index ${name} cannot be used: another program has locked its file.`, {
        code: "INDEX_BUSY",
        hint: "Close that program, and run the command again.",
        cause: error,
      });
    throw unusable((error as Error).message, error);
  }
  throw unusable("it was made by another version of solx");
}

/** Returns the error for an index that does not exist. */
export function unknownIndexError({ paths }: Settings, name: string): NotFoundError {
  const names = indexNames(paths);
  const known = names.length > 0 ? `Indexes: ${names.join(", ")}.` : "There is no index yet.";
  const hint = suggestName(name, names) ?? `${known} To create it: solx index --rpc <node> --index ${name}`;
  return new NotFoundError(`There is no index "${name}".`, { code: "NO_INDEX", hint });
}

/** Prints the indexes; one that cannot be read is in the list with its size. */
export async function listIndexes(context: RunContext): Promise<void> {
  const settings = await context.session.settings();
  const rows: JsonObject[] = [];
  for (const name of indexNames(settings.paths)) {
    const ledger = await openIndexLedger(settings, name).catch(() => undefined);
    const bytes = await measureIndex(settings.paths, name);
    rows.push({ name, ...(ledger ? summarize(ledger.reader, ledger.meta) : {}), bytes });
    ledger?.close();
  }
  const columns = ["name", "node", "first_slot", "last_slot", "transactions", "bytes"];
  await context.printer.printRows(rows, { entity: indexSchema, columns });
  if (rows.length === 0) await context.reporter.hint("There is no index yet. To create one: solx index --rpc localnet");
}

/** Prints everything that is known about an index. */
export async function printIndexInfo(context: RunContext, name: string): Promise<void> {
  const settings = await context.session.settings();
  if (isStoreAddress(name)) return printStoreInfo(context, settings, name);
  const ledger = await openIndexLedger(settings, name);
  try {
    const path = indexFile(settings.paths, name);
    const value = {
      name,
      ...summarize(ledger.reader, ledger.meta),
      bytes: await measureIndex(settings.paths, name),
      path,
      ...describeBlocks(ledger.reader),
    };
    await context.printer.printObject(value, { entity: indexSchema });
  } finally {
    ledger.close();
  }
}

async function printStoreInfo(context: RunContext, settings: Settings, name: string): Promise<void> {
  const store = (await openIndexForAnswers(settings, name)) as RemoteLedger;
  try {
    const summary = await store.ask((reader) => ({ ...summarize(reader, store.meta), ...describeBlocks(reader) }));
    await context.printer.printObject({ name, ...summary }, { entity: indexSchema });
  } finally {
    store.close();
  }
}

/** Removes an index and prints what was freed. */
export async function removeIndex(context: RunContext, name: string): Promise<void> {
  const settings = await context.session.settings();
  if (!existsSync(namedIndexFile(settings.paths, name))) throw unknownIndexError(settings, name);
  const bytes = await measureIndex(settings.paths, name);
  for (const file of filesOf(settings.paths, name)) rmSync(file, { force: true });
  await context.printer.printObject({ removed: name, bytes });
}

/** Returns the files of an index: those of the database, and the lock of its writer. */
const filesOf = (paths: Paths, name: string) => {
  const file = indexFile(paths, name);
  return [...databaseFiles(file), `${file}.lock`];
};

async function measureIndex(paths: Paths, name: string): Promise<number> {
  const sizes = await Promise.all(filesOf(paths, name).map(measureFiles));
  return sizes.reduce((sum, { bytes }) => sum + bytes, 0);
}

const describeBlocks = (reader: LedgerReader): JsonObject => ({
  gaps: [...indexedGaps(reader)],
  partial_blocks: Number(reader.get("SELECT count(*) AS count FROM blocks WHERE partial")?.count),
});

function summarize(reader: LedgerReader, meta: LedgerMeta): JsonObject {
  const summary = reader.get(
    `SELECT MIN(slot) AS first_slot, MAX(slot) AS last_slot, MIN(time) AS first_time, MAX(time) AS last_time,
       COUNT(*) AS blocks, (SELECT COUNT(*) FROM transactions) AS transactions FROM blocks`,
  );
  return {
    node: meta.node ?? null,
    genesis: meta.genesisHash ?? null,
    commitment: meta.commitment ?? null,
    filter: meta.filter === "" ? null : (meta.filter ?? null),
    ...(summary as JsonObject),
  };
}

const indexSchema = rowSchema((f) => ({
  name: f.text("Name of the index"),
  node: f.text("Node that it was read from").nullable().optional(),
  genesis: f.text("Hash of the first block of the cluster").nullable().optional(),
  commitment: f.text("Commitment of its blocks").nullable().optional(),
  filter: f.text("Programs, accounts and mints that it is limited to").nullable().optional(),
  first_slot: f.slot("First slot").nullable().optional(),
  last_slot: f.slot("Last slot").nullable().optional(),
  first_time: f.unixTime("Time of the first block").nullable().optional(),
  last_time: f.unixTime("Time of the last block").nullable().optional(),
  blocks: f.count("Blocks").optional(),
  transactions: f.count("Transactions").optional(),
  bytes: f.count("Size of its files"),
  path: f.text("Its file").optional(),
  gaps: f.json("Ranges of slots that are missing").optional(),
  partial_blocks: f.count("Blocks of which the node lacked inner instructions or token balances").optional(),
}));
