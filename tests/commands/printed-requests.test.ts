/** Addresses and keys in requests that are printed: with `--curl` and `--dry-run`, and on pages of the manual. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startSandbox } from "../../src/sandbox/index.ts";
import { runInProcess } from "../support/in-process.ts";
import { worldsFolder } from "../support/ledger.ts";
import { createTempFolder } from "../support/solx.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const META = ["token", "meta", USDC];
const env = { SOLX_API_KEY: "a-secret-key-0123456789" };

describe("--curl", () => {
  it("prints a command that a running sandbox answers", async () => {
    const printed = await runInProcess([...META, "--curl", "--sandbox"], { env });
    expect(printed.code).toBe(0);
    expect(printed.stderr).toContain("This address answers while the sandbox runs. To start it: solx sandbox");
    const [, header = "", url = ""] = /-H "([^"]+)" '([^']+)'/.exec(printed.stdout) ?? [];
    const [name = "", key = ""] = header.split(": ");
    const server = await startSandbox({ size: 0.5, port: 0, folder: worldsFolder() });
    try {
      const answer = await fetch(url.replace("http://127.0.0.1:8787", server.url), { headers: { [name]: key } });
      expect(await answer.json()).toMatchObject({ success: true, data: { address: USDC } });
    } finally {
      await server.close();
    }
  });

  it("prints only the command with -q, and a variable instead of a key that is a secret", async () => {
    const sandbox = await runInProcess([...META, "--curl", "--sandbox", "-q"], { env });
    expect(sandbox.stderr).toBe("");
    const real = await runInProcess([...META, "--curl"], { env });
    expect(real.stdout).toContain('-H "token: $SOLX_API_KEY"');
    expect(real.stdout + real.stderr).not.toContain(env.SOLX_API_KEY);
  });
});

describe("identifiers that look like numbers", () => {
  it.each([`1e${"5".repeat(41)}`, "9".repeat(44), `${"1".repeat(31)}2`])("stay text: %s", async (id) => {
    const dry = await runInProcess(["account", "detail", id, "--dry-run"], { env });
    expect(new URL(JSON.parse(dry.stdout).url).searchParams.get("address")).toBe(id);
    const raw = await runInProcess(["api", "/account/detail", "--query", `address=${id}`, "--dry-run"], { env });
    expect(new URL(JSON.parse(raw.stdout).url).searchParams.get("address")).toBe(id);
  });
});

describe("the page of an endpoint names the server of the settings", () => {
  const home = createTempFolder();
  mkdirSync(home, { recursive: true });
  writeFileSync(
    join(home, "config.json"),
    JSON.stringify({ profiles: { work: { "base-url": "https://proxy.example", "key-header": "x-key" } } }),
  );
  const page = async (args: readonly string[], more: Record<string, string> = {}) => {
    const run = await runInProcess(["docs", "account", "transfer", ...args], { env: { SOLX_HOME: home, ...more } });
    const [, request] = /GET (\S+)/.exec(run.stdout) ?? [];
    const [, header, url] = /-H "([^"]+)" '([^'?]+)/.exec(run.stdout) ?? [];
    expect(url).toBe(request);
    return [request, header];
  };

  it.each([
    ["by default", [], {}, "https://pro-api.solscan.io/v2.0", "token: $SOLX_API_KEY"],
    ["of a variable", [], { SOLX_BASE_URL: "http://h.example" }, "http://h.example/v2.0", "token: $SOLX_API_KEY"],
    ["of a profile", ["--profile", "work"], {}, "https://proxy.example/v2.0", "x-key: $SOLX_API_KEY"],
    ["of the sandbox", ["--sandbox"], {}, "http://127.0.0.1:8787/v2.0", "token: sandbox-key-solx"],
  ] as const)("%s", async (_, args, variables, server, header) => {
    expect(await page(args, variables)).toEqual([`${server}/account/transfer`, header]);
  });
});
