/** The search of the manual. */
import { describe, expect, test } from "vitest";
import { manualPages } from "../../../src/commands/docs/manual/generate.ts";
import { indexPages, searchPages, unsupportedQuestion } from "../../../src/commands/docs/search/search-index.ts";

const index = indexPages(manualPages());
const hits = (words: string, count = 4) => searchPages(index, words, count);
const titles = (words: string, count?: number) =>
  hits(words, count).map(({ id, kind, title }) => (kind === "topic" ? id : title));

describe("questions", () => {
  test.each([
    ["holders", "v2-token-holders"],
    ["who holds this token", "v2-token-holders"],
    ["who funded this wallet", "v2-account-metadata"],
    ["whale transfers", "v2-account-transfer"],
    ["export csv", "v2-account-transfer-export"],
    ["price history", "v2-token-price"],
    ["candles", "v2-token-price"],
    ["nft floor", "v2-nft-collection-lists"],
    ["swaps of a wallet", "v2-account-defi-activities"],
    ["429", "limits"],
    ["exit code", "exit-codes"],
    ["NO_COLOR", "environment"],
    ["fish", "solx completion"],
    ["store a key", "solx auth login"],
    ["v2-account-transfer", "v2-account-transfer"],
    ["jq", "formatting"],
    ["resume", "bulk"],
    ["exclude_amount_zero", "v2-account-transfer"],
    ["timezone", "times"],
  ])("%s: finds %s", (words, title) => {
    expect(titles(words)).toContain(title);
  });

  test.each([
    ["holders", "v2-token-holders"],
    ["429", "limits"],
    ["latest blocks", "v2-block-last"],
    ["balance change", "v2-account-balance-change"],
    ["tranfsers of a tokn", "v2-token-transfer"],
    ["exit codes", "exit-codes"],
    ["who bought BONK", "v2-token-defi-activities"],
    ["who sold this token", "v2-token-defi-activities"],
    ["who sold this nft", "v2-nft-activities"],
    ["top holders of USDC and their share", "v2-token-holders"],
    ["wallet balance", "v2-account-portfolio"],
    ["net worth", "v2-account-portfolio"],
    ["airdrop", "v2-account-transfer"],
    ["profit and loss", "v2-account-defi-activities"],
  ])("%s: ranks %s first", (words, title) => {
    expect(titles(words)[0]).toBe(title);
  });
});

test("prints a note for questions that no endpoint answers", () => {
  expect(unsupportedQuestion("any airdrops?")).toMatch(/transfers into an account/);
  expect(unsupportedQuestion("my PnL")).toMatch(/profit and loss/);
  expect(unsupportedQuestion("holders")).toBeUndefined();
});

test("returns the best line with the positions of the matches", () => {
  const [first] = hits("funded by");
  expect(first?.line).toMatch(/fund/i);
  const words = first?.marks.map(([from, to]) => first.line.slice(from, to).toLowerCase()) ?? [];
  expect(words).toContain("funded");
});

test("ignores stop words and returns at most the requested number", () => {
  expect(titles("how do I show the holders of a token")[0]).toBe("v2-token-holders");
  expect(hits("qqzzxxv")).toEqual([]);
  expect(hits("?!")).toEqual([]);
  expect(hits("token", 3)).toHaveLength(3);
  expect(hits("token", 1000).length).toBeGreaterThan(20);
});
