/** The program and the library on other runtimes, where they are installed. */
import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { USDC } from "../../src/catalogue/samples.ts";
import { isOnPath } from "../support/programs.ts";
import { BIN, createTempFolder } from "../support/solx.ts";

/** The command that runs a script. */
const RUNTIMES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  bun: ["bun"],
  deno: ["deno", "run", "--allow-all"],
};

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const LIBRARY = `
import { createClient } from "solx";
import { startSandbox } from "solx/sandbox";
const sandbox = await startSandbox({ port: 0, size: 0.1 });
const client = createClient({ baseUrl: sandbox.url, key: sandbox.key });
const { symbol } = await client.token.meta({ address: "${USDC}" });
const rows = await Array.fromAsync(client.token.transfer({ address: "${USDC}" }).rows({ limit: 250 }));
const error = await client.token.meta({ address: "nope" }).catch(({ name }) => name);
await client.close();
await sandbox.close();
console.log(symbol, rows.length, error);
`;

describe.each(Object.entries(RUNTIMES))("%s", (name, [command, ...args]) => {
  // No release needs them, and each is larger than everything else that is installed: also skipped in CI.
  const testOn = test.skipIf(!isOnPath(name));

  testOn("passes the smoke test of every installation", async () => {
    const { stdout } = await promisify(execFile)("sh", [join(ROOT, "scripts/smoke.sh"), command, ...args, BIN]).catch(
      (failure) => failure,
    );
    expect(stdout).toMatch(/^\d+ passed, 0 failed, \d+ skipped$/m);
  });

  testOn("runs the library", async () => {
    const folder = createTempFolder();
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(ROOT, join(folder, "node_modules/solx"), "junction");
    writeFileSync(join(folder, "package.json"), "{}");
    writeFileSync(join(folder, "library.mjs"), LIBRARY);
    const env = { ...process.env, SOLX_HOME: folder };
    const { stdout } = await promisify(execFile)(command, [...args, "library.mjs"], { cwd: folder, env });
    expect(stdout).toBe("USDC 250 UsageError\n");
  });
});
