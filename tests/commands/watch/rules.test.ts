/** `solx watch`: rules of a file, their deliveries, and what a later run continues. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { WALLET } from "../../support/follow.ts";
import { runInProcess } from "../../support/in-process.ts";
import { sendJson, serve, type TestServer } from "../../support/server.ts";
import { createTempFolder } from "../../support/solx.ts";
import { waitFor } from "../../support/wait-for.ts";

const OTHER = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";

/** The number of transfers by wallet. */
let transfers: Record<string, number>;
/** The numbers after some answers: what arrives while rules are watched. */
let later: { readonly answers: number; readonly transfers: Record<string, number> } | undefined;
let [api, receiver]: TestServer[] = [];
const received: { readonly path: string; readonly body: Record<string, never> }[] = [];
let status: number;

beforeAll(async () => {
  api = await serve((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://x");
    const [wallet, page] = [searchParams.get("address") ?? "", Number(searchParams.get("page") ?? 1)];
    const rows = Array.from({ length: transfers[wallet] ?? 0 }, (_, at) => {
      const amount = (transfers[wallet] ?? 0) - at;
      return { trans_id: `${wallet.slice(0, 2)}-${amount}`, amount, block_time: 1_767_225_600 + amount };
    });
    sendJson(response, JSON.stringify({ success: true, data: rows.slice((page - 1) * 100, page * 100) }));
    if (later === undefined) return;
    later = { ...later, answers: later.answers - 1 };
    if (later.answers === 0) transfers = later.transfers;
  });
  receiver = await serve((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += String(chunk);
    });
    request.on("end", () => {
      received.push({ path: request.url ?? "", body: JSON.parse(body) });
      sendJson(response, "{}", status);
    });
  });
});
afterAll(async () => {
  await api?.close();
  await receiver?.close();
});
beforeEach(() => {
  transfers = { [WALLET]: 3, [OTHER]: 2 };
  later = undefined;
  received.length = 0;
  status = 200;
});

/** A file of rules in a folder with the state of its runs. */
function setUp(rules: string) {
  const folder = createTempFolder();
  const file = join(folder, "rules.yaml");
  writeFileSync(file, rules.replaceAll("FOLDER", folder).replaceAll("RECEIVER", receiver?.url ?? ""));
  const env = { SOLX_BASE_URL: api?.url, SOLX_API_KEY: "key", SOLX_BUDGET: "process", SOLX_HOME: folder };
  const run = (...words: readonly string[]) => runInProcess(["watch", ...words], { env });
  /** Watches until a check passes. */
  const watchUntil = async (check: () => unknown, ...words: readonly string[]) => {
    const stop = new AbortController();
    const ended = runInProcess(["watch", file, ...words], { env, signal: stop.signal });
    const failed = ended.then(({ stderr }) => Promise.reject(new Error(stderr)));
    await Promise.race([failed, waitFor(check)]).finally(() => stop.abort());
    failed.catch(() => {});
    return ended;
  };
  const events = (name = "events") =>
    existsSync(join(folder, name))
      ? readFileSync(join(folder, name), "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [];
  return { file, folder, run, watchUntil, events };
}

const BASIC = `
rules:
  moves:
    what: account transfer ${WALLET} ${OTHER}
    every: 2s
    then:
      - file: FOLDER/events
`;

describe("solx watch", () => {
  test("delivers what arrives, and a later run everything that arrived in between, each event once and in order", async () => {
    const { watchUntil, events, folder } = setUp(BASIC);
    const state = join(folder, "state", "watch");
    const requests = api?.requests.length ?? 0;
    await watchUntil(() => {
      expect(existsSync(state)).toBe(true);
      expect(api?.requests.length).toBeGreaterThanOrEqual(requests + 4);
    });
    expect(events()).toEqual([]);
    transfers = { [WALLET]: 253, [OTHER]: 5 };
    const { code } = await watchUntil(() => expect(events()).toHaveLength(253));
    expect(code).toBe(130);
    const amounts = (wallet: string) =>
      events()
        .filter(({ input }) => input === wallet)
        .map(({ event }) => event.amount);
    expect(amounts(WALLET)).toEqual(Array.from({ length: 250 }, (_, at) => at + 4));
    expect(amounts(OTHER)).toEqual([3, 4, 5]);
    expect(new Set(events().map(({ key }) => key)).size).toBe(253);
  });

  test("rules that watch the same share its polls, and have their own conditions and messages", async () => {
    const { watchUntil } = setUp(`
rules:
  all:
    what: solx account transfer ${WALLET}
    every: 2s
    then:
      - slack: RECEIVER/slack
        text: "{rule} <{amount}>"
  large:
    what: account transfer ${WALLET}
    every: 2s
    when: .amount >= 5
    then:
      - discord: RECEIVER/discord
        text: "@everyone {trans_id}"
      - telegram: RECEIVER/telegram
        chat: "7"
      - webhook: RECEIVER/hook
`);
    const before = api?.requests.length ?? 0;
    later = { answers: 1, transfers: { [WALLET]: 5 } };
    await watchUntil(() => expect(received).toHaveLength(5));
    const polls = (api?.requests.length ?? 0) - before;
    const bodies = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body);
    expect(bodies("/slack")).toEqual([{ text: "all &lt;4&gt;" }, { text: "all &lt;5&gt;" }]);
    expect(bodies("/discord")).toEqual([{ content: "@everyone EP-5", allowed_mentions: { parse: [] } }]);
    expect(bodies("/telegram")).toEqual([{ chat_id: "7", text: expect.stringContaining("trans_id=EP-5") }]);
    expect(bodies("/hook")).toMatchObject([{ rule: "large", input: WALLET, event: { amount: 5 } }]);
    expect(polls).toBeLessThanOrEqual(2);
  });

  test("an event that a receiver refuses is parked, shown, and delivered again on request", async () => {
    const { file, run, watchUntil } = setUp(BASIC.replace("file: FOLDER/events", "webhook: RECEIVER/hook"));
    status = 400;
    later = { answers: 2, transfers: { [WALLET]: 4, [OTHER]: 2 } };
    await watchUntil(async () => {
      expect(received).toHaveLength(1);
      expect(JSON.parse((await run("status", file)).stdout)).toMatchObject([{ parked: 1 }]);
    });
    const { code, stdout } = await run("status", file);
    expect(code).toBe(10);
    expect(JSON.parse(stdout)).toMatchObject([
      { delivered: 0, failed: 1, parked: 1, pending: 0, last_error: expect.stringContaining("responded with 400") },
    ]);
    expect((await run("status", file, "--retry")).stderr).toContain("1 parked event will be delivered again.");
    status = 200;
    await watchUntil(() => expect(received).toHaveLength(2));
    expect(received[0]?.body.key).toBe(received[1]?.body.key);
    expect((await run("status", file)).code).toBe(0);
  });

  test("what programs print goes to standard error, also where that is no file", async () => {
    const script = "exec: sh -c 'echo told $1; echo {} >> FOLDER/events' x {amount}";
    const { watchUntil, events } = setUp(BASIC.replace("file: FOLDER/events", script));
    later = { answers: 2, transfers: { [WALLET]: 5, [OTHER]: 2 } };
    const { stderr } = await watchUntil(() => expect(events()).toHaveLength(2));
    expect(stderr).toContain("told 4\n");
  });

  test("serves its state for monitoring", async () => {
    const { watchUntil } = setUp(BASIC);
    const port = await freePort();
    later = { answers: 2, transfers: { [WALLET]: 4, [OTHER]: 2 } };
    let [metrics, health] = ["", ""];
    await watchUntil(
      async () => {
        metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        health = await (await fetch(`http://127.0.0.1:${port}/health`)).text();
        expect(metrics).toMatch(/solx_watch_delivered_total\{.*action="moves file \w+".*\} 1\n/);
      },
      "--health",
      String(port),
    );
    expect(metrics).toContain("solx_watch_up");
    expect(JSON.parse(health)).toMatchObject({ status: "ok", events: 1, parked: 0 });
  });
});

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<number> {
  const { url, close } = await serve(() => {});
  await close();
  return Number(new URL(url).port);
}

describe("solx watch check", () => {
  test("prints what each rule costs", async () => {
    const { file, run } = setUp(BASIC);
    const { stdout, stderr } = await run("check", file);
    expect(JSON.parse(stdout)).toEqual([
      {
        ...{ rule: "moves", what: `account transfer ${WALLET} ${OTHER}`, subjects: 2, requests_per_hour: 3600 },
        ...{ units_per_hour: 360_000, latency: 2 },
      },
    ]);
    expect(stderr).toContain("Polling 2 subjects every 2 s: 3,600 requests");
  });

  test("plans one poll for rules that watch the same for different changes", async () => {
    const rule = (name: string, changes: string) =>
      `  ${name}:\n    what: token meta ${WALLET} ${OTHER}\n    every: 2s\n    changes: ${changes}\n    then: [{ print: true }]\n`;
    const { file, run } = setUp(`rules:\n${rule("a", "price")}${rule("b", "holder")}`);
    const { stdout, stderr } = await run("check", file);
    expect(JSON.parse(stdout)).toMatchObject([{ requests_per_hour: 1800 }, { requests_per_hour: 1800 }]);
    expect(stderr).toContain("Polling 2 subjects every 2 s: 1,800 requests");
  });

  test("plans the times of a cron expression", async () => {
    const { file, run } = setUp(BASIC.replace("every: 2s", 'every: "*/10 * * * *"'));
    const [row] = JSON.parse((await run("check", file)).stdout);
    expect(row).toMatchObject({ requests_per_hour: 12, latency: 600 });
  });

  test("plans within the requests that the file allows", async () => {
    const { file, run } = setUp(`requests: 20${BASIC}`);
    const { stdout, stderr } = await run("check", file);
    expect(JSON.parse(stdout)).toMatchObject([{ requests_per_hour: 1200, latency: 6 }]);
    expect(stderr).toContain("every 6 s, those with recent news every 2 s");
  });

  test.each([
    ["rules: [", /rules\.yaml:1: /],
    ["rules:\n  a:\n    what: x", /rules\.a\.then: /],
    [BASIC.replace("every:", "evry:"), /rules\.moves: .*evry/],
    [BASIC.replace("account transfer", "account trnsfer"), /rule moves: .*trnsfer/],
    [BASIC.replace(/what: .*/, `what: show ${WALLET}`), /rule moves: .*watching has no effect on show/],
    [BASIC.replace("every: 2s", "every: 1s"), /rule moves: .*expected an interval from 2s to 24h/],
    [BASIC.replace("every: 2s", "every: 1s"), /rule moves: invalid value .*1s.* for every: expected an interval/],
    [BASIC.replace("every: 2s", "every: 2s\n    changes: amount"), /rule moves: changes cannot be used with account/],
    [BASIC.replace("FOLDER/events", "FOLDER/none/events"), /rules\.yaml:7: rule moves: .*its folder does not exist/],
    [BASIC.replace("FOLDER/events", "FOLDER"), /rules\.yaml:7: rule moves: .*it is a folder/],
    [BASIC.replace("every: 2s", "every: 0 9 * *"), /rule moves: invalid cron expression .*: it has five fields/],
    [BASIC.replace("every: 2s", "every: 0 9 30 2 *"), /rule moves: invalid cron expression .*: it never occurs/],
    [BASIC.replace("every: 2s", "when: .amount >"), /rule moves: jq: .*syntax error/],
    [BASIC.replace("every: 2s", "when: .amout > 1"), /rule moves: .*amout/],
    [BASIC.replace("transfer E", "transfer --limit 5 E"), /rule moves: --limit cannot be used in what/],
    [BASIC.replace("transfer E", "transfer --cache only E"), /rule moves: watching and --cache only cannot be used/],
    [
      BASIC.replace("file: FOLDER/events", "exec: echo {nothing}"),
      /rules\.yaml:7: rule moves: invalid placeholder \{nothing\}/,
    ],
    ["rules: {}", /rules\.yaml has no rules/],
    ["", /rules\.yaml:1: expected lines of the form name: value, got nothing/],
    ["- moves", /rules\.yaml:1: expected lines of the form name: value, got a list/],
    ["moves", /rules\.yaml:1: expected lines of the form name: value, got a text/],
    ["# mine\nrules:\n  - what: x", /rules\.yaml:2: rules: expected rules by their names, got a list/],
    [BASIC.replace("then:", "than:"), /rules\.yaml:3: rules\.moves\.then: it is missing/],
    [BASIC.replace("moves", "1st"), /rules\.yaml:3: rules\.1st: a name starts with a letter/],
    [BASIC.replace(/- file.*/, "[]"), /rules\.yaml:\d: rules\.moves\.then: it has no actions/],
    [BASIC.replace("file: FOLDER", "telegram: https://a/b"), /:7: rules\.moves\.then\.0\.chat: it is missing/],
    [BASIC.replace("file: FOLDER/events", "exec: 3"), /:7: rules\.moves\.then\.0\.exec: expected a text, got a number/],
    [BASIC.replace("file: FOLDER/events", "mail: x"), /:7: rules\.moves\.then\.0: expected one of exec, webhook, /],
    [
      BASIC.replace("file: FOLDER/events", "webhook: nowhere"),
      /rules\.yaml:7: rule moves: invalid URL of a webhook: nowhere/,
    ],
  ])("refuses %j", async (rules, message) => {
    const { file, run } = setUp(rules);
    const { code, stderr } = await run("check", file);
    expect(stderr.trim().split("\n").at(-1)).toMatch(message);
    expect(code).toBe(2);
  });
});

test("solx watch test prints the events that a rule would have found", async () => {
  const { file, run } = setUp(BASIC.replace("every: 2s", "when: .amount > 1"));
  const { code, stdout, stderr } = await run("test", file, "moves", "--since", "30d");
  expect(code).toBe(0);
  expect(JSON.parse(stdout).map((row: { readonly amount: number }) => row.amount)).toEqual([3, 2, 2]);
  expect(stderr).toContain("3 events since");
  expect((await run("test", file, "other")).stderr).toContain("has no rule");
});

test("solx watch test refuses rules for changes, whose past is not known", async () => {
  const what = `what: token meta ${WALLET}`;
  const { file, run } = setUp(BASIC.replace(/what: .*/, what));
  const { code, stderr } = await run("test", file, "moves");
  expect([code, stderr]).toEqual([2, expect.stringContaining("rule moves has no history: only its present is known")]);
});

test("solx watch schema describes the file for editors", async () => {
  const { run } = setUp(BASIC);
  const schema = JSON.parse((await run("schema")).stdout);
  const rule = schema.properties.rules.additionalProperties;
  expect(Object.keys(rule.properties)).toEqual(["what", "every", "when", "changes", "then"]);
  expect(rule.required).toEqual(["what", "then"]);
});
