/** `solx completion` in real shells. The tests of a shell that is not installed are skipped. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeWith, isOnPath, testWith } from "../support/programs.ts";
import { BIN, cleanEnv, createTempFolder, solx } from "../support/solx.ts";
import { closeTerminals, Terminal } from "../support/terminal.ts";

const folder = createTempFolder();
const bin = join(folder, "bin");
const home = join(folder, "home");
const scripts = new URL("../../dist/completion/", import.meta.url);

const env = cleanEnv({ HOME: home, SOLX_HOME: home, PATH: `${bin}:${process.env.PATH}`, LC_ALL: "C.UTF-8" });

beforeAll(() => {
  mkdirSync(bin);
  mkdirSync(home);
  symlinkSync(BIN, join(bin, "solx"));
  symlinkSync(process.execPath, join(bin, "node"));
  writeFileSync(join(home, "config.json"), JSON.stringify({ profiles: { work: {}, "work-2": {} } }));
  writeFileSync(join(home, "addresses.txt"), "");
});
afterAll(closeTerminals);

describe("the program", () => {
  const complete = (args: readonly string[], env: Record<string, string | undefined> = {}) =>
    solx(["__complete", ...args], { env });

  test("reads profiles from the settings and works without a home and with broken settings", async () => {
    const broken = join(folder, "broken");
    mkdirSync(broken);
    writeFileSync(join(broken, "config.json"), '{"profiles": {"work": ');
    const quiet = { code: 0, stderr: "" };
    expect(await complete(["fish", "--profile", "wor"], { SOLX_HOME: home })).toEqual({
      ...quiet,
      signal: null,
      stdout: "values 0 space\nwork\t\nwork-2\t\n",
    });
    const none = { SOLX_HOME: undefined, HOME: undefined, SOLX_API_KEY: undefined, PATH: undefined };
    for (const variables of [{ SOLX_HOME: broken }, { SOLX_HOME: join(broken, "config.json") }, none]) {
      const { stdout, ...rest } = await complete(["fish", "--profile", ""], variables);
      expect(rest).toMatchObject(quiet);
      expect(stdout).toBe("values 0 space\ndefault\t\nsandbox\t\n");
    }
  });

  test("prints nothing without candidates, whatever the arguments", async () => {
    for (const args of [[], ["tcsh", "acc"], ["zsh", "nonsense", ""], ["fish", "--jq", "'\"\\"]]) {
      expect(await complete(args)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    }
  });

  test("replies to PowerShell with words, list items and descriptions", async () => {
    const { stdout } = await complete(["powershell", ".token", ".meta", ".--fields", ".name,symb"]);
    expect(stdout).toMatch(/^values 5 open\nname,symbol\tsymbol\t\S.+\n$/);
    expect(await complete(["powershell", ".token", ".meta", ".--fields", ".'name,symb"])).toMatchObject({ stdout });
    const script = readFileSync(new URL("solx.ps1", scripts), "utf8");
    expect(script).toContain("Register-ArgumentCompleter -Native -CommandName solx");
    for (const [open, close] of ["{}", "()", "[]"]) {
      expect(script.split(open as string).length).toBe(script.split(close as string).length);
    }
  });
});

describe("solx completion", () => {
  test("prints a script, the setup of the user's shell, or the shells", async () => {
    const scriptOf = { bash: "solx.bash", zsh: "_solx", fish: "solx.fish", powershell: "solx.ps1" };
    const printed = Object.entries(scriptOf).map(async ([shell, file]) => {
      const stdout = readFileSync(new URL(file, scripts), "utf8");
      expect(await solx(["completion", shell])).toEqual({ code: 0, signal: null, stdout, stderr: "" });
    });
    await Promise.all(printed);
    const [own, unknown, wrong] = await Promise.all([
      solx(["completion"], { env: { SHELL: "/usr/bin/fish" } }),
      solx(["completion"], { env: { SHELL: undefined } }),
      solx(["completion", "zhs"]),
    ]);
    // The output can be appended to a startup file: everything but the command is a comment.
    expect(own.stdout.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
      "solx completion fish | source",
    ]);
    for (const shell of Object.keys(scriptOf)) expect(unknown.stdout).toContain(`completion ${shell}`);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("Did you mean zsh?");
  });
});

describeWith("bash")("bash", () => {
  /** Returns the candidates of the script's function for each line; `^` marks a cursor that is not at the end. */
  function complete(lines: readonly string[]): string[] {
    const calls = lines.map((line) => {
      const [left = ""] = line.split("^");
      const point = `COMP_POINT=${left.length};`;
      return `COMP_LINE='${line.replace("^", "")}'; ${point} _solx solx "\${COMP_LINE##* }" ""; echo "\${COMPREPLY[*]}"`;
    });
    const script = ['eval "$(solx completion bash)"', `COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'`, ...calls].join("\n");
    return execFileSync("bash", ["--norc", "-u", "-c", script], { env, encoding: "utf8" }).split("\n");
  }

  test("the script is valid and completes words", () => {
    execFileSync("bash", ["-n", new URL("solx.bash", scripts).pathname]);
    expect(
      complete([
        "solx tok",
        "solx account tra^ --flow in",
        "solx --output=nd",
        "solx token meta --fields A:symb",
        "solx token meta --fields name,symb",
        `solx token meta @${home}/addr`,
        `solx token meta @${home}/nothing-like-it`,
        "solx --profile wo",
        "solx token meta -- ",
      ]),
    ).toEqual([
      "token",
      "transfer transfer-total transfer-export transactions transactions-enhanced",
      "ndjson",
      "symbol",
      "name,symbol",
      `@${home}/addresses.txt`,
      "",
      "work work-2",
      "",
      "",
    ]);
  });

  testWith("tmux")("Tab at a prompt", async () => {
    const program = ["bash", "--norc", "--noprofile", "-i"];
    const terminal = new Terminal([], { program, env: { ...env, PS1: "$ " }, width: 200 });
    terminal.type('eval "$(solx completion bash)"; echo re""ady', "Enter");
    await terminal.waitFor(/^ready/m);
    terminal.type("solx acc", "Tab");
    await terminal.waitFor(/solx account$/m);
    terminal.type("transfer x --fl", "Tab", "o", "Tab", "--output=nd", "Tab");
    await terminal.waitFor(/--flow out --output=ndjson$/m);
    terminal.type(` --out ${home}/addr`, "Tab");
    await terminal.waitFor(/addresses\.txt$/m);
    terminal.type("C-u", "solx --profile ", "Tab", "Tab");
    await terminal.waitFor(/^default +sandbox +work +work-2/m);
  });
});

describeWith("zsh", "tmux")("zsh", () => {
  test("the script is valid, as a line of a startup file and as a function file", async () => {
    const file = new URL("_solx", scripts).pathname;
    execFileSync("zsh", ["-n", file]);
    const functions = join(folder, "functions");
    mkdirSync(functions);
    writeFileSync(join(functions, "_solx"), readFileSync(file));
    const start = `fpath=(${functions} $fpath); autoload -Uz compinit; compinit -u; echo $_comps[solx]`;
    expect(execFileSync("zsh", ["-f", "-c", start], { env, encoding: "utf8" })).toBe("_solx\n");
  });

  test("Tab at a prompt", async () => {
    const terminal = new Terminal([], { program: ["zsh", "-f", "-i"], env: { ...env, PS1: "$ " }, width: 200 });
    terminal.type('unsetopt prompt_sp; eval "$(solx completion zsh)"; echo re""ady', "Enter");
    await terminal.waitFor(/^ready/m);
    terminal.type("solx t", "Tab");
    await terminal.waitFor(/^token +-- Metadata.*\n^transaction +-- /m);
    terminal.type("C-u", "solx account transfer x --fl", "Tab", "o", "Tab", "--output=nd", "Tab");
    await terminal.waitFor(/--flow out --output=ndjson$/m);
    terminal.type(" --fields flow,block_t", "Tab", " --profile work-", "Tab", `@${home}/addr`, "Tab");
    await terminal.waitFor(/--fields flow,block_time --profile work-2 @\S*\/addresses\.txt$/m);
  });
});

describeWith("fish")("fish", () => {
  test("the script is valid and completes words with descriptions", () => {
    execFileSync("fish", ["-n", new URL("solx.fish", scripts).pathname]);
    const lines = [
      "solx t",
      "SOLX_PROFILE=x solx tx last --flow",
      "ls | solx account transfer --flow ",
      "solx --output=nd",
      "solx token meta --fields 'name,symb",
      `solx token meta @${home}/addr`,
      "solx --profile work",
      "solx token meta -- ",
    ];
    const commands = lines.map((line) => `complete -C${JSON.stringify(line)}; echo ---`);
    const script = ["solx completion fish | source", ...commands].join("\n");
    const answers = execFileSync("fish", ["--no-config", "-c", script], { env, encoding: "utf8" }).split("---\n");
    expect(answers.slice(0, -1).map((answer) => answer.split("\n").filter(Boolean))).toEqual([
      [expect.stringMatching(/^token\tMetadata/), expect.stringMatching(/^transaction\tT/)],
      [],
      ["in", "out"],
      ["--output=ndjson"],
      [expect.stringMatching(/^name,symbol\t\S/)],
      [`@${home}/addresses.txt`],
      ["work", "work-2"],
      [],
    ]);
  });
});

// Not required in CI: no package registry has PowerShell.
describe.runIf(isOnPath("pwsh"))("PowerShell", () => {
  test("the script is valid and completes words", () => {
    const lines = ["solx tok", "solx account transfer x --flow "];
    const calls = lines.map((line) => {
      const matches = `[System.Management.Automation.CommandCompletion]::CompleteInput('${line}', ${line.length}, $null)`;
      return `(${matches}.CompletionMatches | ForEach-Object CompletionText) -join ' '`;
    });
    const script = ["solx completion powershell | Out-String | Invoke-Expression", ...calls].join("\n");
    const stdout = execFileSync("pwsh", ["-NoProfile", "-Command", script], { env, encoding: "utf8" });
    expect(stdout.trimEnd().split(/\r?\n/)).toEqual(["token", "in out"]);
  });
});
