/** `solx mcp install` and `uninstall`: the files of clients, with everything else in them. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { findUserFile, MCP_CLIENTS, type McpClient } from "../../src/commands/mcp/install/clients.ts";
import { jsonServers } from "../../src/commands/mcp/install/json-servers.ts";
import { withoutServer, withServer } from "../../src/commands/mcp/install/server-file.ts";
import { tomlServers } from "../../src/commands/mcp/install/toml-servers.ts";
import { runInProcess } from "../support/in-process.ts";
import { createTempFolder } from "../support/solx.ts";

const ENTRY = { command: "solx", args: ["mcp"] };
const KEY = "secret-key-of-the-user";

const JSON_TEXTS: Readonly<Record<string, string>> = {
  "no file": "",
  "an empty object": "{}",
  "an empty object on two lines": "{\n}\n",
  "no servers yet": '{\n  "theme": "dark",\n  "numbers": [1, 2.50, 12345678901234567890]\n}\n',
  "an empty list of servers": '{\n  "theme": "dark",\n  "mcpServers": {}\n}\n',
  "an empty list of servers on two lines": '{\n  "mcpServers": {\n  }\n}',
  "another server": '{\n\t"mcpServers": {\n\t\t"other": {\n\t\t\t"command": "x"\n\t\t}\n\t},\n\t"a": 1\n}',
  "one line": '{"mcpServers":{"other":{"command":"x"}},"a":1}',
  "comments and last commas":
    '// mine\n{\n  /* servers */\n  "mcpServers": {\n    "other": { "command": "x" }, // the { other } "one"\n    // none\n  },\n}\n',
  "a comment behind the last server": '{\n  "mcpServers": {\n    "other": { "command": "x" } // note\n  }\n}\n',
  "Windows line breaks": '{\r\n  "theme": "dark",\r\n  "a": {}\r\n}\r\n',
  "a byte order mark": '\ufeff{\n  "a": 1\n}\n',
  "the name elsewhere": '{\n  "a": { "mcpServers": { "solx": 1 } },\n  "text": "\\"mcpServers\\": {"\n}\n',
};

const TOML_TEXTS: Readonly<Record<string, string>> = {
  "no file": "",
  "other settings": 'model = "gpt" # mine\n\n[history]\npersistence = "none"\n',
  "no line break at the end": 'model = "gpt"',
  "another server":
    '# servers\n[mcp_servers.other]\ncommand = "x"\n\n[mcp_servers.other.env]\nA = "[mcp_servers.solx]"\n',
  "Windows line breaks": 'model = "gpt"\r\n\r\n[tui]\r\ntheme = "a"\r\n',
  "blank lines at the end": "a = 1\n\n\n",
};

describe.each([
  ["JSON", jsonServers("mcpServers", "solx"), JSON_TEXTS],
  ["TOML", tomlServers("mcp_servers", "solx"), TOML_TEXTS],
] as const)("a %s file", (_, file, texts) => {
  test.each(Object.entries(texts))("with %s: adding, adding again and removing", (_name, text) => {
    const added = withServer(file, text, ENTRY);
    expect(file.read(added)).toEqual(ENTRY);
    expect(added.includes("\r\n")).toBe(text.includes("\r\n"));
    expect(withServer(file, added, ENTRY)).toBe(added);
    expect(withoutServer(file, added)).toBe(text);
    expect(withoutServer(file, text)).toBe(text);
  });

  test("what else an entry has stays, and other servers do when something changed since", () => {
    const before = withServer(file, withServer(file, "", { ...ENTRY, env: { A: "1" } }), {
      ...ENTRY,
      args: ["mcp", "--sandbox"],
    });
    expect(file.read(before)).toEqual({ command: "solx", args: ["mcp", "--sandbox"], env: { A: "1" } });
    expect(file.read(withoutServer(file, before))).toBeUndefined();
  });
});

test("a TOML file whose servers are written in another form is refused, not broken", () => {
  const file = tomlServers("mcp_servers", "solx");
  expect(() => withServer(file, 'mcp_servers = { other = { command = "x" } }\n', ENTRY)).toThrow();
});

const clients = Object.entries(MCP_CLIENTS);

/** Returns the file of a client below a home folder, on this system. */
function fileOf(name: string, home: string): string {
  const path = findUserFile(MCP_CLIENTS[name] as McpClient, { env: { HOME: home }, platform: process.platform });
  if (path === undefined) throw new Error(name);
  return path;
}

const environmentOf = (home: string) => ({
  HOME: home,
  USERPROFILE: home,
  APPDATA: undefined,
  XDG_CONFIG_HOME: undefined,
  SOLX_API_KEY: KEY,
});

describe.each(clients)("%s", (name, { hasType, container }) => {
  const isJson = MCP_CLIENTS[name]?.format === "json";

  test("gets the server once, without a key, and loses it again", async () => {
    const home = createTempFolder();
    const env = environmentOf(home);
    const path = fileOf(name, home);
    const text = isJson ? '{\n  // mine\n  "a": 1\n}\n' : "# mine\na = 1\n";
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o640 });

    const added = await runInProcess(["mcp", "install", name, "--yes", "--sandbox"], { env });
    expect([added.code, JSON.parse(added.stdout)]).toMatchObject([0, { file: path, state: "changed" }]);
    expect(JSON.parse(added.stderr).diff).toMatch(/^\+.*solx/m);
    const changed = readFileSync(path, "utf8");
    expect(changed).toContain("mine");
    expect(changed).toContain("--sandbox");
    expect(changed.includes('"stdio"')).toBe(hasType === true);
    expect(changed).toContain(container);
    expect(added.stdout + added.stderr + changed).not.toContain(KEY);
    if (process.platform !== "win32") expect(lstatSync(path).mode & 0o777).toBe(0o640);

    const again = await runInProcess(["mcp", "install", name, "--yes", "--sandbox"], { env });
    expect(JSON.parse(again.stdout).state).toBe("unchanged");
    expect(again.stderr).toBe("");
    const removed = await runInProcess(["mcp", "uninstall", name, "--yes"], { env });
    expect(JSON.parse(removed.stdout).state).toBe("changed");
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(readdirSync(dirname(path))).toHaveLength(1);
  });

  test("a malformed file is an error, and stays as it is", async () => {
    const home = createTempFolder();
    const path = fileOf(name, home);
    mkdirSync(dirname(path), { recursive: true });
    for (const text of isJson
      ? ['{ "a": ', '{ "a": 1 } x', "[]", `{ "${container}": [] }`, "{ /* "]
      : ["a = ", '[a\nb = "', "a = 1\na = 2"]) {
      writeFileSync(path, text);
      for (const command of ["install", "uninstall"]) {
        const { code, stderr } = await runInProcess(["mcp", command, name, "--yes"], { env: environmentOf(home) });
        expect([code, JSON.parse(stderr).errors.code, readFileSync(path, "utf8")], text).toEqual([2, "CONFIG", text]);
      }
    }
  });
});

test("without a file, it is written for its owner alone, and removed again", async () => {
  const home = createTempFolder();
  const env = environmentOf(home);
  const path = fileOf("cursor", home);
  expect(JSON.parse((await runInProcess(["mcp", "install", "cursor", "-y"], { env })).stdout).state).toBe("written");
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
    mcpServers: { solx: { command: expect.any(String), args: expect.arrayContaining(["mcp"]) } },
  });
  if (process.platform !== "win32") expect(lstatSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse((await runInProcess(["mcp", "uninstall", "cursor", "-y"], { env })).stdout).state).toBe("removed");
  expect(readdirSync(dirname(path))).toEqual([]);
});

test.skipIf(process.platform === "win32")("a link stays one, and its target changes", async () => {
  const home = createTempFolder();
  const target = join(home, "dotfiles.json");
  writeFileSync(target, "{}");
  symlinkSync(target, join(home, ".claude.json"));
  const { code } = await runInProcess(["mcp", "install", "claude", "-y"], { env: environmentOf(home) });
  expect([code, lstatSync(join(home, ".claude.json")).isSymbolicLink()]).toEqual([0, true]);
  expect(JSON.parse(readFileSync(target, "utf8")).mcpServers.solx).toMatchObject({ type: "stdio" });
});

test("at a terminal, the change is shown and has to be confirmed", async () => {
  const home = createTempFolder();
  const answer = (text: string) => {
    const stdin = Object.assign(Readable.from([text]), { isTTY: true });
    return runInProcess(["mcp", "install", "gemini"], { env: environmentOf(home), stdin, isStderrTTY: true });
  };
  const refused = await answer("n\n");
  expect([refused.code, readdirSync(home)]).toEqual([2, []]);
  expect(refused.stderr).toMatch(/^--- .*null\n\+\+\+ .*settings\.json\n\+\{\n/);
  expect(refused.stderr).toMatch(/Change .*settings\.json\? \[y\/N\]/);
  expect((await answer("y\n")).code).toBe(0);
  expect(readFileSync(fileOf("gemini", home), "utf8")).toContain("solx");
});

test("nothing is written without a confirmation, for an unknown client, or with a key in the URL of a node", async () => {
  const home = createTempFolder();
  const env = environmentOf(home);
  const failure = async (...words: readonly string[]) =>
    JSON.parse((await runInProcess(["mcp", "install", ...words], { env })).stderr.split("\n").at(-2) ?? "").errors;
  expect(await failure("claude")).toMatchObject({ code: "NOT_CONFIRMED", hint: "To confirm it, add --yes." });
  expect((await failure("emacs", "-y")).message).toMatch(
    /^unknown client "emacs": expected claude, claude-desktop, .* or gemini$/,
  );
  expect((await failure("claude", "-y", "--rpc", `https://node.example/${KEY}`)).message).toMatch(/may contain a key/);
  expect((await failure("claude-desktop", "-y", "--project")).hint).toBe("Omit --project.");
  expect(readdirSync(home)).toEqual([]);
});

test("the files of clients are where their documentation says", () => {
  const at = (name: string, platform: NodeJS.Platform, env = {}) =>
    findUserFile(MCP_CLIENTS[name] as McpClient, { platform, env: { HOME: "/home/u", ...env } })?.replaceAll("\\", "/");
  expect(at("claude", "linux")).toBe("/home/u/.claude.json");
  expect(at("claude", "linux", { CLAUDE_CONFIG_DIR: "/c" })).toBe("/c/.claude.json");
  expect(at("claude-desktop", "darwin")).toBe("/home/u/Library/Application Support/Claude/claude_desktop_config.json");
  expect(at("claude-desktop", "win32", { APPDATA: "/a" })).toBe("/a/Claude/claude_desktop_config.json");
  expect(at("vscode", "linux")).toBe("/home/u/.config/Code/User/mcp.json");
  expect(at("vscode", "darwin")).toBe("/home/u/Library/Application Support/Code/User/mcp.json");
  expect(at("cursor", "linux")).toBe("/home/u/.cursor/mcp.json");
  expect(at("codex", "linux")).toBe("/home/u/.codex/config.toml");
  expect(at("codex", "linux", { CODEX_HOME: "/x" })).toBe("/x/config.toml");
  expect(at("gemini", "linux")).toBe("/home/u/.gemini/settings.json");
});
