/**
 * Every command line of the documentation runs as it is printed, page by page and in order, and has an effect: rows, a
 * file, or a changed setting. The sandbox answers in place of the API, a node for tests in place of a cluster.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { JUPITER, OTHER_SIGNATURE, OTHER_WALLET, SIGNATURE, SLOT, USDC, WALLET } from "../../src/catalogue/samples.ts";
import { allCommands, type CommandNode } from "../../src/commands/docs/manual/command-tree.ts";
import { commandTree } from "../../src/commands/docs/manual/generate.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { isChdbInstalled } from "../support/clickhouse/chdb.ts";
import { startClickHouse } from "../support/clickhouse/start.ts";
import { runInProcess } from "../support/in-process.ts";
import { worldsFolder } from "../support/ledger.ts";
import { useScenario } from "../support/node/use-test-node.ts";
import { connectTo } from "../support/node-connection.ts";
import { createTempFolder, type RunResult, solx } from "../support/solx.ts";
import { waitFor } from "../support/wait-for.ts";
import { type DocumentedLine, helpLines, inlineLines, markdownLines } from "./command-lines.ts";

const SIZE = 1;
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  "<address>": OTHER_WALLET,
  "<anything>": OTHER_WALLET,
  "<wallet>": WALLET,
  "<from>": OTHER_WALLET,
  "<to>": WALLET,
  "<mint>": USDC,
  $mint: USDC,
  "<signature>": SIGNATURE,
};
/** Commands that print nothing, or no rows, where nothing is wrong or nothing was stored before. */
const MAY_BE_EMPTY =
  /^(doctor|node validators --status|docs --drift|cache|index (list|remove)|usage\b.* -q\b|names list|view|watch (?!check|schema))|--(fail-on|quiet|changes)\b| -q\b/;
/** Commands that run until they are stopped. */
const ENDLESS =
  /^watch \S+\.yaml|^sandbox( (?!time|usage|plan|balance|send|faults|requests|info|reset)|$)|--follow|--watch|^mcp .*--http|^index (?!list|info|remove|export|import|schema|.*--to now)/;

/** The first message of a client of the Model Context Protocol. */
const INITIALIZE = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
})}\n`;
/** Lines that show an error. */
const ERRORS: readonly (readonly [line: RegExp, exitCode: number])[] = [
  [/TDtlv/, 2],
  [/=truncate|='truncate'/, 8],
  [/FAULTS=429/, 6],
  // It asks before it changes a file, and nobody answers.
  [/^solx mcp install (?!.*--yes)/, 2],
  // The node for tests has no program that publishes an interface in this way.
  [/^solx node program <address>/, 5],
];

const scenario = useScenario();
let sandbox: RunningSandbox;
/** A transaction of the node in base64, and its slot. */
let transaction = "";
let slot = "";
/** A database in ClickHouse; undefined where chdb is not installed: lines that need one are left out. */
let store: string | undefined;
const start = process.cwd();

beforeAll(async () => {
  await startServer();
  if (isChdbInstalled()) {
    const { url } = await startClickHouse(afterAll, { folder: createTempFolder() });
    store = `${url.replace("http", "clickhouse")}/docs`;
  }
  const { node, scenario: story } = scenario;
  const params = [story.signatures.solTransfer, { encoding: "base64", maxSupportedTransactionVersion: 0 }];
  const sent = (await connectTo(node.url).call("getTransaction", params)) as { slot: unknown; transaction: [string] };
  [slot, transaction] = [String(sent.slot), sent.transaction[0]];
  return () => sandbox.close();
});
afterAll(() => process.chdir(start));

async function startServer(): Promise<void> {
  sandbox = await startSandbox({ port: 0, size: SIZE, folder: worldsFolder() });
}

/** A command in a line of a shell: what is read and written beside its words. */
interface ShellCommand {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly output?: string;
  readonly readsPipe: boolean;
}

/** Returns the commands of solx in a line, with the values of examples in place of placeholders. */
function shellCommands(line: string): readonly ShellCommand[] {
  const tokens =
    line.match(
      /(?<=\s)\d?>{1,2}(?:&\d)?|(?:'[^']*'|"[^"]*"|<[a-z]+>|[^\s'"|;&<>()]|\d?>&\d)+|\|\||&&|[|;&()]|\d?>{1,2}|</g,
    ) ?? [];
  const commands: ShellCommand[] = [];
  let separator = "";
  let words: string[] = [];
  const end = () => {
    const at = words.findIndex((word) => /(^|\$\()solx$/.test(word));
    if (at >= 0) commands.push(commandOf(words.slice(0, at), words.slice(at + 1), separator === "|"));
    words = [];
  };
  for (const token of tokens) {
    if (!/^(\|\||&&|[|;&()])$/.test(token)) words.push(token);
    else {
      end();
      separator = token;
    }
  }
  end();
  return commands;
}

function commandOf(before: readonly string[], words: readonly string[], readsPipe: boolean): ShellCommand {
  const env = before.flatMap((word) => (word.includes("=") ? [word.replaceAll("'", "").split("=")] : []));
  const target = (sign: string) => {
    const at = words.lastIndexOf(sign);
    return at < 0 ? undefined : words[at + 1]?.replaceAll('"', "");
  };
  const redirected = words.flatMap((word, at) =>
    /^(\d?>{1,2}|<)$/.test(word) ? [at, at + 1] : /^\d?>&\d$/.test(word) ? [at] : [],
  );
  const [input, output] = [target("<"), target(">")];
  return {
    words: words
      .filter((_, at) => !redirected.includes(at))
      .map((word) => word.replace(/^'([^']*)'$|^"([^"]*)"$/, (_, one, two) => one ?? two))
      .map((word) => word.replace(/<[a-z]+>|\$mint/g, (name) => PLACEHOLDERS[name] ?? name)),
    env: Object.fromEntries(env),
    readsPipe,
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
  };
}

/** Replaces what only exists in the world outside: clusters and what is on them, ports, keys, windows. */
function adapted(words: readonly string[]): readonly string[] {
  const onNode =
    /--(rpc|index)\b(?! off)/.test(words.join(" ")) ||
    words[0] === "index" ||
    words[0] === "inspect" ||
    words[0] === "rpc";
  const { addresses, signatures } = scenario.scenario;
  const known: Readonly<Record<string, string>> = {
    [WALLET]: addresses.alice,
    [OTHER_WALLET]: addresses.alice,
    [USDC]: addresses.mint,
    [SIGNATURE]: signatures.solTransfer,
    [OTHER_SIGNATURE]: signatures.solTransfer,
    [JUPITER]: addresses.vaultProgram,
    [SLOT]: slot,
    $TX: transaction,
    "toly.sol": addresses.alice,
  };
  const added =
    words[0] === "sandbox" && /^(time|usage|plan|balance|send|faults|requests)$/.test(words[1] ?? "")
      ? ["--url", sandbox.url]
      : /^sandbox( --|$)/.test(words.join(" ")) && !words.includes("--port")
        ? ["--port", "0"]
        : words[0] === "index" && words.includes("--rpc") && !words.includes("--index")
          ? ["--index", "localnet"]
          : [];
  return [...words, ...added].map((word, at) => {
    // The next poll would be in a minute.
    if (words[at - 1] === "--follow" && word === "1m") return "2s";
    if (words[at - 1] === "--rpc" && word !== "off") return scenario.node.url;
    if (/^clickhouses?:/.test(word)) return store ?? word;
    if (words[at - 1] === "--port" || words[at - 1] === "--health") return "0";
    if (onNode && known[word] !== undefined) return known[word];
    return word.replace(/^http:\/\/127\.0\.0\.1:\d+/, sandbox.url);
  });
}

/** A folder and an environment in which the lines of a page run. */
interface PageRun {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The IDL of a program that publishes none. */
const IDL = JSON.stringify({
  address: "Gh9ZwEmdLJ8DscKNTkTqPbNwLNNBjuSzaG9Vp2KGtKJr",
  metadata: { name: "mine", version: "0.1.0", spec: "0.1.0" },
  instructions: [{ name: "do_it", discriminator: [1, 2, 3, 4, 5, 6, 7, 8], accounts: [], args: [] }],
});

/** Creates the folder of a page, with what its lines read. */
async function openPage(lines: readonly DocumentedLine[]): Promise<PageRun> {
  const folder = createTempFolder();
  process.chdir(folder);
  const files = {
    "wallets.txt": WALLET,
    "wallets.csv": `${WALLET},1`,
    "addresses.txt": scenario.scenario.addresses.alice,
    "key.txt": sandbox.key,
    "names.csv": `address,name\n${WALLET},treasury`,
    "tx.base64": transaction,
    "idl.json": IDL,
    "rules.yaml": "rules:\n  whales:\n    what: account transfer @wallets.txt\n    then:\n      - print: true",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(name, `${text}\n`);
  const env = {
    HOME: folder,
    SOLX_HOME: undefined,
    SOLX_API_KEY: undefined,
    // The ledger is created once for all pages.
    XDG_CACHE_HOME: worldsFolder(),
    SOLX_SANDBOX_SIZE: String(SIZE),
  };
  const page = { folder, env };
  const usesIndex = lines.some(({ line }) => /index (info |export )?localnet|index import/.test(line));
  const usesStore = store !== undefined && lines.some(({ line }) => line.includes("clickhouse://"));
  const needsFacts =
    !lines.some(({ line }) => /index export/.test(line)) && lines.some(({ line }) => /index import/.test(line));
  const before = [
    "solx config set plan level-2 --profile work",
    `solx token meta ${USDC} --sandbox --record recordings`,
    ...(usesIndex ? ["solx index --rpc localnet --index localnet --from earliest"] : []),
    ...(usesStore ? ["solx index --rpc localnet --index stored --from earliest --to now --store clickhouse://"] : []),
    ...(needsFacts ? ["solx index export localnet ./facts"] : []),
  ];
  for (const line of before) for (const command of shellCommands(line)) await runCommand(command, page, "");
  return page;
}

async function runCommand(command: ShellCommand, page: PageRun, piped: string) {
  const words = adapted(command.words);
  const line = words.join(" ");
  // Dates in examples are those of a year; the sandbox ends when they do.
  const [, now] = /--to(?:-time|-date)? (\d{4}-\d\d-\d\d)/.exec(line) ?? [];
  const { url, key } = sandbox;
  const profile = /--profile/.test(line) && !/--rpc http/.test(line) ? { SOLX_BASE_URL: url, SOLX_API_KEY: key } : {};
  const isExplorer = words[0] === "explore";
  const stop = new AbortController();
  const input = command.input === undefined ? piped : readFileSync(command.input, "utf8");
  // Nothing arrives in the sandbox: it ends once it has polled.
  const watched = join(page.folder, ".local", "state", "solx", "watch");
  if (/^watch \S+\.yaml/.test(line))
    void waitFor(() => expect(existsSync(watched)).toBe(true)).then(() => stop.abort());
  // The scripts for shells are files of the build, and messages are read as bytes.
  const start = /^(completion|mcp)\b(?!.*--http)/.test(line) ? solx : runInProcess;
  const result = await start(
    [...words.filter((word) => word !== "-i"), ...(isExplorer && !words.includes("--plain") ? ["--plain"] : [])],
    {
      env: {
        ...page.env,
        ...profile,
        ...(now && { SOLX_SANDBOX_NOW: now }),
        ...(!/--(rpc|index|profile)\b/.test(line) && !command.env.SOLX_BASE_URL && { SOLX_SANDBOX: "1" }),
        ...command.env,
        ...(command.env.SOLX_BASE_URL && { SOLX_BASE_URL: url, SOLX_API_KEY: key }),
      },
      input: isExplorer
        ? "q\n"
        : words[0] === "mcp"
          ? INITIALIZE
          : words.includes("-") || command.input || command.readsPipe
            ? input
            : "",
      signal: stop.signal,
      ...(ENDLESS.test(line) && {
        // An index that others ask has a block.
        onOutput: (text: string) => {
          if (!line.includes("--from earliest") || /"slot":\d/.test(text)) stop.abort();
        },
      }),
    },
  );
  if (command.output) {
    const path = command.output.replace(/^~/, page.folder);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, result.stdout);
  }
  return { line, result, wasStopped: stop.signal.aborted };
}

/** Returns what a command had no effect on; undefined when it did what it says. */
function missingEffect(line: string, { stdout }: RunResult): string | undefined {
  const [, file] = /--out (\S+)/.exec(line) ?? [];
  if (file !== undefined) return existsSync(file) && readFileSync(file).length > 0 ? undefined : `${file} is empty`;
  if (MAY_BE_EMPTY.test(line)) return undefined;
  const lines = stdout.trim().split("\n");
  if (/^(config (set|unset)|alias set|names (add|import|remove)|auth|skill --install)/.test(line)) return undefined;
  if (stdout.trim() === "") return "no output";
  if (/^\[\s*\]$/.test(stdout.trim())) return "no rows";
  return / -o [ct]sv/.test(line) && lines.length < 2 ? "no rows" : undefined;
}

/** Runs the lines of a page and returns what went wrong. */
async function failuresOf(lines: readonly DocumentedLine[]): Promise<readonly string[]> {
  const page = await openPage(lines);
  const failures: string[] = [];
  for (const documented of lines) {
    const { line } = documented;
    if (line.includes("clickhouse://") && store === undefined) continue;
    const exitCode = ERRORS.find(([shown]) => shown.test(line))?.[1] ?? documented.exitCode;
    let piped = `${WALLET}\n`;
    for (const command of shellCommands(line)) {
      const { line: run, result, wasStopped } = await runCommand(command, page, piped);
      piped = result.stdout;
      const expected = wasStopped ? [0, 130] : /^(doctor|diff)\b/.test(run) ? [0, 11] : [exitCode];
      const problem = expected.includes(result.code ?? -1)
        ? exitCode === 0 && missingEffect(run, result)
        : `exit code ${result.code}`;
      if (problem) failures.push(`solx ${run}: ${problem}\n${result.stderr.slice(0, 300)}`);
    }
  }
  if (lines.some(({ line }) => /^solx sandbox [a-z]/.test(line))) {
    // Its time and its balances have changed.
    await sandbox.close();
    await startServer();
  }
  return failures;
}

const byPage = (lines: readonly DocumentedLine[]) => [...Map.groupBy(lines, ({ page }) => page)];
/** Lines with a Tab key are tested as completion. */
const typed = markdownLines().filter(({ line }) => !line.includes("⇥"));

describe("guides", () => {
  test.each(byPage(typed))("%s", async (_, lines) => {
    expect(await failuresOf(lines)).toEqual([]);
  });
});

describe("help and topics", () => {
  test.each(byPage(helpLines()))("%s", async (_, lines) => {
    expect(await failuresOf(lines)).toEqual([]);
  });
});

test("commands and flags in the text of guides exist", () => {
  const tree = commandTree();
  const all = allCommands(tree);
  const problems = [...inlineLines(), ...typed].flatMap(({ page, line }) =>
    shellCommands(line).flatMap(({ words }) => {
      const node = lastCommand(tree, words);
      const accepted = new Set(node.options.flatMap(({ long, short = "" }) => [long, short]));
      const unknown = words.filter((word) => /^--[a-z]/.test(word) && !accepted.has(word.replace(/=.*/, "")));
      return unknown.map((flag) => `${page}: solx ${words.join(" ")}: ${flag}`);
    }),
  );
  expect(all.length).toBeGreaterThan(100);
  expect(problems).toEqual([]);
});

/** Returns the command that words lead to. */
function lastCommand(tree: CommandNode, words: readonly string[]): CommandNode {
  let at = tree;
  for (const word of words.filter((one) => !one.startsWith("-"))) {
    const next = at.commands.find(({ name, aliases }) => name === word || aliases.includes(word));
    if (next === undefined) break;
    at = next;
  }
  return at;
}
