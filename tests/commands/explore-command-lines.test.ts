/** Command lines that are typed into the explorer: the views that they open, and their completion. */
import { PassThrough } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import {
  allEndpoints,
  commandLine,
  type Endpoint,
  type Param,
  type ParameterValues,
  quoteForShell,
} from "../../src/catalogue/index.ts";
import { JUPITER, NFT_COLLECTION, POOL, SIGNATURE, USDC, WALLET } from "../../src/catalogue/samples.ts";
import { prepare } from "../../src/client/index.ts";
import { collectCompletionData } from "../../src/commands/completion/collect.ts";
import { createCommandLines } from "../../src/commands/explore/command-lines.ts";
import { createContext } from "../../src/commands/run/create-context.ts";
import { buildProgram, runLine } from "../../src/commands/run/run.ts";
import type { ConnectedClient } from "../../src/sources/index.ts";
import { buildViewCommand } from "../../src/ui/actions/current-view.ts";
import {
  type CommandLines,
  ENTITY_KINDS,
  type EntityKind,
  entityPage,
  PAGE_NAMES,
  type Route,
} from "../../src/ui/index.ts";
import type { Subject } from "../../src/ui/navigation/context.ts";
import { namedPage } from "../../src/ui/navigation/entity-pages.ts";

const NOW = Date.UTC(2025, 5, 15, 12);
const DATA = collectCompletionData();

/** The lines of an explorer of the sandbox. */
async function createLines(search: () => unknown = () => undefined): Promise<CommandLines> {
  const io = {
    argv: [],
    env: {},
    version: "0",
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: new PassThrough() as unknown as NodeJS.WriteStream,
    now: () => NOW,
    signal: new AbortController().signal,
  };
  const context = createContext(io);
  buildProgram(context);
  context.globals = { sandbox: true };
  context.runLine = runLine;
  const client = async () =>
    ({ fetch: async () => ({ data: search(), rows: search() }) }) as unknown as ConnectedClient;
  return createCommandLines({
    context,
    io,
    settings: await context.session.settings(),
    client,
    now: () => NOW,
    completionData: () => DATA,
  });
}

/** Identifiers of each kind of entity. */
const ENTITY_IDS: Readonly<Record<EntityKind, string>> = {
  account: WALLET,
  token: USDC,
  transaction: SIGNATURE,
  block: "385804412",
  program: JUPITER,
  market: POOL,
  collection: NFT_COLLECTION,
  epoch: "903",
  inspection: "AQ".repeat(60),
};

const endpointRoute = ({ route }: Endpoint, params: ParameterValues): Route => ({
  kind: "endpoint",
  endpointRoute: route,
  params,
});

/** Returns the arguments that `!` displays for a view. */
const viewCommand = (route: Route, request?: Subject["request"]) =>
  buildViewCommand({ route, subject: request && { request }, hasCustomColumns: false }).args;

/** Values of each type; the texts have characters with a meaning for shells. */
const SAMPLES: Readonly<Record<Param["type"], readonly [unknown, unknown]>> = {
  address: [WALLET, USDC],
  signature: [SIGNATURE, SIGNATURE],
  slot: [1, 385_804_412],
  integer: [10, 20],
  decimal: ["0.5", "1.25"],
  boolean: [true, false],
  enum: ["", ""],
  time: ["7d", "1d"],
  date: ["2024-07-01", "2024-07-05"],
  text: [`it's "a" $(b) *`, "-x; y"],
};

/** Returns values of a parameter: each allowed value, and lists and ranges of two. */
function samplesOf({ type, arity, values }: Param): readonly unknown[] {
  const all: readonly unknown[] = values ?? SAMPLES[type];
  if (arity === "one") return all;
  return [all.slice(0, 2)];
}

/**
 * Returns valid requests that together have each value of each parameter: each request has as many of them as go
 * together, beside the required ones.
 */
function parameterSamples({ query }: Endpoint, isValidRequest: (params: ParameterValues) => boolean) {
  const required = Object.entries(query).flatMap(([name, param]) =>
    param.required ? [[name, samplesOf(param)[0]]] : [],
  );
  const base: ParameterValues = Object.fromEntries(required);
  const requests: ParameterValues[] = [];
  for (const [name, param] of Object.entries(query)) {
    for (const value of samplesOf(param)) {
      const isOpen = (params: ParameterValues) => !(name in params) && isValidRequest({ ...params, [name]: value });
      const at = requests.findIndex(isOpen);
      if (at >= 0) requests[at] = { ...requests[at], [name]: value };
      else if (isValidRequest({ ...base, [name]: value })) requests.push({ ...base, [name]: value });
    }
  }
  return requests;
}

function isValid(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

let lines: CommandLines;
beforeAll(async () => {
  lines = await createLines();
});

describe("a line opens", () => {
  test.each([
    [`account transfer ${WALLET} --flow in --token USDC`, { address: WALLET, flow: "in", token: [USDC] }],
    [`solx account transfer ${WALLET} --flow=out --sandbox`, { address: WALLET, flow: "out" }],
    [
      `$ node bin/solx.js account transfer '${WALLET}' --from-time "2024-07-05"`,
      { address: WALLET, from_time: "2024-07-05" },
    ],
    [`npx solx account transfers --address ${WALLET}`, { address: WALLET }],
  ])("the endpoint of %s", async (line, params) => {
    const view = await lines.interpret(line);
    expect(view).toEqual({
      route: { kind: "endpoint", endpointRoute: "v2-account-transfer", params },
      ignored: [],
    });
  });

  test.each([
    [`solx show ${SIGNATURE}`, { kind: "entity", entity: "transaction", id: SIGNATURE }],
    [`compare ${WALLET} ${JUPITER}`, { kind: "entity", entity: "account", id: WALLET, others: [JUPITER] }],
    ["diff 5 6 7", { kind: "entity", entity: "block", id: "5", others: ["6", "7"] }],
    [`solx explore token ${USDC}`, { kind: "entity", entity: "token", id: USDC }],
    ["solx explore bookmarks", { kind: "page", page: "bookmarks" }],
    ["solx overview", { kind: "page", page: "home" }],
    ["show usdc", { kind: "entity", entity: "token", id: USDC }],
  ])("the page of %s", async (line, route) => {
    expect(await lines.interpret(line)).toEqual({ route, ignored: [] });
  });

  test("the request of a curl command, and of its URL", async () => {
    const url = `https://pro-api.solscan.io/v2.0/account/transfer?address=${WALLET}&flow=in&block_time[]=1&block_time[]=2`;
    const params = { address: WALLET, flow: "in", block_time: ["1", "2"] };
    const route = { kind: "endpoint", endpointRoute: "v2-account-transfer", params };
    expect(await lines.interpret(`curl --compressed -H "token: $KEY" '${url}'`)).toEqual({ route, ignored: [] });
    expect(await lines.interpret(url)).toEqual({ route, ignored: [] });
  });

  test("every example of the reference, with the same request", async () => {
    for (const endpoint of allEndpoints) {
      for (const { params } of endpoint.examples) {
        const line = commandLine(endpoint, params);
        const view = await lines.interpret(line);
        const route = view?.route;
        if (route?.kind !== "endpoint") throw new Error(`${line}: ${view?.problem?.message}`);
        expect(route.endpointRoute).toBe(endpoint.route);
        const request = (values: object) => prepare(endpoint, { ...values }, { now: () => NOW }).query;
        expect([line, request(route.params)]).toEqual([line, request(params)]);
      }
    }
  });

  test("every parameter of every endpoint, with the same request", async () => {
    let count = 0;
    for (const endpoint of allEndpoints) {
      const request = (values: ParameterValues) => prepare(endpoint, values, { now: () => NOW }).query;
      for (const params of parameterSamples(endpoint, (params) => isValid(() => request(params)))) {
        count += Object.keys(params).length;
        const line = ["solx", ...viewCommand(endpointRoute(endpoint, params), { endpoint, params }).map(quoteForShell)];
        const view = await lines.interpret(line.join(" "));
        expect([line.join(" "), view?.problem]).toEqual([line.join(" "), undefined]);
        expect(view?.route).toMatchObject({ kind: "endpoint", endpointRoute: endpoint.route });
        const values = view?.route?.kind === "endpoint" ? view.route.params : {};
        expect([line.join(" "), request(values)]).toEqual([line.join(" "), request(params)]);
      }
    }
    expect(count).toBeGreaterThan(1000);
  });

  test.each([
    ...PAGE_NAMES.map((page): Route => ({ kind: "page", page })),
    ...ENTITY_KINDS.map((entity): Route => ({ kind: "entity", entity, id: ENTITY_IDS[entity] })),
  ])("the command of %j", async (route) => {
    const command = viewCommand(route);
    const { route: opened, problem } = (await lines.interpret(["solx", ...command].join(" "))) ?? {};
    expect(problem).toBeUndefined();
    if (opened?.kind === "endpoint") {
      // The command of a page without a single request is that of its main list.
      const { path } =
        route.kind === "page" ? namedPage(route.page) : entityPage(route.kind === "entity" ? route.entity : "account");
      expect(allEndpoints.find((one) => one.route === opened.endpointRoute)?.path).toBe(path);
      if (route.kind === "entity") expect(Object.values(opened.params).map(String)).toEqual([route.id]);
    } else if (route.kind === "entity" && command[0] === "show") {
      expect(opened).toMatchObject({ kind: "entity", id: route.id });
    } else {
      expect(opened).toEqual(route);
    }
  });

  test("a view after a symbol was looked up", async () => {
    const search = () => [{ address: WALLET, symbol: "PHOTO", reputation: "ok" }];
    const searching = await createLines(search);
    expect(await searching.interpret("token meta photo")).toEqual({ ignored: [] });
    expect(await searching.open("token meta photo")).toMatchObject({ params: { address: WALLET } });
  });
});

describe("a line is explained", () => {
  test.each([
    [`account transfer ${WALLET} --flow inn`, /invalid value "inn" for --flow: expected in or out/],
    [`account transfer ${WALLET} --flwo in`, /unknown flag "--flwo"/],
    ["account transfer ", /requires the/],
    [`account transfer ${WALLET} ${USDC}`, /one identifier at a time/],
    ["solx doctor", /solx doctor is not a view/],
    ["solx account", /expected a command after "solx account"/],
    ["solx acount detail", /unknown command "acount"/],
    [`account detail ${WALLET} --profile work`, /--profile names another source/],
    ["curl https://example.org/x", /another host/],
  ])("%s", async (line, message) => {
    const view = await lines.interpret(line);
    expect(view?.route).toBeUndefined();
    expect(view?.problem?.message).toMatch(message);
  });

  test("with the options that have no effect", async () => {
    const view = await lines.interpret(`account transfer ${WALLET} --all -o csv --out rows.csv --flow in`);
    expect(view?.ignored).toEqual(["--all", "--output", "--out"]);
    expect(view?.route).toBeDefined();
  });

  test.each(["transfers of a whale", "token", "account transfer", "docs account", "jup", "doctor now", ""])(
    "%j is no command line",
    async (line) => expect(await lines.interpret(line)).toBeUndefined(),
  );
});

describe("a mistyped command is corrected", () => {
  test.each([
    ["tokn", 'Did you mean "solx token"?', ["token"]],
    [`tokn holders ${USDC} --limit 3`, 'Did you mean "solx token"?', [`token holders ${USDC} --limit 3`]],
    [`token hodlers ${USDC}`, 'Did you mean "solx token holders"?', [`token holders ${USDC}`]],
    ["hodlers", 'Did you mean "solx token holders"?', ["token holders"]],
  ])("%s", async (line, hint, corrected) => {
    expect(await lines.correct(line)).toEqual({
      message: expect.stringContaining("unknown command"),
      hint,
      lines: corrected,
    });
  });

  test.each(["zzzzqq", "my wallet", "account transfer", "list of validators", WALLET, ""])(
    "%j resembles none",
    async (line) => {
      expect(await lines.correct(line)).toBeUndefined();
    },
  );
});

test("a question finds commands, and what has no answer here", async () => {
  expect((await lines.find("who holds BONK")).commands[0]).toBe("token holders");
  expect(await lines.find("list of validators")).toMatchObject({
    commands: expect.arrayContaining(["node validators"]),
    note: expect.stringContaining("needs a Solana node"),
  });
});

describe("a line is completed", () => {
  const texts = async (line: string) => (await lines.complete(line)).candidates.map(([text]) => text);

  test("by commands that open views", async () => {
    expect(await texts("account tr")).toEqual(expect.arrayContaining(["transfer ", "transactions "]));
    expect(await texts("solx acc")).toEqual(["account "]);
    const all = await texts("solx ");
    expect(all).toEqual(expect.arrayContaining(["show ", "explore ", "token "]));
    expect(all).not.toContain("doctor ");
  });

  test("by parameters and their values", async () => {
    const options = await texts(`account transfer ${WALLET} --`);
    expect(options).toContain("--flow ");
    expect(options).not.toContain("--output ");
    expect(await lines.complete(`account transfer ${WALLET} --flow i`)).toMatchObject({
      start: `account transfer ${WALLET} --flow `,
      candidates: [["in ", ""]],
    });
    expect(await texts(`account transfer ${WALLET} --token US`)).toContain("USDC");
  });

  test("and the parameter that a word is of is known", async () => {
    expect((await lines.complete("solx account transfer 5Q")).parameter).toMatchObject({ name: "address" });
    expect((await lines.complete(`account transfer ${WALLET} --from `)).parameter).toMatchObject({ name: "from" });
    expect((await lines.complete("account transfer --fl")).parameter).toBeUndefined();
  });
});
