/** `solx index export` and `import`: another program, or another machine, gets an index without its node. */
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/index.ts";
import { runInProcess } from "../support/in-process.ts";
import { useScenario } from "../support/node/use-test-node.ts";

const shared = useScenario();
const home = mkdtempSync(join(tmpdir(), "solx-exchange-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const solx = (...words: readonly string[]) => runInProcess(words, { env: { SOLX_HOME: home, SOLX_CACHE: "off" } });
const index = (name: string, ...flags: readonly string[]) =>
  solx("index", "--rpc", shared.node.url, "--index", name, "--to", "now", ...flags);

let folders = 0;
/** Exports the index to a new folder. */
async function exportFacts(...flags: readonly string[]): Promise<string> {
  const folder = join(home, `facts-${++folders}`);
  const { code, stderr } = await solx("index", "export", "original", folder, ...flags);
  expect([code, stderr]).toEqual([0, ""]);
  return folder;
}

const file = (folder: string, table: string): string => join(folder, `${table}.ndjson`);
const lines = (folder: string, table: string): readonly string[] =>
  readFileSync(file(folder, table), "utf8").trimEnd().split("\n");
const rows = (folder: string, table: string): readonly JsonObject[] =>
  lines(folder, table).map((line) => JSON.parse(line));

beforeAll(async () => {
  expect((await index("original", "--from", "earliest")).code).toBe(0);
});

describe("an exported index", () => {
  it("names accounts and transactions as the chain does", async () => {
    const facts = await exportFacts();
    const { alice } = shared.scenario.addresses;
    const { solTransfer } = shared.scenario.signatures;
    const transaction = rows(facts, "transactions").find(({ signature }) => signature === solTransfer);
    const { slot, transaction: place } = transaction ?? {};
    expect(rows(facts, "transfers").filter((row) => row.slot === slot && row.transaction === place)).toEqual([
      expect.objectContaining({ n: 0, from: alice, token: "So11111111111111111111111111111111111111111" }),
    ]);
  });

  it.each(["ndjson", "parquet"])("can be imported as %s, continued, and answers like the original", async (format) => {
    const name = `copy-${format}`;
    expect(await solx("index", "import", await exportFacts("-o", format), name)).toMatchObject({ code: 0, stderr: "" });
    // What the chain may still drop is not exported.
    expect((await index(name)).code).toBe(0);
    const { alice, mint, hugeMint, aliceToken } = shared.scenario.addresses;
    for (const words of [
      ["account", "transfer", String(alice), "--all"],
      ["account", "transactions", String(alice), "--all"],
      ["account", "balance-change", String(alice), "--all"],
      ["account", "token-accounts", String(alice)],
      ["account", "detail", String(aliceToken)],
      ["token", "holders", String(hugeMint)],
      ["token", "meta", String(mint)],
      ["tx", "detail", shared.scenario.signatures.tableTransfer],
      ["block", "last"],
    ]) {
      const [before, after] = [await solx(...words, "--index", "original"), await solx(...words, "--index", name)];
      expect([before.code, after.stdout], words.join(" ")).toEqual([0, before.stdout]);
    }
  });

  it("replaces nothing", async () => {
    const facts = await exportFacts();
    const again = await solx("index", "export", "original", facts);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("already exists")]);
    const imported = await solx("index", "import", facts, "original");
    expect([imported.code, imported.stderr]).toEqual([2, expect.stringContaining("There is already an index")]);
  });
});

describe("facts that are refused", () => {
  const edit = (table: string, change: (row: JsonObject) => JsonObject) => (folder: string) =>
    writeFileSync(
      file(folder, table),
      rows(folder, table)
        .map((row) => `${JSON.stringify(change(row))}\n`)
        .join(""),
    );
  const cases: readonly (readonly [string, (folder: string) => void, RegExp])[] = [
    ["no JSON", (folder) => appendFileSync(file(folder, "blocks"), "{\n"), /blocks\.ndjson: line \d+ is no JSON/],
    ["no object", (folder) => appendFileSync(file(folder, "blocks"), "7\n"), /blocks, row \d+: it is no object/],
    ["a missing column", edit("transfers", ({ to, ...row }) => row), /transfers, row 1: to is missing/],
    ["a wrong address", edit("transfers", (row) => ({ ...row, to: "you" })), /transfers, row 1: to is no address/],
    ["a wrong amount", edit("transfers", (row) => ({ ...row, amount: 0.5 })), /transfers, row 1: amount is no amount/],
    ["a slot too far", edit("blocks", (row) => ({ ...row, parent_slot: 1e300 })), /blocks, row 1: parent_slot is no/],
    [
      "an account that is not described",
      (folder) => writeFileSync(file(folder, "accounts"), `${lines(folder, "accounts").slice(0, 2).join("\n")}\n`),
      /: [\w ]*account \w+ without describing it/,
    ],
    ["a token that is not described", (folder) => rmSync(file(folder, "tokens")), /the token \w+ is not in tokens/],
    [
      "rows of no transaction",
      edit("account_keys", (row) => ({ ...row, transaction: 77 })),
      /transaction 77 of slot \d+ is not in transactions/,
    ],
    ["transactions of no block", (folder) => rmSync(file(folder, "blocks")), /slot \d+ is not in blocks/],
    ["another version", edit("ledger", (row) => ({ ...row, value: "1" })), /its version is 1, not \d+/],
    [
      "an index without its first blocks",
      (folder) => appendFileSync(file(folder, "ledger"), `${JSON.stringify({ name: "pruned", value: "1" })}\n`),
      /blocks were removed from the index/,
    ],
    [
      "a folder for a file",
      (folder) => {
        rmSync(file(folder, "rewards"));
        mkdirSync(file(folder, "rewards"));
      },
      /it is a directory/,
    ],
  ];

  it.each(cases)("%s", async (name, damage, message) => {
    const facts = await exportFacts();
    damage(facts);
    const { code, stderr } = await solx("index", "import", facts, "refused");
    expect([code, stderr], name).toEqual([2, expect.stringMatching(message)]);
    // Nothing is left behind, so that the next attempt finds no half index.
    expect((await solx("index", "list", "-o", "json")).stdout).not.toContain("refused");
  });
});

describe("the name of an index", () => {
  const stored = "clickhouse://solx:secret@127.0.0.1:1/solana";

  it.each(["../../../esc", "a/b", "a\\b", ".hidden", "", "off", stored])("is not %j", async (name) => {
    const facts = await exportFacts();
    const results = [
      await solx("index", "import", facts, name),
      await solx("index", "export", name, join(home, "out")),
      await solx("index", "remove", name),
      ...(name === stored ? [await index(name)] : [await solx("index", "info", name)]),
    ];
    expect(results.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(JSON.stringify(results)).not.toContain("secret");
    const files = readdirSync(home, { recursive: true }).filter((path) => /esc|hidden|solana|out$/.test(String(path)));
    expect(files).toEqual([]);
    if (name === stored)
      for (const { stderr } of results) expect(stderr).toMatch(/not an address of ClickHouse.*--store/s);
  });

  it("is also that of a file with another name that is there", async () => {
    const folder = dirname(JSON.parse((await solx("index", "info", "original", "-o", "json")).stdout).path);
    writeFileSync(join(folder, "two words.index.db"), "");
    expect(await solx("index", "remove", "two words")).toMatchObject({ code: 0 });
    expect(await solx("index", "remove", "two words")).toMatchObject({ code: 2 });
  });
});
