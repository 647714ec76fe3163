/** The search of the manual. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { allEndpoints } from "../../../src/catalogue/index.ts";
import { INTENTS, phrasesOf } from "../../../src/catalogue/intents.ts";
import { manualPages } from "../../../src/commands/docs/manual/generate.ts";
import { PAGE_INTENTS } from "../../../src/commands/docs/search/page-intents.ts";
import { unansweredNote } from "../../../src/commands/docs/search/question-words.ts";
import { explainHits } from "../../../src/commands/docs/search/search-command.ts";
import { createSearch, excerptOf, indexPages } from "../../../src/commands/docs/search/search-index.ts";
import { rankEndpoints } from "../../../src/commands/mcp/find-endpoint.ts";
import { describeSource } from "../../../src/sources/index.ts";

const search = createSearch(indexPages(manualPages()));
const hits = (words: string, count = 4) => search(words, count);
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
    ["candles", "v2-token-price-ohlcv"],
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

/**
 * Questions with the endpoints that answer them. Those that are held out were written by somebody who had not seen the
 * phrases of the catalogue: the phrases must not be changed for them.
 */
const QUESTIONS: Readonly<Record<"own" | "heldOut", readonly { question: string; endpoints: readonly string[] }[]>> =
  JSON.parse(readFileSync(new URL("questions.json", import.meta.url), "utf8"));

describe.each(["own", "heldOut"] as const)("the %s questions", (set) => {
  const { supports } = describeSource({ kind: "api", name: "" });
  test("have an endpoint that answers them among the first three, 95 % of them", () => {
    const missed = QUESTIONS[set].filter(({ question, endpoints }) => {
      const found = rankEndpoints(search, question).filter((endpoint) => supports(endpoint).level !== "none");
      return !found.slice(0, 3).some(({ path }) => endpoints.includes(path));
    });
    expect(missed.length / QUESTIONS[set].length, JSON.stringify(missed, null, 1)).toBeLessThanOrEqual(0.05);
  });
});

describe("phrases", () => {
  test("every endpoint has some, and every phrase belongs to an endpoint or page", () => {
    const pages = manualPages().map(({ id }) => id);
    expect(Object.keys(INTENTS).toSorted()).toEqual(allEndpoints.map(({ command }) => command).toSorted());
    expect(pages).toEqual(expect.arrayContaining(Object.keys(PAGE_INTENTS)));
    for (const endpoint of allEndpoints) {
      const phrases = phrasesOf(INTENTS[endpoint.command] ?? "");
      expect(phrases.length, endpoint.command).toBeGreaterThanOrEqual(endpoint.family === "legacy" ? 1 : 3);
      expect(new Set(phrases).size).toBe(phrases.length);
    }
  });

  test("every endpoint is found first by each of its phrases, or next to one that it shares them with", () => {
    for (const { command, family } of allEndpoints) {
      for (const phrase of phrasesOf(INTENTS[command] ?? "")) {
        const found = hits(phrase, 6).map((hit) => hit.command);
        if (family !== "legacy") expect(found, phrase).toContain(command);
      }
    }
  });
});

test("says what answers a question that this source does not", () => {
  const explain = (question: string, kind: "api" | "rpc") =>
    explainHits(question, hits(question), describeSource({ kind, name: "mainnet" }).supports);
  expect(explain("list of validators", "api")).toMatchObject({
    command: expect.stringMatching(/needs a Solana node.*--rpc/),
    tool: expect.stringMatching(/the user starts this server with --rpc/),
  });
  expect(explain("list of validators", "rpc")).toBeUndefined();
  expect(explain("current price of a token", "rpc")?.command).toMatch(/prices in US dollars/);
});

test("prints a note for questions that no endpoint answers", () => {
  expect(unansweredNote("any airdrops?")).toMatch(/transfers into an account/);
  expect(unansweredNote("my PnL")).toMatch(/profit and loss/);
  expect(unansweredNote("holders")).toBeUndefined();
});

test("returns the best line with the positions of the matches", () => {
  const [first] = hits("funded by");
  if (!first) throw new Error("no hit");
  const { line, marks } = excerptOf(first);
  expect(line).toMatch(/fund/i);
  const words = marks.map(([from, to]) => line.slice(from, to).toLowerCase());
  expect(words).toContain("funded");
});

test("ignores stop words and returns at most the requested number", () => {
  expect(titles("how do I show the holders of a token")[0]).toBe("v2-token-holders");
  expect(hits("qqzzxxv")).toEqual([]);
  expect(hits("?!")).toEqual([]);
  expect(hits("token", 3)).toHaveLength(3);
  expect(hits("token", 1000).length).toBeGreaterThan(20);
});
