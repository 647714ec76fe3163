/** The candidates of completion for unfinished command lines. */
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../src/catalogue/index.ts";
import { collectCompletionData } from "../../src/commands/completion/collect.ts";
import { findCompletions, type LocalNames } from "../../src/commands/completion/find-completions.ts";
import { formatReply, splitLine } from "../../src/commands/completion/shell-protocol.ts";
import { fileCommands, SHELLS } from "../../src/commands/completion/shell-setup.ts";
import { allCommands } from "../../src/commands/docs/manual/command-tree.ts";
import { commandTree } from "../../src/commands/docs/manual/generate.ts";
import { ENTRY_NAMES } from "../../src/config/settings.ts";

const data = collectCompletionData();
const BREAKS = " \t\n\"'@><=;|&(:";
const LOCAL: LocalNames = {
  profiles: () => ["default", "sandbox", "work"].map((name) => [name, ""]),
  indexes: () => ["devnet", "localnet"].map((name) => [name, ""]),
  aliases: () => [],
  views: () => [],
  addresses: () => [],
};
const complete = (text: string) => findCompletions(data, splitLine(text, BREAKS), LOCAL);
const offered = (text: string) => complete(text).candidates.map(([word]) => word);
const inBash = (text: string) => {
  const line = splitLine(text, BREAKS);
  return formatReply("bash", findCompletions(data, line, LOCAL), line)
    .trimEnd()
    .split("\n")
    .slice(1);
};

describe("commands", () => {
  const commands = allCommands(commandTree());

  test("offers every command by name and accepts its aliases", () => {
    for (const { path, aliases } of commands.slice(1)) {
      const [above, name = ""] = [path.slice(0, -1).join(" "), path.at(-1)];
      expect(offered(`${above} `)).toContain(name);
      expect(offered(`${above} ${name}`)).toContain(name);
      for (const alias of aliases) expect(offered(`${above} ${alias} --help`)).toContain("--help");
    }
  });

  test("offers aliases when no name matches", () => {
    expect(offered("solx t")).toEqual(["token", "transaction"]);
    expect(offered("solx tx")).toEqual(["tx", "txs"]);
    expect(offered("solx tx det")).toEqual(["detail", "detail-multi"]);
  });

  test("accepts global options anywhere, with and without values", () => {
    for (const options of ["--sandbox", "-o json", "-vo json", "--output=json", "--live", "--profile x -q"]) {
      expect(offered(`solx ${options} account transfer-`)).toEqual(["transfer-total", "transfer-export"]);
    }
    expect(offered("solx account -o json transfer-")).toEqual(["transfer-total", "transfer-export"]);
    expect(offered("solx --san")).toEqual(["--sandbox"]);
  });

  test("help and docs complete commands, topics and pages", () => {
    expect(offered("solx help exit")).toEqual(["exit-codes"]);
    expect(offered("solx help account transfer-")).toEqual(["transfer-total", "transfer-export"]);
    expect(offered("solx docs account transfer-")).toEqual(["transfer-total", "transfer-export"]);
    expect(offered("solx docs tim")).toEqual(["times"]);
    expect(offered("solx docs account-transfer")).toEqual([
      "account-transfer",
      "account-transfer-total",
      "account-transfer-export",
    ]);
    expect(offered("solx docs legacy-account-tra")).toEqual(["legacy-account-transactions"]);
    expect(offered("solx explore token holder")).toEqual(["holders"]);
    expect(offered("solx explore a")).toEqual(["account", "analytics"]);
    expect(offered("solx api /account/tr")).toContain("/account/transfer");
  });
});

describe("options", () => {
  test("offers exactly the options that the help of a command lists", () => {
    for (const { path, options, commands, arguments: list } of allCommands(commandTree())) {
      if (commands.length > 0) continue;
      const listed = options.filter(({ hidden, description }) => !hidden && !/deprecated/.test(description));
      const line = `${path.join(" ")}${list.map(() => " x").join("")} --`;
      expect(new Set(offered(line)), line).toEqual(new Set(listed.map(({ long }) => long)));
    }
  });

  test("offers a used option again only if it is repeatable", () => {
    expect(offered("solx account transfer --flow in --fl")).toEqual([]);
    expect(offered("solx account transfer --flow=in --fl")).toEqual([]);
    expect(offered("solx account transfer -o json --outp")).toEqual([]);
    expect(offered("solx account transfer --cache off --no-c")).toEqual([]);
    expect(offered("solx account transfer --activity-type close-account --act")).toEqual(["--activity-type"]);
    expect(offered("solx sandbox --fault 500 --fau")).toEqual(["--fault"]);
    expect(offered("solx api /x --query a=b --que")).toEqual(["--query"]);
  });

  test("offers negations and deprecated options only when nothing else matches", () => {
    expect(offered("solx account transfer --exclude-am")).toEqual(["--exclude-amount-zero"]);
    expect(offered("solx account transfer --no-exc")).toEqual(["--no-exclude-amount-zero"]);
    expect(offered("solx account transfer --block")).toEqual(["--block-time"]);
  });

  test("offers options without a dash only when no argument is missing", () => {
    expect(offered("solx account transfer ")).toEqual([]);
    expect(offered("solx account transfer x ")).toContain("--flow");
    expect(offered("solx token trending ")).toContain("--limit");
  });

  test("offers nothing after --, for free-form values and for unknown commands", () => {
    for (const line of ["-- ", "-- --fl", "--from ", "--nonsense=", "--jq .", "nonsense --zzz", "--flow=in,"]) {
      expect(offered(`solx account transfer ${line}`), line).toEqual([]);
    }
    expect(offered("solx nonsense ")).toEqual([]);
  });
});

describe("values", () => {
  test("offers the short form of every value", () => {
    expect(offered("solx account transfer --flow ")).toEqual(["in", "out"]);
    expect(offered("solx account transfer --page-size ")).toEqual(["10", "20", "30", "40", "60", "100"]);
    expect(offered("solx account transfer --activity-type close")).toEqual(["close-account"]);
    expect(offered("solx account transfer --activity-type ACTIVITY_SPL_CL")).toEqual(["ACTIVITY_SPL_CLOSE_ACCOUNT"]);
    expect(offered("solx account defi-activities --activity-type sw")).toEqual(["swap"]);
    expect(offered("solx account defi-activities --activity-type ")).not.toContain("swap");
    expect(offered("solx cache clear --kind ")).toContain("metadata");
    expect(offered("solx completion ")).toEqual(["bash", "zsh", "fish", "powershell"]);
    expect(offered("solx -ond")).toEqual(["ndjson"]);
    expect(offered("solx token price x --time ")).toContain("iso");
    expect(complete("solx --output=nd")).toMatchObject({
      prefixLength: "--output=".length,
      candidates: [["ndjson", ""]],
    });
  });

  test("completes the fields that rows are sorted by, and the keys of the API", () => {
    expect(offered("solx token holders --sort-by own")).toEqual(["owner"]);
    expect(offered("solx token holders --sort-by owner:desc,amo")).toContain("amount");
    expect(offered("solx token markets --sort-by vol")).toContain("volume");
    expect(offered("solx token markets --sort-by pool")).toEqual(["pool_id"]);
  });

  test("completes lists after a comma without the used values", () => {
    const line = "solx account transfer --activity-type close-account,c";
    expect(offered(line)).toContain("create-account");
    expect(offered(line)).not.toContain("close-account");
    expect(complete(line)).toMatchObject({ prefixLength: "close-account,".length, appendsSpace: false });
  });

  test("completes settings, their values, profiles and files", () => {
    for (const command of ["get", "set", "unset"]) expect(offered(`solx config ${command} `)).toEqual([...ENTRY_NAMES]);
    expect(offered("solx config set output t")).toEqual(["tsv", "table"]);
    expect(offered("solx config set profile ")).toEqual(["default", "sandbox", "work"]);
    expect(offered("solx config set cache ")).toEqual(["on", "fresh", "off", "only"]);
    expect(offered("solx config set sandbox ")).toEqual(["seed=", "size=", "now=", "hostile=", "faults="]);
    expect(offered("solx sandbox --fault la")).toContain("latency=200ms");
    expect(offered("solx config get output ")).not.toContain("json");
    expect(offered("solx account transfer --profile w")).toEqual(["work"]);
    for (const line of ["config set ca-cert x", "token meta --out ", "token meta @x"]) {
      expect(complete(`solx ${line}`).kind, line).toBe("files");
    }
    expect(complete("solx token meta --out=x")).toMatchObject({ kind: "files", prefixLength: "--out=".length });
  });

  test("completes output fields level by level, in lists and after headings", () => {
    for (const { command, columns } of endpoints) {
      const [column] = columns;
      const path = (typeof column === "string" ? column : (column?.path ?? "")).replace(/[|[].*/, "");
      expect(offered(`solx ${command} x --fields "${path}`), command).toContain(path);
    }
    expect(offered("solx token meta --fields symb")).toEqual(["symbol"]);
    expect(offered("solx token meta --fields symbol,metadata.n")).toEqual(["metadata.name"]);
    expect(offered("solx token meta --fields symbol,symbol")).toEqual([]);
    expect(complete("solx token meta --fields NAME:symb")).toMatchObject({
      prefixLength: 5,
      candidates: [["symbol", expect.any(String)]],
    });
    expect(offered("solx account transfer --fields A:flow,B:block_t")).toEqual(["block_time"]);
    expect(offered("solx usage --fields derived.st")).toEqual(["derived.stale", "derived.state"]);
    expect(offered("solx doctor --fields m")).toEqual(["message"]);
    expect(offered("solx config list --fields Name:na")).toEqual(["name"]);
    expect(offered("solx explore us")).toEqual([]);
    expect(offered("solx config get output --fields ")).toEqual([]);
  });
});

test("offers a page with the name of a command once", () => {
  expect(offered("solx docs chain")).toEqual(["chaininfo"]);
});

describe("parsing of command lines", () => {
  test("candidates start with the typed text and are distinct, whatever the line", () => {
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
    const others = ["--", "-", " ", ",", ".", ":", "'", '"', "\\", "a", "me", "metadata", "--fields=", "legacy", "é"];
    const line = fc
      .array(fc.constantFrom(...pieces, ...others), { maxLength: 8 })
      .map((parts) => `solx ${parts.join("")}`);
    const spaced = fc
      .array(fc.constantFrom(...pieces, ...others), { maxLength: 8 })
      .map((parts) => `solx ${parts.join(" ")}`);
    fc.assert(
      fc.property(fc.oneof(line, spaced), (text) => {
        const { prefixLength, candidates } = complete(text);
        const typed = splitLine(text, BREAKS).current.slice(prefixLength);
        const named = candidates.map(([word]) => word);
        expect(named.filter((word) => !word.startsWith(typed))).toEqual([]);
        expect(new Set(named).size).toBe(named.length);
      }),
      { numRuns: 500 },
    );
  });

  test("splits quotes, open and closed, and escapes", () => {
    expect(splitLine(`solx 'a b' "c \\" d" e\\ f "g`)).toEqual({
      before: ["a b", 'c " d', "e f"],
      current: "g",
      replaceFrom: 0,
      isQuoted: true,
    });
    expect(splitLine("solx ")).toEqual({ before: [], current: "", replaceFrom: 0, isQuoted: false });
    expect(offered(`solx "account" 'transfer' --fields "flow,block_t`)).toEqual(["block_time"]);
  });

  test("bash replaces the text after a word break or a quote", () => {
    expect(inBash("solx --output=nd")).toEqual(["ndjson"]);
    expect(inBash("solx token meta --fields NAME:symb")).toEqual(["symbol"]);
    expect(inBash("solx token meta --fields decimals,symb")).toEqual(["decimals,symbol"]);
    expect(inBash('solx token meta --fields "NAME:symb')).toEqual(["NAME:symbol"]);
    expect(inBash('solx --output="nd')).toEqual(["ndjson"]);
    expect(inBash("solx legacy account export-transactions x --fields BlockTime\\ U")).toEqual(["BlockTime\\ Unix"]);
    expect(inBash("solx legacy account export-transactions x --fields 'BlockTime U")).toEqual(["BlockTime Unix"]);
  });
});

test("the documentation installs script files with the commands of the help", () => {
  const documented = readFileSync(new URL("../../docs/completion.md", import.meta.url), "utf8");
  for (const shell of SHELLS) {
    const commands = fileCommands(shell);
    if (commands === undefined) continue;
    expect(commands[1]).toMatch(/^mkdir -p ~/);
    expect(commands[2]).toContain(` > ${commands[1]?.replace("mkdir -p ", "")}/`);
    expect(documented).toContain(commands.join("\n"));
  }
});

describe("the user's own names", () => {
  const user: LocalNames = {
    ...LOCAL,
    aliases: () => [["top", "token holders --limit 20"]],
    addresses: () => [["treasury", "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1"]],
  };
  const offeredTo = (text: string) =>
    findCompletions(data, splitLine(text, BREAKS), user).candidates.map(([word]) => word);

  test("names of addresses are offered where an address is accepted, before symbols", () => {
    expect(offeredTo("solx account transfer tre")).toEqual(["treasury"]);
    expect(offeredTo("solx account transfer x --from tre")).toEqual(["treasury"]);
    expect(offeredTo("solx account transfer x --token USDC,tre")).toEqual(["treasury"]);
    expect(offeredTo("solx token meta ")).toEqual(expect.arrayContaining(["treasury", "USDC"]));
    expect(offeredTo("solx names remove ")).toEqual(["treasury"]);
    expect(offeredTo("solx block detail tre")).toEqual([]);
  });

  test("aliases are offered as commands, and complete as their commands", () => {
    expect(offeredTo("solx to")).toEqual(["token", "top"]);
    expect(offeredTo("solx top --page-s")).toEqual(["--page-size"]);
    expect(offeredTo("solx top JUP --limi")).toEqual([]);
    expect(offeredTo("solx alias delete ")).toEqual(["top"]);
  });
});
