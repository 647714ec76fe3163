/** A disk that is full while an index is written. */
import { expect, it } from "vitest";
import { openChainLedger } from "../../../src/chain/ledger/store/chain-writer.ts";

it("says that the disk is full, and keeps what was written", () => {
  const writer = openChainLedger(":memory:", "chain:test");
  try {
    writer.write({ meta: { next: 7 } });
    writer.db.exec("PRAGMA max_page_count = 1");
    const write = () => writer.write({ meta: { next: 8, large: "x".repeat(1_000_000) } });
    expect(write).toThrow(expect.objectContaining({ code: "ENOSPC", exit: "usage" }));
    expect(writer.meta("next")).toBe("7");
  } finally {
    writer.close();
  }
});
