/** Help for programs (`--help -o json`), the environment of a command, and the examples of groups. */
import { describe, expect, it } from "vitest";
import { allEndpoints } from "../../src/catalogue/index.ts";
import { entities, listFields } from "../../src/catalogue/schemas.ts";
import { allCommands } from "../../src/commands/docs/manual/command-tree.ts";
import { commandTree } from "../../src/commands/docs/manual/generate.ts";
import { runInProcess } from "../support/in-process.ts";

const BARE = { SOLX_HOME: undefined, SOLX_API_KEY: undefined, HOME: undefined };
const help = async (...words: string[]) => JSON.parse((await runInProcess([...words], { env: BARE })).stdout);

interface Schema {
  readonly command: string;
  readonly options: readonly { readonly long: string }[];
  readonly accepts: readonly string[];
  readonly endpoint?: { readonly route: string };
  readonly output?: { readonly entity: string };
  readonly commands: readonly Schema[];
}

const flatten = (schema: Schema): readonly Schema[] => [schema, ...schema.commands.flatMap(flatten)];

describe("--help -o json", () => {
  it("has arguments, options with types, values and defaults, and the fields of the answer", async () => {
    const schema = await help("token", "markets", "--help", "-o", "json");
    expect(schema).toMatchObject({
      command: "solx token markets",
      usage: "solx token markets <token>... [flags]",
      endpoint: { route: "v2-token-markets", paging: "page", cost: { units: 100 } },
      output: { shape: "rows", entity: "TokenMarket" },
    });
    const option = (name: string) => schema.options.find(({ long }: { long: string }) => long === name);
    expect(option("--page-size")).toMatchObject({
      type: "enum",
      values: ["10", "20", "30", "40", "60", "100"],
      default: 10,
    });
    expect(schema.arguments).toMatchObject([{ name: "token" }]);
    expect(schema.accepts).toContain("--limit");
    expect(schema.global_options["--timeout"]).toMatchObject({ type: "number", default: 30, env: "SOLX_TIMEOUT" });
    expect(schema.global_options["--all"]).toMatchObject({ type: "boolean" });
    const fields = schema.entities.TokenMarket.map(({ path }: { path: string }) => path);
    expect(fields).toEqual(listFields(entities.TokenMarket).map(({ path }) => path));
    expect(schema.exit_codes["2"]).toContain("Invalid usage");
  });

  it("of the program has every command and every endpoint", async () => {
    for (const words of [
      ["--help", "-o", "json"],
      ["-o", "json", "--help"],
      ["help", "-o", "json"],
    ]) {
      const all = flatten(await help(...words));
      expect(all.map(({ command }) => command)).toEqual(allCommands(commandTree()).map(({ path }) => path.join(" ")));
      const routes = new Set(all.map(({ endpoint }) => endpoint?.route));
      expect(allEndpoints.filter(({ route }) => !routes.has(route))).toEqual([]);
    }
  });

  it("refers to options and entities that it describes", async () => {
    const schema = await help("account", "--help", "-o", "json");
    for (const { accepts, output } of flatten(schema)) {
      for (const name of accepts) expect(schema.global_options).toHaveProperty([name]);
      if (output) expect(schema.entities).toHaveProperty([output.entity]);
    }
  });

  it("leaves help as text in other formats, and the version as it is", async () => {
    const run = (...words: string[]) => runInProcess(words, { env: BARE, version: "1.2.3" });
    expect((await run("token", "--help", "-o", "csv")).stdout).toContain("Usage: solx token");
    expect((await run("--version", "-o", "json")).stdout).toBe("1.2.3\n");
  });
});

describe("help", () => {
  it("of every command names its environment or where it is described", async () => {
    for (const words of [["token"], ["token", "meta"], ["auth", "login"], ["sandbox"], ["completion"]]) {
      const { stdout } = await runInProcess([...words, "--help"], { env: BARE });
      expect(stdout, words.join(" ")).toMatch(/^Environment.*solx help environment$/m);
    }
    const { stdout } = await runInProcess(["token", "meta", "--help-all"], { env: BARE });
    expect(stdout).toMatch(/^ {2}SOLX_OUTPUT +same as --output$/m);
    expect(stdout).not.toContain("SOLX_SANDBOX_SEED");
  });

  it("of every group has examples", () => {
    const groups = allCommands(commandTree()).filter(({ commands }) => commands.length > 0);
    expect(groups.filter(({ examples }) => examples.length === 0).map(({ path }) => path.join(" "))).toEqual([]);
  });
});
