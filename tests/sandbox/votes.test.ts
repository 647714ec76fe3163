/** Compact votes: what the ledger derives about them is consistent with what it stores. */
import { base58 } from "@scure/base";
import { assert, integer, property } from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { LedgerReader } from "../../src/chain/ledger/store/reader.ts";
import { VOTE_PROGRAM, voteIdOf, voteKeyOf, voteSignature } from "../../src/chain/ledger/store/votes.ts";
import { worldLedger } from "../support/ledger.ts";
import { queryData, queryRows } from "../support/query.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers have the shapes of the catalogue
type Answer = any;

describe("the signature of a vote", () => {
  it("has 64 bytes and leads back to the id in its own ledger only", () => {
    const [key, other] = [voteKeyOf("a ledger"), voteKeyOf("another ledger")];
    assert(
      property(integer({ min: 1, max: 2 ** 40 }), (id) => {
        const signature = voteSignature(key, id);
        expect(base58.decode(signature).length).toBe(64);
        expect(voteIdOf(key, signature)).toBe(id);
        expect(voteIdOf(other, signature)).toBeUndefined();
        expect(voteIdOf(key, `${signature.slice(0, -1)}${signature.endsWith("z") ? "y" : "z"}`)).toBeUndefined();
      }),
    );
  });
});

describe("a vote in a ledger", () => {
  let db: LedgerReader;
  let vote: Answer;
  beforeAll(async () => {
    db = (await worldLedger()).reader;
    const latest: readonly Answer[] = queryRows(db, "v2-transaction-last", { limit: 100, filter: "all" });
    vote = latest.find(({ program_ids }) => program_ids[0] === VOTE_PROGRAM);
  });

  it("has the same summary in all lists and in its details", () => {
    const detail: Answer = queryData(db, "v2-transaction-detail", { tx: vote.tx_hash });
    expect([detail.block_id, detail.fee, detail.status, detail.signer]).toEqual([vote.slot, 5000, 1, vote.signer]);
    expect(detail.account_keys.map(({ signer, writable }: Answer) => [signer, writable])).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ]);
    const change = detail.sol_bal_change[0];
    expect([change.address, change.change_amount]).toEqual([vote.signer[0], "-5000"]);
    expect(detail.parsed_instructions).toMatchObject([{ type: "towersync", program_id: VOTE_PROGRAM }]);
    const inBlock: readonly Answer[] = queryRows(db, "v2-block-transactions", { block: vote.slot, page_size: 100 });
    expect(inBlock).toContainEqual(vote);
  });

  it("is among the transactions of its voter, of the vote account and of the program, and among the changes", () => {
    const detail: Answer = queryData(db, "v2-transaction-detail", { tx: vote.tx_hash });
    for (const { pubkey: address } of detail.account_keys) {
      const rows: readonly Answer[] = queryRows(db, "v2-account-transactions", { address, limit: 40 });
      expect(rows).toContainEqual(vote);
      const next = queryRows(db, "v2-account-transactions", { address, limit: 10, before: rows[9].tx_hash });
      expect(next).toEqual(rows.slice(10, 20));
    }
    const changes = queryRows(db, "v2-account-balance-change", { address: vote.signer[0], page_size: 100 });
    expect(changes.find(({ trans_id }) => trans_id === vote.tx_hash)).toMatchObject({
      amount: 5000,
      change_type: "dec",
    });
  });
});
