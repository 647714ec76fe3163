/** Runs the recipes of docs/bulk.md as they are written: in order, in one directory, over the sandbox. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeWith } from "../support/programs.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { BIN, cleanEnv, createTempFolder } from "../support/solx.ts";
import { redisServer } from "../support/workers.ts";

const run = promisify(execFile);
const DOCS = new URL("../../docs/bulk.md", import.meta.url);

/** Returns the blocks of shell commands with their headings. */
function recipes(): readonly { readonly title: string; readonly script: string }[] {
  const text = readFileSync(DOCS, "utf8");
  let title = "";
  return [...text.matchAll(/^#+ (.*)$|^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, heading, script]) => {
    title = heading ?? title;
    return script === undefined ? [] : [{ title, script }];
  });
}

const all = recipes();
const [setting, ...others] = all;
const folder = createTempFolder();
let redis = "";
let stopRedis = () => {};
const outputs = new Map<string, { readonly stdout: string; readonly stderr: string }>();
const rows = (file: string) => readFileSync(join(folder, file), "utf8").trimEnd().split("\n");

/** Runs a recipe after the first block of the page, which sets the environment. */
async function runRecipe(script: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const env = cleanEnv(
    sandboxEnv({ SOLX_HOME: undefined, XDG_CACHE_HOME: sandboxEnv().SOLX_HOME, HOME: folder, REDIS: redis }),
  );
  const path = `${folder}:${process.env.PATH}`;
  return await run("sh", ["-euc", `${setting?.script}\n${script}`], { cwd: folder, env: { ...env, PATH: path } });
}

describeWith("redis-server")("the recipes of docs/bulk.md", () => {
  beforeAll(async () => {
    redis = `127.0.0.1:${(await redisServer(undefined, (stop) => (stopRedis = stop))).port}`;
    writeFileSync(join(folder, "solx"), `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`, { mode: 0o755 });
  });

  afterAll(() => stopRedis());

  test("the page has recipes", () => {
    expect(setting?.script).toContain("SOLX_SANDBOX=1");
    expect(new Set(others.map(({ title }) => title)).size).toBeGreaterThanOrEqual(9);
  });

  test.each(others.map((recipe, at) => [`${at + 1}. ${recipe.title}`, recipe] as const))(
    "%s",
    async (_, { title, script }) => {
      outputs.set(title, await runRecipe(script));
    },
  );

  test("the recipes produce their files", () => {
    expect(rows("transfers.csv").length).toBeGreaterThan(100);
    expect(rows("usdc.ndjson").every((row) => JSON.parse(row).trans_id !== undefined)).toBe(true);
    expect(rows("holders.csv")[0]).toBe("RANK,OWNER,AMOUNT,SHARE");
    expect(rows("month.csv")[0]).toContain("Signature");
    expect(rows("transfers-2026-06-30.csv")[0]).toContain("Signature");
    const wallets = rows("wallets.txt");
    expect(rows("labels.ndjson").map((row) => JSON.parse(row).account_address)).toEqual(wallets);
    expect(rows("balances.csv")).toHaveLength(wallets.length + 1);
    expect(
      rows("details.ndjson")
        .map((row) => JSON.parse(row).account)
        .sort(),
    ).toEqual(wallets.toSorted());
    expect(rows("one.ndjson")).toHaveLength(wallets.length);
    expect(rows("two.ndjson")).toEqual(rows("one.ndjson"));
    expect(outputs.get("Sharing a key between machines")?.stderr).not.toContain("not shared");
    expect(outputs.get("Following")?.stdout.trimEnd().split("\n").length).toBeGreaterThanOrEqual(10);
  });
});
