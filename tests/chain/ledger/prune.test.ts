/** Ledgers that keep the newest blocks only. */
import { inspect } from "node:util";
import { afterAll, expect, test } from "vitest";
import { DAY_SECONDS } from "../../../src/base/index.ts";
import type { SourceBlock } from "../../../src/chain/ledger/source/source.ts";
import { ObservedChain } from "../../support/observed-chain.ts";
import { dumpLedger, LedgerFolder } from "../../support/observed-ledger.ts";

const folder = new LedgerFolder();
afterAll(() => folder.remove());

/** What blocks led to and remains: of accounts, of tokens, and of the last day. */
const LASTING = [
  "accounts",
  "tokens",
  "token_accounts",
  "balances",
  "token_stats",
  "pool_stats",
  "program_users",
] as const;
/** What blocks consist of. */
const DROPPED = ["blocks", "transactions", "account_keys", "instructions", "transfers", "balance_changes", "holdings"];
const DERIVED = ["account_transfers", "defi", "routes", "defi_tokens", "defi_sources", "token_trades", "program_uses"];

test("a ledger that is pruned while it grows is one of its newest blocks, with the balances of all", () => {
  const chain = new ObservedChain({ seed: 8 });
  const [kept, all] = [folder.open(chain), folder.open(chain)];
  const blocks: SourceBlock[] = [];
  const keep = 2 * DAY_SECONDS;
  for (let n = 0; n < 90; n++) {
    const block = chain.block(4);
    blocks.push(block);
    for (const writer of [kept, all]) writer.write({ blocks: [block] });
    if (n % 9 === 0 && block.time !== undefined) while (kept.prune(block.time - keep) > 0);
  }
  const end = blocks.at(-1)?.time ?? 0;
  while (kept.prune(end - keep) > 0);
  const [pruned, whole] = [dumpLedger(kept.db), dumpLedger(all.db)];
  const cut = blocks.findIndex(({ time = 0 }) => time >= end - keep);
  expect(cut).toBeGreaterThan(10);
  expect(pruned.blocks).toEqual(whole.blocks?.slice(cut));
  for (const name of LASTING) expect(pruned[name], name).toEqual(whole[name]);
  for (const name of [...DROPPED, ...DERIVED]) {
    const rest = pruned[name] ?? [];
    expect(rest.length, name).toBeLessThan(whole[name]?.length ?? 0);
    const texts = new Set(whole[name]?.map((row) => inspect(row)));
    expect(
      rest.filter((row) => !texts.has(inspect(row))),
      name,
    ).toEqual([]);
  }
  const recounted = kept.db
    .prepare(
      `SELECT s.program_id, s.transactions, (SELECT COUNT(*) FROM instruction_kinds k JOIN program_uses u ON u.kind_id = k.id
         WHERE k.program_id = s.program_id AND u.first) AS counted FROM program_stats s`,
    )
    .all();
  expect(recounted.filter(({ transactions, counted }) => transactions !== counted)).toEqual([]);
  // Blocks that may be dropped can still be removed.
  const before = dumpLedger(kept.db);
  const next = chain.block(3);
  kept.write({ blocks: [next], mayBeDropped: true, finalSlot: next.slot - 1 });
  kept.removeFrom(next.slot);
  expect(dumpLedger(kept.db)).toEqual(before);
});
