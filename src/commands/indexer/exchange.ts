/** `solx index export` and `import`: the facts of an index in files, a table each. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  createFolder,
  errorMessage,
  expandTypedPath,
  failureReason,
  fileError,
  type Json,
  openFolderFile,
  parseJson,
  readInputText,
  readLines,
  SolxError,
  throwIfAborted,
  toNumeric,
  UsageError,
  unwritableError,
} from "../../base/index.ts";
import { type FactColumn, type FactReader, loadFacts } from "../../chain/ledger/index.ts";
import { createFile, write } from "../../output/index.ts";
import { FACT_FORMATS, takeFormat } from "../options/own-format.ts";
import { rowSchema } from "../row-schema.ts";
import type { RunContext } from "../run/context.ts";
import { startProgress } from "../run/progress.ts";
import { namedIndexFile } from "./files.ts";
import { openIndexLedger } from "./indexes.ts";

/** Writes the facts of an index to a new folder. */
export async function exportIndex(context: RunContext, name: string, typedFolder: string): Promise<void> {
  const format = takeFormat(context, FACT_FORMATS) ?? "ndjson";
  const folder = expandTypedPath(typedFolder, context.io.env);
  if (existsSync(folder))
    throw new UsageError(`${typedFolder} already exists.`, { code: "EXISTS", hint: "Write to another folder." });
  const facts = await loadFacts();
  const ledger = await openIndexLedger(await context.session.settings(), name);
  // Complete under its name, or not there; another folder of the user is not touched.
  const draft = `${folder}.partial-${process.pid}`;
  const progress = startProgress(context, { title: "facts" });
  let rows = 0;
  try {
    await mkdir(dirname(draft), { recursive: true });
    await mkdir(draft);
    const options = { ...(await context.printer.options()), format, fields: undefined };
    const writeTable = async (table: string, columns: readonly FactColumn[], pages: Iterable<readonly Json[]>) => {
      const sink = await createFile(join(draft, `${table}.${format}`));
      const counted = async function* () {
        for (const page of pages) {
          throwIfAborted(context.io.signal);
          yield page;
          rows += page.length;
          progress.add(page.length);
        }
      };
      try {
        await write(
          { kind: "rows", pages: counted() },
          { entity: await rowSchema((f) => fieldsOf(f, columns))() },
          options,
          sink,
        );
        await sink.sync();
      } finally {
        await sink.close();
      }
    };
    // One state of the index, while it may be growing.
    ledger.db.exec("BEGIN");
    const end = facts.firstOpenSlot(ledger);
    for (const table of facts.FACT_TABLES)
      await writeTable(table, facts.factColumns(table), facts.readFacts(ledger, table, end));
    await writeTable(facts.PROPERTIES, PROPERTY_COLUMNS, [facts.readProperties(ledger, end)]);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error instanceof SolxError ? error : unwritableError(typedFolder, error);
  } finally {
    await progress.end();
    ledger.close();
  }
  await context.printer.printObject({ index: name, folder: typedFolder, rows });
}

const PROPERTY_COLUMNS: readonly FactColumn[] = [
  { name: "name", type: "text", isOptional: false },
  { name: "value", type: "text", isOptional: false },
];

type Fields = Parameters<Parameters<typeof rowSchema>[0]>[0];

/** Returns the fields of a table: they choose the types of its columns. */
function fieldsOf(f: Fields, columns: readonly FactColumn[]) {
  const fields = {
    address: () => f.address("Address"),
    slot: () => f.slot("Slot"),
    index: () => f.ordinal("Index in the block"),
    row: () => f.ordinal("Number in the transaction"),
    integer: () => f.count("Number"),
    amount: () => f.tokenAmount("Base units", 0),
    number: () => f.number("Number"),
    text: () => f.text("Text"),
    bytes: () => f.text("Bytes as base64"),
  };
  return Object.fromEntries(columns.map(({ name, type }) => [name, fields[type]().nullable()]));
}

/** Creates an index from the facts in a folder. */
export async function importIndex(context: RunContext, typedFolder: string, name: string): Promise<void> {
  const folder = expandTypedPath(typedFolder, context.io.env);
  const path = namedIndexFile((await context.session.settings()).paths, name);
  if (existsSync(path))
    throw new UsageError(`There is already an index "${name}".`, {
      code: "EXISTS",
      hint: `Import it under another name, or remove it: solx index remove ${name}`,
    });
  const names = await readdir(folder).catch((cause: unknown) => {
    throw fileError(`cannot read ${typedFolder}: ${failureReason(cause)}`, cause);
  });
  const { signal } = context.io;
  const progress = startProgress(context, { title: "facts" });
  // Accounts are read twice.
  const rows = new Map<string, number>();
  const read: FactReader = (table) => {
    const format = FACT_FORMATS.find((each) => names.includes(`${table}.${each}`));
    if (format === undefined) return undefined;
    const pages = READERS[format](join(folder, `${table}.${format}`), signal);
    return (async function* () {
      rows.set(table, 0);
      for await (const page of pages) {
        yield page;
        rows.set(table, (rows.get(table) ?? 0) + page.length);
        progress.add(page.length);
      }
    })();
  };
  createFolder(dirname(path));
  const draft = await mkdtemp(join(dirname(path), ".import-"));
  try {
    const { writeFacts } = await loadFacts();
    await writeFacts(join(draft, "index.db"), read, signal);
    await rename(join(draft, "index.db"), path);
  } finally {
    await progress.end();
    await rm(draft, { recursive: true, force: true });
  }
  await context.printer.printObject({
    index: name,
    folder: typedFolder,
    rows: [...rows.values()].reduce((sum, each) => sum + each, 0),
  });
}

const READERS = { ndjson: readJsonLines, parquet: readParquet };

const unreadable = (path: string, reason: string, cause?: unknown) =>
  new SolxError("usage", `The facts cannot be read: ${path}: ${reason}.`, { code: "BAD_FACTS", cause });

/** Characters of a line at most: a transaction has a few thousand. */
const MAX_LINE = 16_777_216;

async function* readJsonLines(path: string, signal: AbortSignal): AsyncGenerator<readonly Json[]> {
  let waiting = 0;
  const text = async function* () {
    for await (const part of readInputText(path, { isInFolder: true, signal, code: "BAD_FACTS" })) {
      waiting = part.includes("\n") ? part.length : waiting + part.length;
      if (waiting > MAX_LINE) throw unreadable(path, "a line is too long");
      yield part;
    }
    yield "\n";
  };
  let line = 0;
  for await (const lines of readLines(text())) {
    const page: Json[] = [];
    for (const each of lines) {
      line += 1;
      if (each.trim() === "") continue;
      try {
        page.push(parseJson(each));
      } catch (cause) {
        throw unreadable(path, `line ${line} is no JSON`, cause);
      }
    }
    yield page;
  }
}

async function* readParquet(path: string, signal: AbortSignal): AsyncGenerator<readonly Json[]> {
  const { parquetMetadataAsync, parquetReadObjects } = await import("hyparquet");
  const handle = await openFolderFile(path).catch((cause: unknown) => {
    throw unreadable(path, errorMessage(cause), cause);
  });
  try {
    const byteLength = (await handle.stat()).size;
    const file = {
      byteLength,
      async slice(start: number, end = byteLength) {
        const bytes = new Uint8Array(Math.max(0, end - start));
        await handle.read(bytes, 0, bytes.length, start);
        return bytes.buffer;
      },
    };
    const metadata = await parquetMetadataAsync(file);
    let rowStart = 0;
    for (const group of metadata.row_groups) {
      throwIfAborted(signal);
      const rowEnd = rowStart + Number(group.num_rows);
      const rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd });
      yield rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toJson(value)])));
      rowStart = rowEnd;
    }
  } catch (cause) {
    if (cause instanceof SolxError) throw cause;
    throw unreadable(path, errorMessage(cause), cause);
  } finally {
    await handle.close();
  }
}

const toJson = (value: unknown): Json =>
  typeof value === "bigint" ? toNumeric(String(value)) : ((value ?? null) as Json);

/** Prints the columns of all tables of facts. */
export async function printFactSchema(context: RunContext): Promise<void> {
  const { FACT_TABLES, factColumns, PROPERTIES } = await loadFacts();
  const tables = [
    ...FACT_TABLES.map((table) => [table, factColumns(table)] as const),
    [PROPERTIES, PROPERTY_COLUMNS] as const,
  ];
  const rows = tables.flatMap(([table, columns]) =>
    columns.map(({ name, type, isOptional }) => ({ table, column: name, type, optional: isOptional })),
  );
  await context.printer.printRows(rows, { entity: schemaOfColumns });
}

const schemaOfColumns = rowSchema((f) => ({
  table: f.text("Table, and name of its file"),
  column: f.text("Column"),
  type: f.text(
    "address, slot, index in the block, row of the transaction, integer, amount, number, text, or bytes as base64",
  ),
  optional: f.boolean("Whether it may be missing"),
}));
