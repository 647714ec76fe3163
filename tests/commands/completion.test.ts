/** What completion offers: the words of the real commands, found for unfinished lines. */
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../src/catalogue/index.ts";
import { collectCompletionData } from "../../src/commands/completion/collect.ts";
import { findCompletions } from "../../src/commands/completion/find-completions.ts";
import { formatReply, splitLine } from "../../src/commands/completion/shell-protocol.ts";
import { SHELL_SETUPS } from "../../src/commands/completion/shell-setup.ts";

import { allCommands } from "../../src/commands/docs/manual/command-tree.ts";
import { commandTree } from "../../src/commands/docs/manual/whole.ts";
import { settingNames } from "../../src/config/settings.ts";

const words = collectCompletionData();
const BREAKS = " \t\n\"'@><=;|&(:";
const found = (text: string) => findCompletions(words, splitLine(text, BREAKS), () => ["default", "sandbox", "work"]);
const offered = (text: string) => found(text).candidates.map(([word]) => word);
const inBash = (text: string) => {
  const line = splitLine(text, BREAKS);
  return formatReply(
    "bash",
    findCompletions(words, line, () => []),
    line,
  )
    .trimEnd()
    .split("\n")
    .slice(1);
};

describe("commands", () => {
  const commands = allCommands(commandTree());

  test("every command is offered by its name, its other names are understood", () => {
    for (const { path, aliases } of commands.slice(1)) {
      const [above, name = ""] = [path.slice(0, -1).join(" "), path.at(-1)];
      expect(offered(`${above} `)).toContain(name);
      expect(offered(`${above} ${name}`)).toContain(name);
      for (const alias of aliases) expect(offered(`${above} ${alias} --he`)).toEqual(["--help"]);
    }
  });

  test("other names are offered to someone who types one", () => {
    expect(offered("solx t")).toEqual(["token", "transaction"]);
    expect(offered("solx tx")).toEqual(["tx", "txs"]);
    expect(offered("solx tx det")).toEqual(["detail", "detail-multi"]);
  });

  test("global options may stand anywhere, with and without their values", () => {
    for (const options of ["--sandbox", "-o json", "-vo json", "--output=json", "--live", "--profile x -q"]) {
      expect(offered(`solx ${options} account transfer-`)).toEqual(["transfer-export"]);
    }
    expect(offered("solx account -o json transfer-")).toEqual(["transfer-export"]);
    expect(offered("solx --san")).toEqual(["--sandbox"]);
  });

  test("help and docs lead to commands, topics and pages", () => {
    expect(offered("solx help exit")).toEqual(["exit-codes"]);
    expect(offered("solx help account transfer-")).toEqual(["transfer-export"]);
    expect(offered("solx docs account transfer-")).toEqual(["transfer-export"]);
    expect(offered("solx docs tim")).toEqual(["times"]);
    expect(offered("solx docs account-transfer")).toEqual(["account-transfer", "account-transfer-export"]);
    expect(offered("solx docs legacy-account-tra")).toEqual(["legacy-account-transactions"]);
    expect(offered("solx explore token holder")).toEqual(["holders"]);
    expect(offered("solx explore a")).toEqual(["account"]);
    expect(offered("solx api /account/tr")).toContain("/account/transfer");
  });
});

describe("options", () => {
  test("every option of every command that its help shows is offered, no other", () => {
    for (const { path, options, commands, arguments: taken } of allCommands(commandTree())) {
      if (commands.length > 0) continue;
      const shown = options.filter(({ hidden, description }) => !hidden && !/deprecated:/.test(description));
      const line = `${path.join(" ")}${taken.map(() => " x").join("")} --`;
      expect(new Set(offered(line)), line).toEqual(new Set(shown.map(({ long }) => long)));
    }
  });

  test("an option is not offered again, but where it may be repeated", () => {
    expect(offered("solx account transfer --flow in --fl")).toEqual([]);
    expect(offered("solx account transfer --flow=in --fl")).toEqual([]);
    expect(offered("solx account transfer -o json --outp")).toEqual([]);
    expect(offered("solx account transfer --no-cache --no-c")).toEqual([]);
    expect(offered("solx account transfer --activity-type close-account --act")).toEqual(["--activity-type"]);
    expect(offered("solx sandbox --fault 500 --fau")).toEqual(["--fault"]);
    expect(offered("solx api /x -q a=b --que")).toEqual(["--query"]);
  });

  test("the opposite of a switch, and what is deprecated, only for someone who types it", () => {
    expect(offered("solx account transfer --exclude-am")).toEqual(["--exclude-amount-zero"]);
    expect(offered("solx account transfer --no-exc")).toEqual(["--no-exclude-amount-zero"]);
    expect(offered("solx account transfer --block")).toEqual(["--block-time"]);
  });

  test("options come by themselves only where no argument is missing", () => {
    expect(offered("solx account transfer ")).toEqual([]);
    expect(offered("solx account transfer x ")).toContain("--flow");
    expect(offered("solx token trending ")).toContain("--limit");
  });

  test("nothing after --, nothing for what cannot be known, nothing for what there is not", () => {
    for (const line of ["-- ", "-- --fl", "--token ", "--nonsense=", "--jq .", "nonsense --zzz", "--flow=in,"]) {
      expect(offered(`solx account transfer ${line}`), line).toEqual([]);
    }
    expect(offered("solx nonsense ")).toEqual([]);
  });
});

describe("values", () => {
  test("every word of every parameter is offered as it is easiest typed", () => {
    expect(offered("solx account transfer --flow ")).toEqual(["in", "out"]);
    expect(offered("solx account transfer --page-size ")).toEqual(["10", "20", "30", "40", "60", "100"]);
    expect(offered("solx account transfer --activity-type close")).toEqual(["close-account"]);
    expect(offered("solx account transfer --activity-type ACTIVITY_SPL_CL")).toEqual(["ACTIVITY_SPL_CLOSE_ACCOUNT"]);
    expect(offered("solx account defi-activities --activity-type sw")).toEqual(["swap"]);
    expect(offered("solx account defi-activities --activity-type ")).not.toContain("swap");
    expect(offered("solx cache clear --kind ")).toContain("metadata");
    expect(offered("solx completion ")).toEqual(["bash", "zsh", "fish", "powershell"]);
    expect(offered("solx -on")).toEqual(["ndjson"]);
    expect(offered("solx token price x --time ")).toContain("iso");
    expect(found("solx --output=n")).toMatchObject({ from: "--output=".length, words: [["ndjson", ""]] });
  });

  test("lists go on after a comma, without what was taken", () => {
    const line = "solx account transfer --activity-type close-account,c";
    expect(offered(line)).toContain("create-account");
    expect(offered(line)).not.toContain("close-account");
    expect(found(line)).toMatchObject({ from: "close-account,".length, space: false });
  });

  test("settings, their values, profiles and files", () => {
    for (const command of ["get", "set", "unset"])
      expect(offered(`solx config ${command} `)).toEqual([...settingNames]);
    expect(offered("solx config set output t")).toEqual(["tsv", "table"]);
    expect(offered("solx config set profile ")).toEqual(["default", "sandbox", "work"]);
    expect(offered("solx config set budget ")).toEqual(["machine", "process"]);
    expect(offered("solx config set sandbox-hostile ")).toEqual(["on", "off"]);
    expect(offered("solx config set sandbox-faults 50")).toContain("500");
    expect(offered("solx sandbox --fault la")).toContain("latency=200ms");
    expect(offered("solx config get output ")).not.toContain("json");
    expect(offered("solx account transfer --profile w")).toEqual(["work"]);
    for (const line of ["config set ca-cert x", "token meta --out ", "token meta --ca-cert x", "token meta @x"]) {
      expect(found(`solx ${line}`).kind, line).toBe("files");
    }
    expect(found("solx token meta --out=x")).toMatchObject({ kind: "files", from: "--out=".length });
  });

  test("fields of what the command answers with, level by level, in lists and under headings", () => {
    for (const { command, columns } of endpoints) {
      const [column] = columns;
      const path = (typeof column === "string" ? column : (column?.path ?? "")).replace(/[|[].*/, "");
      expect(offered(`solx ${command} x --fields "${path}`), command).toContain(path);
    }
    expect(offered("solx token meta --fields symb")).toEqual(["symbol"]);
    expect(offered("solx token meta --fields symbol,metadata.n")).toEqual(["metadata.name"]);
    expect(offered("solx token meta --fields symbol,symbol")).toEqual([]);
    expect(found("solx token meta --columns NAME:symb")).toMatchObject({
      from: 5,
      words: [["symbol", expect.any(String)]],
    });
    expect(offered("solx account transfer --columns A:flow,B:block_t")).toEqual(["block_time"]);
    expect(offered("solx usage --fields derived.st")).toEqual(["derived.stale", "derived.state"]);
    expect(offered("solx doctor --fields m")).toEqual(["message"]);
    expect(offered("solx config list --columns Name:na")).toEqual(["name"]);
    expect(offered("solx explore us")).toEqual([]);
    expect(offered("solx config get output --fields ")).toEqual([]);
  });
});

test("a page with the name of a command comes once", () => {
  expect(offered("solx docs chain")).toEqual(["chaininfo"]);
});

describe("how shells read lines", () => {
  test("whatever the line, each word goes on from what was typed, and comes once", () => {
    const pieces = [
      "account",
      "transfer",
      "tx",
      "help",
      "docs",
      "config set",
      "output",
      "-o",
      "--fields",
      "--flow=",
      "@",
    ];
    const others = ["--", "-", " ", ",", ".", ":", "'", '"', "\\", "a", "me", "metadata", "--columns=", "legacy", "é"];
    const line = fc
      .array(fc.constantFrom(...pieces, ...others), { maxLength: 8 })
      .map((parts) => `solx ${parts.join("")}`);
    const spaced = fc
      .array(fc.constantFrom(...pieces, ...others), { maxLength: 8 })
      .map((parts) => `solx ${parts.join(" ")}`);
    fc.assert(
      fc.property(fc.oneof(line, spaced), (text) => {
        const { prefixLength: from, candidates: all } = found(text);
        const typed = splitLine(text, BREAKS).current.slice(from);
        const named = all.map(([word]) => word);
        expect(named.filter((word) => !word.startsWith(typed))).toEqual([]);
        expect(new Set(named).size).toBe(named.length);
      }),
      { numRuns: 500 },
    );
  });

  test("quotes, open and closed, and escapes", () => {
    expect(splitLine(`solx 'a b' "c \\" d" e\\ f "g`)).toEqual({
      before: ["a b", 'c " d', "e f"],
      current: "g",
      kept: 0,
      quoted: true,
    });
    expect(splitLine("solx ")).toEqual({ before: [], current: "", kept: 0, quoted: false });
    expect(offered(`solx "account" 'transfer' --fields "flow,block_t`)).toEqual(["block_time"]);
  });

  test("bash replaces what comes after a character that breaks words, or after a quote", () => {
    expect(inBash("solx --output=n")).toEqual(["ndjson"]);
    expect(inBash("solx token meta --columns NAME:symb")).toEqual(["symbol"]);
    expect(inBash("solx token meta --fields decimals,symb")).toEqual(["decimals,symbol"]);
    expect(inBash('solx token meta --columns "NAME:symb')).toEqual(["NAME:symbol"]);
    expect(inBash('solx --output="n')).toEqual(["ndjson"]);
    expect(inBash("solx legacy account export-transactions x --fields BlockTime\\ U")).toEqual(["BlockTime\\ Unix"]);
    expect(inBash("solx legacy account export-transactions x --fields 'BlockTime U")).toEqual(["BlockTime Unix"]);
  });
});

test("a script as a file: its folder is made first, in the help and in the documentation", () => {
  const documented = readFileSync(new URL("../../docs/completion.md", import.meta.url), "utf8");
  for (const { fileCommand: file } of Object.values(SHELL_SETUPS)) {
    if (file === undefined) continue;
    const [folder = "", script = ""] = file.split(/; | {2,}#/);
    expect(folder).toMatch(/^mkdir -p ~/);
    expect(script).toContain(` > ${folder.replace("mkdir -p ", "")}/`);
    expect(documented).toContain(`    ${folder}\n    ${script}\n`);
  }
});
