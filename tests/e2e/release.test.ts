/** The artefacts of a release, created from the build by the release script. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { IS_OLDEST } from "../support/oldest-node.ts";
import { describeWith } from "../support/programs.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { cleanEnv, createTempFolder } from "../support/solx.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const run = promisify(execFile);

(IS_OLDEST ? describe.skip : describeWith("tar"))("the release script", () => {
  const folder = createTempFolder();
  const read = (file: string) => readFileSync(join(folder, file), "utf8");
  const release = () => run(process.execPath, [join(ROOT, "scripts/release.ts"), "--no-executable", "--out", folder]);
  let withoutExecutable: readonly string[];
  let notes: string;
  beforeAll(async () => {
    notes = (await release()).stderr;
    withoutExecutable = readdirSync(folder);
    writeFileSync(join(folder, "solx-win32-x64.exe"), "executable");
    writeFileSync(join(folder, "solx-0.0.9.tgz"), "an earlier version");
    await release();
  });

  test("sums the artefacts of this version", () => {
    const licences = `solx-${version}-licenses.txt`;
    const files = [
      licences,
      `solx-${version}-standalone.tgz`,
      "solx.cdx.json",
      `solx-${version}.mcpb`,
      `solx-${version}.tgz`,
    ];
    const sum = (file: string) =>
      createHash("sha256")
        .update(readFileSync(join(folder, file)))
        .digest("hex");
    const expected = [...files, "solx-win32-x64.exe"].sort().map((file) => `${sum(file)}  ${file}\n`);
    expect(read("SHA256SUMS")).toBe(expected.join(""));
    for (const owner of ["The solx authors", "undici", "Node.js contributors"]) expect(read(licences)).toContain(owner);
  });

  test("fills the manifests of package managers", () => {
    const managers = readdirSync(join(ROOT, "packaging"));
    const files = managers.flatMap((manager) => readdirSync(join(folder, manager)).map((file) => join(manager, file)));
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => /\{\{|undefined/.test(read(file)))).toEqual([]);
    const hashes = new Set(read("SHA256SUMS").match(/^\w{64}/gm));
    for (const file of files)
      expect((read(file).match(/\b[\da-f]{64}\b/g) ?? []).filter((hash) => !hashes.has(hash))).toEqual([]);
    expect(JSON.parse(read("scoop/solx.json"))).toMatchObject({ version, bin: "solx.exe" });
    const winget = readdirSync(join(folder, "winget")).map((file) => parse(read(join("winget", file))));
    expect(winget.map(({ ManifestType }) => ManifestType).sort()).toEqual(["defaultLocale", "installer", "version"]);
    for (const manifest of winget) expect(manifest).toMatchObject({ PackageVersion: version });
  });

  test("leaves out package managers whose artefact is missing", () => {
    expect(withoutExecutable).toEqual(expect.arrayContaining(["homebrew", "nix"]));
    expect(withoutExecutable).not.toContain("winget");
    expect(notes).toContain("note: winget is left out: no solx-win32-x64.exe\n");
  });

  test("lists what is installed and what is bundled in the SBOM", () => {
    const { components, metadata, dependencies } = JSON.parse(read("solx.cdx.json"));
    const names: string[] = components.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(["jq-wasm", "zod", "@napi-rs/keyring", "ink", "undici"]));
    expect(names).not.toContain("vitest");
    expect(metadata.component).toMatchObject({ name: "solx", version, purl: `pkg:npm/solx@${version}` });
    const references = new Set(components.map((component: Record<string, unknown>) => component["bom-ref"]));
    expect(references.size).toBe(components.length);
    for (const { dependsOn } of dependencies)
      expect(dependsOn.filter((reference: string) => !references.has(reference))).toEqual([]);
  });

  test("packs a tarball that runs without npm", async () => {
    const target = createTempFolder();
    await run("tar", ["xzf", join(folder, `solx-${version}-standalone.tgz`), "-C", target]);
    const solx = join(target, "package/bin/solx.js");
    const args = [solx, "chaininfo", "--sandbox", "--jq", ".blockHeight > 0"];
    const { stdout } = await run(process.execPath, args, { env: cleanEnv({ SOLX_SANDBOX_SIZE: "0.02" }) });
    expect(stdout).toBe("true\n");
    expect(existsSync(join(target, "package/node_modules/zod/package.json"))).toBe(true);
  });

  test("packs an MCP bundle that starts as its manifest says, and describes it for the registry", async () => {
    const target = createTempFolder();
    const mcpb = join(ROOT, "node_modules/@anthropic-ai/mcpb/dist/cli/cli.js");
    await run(process.execPath, [mcpb, "unpack", join(folder, `solx-${version}.mcpb`), target]);
    await run(process.execPath, [mcpb, "validate", join(target, "manifest.json")]);
    const { server, tools, user_config } = JSON.parse(readFileSync(join(target, "manifest.json"), "utf8"));
    const settings: Record<string, string> = { __dirname: target, "user_config.sandbox": "true" };
    const fill = (text: string) => text.replace(/\$\{(.*?)\}/g, (_, name: string) => settings[name] ?? "");
    const env = Object.fromEntries(
      Object.entries<string>(server.mcp_config.env).map(([name, value]) => [name, fill(value)]),
    );
    const client = new Client({ name: "test", version: "1" });
    const args = server.mcp_config.args.map(fill);
    const transport = new StdioClientTransport({ command: process.execPath, args, env: cleanEnv(sandboxEnv(env)) });
    await client.connect(transport);
    const offered = await client.listTools();
    expect(offered.tools.map(({ name }) => name)).toEqual(tools.map(({ name }: { name: string }) => name));
    const { isError } = await client.callTool({ name: "call_endpoint", arguments: { endpoint: "chaininfo" } });
    expect(isError).toBeFalsy();
    await client.close();
    expect(Object.keys(user_config)).toEqual(["api_key", "sandbox"]);
    const { mcpName } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const { name, description, packages } = JSON.parse(read("mcp/server.json"));
    expect([name, description.length <= 100]).toEqual([mcpName, true]);
    expect(packages[1].identifier).toMatch(new RegExp(`/v${version}/solx-${version}\\.mcpb$`));
  });
});
