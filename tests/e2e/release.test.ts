/** The artefacts of a release, created from the build by the release script. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { hashFile, writeSbom } from "../../scripts/sbom.ts";
import { IS_OLDEST } from "../support/oldest-node.ts";
import { describeWith, isOnPath, testWith } from "../support/programs.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { BIN, cleanEnv, createTempFolder } from "../support/solx.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const run = promisify(execFile);

const EXECUTABLES = ["solx-win32-x64.exe", "solx-linux-x64"];

/** The packages for Linux by the program that makes them. */
const PACKAGES = { "dpkg-deb": `solx_${version}-1_amd64.deb`, rpmbuild: `solx-${version}-1.x86_64.rpm` };

(IS_OLDEST ? describe.skip : describeWith("tar"))("the release script", () => {
  const folder = createTempFolder();
  const read = (file: string) => readFileSync(join(folder, file), "utf8");
  const release = () => run(process.execPath, [join(ROOT, "scripts/release.ts"), "--no-executable", "--out", folder]);
  let withoutExecutable: readonly string[];
  let notes: string;
  beforeAll(async () => {
    notes = (await release()).stderr;
    withoutExecutable = readdirSync(join(folder, "packaging")).sort();
    // What an executable does, without the minute that packing one takes.
    for (const file of EXECUTABLES) {
      writeFileSync(join(folder, file), `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
      writeSbom(join(folder, file), { packages: [] });
    }
    writeFileSync(join(folder, "solx-0.0.9.tgz"), "an earlier version");
    await release();
  });

  test("sums the artefacts of this version", () => {
    const licences = `solx-${version}-licenses.txt`;
    const packed = ["tgz", "mcpb"].map((suffix) => `solx-${version}.${suffix}`);
    const files = [...packed, `solx-${version}-standalone.tgz`, ...EXECUTABLES];
    for (const [program, file] of Object.entries(PACKAGES)) if (isOnPath(program)) files.push(file);
    const expected = [...files.flatMap((file) => [file, `${file}.cdx.json`]), licences].sort();
    expect(read("SHA256SUMS")).toBe(expected.map((file) => `${hashFile(join(folder, file))}  ${file}\n`).join(""));
    for (const owner of ["The solx authors", "undici", "Node.js contributors"]) expect(read(licences)).toContain(owner);
  });

  test("fills the manifests of package managers", () => {
    const managers = readdirSync(join(ROOT, "packaging"));
    const files = readdirSync(join(folder, "packaging"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
    expect(new Set(files.map((file) => file.split(sep)[1]))).toEqual(new Set(managers));
    expect(files.filter((file) => /\{\{|undefined/.test(read(file)))).toEqual([]);
    const hashes = new Set(read("SHA256SUMS").match(/^\w{64}/gm));
    for (const file of files)
      expect((read(file).match(/\b[\da-f]{64}\b/g) ?? []).filter((hash) => !hashes.has(hash))).toEqual([]);
    expect(JSON.parse(read("packaging/scoop/solx.json"))).toMatchObject({ version, bin: "solx.exe" });
    // The path and the names that the repository of winget checks.
    const winget = (suffix: string) =>
      parse(read(`packaging/winget/manifests/s/solx/solx/${version}/solx.solx${suffix}.yaml`));
    const types = { "": "version", ".installer": "installer", ".locale.en-US": "defaultLocale" };
    for (const [suffix, ManifestType] of Object.entries(types))
      expect(winget(suffix)).toMatchObject({ PackageIdentifier: "solx.solx", PackageVersion: version, ManifestType });
    // The variables of PKGBUILD, which AUR reads from .SRCINFO.
    const build = read("packaging/aur/PKGBUILD");
    for (const [, name = "", value = ""] of read("packaging/aur/.SRCINFO").matchAll(/^\t(\w+) = (.*)$/gm))
      expect(build.split("\n").find((line) => line.startsWith(`${name}=`))).toContain(value);
  });

  test("leaves out package managers whose artefact is missing", () => {
    expect(withoutExecutable).toEqual(["aur", "homebrew", "mcp", "nix"]);
    expect(notes).toContain("note: winget is left out: no solx-win32-x64.exe\n");
  });

  test("lists what each artefact contains in an SBOM, with hashes", () => {
    const names = (file: string) => {
      const { components, metadata, dependencies } = JSON.parse(read(`${file}.cdx.json`));
      expect(metadata.component).toMatchObject({ name: "solx", version, purl: `pkg:npm/solx@${version}` });
      expect(metadata.component.hashes).toEqual([{ alg: "SHA-256", content: hashFile(join(folder, file)) }]);
      const references = components.map((component: Record<string, unknown>) => component["bom-ref"]);
      expect(dependencies).toEqual([{ ref: `solx@${version}`, dependsOn: references }]);
      expect(new Set(references).size).toBe(components.length);
      for (const { hashes } of components)
        expect(hashes).toEqual([{ alg: "SHA-512", content: expect.stringMatching(/^[\da-f]{128}$/) }]);
      return components.map(({ name }: { name: string }) => name);
    };
    const contained = ["jq-wasm", "zod", "ink", "undici"];
    const npm = names(`solx-${version}.tgz`);
    expect(npm).toEqual(expect.arrayContaining([...contained, "@napi-rs/keyring", "@napi-rs/keyring-darwin-arm64"]));
    expect(npm).not.toContain("vitest");
    for (const file of [`solx-${version}-standalone.tgz`, `solx-${version}.mcpb`]) {
      expect(names(file)).toEqual(expect.arrayContaining(contained));
      expect(names(file)).not.toContain("@napi-rs/keyring");
    }
    for (const [program, file] of Object.entries(PACKAGES)) if (isOnPath(program)) names(file);
  });

  /** What packages contain beside the manual, by the program that makes them. */
  const contents = {
    "dpkg-deb": ["doc/solx/copyright", "doc/solx/changelog.gz", "zsh/vendor-completions/_solx"],
    rpmbuild: ["licenses/solx/LICENSE", "doc/solx/CHANGELOG.md", "zsh/site-functions/_solx"],
  };
  for (const program of ["dpkg-deb", "rpmbuild"] as const)
    testWith(program)(`packs the executable, its manual and completion with ${program}`, async () => {
      const target = createTempFolder();
      const file = join(folder, PACKAGES[program]);
      if (program === "dpkg-deb") await run("dpkg-deb", ["-x", file, target]);
      else await run("sh", ["-c", 'rpm2archive - < "$1" | tar xz -C "$2"', "sh", file, target]);
      const { stdout } = await run(join(target, "usr/bin/solx"), ["--version"]);
      expect(stdout).toBe(`${version}\n`);
      const installed = (path: string) => readFileSync(join(target, "usr/share", path));
      for (const path of contents[program]) expect(installed(path).length).toBeGreaterThan(100);
      expect(installed("bash-completion/completions/solx").toString()).toContain("complete -F _solx solx");
      expect(installed("fish/vendor_completions.d/solx.fish").length).toBeGreaterThan(100);
      for (const page of ["man1/solx-token-meta.1", "man7/solx-limits.7"])
        expect(gunzipSync(installed(`man/${page}.gz`))).toEqual(readFileSync(join(ROOT, "dist/man", page)));
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
    const { name, description, packages } = JSON.parse(read("packaging/mcp/server.json"));
    expect([name, description.length <= 100]).toEqual([mcpName, true]);
    expect(packages[1].identifier).toMatch(new RegExp(`/v${version}/solx-${version}\\.mcpb$`));
  });
});
