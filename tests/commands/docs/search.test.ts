/** The search finds what people type. */
import { describe, expect, test } from "vitest";
import { manualPages } from "../../../src/commands/docs/manual/generate.ts";
import { searchPages } from "../../../src/commands/docs/search/ranking.ts";
import { indexPages } from "../../../src/commands/docs/search/search-index.ts";
import { unsupportedQuestion } from "../../../src/commands/docs/search/stems.ts";

const index = indexPages(manualPages());
const found = (words: string, count = 4) => searchPages(index, words, count);
const titles = (words: string, count?: number) => found(words, count).map(({ title }) => title);

describe("words and the page that they mean", () => {
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
  ])("%s: %s", (words, title) => {
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
  ])("%s: %s comes first", (words, title) => {
    expect(titles(words)[0]).toBe(title);
  });
});

test("what no endpoint tells is said", () => {
  expect(unsupportedQuestion("any airdrops?")).toMatch(/transfers into an account/);
  expect(unsupportedQuestion("my PnL")).toMatch(/profit and loss/);
  expect(unsupportedQuestion("holders")).toBeUndefined();
});

test("a line is shown that has the words, and says where they are", () => {
  const [first] = found("funded by");
  expect(first?.line).toMatch(/fund/i);
  const words = first?.marks.map(([from, to]) => first.line.slice(from, to).toLowerCase()) ?? [];
  expect(words).toContain("funded");
});

test("words that ask do not count, nor does nothing; as many are given as are wanted", () => {
  expect(titles("how do I show the holders of a token")[0]).toBe("v2-token-holders");
  expect(found("qqzzxxv")).toEqual([]);
  expect(found("?!")).toEqual([]);
  expect(found("token", 3)).toHaveLength(3);
  expect(found("token", 1000).length).toBeGreaterThan(20);
});
