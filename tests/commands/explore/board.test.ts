/** The rules that the explorer watches for its dashboard. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { RuleBoard } from "../../../src/commands/explore/rules/board.ts";
import type { Io } from "../../../src/commands/run/context.ts";
import { createContext } from "../../../src/commands/run/create-context.ts";
import { runLine } from "../../../src/commands/run/run.ts";
import { stateFile } from "../../../src/commands/watch/open-rules.ts";
import { WALLET } from "../../support/follow.ts";
import { createCollector } from "../../support/in-process.ts";
import { describeWith } from "../../support/programs.ts";
import { sendJson, serve, type TestServer } from "../../support/server.ts";
import { cleanEnv, createTempFolder } from "../../support/solx.ts";
import { waitFor } from "../../support/wait-for.ts";
import { redisServer } from "../../support/workers.ts";

let transfers: number;
let status: number;
let [api, receiver]: TestServer[] = [];
beforeAll(async () => {
  api = await serve((request, response) => {
    const page = Number(new URL(request.url ?? "", "http://x").searchParams.get("page") ?? 1);
    const rows = Array.from({ length: transfers }, (_, at) => {
      const amount = transfers - at;
      return { trans_id: `id${amount}`, amount, block_time: 1_767_225_600 + amount };
    });
    sendJson(response, JSON.stringify({ success: true, data: rows.slice((page - 1) * 100, page * 100) }));
  });
  receiver = await serve((_request, response) => sendJson(response, "{}", status));
});
afterAll(async () => {
  await api?.close();
  await receiver?.close();
});
beforeEach(() => {
  transfers = 3;
  status = 200;
});

const RULES = `# Mine
rules:
  moves: # all
    what: account transfer ${WALLET}
    every: 2s
    then:
      - file: FOLDER/events
      - print: true
`;

function setUp(rules: string | undefined = RULES, more: Readonly<Record<string, string>> = {}) {
  const folder = createTempFolder();
  const path = join(folder, "rules.yaml");
  if (rules !== "") writeFileSync(path, rules.replaceAll("FOLDER", folder).replaceAll("RECEIVER", receiver?.url ?? ""));
  const env = { SOLX_BASE_URL: api?.url, SOLX_API_KEY: "key", SOLX_BUDGET: "process", SOLX_HOME: folder, ...more };
  const [stdout, stderr] = [createCollector(), createCollector()];
  const io: Io = {
    ...{ argv: [], env: cleanEnv(env), version: "0.0.0", stdin: process.stdin, now: Date.now },
    ...{ stdout: stdout.stream, stderr: stderr.stream, signal: new AbortController().signal },
  };
  const context = createContext(io);
  context.runLine = runLine;
  const open = () => {
    const board = new RuleBoard({ context, path, client: () => context.session.client() });
    onTestFinished(() => board.close());
    return board;
  };
  const events = () =>
    existsSync(join(folder, "events"))
      ? readFileSync(join(folder, "events"), "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line).event.amount)
      : [];
  onTestFinished(() => context.session.close());
  return { folder, path, context, open, events, stdout };
}

/** Starts a board and waits until its subjects were polled. */
async function start(board: RuleBoard) {
  board.subscribe(() => {});
  board.start();
  await waitFor(() => {
    expect(board.state().problem).toBeUndefined();
    expect(board.nextPoll(board.state().subjects[0]?.name ?? "")).toBeDefined();
  });
}

describe("rules in the explorer", () => {
  test("delivers each event once and in order, also those between two runs, and prints nothing", async () => {
    const { open, events, stdout } = setUp();
    const first = open();
    await start(first);
    transfers = 5;
    await waitFor(() => expect(events()).toEqual([4, 5]));
    await waitFor(() => expect(first.state().totals).toEqual({ delivered: 2, pending: 0 }));
    expect(first.state()).toMatchObject({
      mode: "watching",
      rules: [{ name: "moves", actions: ["file", "print"] }],
      subjects: [{ rule: "moves", isFeed: true, cost: { requests: 1800, units: 180_000 } }],
      events: [{ event: { amount: 4 } }, { event: { amount: 5 } }],
    });
    first.remember(new Map([[first.state().subjects[0]?.name ?? "", { at: 1, points: [2], key: "x" }]]));
    await first.close();
    transfers = 8;
    const second = open();
    await start(second);
    await waitFor(() => expect(events()).toEqual([4, 5, 6, 7, 8]));
    expect(second.state().subjects[0]?.seen).toEqual({ at: 1, points: [2], key: "x" });
    await waitFor(() => expect(second.state().events.map(({ event }) => event)).toHaveLength(5));
    expect(stdout.text()).toBe("");
  });

  test("polls without news change nothing but the time of the next one", async () => {
    const { open } = setUp(RULES.replace("file: FOLDER/events", "file: FOLDER/other"));
    const board = open();
    await start(board);
    const [state, name] = [board.state(), board.state().subjects[0]?.name ?? ""];
    const due = board.nextPoll(name);
    await waitFor(() => expect(board.nextPoll(name)).not.toBe(due));
    expect(board.state()).toBe(state);
  });

  test("a parked event is delivered again or dropped", async () => {
    const { open } = setUp(RULES.replace("file: FOLDER/events", "webhook: RECEIVER/hook"));
    status = 400;
    const board = open();
    await start(board);
    transfers = 5;
    await waitFor(() => expect(board.state().parked).toHaveLength(2));
    const [first, second] = board.state().parked;
    expect(first).toMatchObject({ rule: "moves", error: expect.stringContaining("400"), event: { amount: 4 } });
    await board.settle(second?.id ?? 0, "dropped");
    expect(board.state().parked).toHaveLength(1);
    await board.settle(second?.id ?? 0, "parked");
    expect(board.state().parked).toHaveLength(2);
    await board.settle(second?.id ?? 0, "dropped");
    status = 200;
    await board.settle(first?.id ?? 0, "due");
    await waitFor(() => expect(board.state().totals.delivered).toBe(1));
    expect(board.state().parked).toEqual([]);
  });

  describeWith("redis-server")("that machines share", () => {
    test("delivers again or drops what is parked, which the server knows, too", async () => {
      const { port } = await redisServer();
      const more = { SOLX_BUDGET: `redis://127.0.0.1:${port}` };
      const { open } = setUp(RULES.replace("file: FOLDER/events", "webhook: RECEIVER/hook"), more);
      status = 400;
      const board = open();
      await start(board);
      transfers = 6;
      await waitFor(() => expect(board.state().parked).toHaveLength(3));
      const [first, second, third] = board.state().parked.map(({ id }) => id) as [number, number, number];
      await board.settle(second, "dropped");
      await board.settle(third, "dropped");
      await board.settle(third, "parked");
      status = 200;
      await board.settle(first, "due");
      await waitFor(() => expect(board.state().totals.delivered).toBe(1));
      await board.close();
      const again = open();
      await start(again);
      expect(again.state().problem).toBeUndefined();
      await waitFor(() => expect(again.state().parked.map(({ id }) => id)).toEqual([third]));
      expect(again.state().totals.pending).toBe(0);
    });
  });

  test("a rule is added to the file, which keeps its text, and is watched at once", async () => {
    const { open, path, events, folder } = setUp();
    const board = open();
    await start(board);
    const before = readFileSync(path, "utf8");
    await expect(board.saveRule("bad", { what: "account trnsfer X", file: "x" })).rejects.toThrow(
      /rules\.yaml:\d+: rule bad: .*trnsfer/,
    );
    await expect(board.saveRule("bad", { what: `account transfer ${WALLET}` })).rejects.toThrow(/rules\.bad\.then/);
    await expect(board.saveRule("bad", { what: `account transfer ${WALLET}`, exec: "echo {nothing}" })).rejects.toThrow(
      /rule bad: invalid placeholder/,
    );
    expect(readFileSync(path, "utf8")).toBe(before);
    const large = {
      what: `account transfer ${WALLET}`,
      every: "2s",
      when: ".amount > 100",
      file: join(folder, "events"),
    };
    await board.saveRule("large", large);
    expect(readFileSync(path, "utf8").startsWith(before)).toBe(true);
    await waitFor(() => expect(board.state()).toMatchObject({ mode: "watching", rules: [{}, { name: "large" }] }));
    transfers = 101;
    await waitFor(() => expect(events()).toHaveLength(99));
  });

  test("a rule is deleted from the file, and restored while nothing else has changed it", async () => {
    const { open, path } = setUp(
      `${RULES}  # Others\n${RULES.slice(RULES.indexOf("  moves")).replace("moves", "more")}`,
    );
    const board = open();
    await start(board);
    const before = readFileSync(path, "utf8");
    const restore = await board.saveRule("moves", undefined);
    expect(readFileSync(path, "utf8")).toBe(before.replace(/ {2}moves[\s\S]*?(?= {2}# Others)/, ""));
    await waitFor(() => expect(board.state()).toMatchObject({ mode: "watching", rules: [{ name: "more" }] }));
    await restore();
    expect(readFileSync(path, "utf8")).toBe(before);
    await waitFor(() => expect(board.state().rules).toHaveLength(2));
    const again = await board.saveRule("more", undefined);
    writeFileSync(path, before);
    await expect(again()).rejects.toThrow(/has changed since/);
    await expect(board.saveRule("1st", { what: "x", file: "y" })).rejects.toThrow(/1st: a name starts with a letter/);
  });

  test("a file that is missing is created by the first rule", async () => {
    const { open, path } = setUp("");
    const board = open();
    board.start();
    await waitFor(() => expect(board.state().mode).toBe("missing"));
    await board.saveRule("moves", { what: `account transfer ${WALLET}`, file: "x" });
    expect(readFileSync(path, "utf8")).toContain("rules:\n  moves:\n");
    await waitFor(() => expect(board.state().mode).toBe("watching"));
  });

  test.each([
    [RULES.replace("every:", "evry:"), /rules\.yaml:5: rules\.moves: .*evry/],
    [RULES.replace("account transfer", "account trnsfer"), /rules\.yaml:3: rule moves: .*trnsfer/],
    ["rules:\n  a: [", /rules\.yaml:2: /],
    ["rules:\n  a:\n    what: x\n    then: [{ exec: 3 }]", /rules\.yaml:4: /],
  ])("says what is wrong with a file, and where: %#", async (rules, message) => {
    const board = setUp(rules).open();
    board.start();
    await waitFor(() => expect(board.state().problem?.message).toMatch(message));
    expect(board.state().mode).toBe("stopped");
  });

  test("shows what another process watches, and delivers nothing meanwhile", async () => {
    const { context, path, open, events } = setUp();
    const module = pathToFileURL("src/commands/watch/outbox.ts").href;
    const script = `const { Outbox } = await import(${JSON.stringify(module)});
      const outbox = new Outbox(${JSON.stringify(stateFile(context, path))});
      const event = { rule: "moves", input: null, key: "k", event: { amount: 7 } };
      const found = { subject: "s", events: [event], deliveries: [{ action: "moves file x", key: "k", event }] };
      outbox.commit(Date.now(), found);
      console.log("locked");
      const onInput = (names) => {
        outbox.commit(Date.now(), found);
        outbox.polled(JSON.parse(String(names)), 1_767_225_600_000);
      };
      process.stdin.on("data", onInput).resume();`;
    const other = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    onTestFinished(() => void other.kill());
    await once(other.stdout, "data");
    const board = open();
    board.subscribe(() => {});
    board.start();
    await waitFor(() => expect(board.state().mode).toBe("elsewhere"));
    expect(board.state()).toMatchObject({ subjects: [{ rule: "moves" }], totals: { delivered: 0, pending: 1 } });
    other.stdin.write(JSON.stringify(board.state().subjects.map(({ name }) => name)));
    await waitFor(() => expect(board.state().events).toHaveLength(2));
    await waitFor(() => expect(board.nextPoll(board.state().subjects[0]?.name ?? "")).toBe(1_767_225_600_000));
    expect(events()).toEqual([]);
    other.kill();
    await once(other, "exit");
    board.start(true);
    await waitFor(() => expect(board.state().mode).toBe("watching"));
  });
});
