/** Files with the sandbox: for every way to read a list, an interrupted run yields the same bytes as a complete one. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runInProcess } from "../support/in-process.ts";
import { worldsFolder } from "../support/ledger.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { createTempFolder } from "../support/solx.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SOL = "So11111111111111111111111111111111111111112";
const WORLD = { SOLX_SANDBOX: "on", SOLX_SANDBOX_NOW: "2024-07-05T12:00:00Z" };
const env = { ...sandboxEnv(WORLD), SOLX_HOME: `${worldsFolder()}/home` };
const folder = createTempFolder();
let files = 0;
let busy = "";
let others: string[] = [];

const fresh = (ending: string) => {
  files += 1;
  return join(folder, `${files}.${ending}`);
};
const ask = (words: readonly string[], faults = "") =>
  runInProcess([...words, "SOLX_RETRIES=0", "--cache", "off"], { env: { ...env, SOLX_SANDBOX_FAULTS: faults } });

beforeAll(async () => {
  const { stdout } = await ask(["account", "leaderboard", "--limit", "20", "-o", "ndjson"]);
  others = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).account);
  let most = 0;
  for (const account of others) {
    const rows = (await ask(["account", "transactions", account, "--all", "-o", "ndjson"])).stdout.split("\n").length;
    if (rows > most) [most, busy] = [rows, account];
  }
  expect(most).toBeGreaterThan(120);
});

const LISTS: readonly (readonly [string, string, () => string[]])[] = [
  ["pages by number", "csv", () => ["account", "transfer", busy, "--all"]],
  ["pages by cursor", "ndjson", () => ["account", "transactions", busy, "--all"]],
  ["an object around rows", "json", () => ["token", "holders", USDC, "--limit", "170"]],
  ["the older family, by offset", "tsv", () => ["legacy", "token", "holders", SOL, "--limit", "190"]],
  ["a number of rows", "json", () => ["account", "balance-change", busy, "--limit", "230", "--envelope"]],
  [
    "lists of many",
    "csv",
    () => ["account", "transfer", ...others.slice(0, 5), "--limit", "150", "--batch", "fail-fast"],
  ],
  ["objects of many", "json", () => ["account", "detail", ...others.slice(0, 6), "--batch", "fail-fast"]],
];

describe.each(LISTS)("%s (%s)", (_, ending, wordsOf) => {
  test("the file is the same wherever the run is interrupted", async () => {
    const words = wordsOf();
    const expected = fresh(ending);
    expect((await ask([...words, "--out", expected])).code).toBe(0);
    let cuts = 0;
    for (let call = 1; ; call += 1) {
      const file = fresh(ending);
      const { code } = await ask([...words, "--out", file], `503#${call}-999`);
      if (code === 0) break;
      cuts += 1;
      expect(existsSync(file)).toBe(false);
      expect((await ask([...words, "--out", file, "--resume"])).code).toBe(0);
      expect(readFileSync(file, "utf8") === readFileSync(expected, "utf8"), `cut at ${call}`).toBe(true);
    }
    expect(cuts).toBeGreaterThan(1);
    expect(readdirSync(folder).filter((name) => /partial|checkpoint/.test(name))).toEqual([]);
  });

  test("resuming a page at a time finishes", async () => {
    const words = wordsOf();
    const [expected, file] = [fresh(ending), fresh(ending)];
    await ask([...words, "--out", expected]);
    let runs = 1;
    // Each run may send one more request than the previous one.
    while ((await ask([...words, "--out", file, "--resume"], `503#${runs + 1}-999`)).code !== 0) runs += 1;
    expect(runs).toBeGreaterThan(1);
    expect(readFileSync(file, "utf8") === readFileSync(expected, "utf8")).toBe(true);
  });
});
