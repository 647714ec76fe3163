/** `--sort-by`, `--no-headers`, `--raw-text`, `-o name` and the hints about further rows. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runInProcess } from "../support/in-process.ts";
import { sendJson, serve } from "../support/server.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SOL = "So11111111111111111111111111111111111111112";
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

const solx = (args: readonly string[], options = {}) => runInProcess([...args, "--sandbox"], options);
const rowsOf = async (args: readonly string[]) => JSON.parse((await solx(args)).stdout);

describe("--sort-by", () => {
  it("sorts the fetched rows, and says how many there were and that the list has more", async () => {
    const { code, stdout, stderr } = await solx(["token", "holders", USDC, "--sort-by", "owner"]);
    expect(code).toBe(0);
    const owners = JSON.parse(stdout).map(({ owner }: { owner: string }) => owner);
    expect(owners).toHaveLength(10);
    const folded = owners.map((owner: string) => owner.toLowerCase());
    expect(folded).toEqual([...folded].sort());
    expect(JSON.parse(stderr.split("\n")[0] ?? "")).toEqual({
      note: "Sorted 10 fetched rows by owner; the list has more.",
    });
  });

  it("sorts by several fields, by commas or repetition, each in its direction", async () => {
    const list = ["account", "transfer", SOL, "--limit", "40"];
    const byCommas = await rowsOf([...list, "--sort-by", "flow:desc,amount"]);
    expect(byCommas).toEqual(await rowsOf([...list, "--sort-by", "flow:desc", "--sort-by", "amount"]));
    const flows = byCommas.map(({ flow }: { flow: string }) => flow);
    expect(flows).toEqual([...flows].sort().reverse());
  });

  it("takes a hyphen before a field for :desc, alone and among several, also where the API sorts", async () => {
    const list = ["account", "transfer", SOL, "--limit", "30"];
    expect(await rowsOf([...list, "--sort-by", "-amount"])).toEqual(
      await rowsOf([...list, "--sort-by", "amount:desc"]),
    );
    const several = await rowsOf([...list, "--sort-by", "flow,-amount"]);
    expect(several).toEqual(await rowsOf([...list, "--sort-by", "flow,amount:desc"]));
    const { stdout } = await solx(["token", "list", "--dry-run", "--sort-by", "-market_cap"]);
    expect(JSON.parse(stdout).url).toMatch(/sort_by=market_cap&sort_order=desc/);
  });

  it("passes a key that the API sorts by to the API, with its direction", async () => {
    const url = async (...words: string[]) =>
      JSON.parse((await solx(["token", "markets", SOL, "--dry-run", ...words])).stdout).url;
    expect(await url("--sort-by", "volume")).toContain("sort_by=volume");
    expect(await url("--sort-by", "pool_id:desc")).not.toContain("sort_by");
    const list = await solx(["token", "list", "--dry-run", "--sort-by", "market_cap:asc"]);
    expect(JSON.parse(list.stdout).url).toMatch(/sort_by=market_cap&sort_order=asc/);
    const both = await solx(["token", "list", "--sort-by", "market_cap:asc", "--sort-order", "desc"]);
    expect(both.code).toBe(2);
    expect(both.stderr).toContain("--sort-by market_cap:asc and --sort-order desc cannot be used together");
  });

  it("names the key of the API when it sorts a part of the list by it", async () => {
    const { stderr } = await solx(["token", "list", "--sort-by", "holder:desc,name"]);
    expect(JSON.parse(stderr.split("\n")[0] ?? "").note).toBe(
      "Sorted 10 fetched rows by holder:desc,name; the list may have more. To let the API sort the whole list: --sort-by holder",
    );
  });

  it.each([
    [["token", "holders", USDC, "--sort-by", "ownr"], "Did you mean owner? The fields are"],
    [["token", "list", "--sort-by", "nothing"], "The API sorts by holder, market_cap, created_time"],
    [["token", "holders", USDC, "--sort-by", "owner:up"], "expected FIELD, FIELD:asc, FIELD:desc or -FIELD"],
    [["token", "holders", USDC, "--sort-by", "-owner:asc"], "expected FIELD, FIELD:asc, FIELD:desc or -FIELD"],
    [["token", "meta", USDC, "--sort-by", "name"], "which returns one object"],
    [["account", "transfer", SOL, "--sort-by", "amount", "--follow"], "cannot be used together"],
  ])("%j is a usage error before any request", async (args, text) => {
    const { code, stdout, stderr } = await runInProcess([...args, "SOLX_BASE_URL=http://127.0.0.1:1"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(text);
  });

  it("sorts the rows of many identifiers together", async () => {
    const { stdout, stderr } = await solx(["token", "meta", SOL, USDC, "--sort-by", "symbol:desc", "-o", "ndjson"]);
    const symbols = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).symbol);
    expect(symbols).toEqual(["WSOL", "USDC"]);
    expect(stderr).toContain("Sorted 2 fetched rows by symbol:desc.");
  });
});

it.each(["--fields", "--sort-by"])("%s without a value lists the fields", async (option) => {
  const { code, stderr } = await runInProcess(["token", "holders", USDC, option]);
  expect(code).toBe(2);
  expect(JSON.parse(stderr).errors.hint).toMatch(/^The fields are address, amount,/);
});

describe("--no-headers", () => {
  it.each(["csv", "tsv", "table", "wide"])("leaves out the headings of %s", async (format) => {
    const list = ["token", "holders", USDC, "--limit", "3", "-o", format];
    const [full, bare] = [await solx(list), await solx([...list, "--no-headers"])];
    expect(bare.stdout.trim().split("\n")).toHaveLength(3);
    expect(full.stdout).toContain(bare.stdout.trim().split("\n")[2]?.trim());
    expect(bare.stdout).not.toMatch(/owner/i);
  });

  it("is refused where there are no headings", async () => {
    const { code, stderr } = await solx(["token", "holders", USDC, "--no-headers"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Use -o csv, tsv, table, wide or name.");
  });
});

describe("--raw-text", () => {
  const NAME = "=\u001b]52;c;QUFB\u0007";
  const serveName = async () => {
    const body = JSON.stringify({ success: true, data: [{ address: USDC, name: NAME }] });
    const { url, requests } = await serve((_, response) => sendJson(response, body));
    const args = ["token", "list", `SOLX_BASE_URL=${url}`, "--fields", "name", "--raw-text"];
    return { args, requests };
  };

  it.each([
    ["csv", `name\n${NAME}\n`],
    ["tsv", `name\n${NAME}\n`],
    ["name", `${NAME}\n`],
  ])("prints text as it is in a pipe: %s", async (format, text) => {
    const { args } = await serveName();
    const raw = await runInProcess([...args, "-o", format]);
    expect([raw.code, raw.stdout]).toEqual([0, text]);
    const escaped = await runInProcess([...args.slice(0, -1), "-o", format]);
    expect(escaped.stdout).toMatch(/'=(‹U\+001B›|\\x1b)\]52;c;QUFB/);
  });

  it("writes to a file, also from a terminal", async () => {
    const { args } = await serveName();
    const folder = mkdtempSync(join(tmpdir(), "solx-raw-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { code } = await runInProcess([...args, "--out", join(folder, "x.csv")], { terminal: 80 });
    expect([code, readFileSync(join(folder, "x.csv"), "utf8")]).toEqual([0, `name\n${NAME}\n`]);
  });

  it.each([
    ["csv", 80, "on a terminal"],
    ["name", 80, "on a terminal"],
    ["table", undefined, "-o table, which shortens and aligns texts"],
    ["wide", 80, "-o wide, which shortens and aligns texts"],
    ["json", undefined, "-o json, which contains every text exactly"],
  ])("is refused before a request: -o %s, terminal %s", async (format, terminal, reason) => {
    const { args, requests } = await serveName();
    const { code, stdout, stderr } = await runInProcess([...args, "-o", format], terminal ? { terminal } : {});
    expect([code, stdout, requests.length]).toEqual([2, "", 0]);
    expect(stderr).toContain(`--raw-text cannot be used ${reason.startsWith("-o") ? "with " : ""}${reason}`);
  });
});

describe("-o name", () => {
  it("prints one identifier per line, which the next command reads", async () => {
    const { stdout } = await solx(["token", "holders", USDC, "--limit", "3", "-o", "name"]);
    const owners = stdout.trim().split("\n");
    expect(owners).toHaveLength(3);
    expect(owners.every((owner) => ADDRESS.test(owner))).toBe(true);
    const rows = await solx(["account", "detail", "-", "-o", "name"], { input: stdout });
    expect(rows.stdout).toBe(stdout);
  });

  it.each([
    [["block", "last", "--limit", "2"], /^\d+\n\d+\n$/],
    [["transaction", "last", "--limit", "1"], /^[1-9A-HJ-NP-Za-km-z]{86,88}\n$/],
    [["token", "meta", USDC], new RegExp(`^${USDC}\n$`)],
    [["account", "token-accounts", SOL, "--type", "token"], /^$/],
  ])("%j", async (args, pattern) => {
    const { code, stdout } = await solx([...args, "-o", "name"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(pattern);
  });

  it("is refused before a request where nothing identifies a row", async () => {
    const { code, stderr } = await runInProcess([
      "transaction",
      "fees",
      "-o",
      "name",
      "SOLX_BASE_URL=http://127.0.0.1:1",
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain("no field of this answer is one");
  });
});

describe("the hint of the next page", () => {
  const hintOf = async (args: readonly string[]) =>
    /Next page: \S+ (.*)/.exec((await solx(args, { isStderrTTY: true, env: { PATH: "" } })).stderr)?.[1];

  it("is the typed command with the parameter of that page", async () => {
    expect(await hintOf(["token", "holders", USDC])).toMatch(new RegExp(`token holders ${USDC} --sandbox --page 2$`));
    expect(await hintOf(["token", "holders", USDC, "--page=2"])).toMatch(/ --sandbox --page 3$/);
    expect(await hintOf(["token", "search", "it's", "--page", "1"])).toBeUndefined();
  });

  it("has the cursor of lists that continue after a row", async () => {
    const hint = await hintOf(["account", "transactions", SOL]);
    expect(hint).toMatch(/ --before [1-9A-HJ-NP-Za-km-z]{86,88}$/);
    const [first, next] = [
      await rowsOf(["account", "transactions", SOL]),
      await rowsOf(
        (hint ?? "")
          .split(" ")
          .slice(1, -3)
          .concat((hint ?? "").split(" ").slice(-2)),
      ),
    ];
    expect(next[0].tx_hash).not.toBe(first[0].tx_hash);
    expect((hint ?? "").endsWith(first.at(-1).tx_hash)).toBe(true);
  });
});

describe("--concurrency", () => {
  it("refuses other values than 1 to 16", async () => {
    for (const value of ["0", "17", "two"]) {
      const { code, stderr } = await solx(["token", "list", `SOLX_CONCURRENCY=${value}`]);
      expect(code).toBe(2);
      expect(stderr).toContain("from 1 to 16");
    }
  });
});
