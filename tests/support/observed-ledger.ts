/** Ledgers of observed chains in files, and what tests compare of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { NATIVE_SOL } from "../../src/catalogue/samples.ts";
import type { SourceBlock } from "../../src/chain/ledger/source/source.ts";
import { type ChainLedgerWriter, openChainLedger } from "../../src/chain/ledger/store/chain-writer.ts";
import { dumpTable } from "./derived-tables.ts";
import type { ObservedChain } from "./observed-chain.ts";

/** Ledger files in a temporary folder. */
export class LedgerFolder {
  readonly #folder = mkdtempSync(join(tmpdir(), "solx-ledgers-"));
  readonly #writers: ChainLedgerWriter[] = [];
  #files = 0;

  /** Opens a ledger with the state of a chain before its next block. */
  open(chain?: ObservedChain, path = join(this.#folder, `${++this.#files}.db`)): ChainLedgerWriter & { path: string } {
    const writer = openChainLedger(path, "chain:test");
    this.#writers.push(writer);
    if (chain) writer.write({ opening: [chain.opening()] });
    return Object.assign(Object.create(writer) as ChainLedgerWriter, { path });
  }

  /** Closes all ledgers and removes their files. */
  remove(): void {
    for (const writer of this.#writers) writer.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Writes blocks in batches of some sizes, the last of which is repeated. */
export function writeInBatches(
  writer: ChainLedgerWriter,
  blocks: readonly SourceBlock[],
  sizes: readonly number[],
): void {
  let batch = 0;
  for (let at = 0; at < blocks.length; batch++) {
    const size = sizes[Math.min(batch, sizes.length - 1)] ?? 1;
    writer.write({ blocks: blocks.slice(at, at + size) });
    at += size;
  }
}

/** Returns all rows of all tables that depend on the blocks only. */
export function dumpLedger(db: DatabaseSync): Readonly<Record<string, readonly unknown[]>> {
  const names = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== "undo" && name !== "meta");
  return Object.fromEntries(names.map((name) => [name, dumpTable(db, name)]));
}

/** Returns the balances of a ledger that are not zero, by account and token; SOL of programs and mints too. */
export const balancesIn = (db: DatabaseSync): ReadonlyMap<string, bigint> =>
  new Map(
    db
      .prepare(
        `SELECT a.address, o.address AS owner, t.address AS token, CAST(b.amount AS TEXT) AS amount FROM balances b
        JOIN accounts a ON a.id = b.account_id JOIN accounts o ON o.id = b.owner_id JOIN accounts t ON t.id = b.token_id
        WHERE b.amount > 0`,
      )
      .all()
      .map(({ address, owner, token, amount }) => [
        `${address} ${token === NATIVE_SOL ? "" : `${owner} `}${token}`,
        BigInt(String(amount)),
      ]),
  );

/** Returns the same of a chain itself. */
export const balancesOn = ({ lamports, holdings }: ObservedChain): ReadonlyMap<string, bigint> =>
  new Map(
    [
      ...[...lamports].map(([account, amount]) => [`${account} ${NATIVE_SOL}`, amount] as const),
      ...[...holdings].map(([account, { owner, mint, amount }]) => [`${account} ${owner} ${mint}`, amount] as const),
    ].filter(([, amount]) => amount > 0n),
  );
