/** Ledgers for tests. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { openDatabase } from "../../src/base/sqlite.ts";
import type { LedgerReader } from "../../src/chain/ledger/store/reader.ts";
import { type Ledger, ledgerFromDatabase, openExistingLedger, openLedger } from "../../src/chain/ledger/store/store.ts";
import { writeLedger } from "../../src/chain/ledger/store/writer.ts";
import { worldId } from "../../src/chain/world/world-id.ts";
import { at, tinySource } from "./tiny-chain.ts";

/** A ledger with the parts that tests use. */
export interface TestLedger {
  readonly ledger: Ledger;
  readonly reader: LedgerReader;
  readonly db: DatabaseSync;
}

const testLedger = (ledger: Ledger): TestLedger => ({ ledger, reader: ledger.reader, db: ledger.db });

/** Creates the ledger of the tiny chain (see tiny-chain.ts) in memory, with the names of its entities. */
export async function tinyLedger(): Promise<TestLedger & { readonly at: typeof at }> {
  const db = openDatabase(":memory:");
  await writeLedger(db, tinySource());
  return { ...testLedger(ledgerFromDatabase(db)), at };
}

const WORLDS = join(tmpdir(), "solx-test-worlds");
const SOURCES = fileURLToPath(new URL("../../src", import.meta.url));

let currentWorlds: string | undefined;

/** Returns the folder for worlds created by the current code; those of older code are removed after an hour. */
export function worldsFolder(): string {
  currentWorlds ??= createWorldsFolder();
  return currentWorlds;
}

function createWorldsFolder(): string {
  const hash = createHash("sha256");
  for (const folder of ["chain/solana", "chain/ledger", "chain/world"]) {
    for (const name of readdirSync(join(SOURCES, folder), { recursive: true }).map(String).sort()) {
      if (name.endsWith(".ts")) hash.update(name).update(readFileSync(join(SOURCES, folder, name)));
    }
  }
  const current = hash.digest("hex").slice(0, 16);
  mkdirSync(join(WORLDS, current), { recursive: true });
  for (const name of readdirSync(WORLDS)) {
    const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(join(WORLDS, name), { throwIfNoEntry: false }) ?? {};
    const isObsolete = name !== current && Date.now() - mtimeMs > 3_600_000;
    if (isObsolete) rmSync(join(WORLDS, name), { recursive: true, force: true });
  }
  return join(WORLDS, current);
}

/** Opens the ledger of a small generated world, cached in the temporary folder until the code changes. */
export async function worldLedger({ seed = "test", size = 0.05 } = {}): Promise<TestLedger> {
  const folder = worldsFolder();
  const existing = await openExistingLedger({ folder, id: worldId({ seed, size }) });
  if (existing) return testLedger(existing);
  const { createWorld } = await import("../../src/chain/world/world.ts");
  return testLedger(await openLedger({ folder, source: createWorld({ seed, size }) }));
}
