/** Command lines that are typed into the explorer: the views that they open, and their completion. */
import { PassThrough } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import { allEndpoints, commandLine } from "../../src/catalogue/index.ts";
import { SIGNATURE, USDC, WALLET } from "../../src/catalogue/samples.ts";
import type { Client } from "../../src/client/index.ts";
import { prepare } from "../../src/client/index.ts";
import { collectCompletionData } from "../../src/commands/completion/collect.ts";
import { createCommandLines } from "../../src/commands/explore/command-lines.ts";
import { createContext } from "../../src/commands/run/create-context.ts";
import { buildProgram } from "../../src/commands/run/program.ts";
import { runLine } from "../../src/commands/run/run.ts";
import type { CommandLines } from "../../src/ui/index.ts";

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
  const client = async () => ({ fetch: async () => ({ data: search(), rows: search() }) }) as unknown as Client;
  return createCommandLines({
    context,
    io,
    settings: await context.settings(),
    client,
    now: () => NOW,
    completionData: () => DATA,
  });
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
