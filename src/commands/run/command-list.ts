/** The commands that are not endpoints. What they do is loaded when they run. */
import { Argument, type Command, Option } from "commander";
import { CACHE_KIND_NAMES } from "../../catalogue/cache-policy.ts";
import { FAMILIES } from "../../catalogue/constants.ts";
import { settingNames } from "../../config/settings.ts";
import { FAULT_HELP } from "../../sandbox/service/fault-help.ts";
import type { ThemeName } from "../../ui/app/theme/themes.ts";
import { addCompletion } from "../completion/command.ts";
import { addDocs } from "../docs/command.ts";
import { addDoctor } from "../doctor/command.ts";
import { addMcp } from "../mcp/command.ts";
import { addOpenapi } from "../openapi/command.ts";
import { addSkill } from "../skill/command.ts";
import { addUsage } from "../usage/command.ts";
import type { RunContext } from "./context.ts";
import { withChoices, withExamples } from "./help.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** Adds the commands of solx itself to the program. */
export function addOwnCommands(program: Command, context: RunContext): void {
  addOverview(program, context);
  addShow(program, context);
  addExplore(program, context);
  addApi(program, context);
  addDocs(program, context);
  addUsage(program, context);
  addDoctor(program, context);
  addAuth(program, context);
  addConfig(program, context);
  addCache(program, context);
  addSandbox(program, context);
  addCompletion(program, context);
  addOpenapi(program, context);
  addMcp(program, context);
  addSkill(program, context);
}

function addOverview(program: Command, context: RunContext): void {
  const command = program
    .command("overview")
    .description("The chain at a glance: latest blocks, tokens with prices, and what to look at next")
    .action(async () => {
      if (context.globals.interactive) await (await import("../explore/explore.ts")).explore(context, []);
      else await (await import("../overview/overview.ts")).overview(context);
    });
  withExamples(command, [
    ["Without a key, on made-up data", "solx overview --sandbox"],
    ["For programs", "solx overview -o json"],
  ]);
}

function addShow(program: Command, context: RunContext): void {
  const command = program
    .command("show")
    .description("Show anything: an address, a signature, a slot, a mint or an explorer link")
    .argument("<anything>", "what to show")
    .action(async (anything: string) => {
      if (context.globals.interactive) await (await import("../explore/explore.ts")).explore(context, [anything]);
      else await (await import("../show/show.ts")).show(context, anything);
    });
  withExamples(command, [
    ["A token, by its mint", `solx show ${USDC}`],
    ["A block, by its slot", "solx show 281844070"],
    ["What a link is about", `solx show https://solscan.io/token/${USDC}`],
  ]);
}

/** The themes of the explorer; it is not loaded for their names. */
const THEMES = Object.keys({
  default: true,
  "high-contrast": true,
  "colour-blind": true,
  mono: true,
} satisfies Record<ThemeName, true>);

function addExplore(program: Command, context: RunContext): void {
  const command = program
    .command("explore")
    .description("Page through the chain in a full-screen terminal view")
    .argument("[anything...]", "where to begin: an address, a signature, a slot, a mint, a link, or a command")
    .option("--or-text", "print the overview as text where there is no terminal, instead of refusing")
    .option("--plain", "in plain lines instead of a drawn screen: for screen readers and simple terminals")
    .option("--no-plain", "draw, also where the environment asks for plain lines")
    .addOption(withChoices(new Option("--theme <name>", `looks: ${THEMES.join(", ")}`), THEMES))
    .action(async (words: string[], options) =>
      (await import("../explore/explore.ts")).explore(context, words, options),
    );
  withExamples(command, [
    ["From the start page", "solx explore"],
    ["From a token, on made-up data", `solx explore token ${USDC} --sandbox`],
    ["From any list of the API", "solx explore account transfer <address>"],
  ]);
}

function addApi(program: Command, context: RunContext): void {
  const command = program
    .command("api")
    .description("Send a request to any path of the API, also one that solx does not know")
    .argument("<path>", "path, such as /account/detail, or a whole address of the API")
    .option("-q, --query <name=value>", "a query parameter; repeat it for more", collect)
    .addOption(
      withChoices(
        new Option("--family <family>", "v2, legacy or public (default: the family that has the path, else v2)"),
        FAMILIES,
      ),
    )
    .option("--raw", "the body as it came, byte for byte")
    .option("-i, --include", "status and headers too, on standard error")
    .action(async (path: string, options) => (await import("../api/api.ts")).api(context, path, options));
  withExamples(command, [
    ["An endpoint that solx has no command for", "solx api /token/search -q keyword=jup -q page_size=20"],
    ["Lists of values", "solx api /token/price/latest -q address[]=So11111111111111111111111111111111111111112"],
    ["The older family", "solx api /block/last --family legacy -q limit=5"],
  ]);
}

const collect = (value: string, before: string[] = []) => [...before, value];

function addAuth(program: Command, context: RunContext): void {
  const auth = program.command("auth").description("The API key: store it, check it, remove it");
  const load = () => import("../own-actions.ts");
  withExamples(
    auth
      .command("login")
      .description("Store a key, after checking that the API accepts it")
      .option("--no-check", "store it without asking the API")
      .action(async (options) => (await load()).login(context, options)),
    [
      ["Type the key; it is not shown", "solx auth login"],
      ["From a file or a secret store", "solx auth login < key.txt"],
    ],
  );
  auth
    .command("status")
    .description("Which key is used, and whether the API accepts it")
    .option("--no-check", "do not ask the API")
    .action(async (options) => (await load()).status(context, options));
  auth
    .command("logout")
    .description("Remove the stored key")
    .action(async () => (await load()).logout(context));
  auth
    .command("token")
    .description("Print the key itself, for another program")
    .action(async () => (await load()).token(context));
}

const settingName = () => withChoices(new Argument("<name>", "name of the setting"), settingNames);

function addConfig(program: Command, context: RunContext): void {
  const config = program.command("config").description("Settings and profiles");
  const load = () => import("../own-actions.ts");
  config
    .command("list")
    .description("Every setting, its value and where the value comes from")
    .action(async () => (await load()).list(context));
  config
    .command("get")
    .description("One setting")
    .addArgument(settingName())
    .action(async (name: string) => (await load()).get(context, name));
  withExamples(
    config
      .command("set")
      .description("Change a setting of a profile")
      .addArgument(settingName())
      .argument("<value>", "its value")
      .action(async (name: string, value: string) => (await load()).set(context, name, value)),
    [
      ["Tables even in a pipe", "solx config set output table"],
      ["A profile with its own server", "solx config set base-url http://127.0.0.1:8899 --profile local"],
    ],
  );
  config
    .command("unset")
    .description("Return a setting to its default")
    .addArgument(settingName())
    .action(async (name: string) => (await load()).unset(context, name));
  config
    .command("profiles")
    .description("The profiles, with their servers and keys")
    .action(async () => (await load()).profiles(context));
  config
    .command("path")
    .description("Where settings, keys, state and cache are kept")
    .action(async () => (await load()).path(context));
}

function addCache(program: Command, context: RunContext): void {
  const cache = program.command("cache").description("The answers that are kept to be used again");
  const load = () => import("../cache/cache.ts");
  cache
    .command("stats")
    .description("How many answers are kept of each kind of data, and where")
    .action(async () => (await load()).printCacheStats(context));
  withExamples(
    cache
      .command("clear")
      .description("Remove the answers that are kept")
      .addOption(withChoices(new Option("--kind <kind>", "final, metadata, prices or live alone"), CACHE_KIND_NAMES))
      .action(async (options) => (await load()).clearCache(context, options)),
    [
      ["Everything", "solx cache clear"],
      ["Names and labels alone", "solx cache clear --kind metadata"],
    ],
  );
}

function addSandbox(program: Command, context: RunContext): void {
  const command = program
    .command("sandbox")
    .description("Serve the whole API on this machine, from made-up data, for any client; no key, no network")
    .option("--port <number>", "where to listen on 127.0.0.1; 0 picks a free one (default: 8787)")
    .option("--seed <text>", "which world: the same seed gives the same data (default: solx)")
    .option("--size <factor>", "how much data, 0.02 to 10 times the usual amount (default: 1)")
    .option("--now <time>", "time stands still at this moment: 7d, 2024-07-05, ISO 8601 or Unix seconds")
    .option("--key <key>", "the key to accept (default: sandbox-key-<seed>)")
    .option("--fault <rule>", "answer some requests with trouble; repeat it for more", collect)
    .option("--rate <requests>/<seconds>", "another rate than the plan's, such as 200/10; more is refused")
    .option("--units <number>", "other compute units a month than the plan's; then requests are refused")
    .option("--hostile", "names and memos that attack terminals, spreadsheets and eyes")
    .option("--live [seconds]", "new blocks arrive, one every so many seconds (default: 2)")
    .option("--bare-legacy", "legacy answers without the envelope, as the older service gave them")
    .action(async (options) => (await import("../sandbox/serve.ts")).serve(context, options));
  command.addHelpText("after", `\n${FAULT_HELP}`);
  withExamples(command, [
    ["Start it; Ctrl-C ends it", "solx sandbox"],
    ["For a script: a free port, address and key as the first line of JSON", "solx sandbox --port 0 > sandbox.log &"],
    ["Limits as with a plan", "solx sandbox --plan lite"],
    ["A bad day: a tenth of the calls fail, all are slow", "solx sandbox --fault 503:10% --fault latency=300ms"],
  ]);
  command
    .command("info")
    .description("Where its ledgers are kept, and how large they are")
    .action(async () => (await import("../sandbox/ledgers.ts")).printSandboxInfo(context));
  command
    .command("reset")
    .description("Remove its ledgers; they are made again when they are needed")
    .action(async () => (await import("../sandbox/ledgers.ts")).resetSandbox(context));
}
