/** The single executable of this machine, built by the test. */
import { execFile } from "node:child_process";
import { chmodSync, copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { hashFile } from "../../scripts/sbom.ts";
import { USDC } from "../../src/catalogue/samples.ts";
import { IS_OLDEST } from "../support/oldest-node.ts";
import { createTempFolder } from "../support/solx.ts";

const run = promisify(execFile);
const script = (name: string) => fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url));

// The oldest Node cannot build executables.
describe.skipIf(IS_OLDEST)("the single executable", () => {
  // Nothing but the file and the system: no Node in PATH, no package around it.
  const folder = createTempFolder();
  const solx = join(folder, process.platform === "win32" ? "solx.exe" : "solx");
  const env = { PATH: "/usr/bin:/bin", SOLX_HOME: join(folder, "home"), SOLX_SANDBOX_SIZE: "0.1" };

  beforeAll(async () => {
    await run(process.execPath, [script("executable.ts"), "--out", solx]);
  });

  test("passes the smoke test of every installation", async () => {
    const { stdout } = await run("sh", [script("smoke.sh"), solx], { env, cwd: folder }).catch((failure) => failure);
    expect(stdout).toMatch(/^\d+ passed, 0 failed, \d+ skipped$/m);
  });

  test.runIf(process.platform === "linux")("needs no library that minimal systems lack", async () => {
    const { stdout } = await run(solx, [], { env: { LD_TRACE_LOADED_OBJECTS: "1" } });
    expect([...stdout.matchAll(/lib(\w+)\S*\.so\S* =>/g)].map(([, name]) => name).sort()).toEqual([
      "c",
      "dl",
      "gcc_s",
      "m",
      "pthread",
      "stdc",
    ]);
  });

  test("has an SBOM with its Node and its native keychain", () => {
    const { components, metadata } = JSON.parse(readFileSync(`${solx}.cdx.json`, "utf8"));
    expect(metadata.component.hashes).toEqual([{ alg: "SHA-256", content: hashFile(solx) }]);
    const node = components.find(({ name }: { name: string }) => name === "node");
    expect(node).toMatchObject({ version: process.versions.node, hashes: [{ content: hashFile(process.execPath) }] });
    const keychains = components.filter(({ name }: { name: string }) => name.startsWith("@napi-rs/keyring"));
    expect(keychains).toHaveLength(1);
  });

  test("starts its own worker: the keychain with its native module", async () => {
    const { stdout } = await run(solx, ["doctor", "-o", "json"], {
      env: { ...env, SOLX_BASE_URL: "http://localhost:1", DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent" },
      cwd: folder,
    }).catch((failure) => failure);
    const checks = JSON.parse(stdout) as { check: string; message: string; value: { path?: string } }[];
    const find = (name: string) => checks.find(({ check }) => check === name);
    expect(find("solx")?.value.path).toBe(solx);
    if (process.platform === "linux") expect(find("keychain")?.message).toContain("DBus error");
  });

  test("suggests commands as it was started", async () => {
    const { stdout } = await run(solx, ["overview", "--sandbox", "--jq", ".next[]"], { env, cwd: folder });
    expect(stdout).toMatch(/^\.\/solx show \S+ --sandbox$/m);
  });

  test("runs where only reading is possible, from any path", async () => {
    const copy = join(createTempFolder(), "a b%20ü");
    copyFileSync(solx, copy);
    chmodSync(copy, 0o555);
    const { stdout } = await run(copy, ["token", "meta", USDC, "--sandbox", "--jq", ".symbol"], {
      env: { ...env, SOLX_HOME: join(solx, "below-a-file") },
      cwd: "/",
    });
    expect(stdout).toBe("USDC\n");
  });
});
