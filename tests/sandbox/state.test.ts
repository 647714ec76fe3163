/** The state of a sandbox that tests change while it runs: time, plan, usage, balances and transfers. */
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { NATIVE_SOL, OTHER_WALLET, USDC, WALLET, WRAPPED_SOL } from "../../src/catalogue/samples.ts";
import { openSandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.ts";
import { runInProcess } from "../support/in-process.ts";
import { worldsFolder } from "../support/ledger.ts";
import { folder } from "./api.ts";

const NOW = Date.UTC(2026, 6, 1, 12) / 1000;
const WORLD = { seed: "test", size: 0.05, folder: worldsFolder() } as const;
/** An address without an account. */
const NEW = "8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh";
const DAY = 86_400;

type Data = ReturnType<typeof JSON.parse>;

async function open(options: SandboxOptions = {}) {
  const sandbox = await openSandbox({ ...WORLD, now: NOW, ...options });
  onTestFinished(() => sandbox.close());
  const get = async (path: string) => {
    const { status, body } = await sandbox.handle({ method: "GET", url: path, headers: { token: sandbox.key } });
    return { status, body: body.startsWith("{") ? (JSON.parse(body) as Data) : body };
  };
  const data = async (path: string): Promise<Data> => (await get(`/v2.0${path}`)).body.data;
  const lamports = async (address: string): Promise<number> =>
    (await data(`/account/detail?address=${address}`)).lamports;
  /** Returns the amount of the only token account of an owner for a token, in base units. */
  const amountOf = async (address: string, token: string): Promise<number> => {
    const rows: Data[] = await data(
      `/account/token-accounts?address=${address}&type=token&page_size=40&hide_zero=true`,
    );
    return rows.filter((row) => row.token_address === token).reduce((sum, { amount }) => sum + amount, 0);
  };
  return { sandbox, get, data, lamports, amountOf };
}

describe("a transfer", () => {
  test("of SOL is the same in accounts, lists, transaction and block", async () => {
    const { sandbox, data, lamports } = await open();
    const before = await lamports(OTHER_WALLET);
    const { signature, slot, time } = await sandbox.send({ from: OTHER_WALLET, to: NEW, amount: "0.25" });
    expect(time).toBe(NOW);
    expect([await lamports(NEW), await lamports(OTHER_WALLET)]).toEqual([250_000_000, before - 250_005_000]);
    const [sent] = await data(`/account/transfer?address=${OTHER_WALLET}`);
    const [received] = await data(`/account/transfer?address=${NEW}`);
    const parties = { trans_id: signature, block_id: slot, block_time: NOW, amount: 250_000_000 };
    expect(sent).toMatchObject({ ...parties, flow: "out", from_address: OTHER_WALLET, to_address: NEW });
    expect(received).toMatchObject({ ...parties, flow: "in" });
    const detail = await data(`/transaction/detail?tx=${signature}`);
    expect(detail).toMatchObject({ block_id: slot, fee: 5000, status: 1, signer: [OTHER_WALLET] });
    const [last] = await data("/block/last");
    expect(last).toMatchObject({ current_slot: slot, block_time: NOW, fee_rewards: last.transactions_count * 2500 });
    const { transactions } = await data(`/block/transactions?block=${slot}&exclude_vote=true`);
    expect(transactions).toMatchObject([{ tx_hash: signature }]);
    const [change] = await data(`/account/balance_change?address=${NEW}`);
    expect(change).toMatchObject({ pre_balance: 0, post_balance: 250_000_000, amount: 250_000_000 });
  });

  test("of a token opens an account and leaves the supply", async () => {
    const { sandbox, data, amountOf } = await open();
    await sandbox.setBalance({ address: OTHER_WALLET, amount: "20", token: USDC });
    const before = await data(`/token/meta?address=${USDC}`);
    await sandbox.send({ from: OTHER_WALLET, to: NEW, amount: "1.5", token: USDC });
    expect([await amountOf(OTHER_WALLET, USDC), await amountOf(NEW, USDC)]).toEqual([18_500_000, 1_500_000]);
    const after = await data(`/token/meta?address=${USDC}`);
    expect([after.supply, after.holder]).toEqual([before.supply, before.holder + 1]);
    const [transfer] = await data(`/token/transfer?address=${USDC}`);
    expect(transfer).toMatchObject({ from_address: OTHER_WALLET, to_address: NEW, amount: 1_500_000 });
  });

  test("between two pages moves the rows of the second page, as on a chain that grows", async () => {
    const { sandbox, data } = await open();
    const page = (number: number): Promise<Data[]> =>
      data(`/account/transfer?address=${OTHER_WALLET}&page=${number}&page_size=10`);
    const first = await page(1);
    await sandbox.send({ from: OTHER_WALLET, to: NEW, amount: "0.001" });
    expect((await page(2))[0]).toEqual(first.at(-1));
  });

  test("of everything leaves nothing: another wallet pays the fee", async () => {
    const { sandbox, lamports } = await open();
    await sandbox.setBalance({ address: NEW, amount: "1" });
    await sandbox.send({ from: NEW, to: OTHER_WALLET, amount: "1.0" });
    expect(await lamports(NEW)).toBe(0);
  });

  test.each([
    [{ from: NEW, to: WALLET, amount: "1" }, "INSUFFICIENT_BALANCE", `${NEW} has 0 SOL, not 1`],
    [{ from: OTHER_WALLET, to: NEW, amount: "1e12", token: USDC }, "INSUFFICIENT_BALANCE", "USDC, not 1000000000000"],
    [{ from: OTHER_WALLET, to: NEW, amount: "0.0000000001" }, "BAD_AMOUNT", "SOL has 9 decimals"],
    [{ from: OTHER_WALLET, to: NEW, amount: "1.0000001", token: USDC }, "BAD_AMOUNT", "USDC has 6 decimals"],
    [{ from: OTHER_WALLET, to: NEW, amount: "-1" }, "BAD_AMOUNT", "decimal number"],
    [{ from: OTHER_WALLET, to: NEW, amount: "0" }, "USAGE", "more than 0"],
    [{ from: OTHER_WALLET, to: "me", amount: "1" }, "BAD_ADDRESS", "receiver"],
    [{ from: OTHER_WALLET, to: NEW, amount: "1", token: NEW }, "UNKNOWN_TOKEN", NEW],
    [{ from: USDC, to: NEW, amount: "0.001" }, "NOT_A_WALLET", "mint"],
  ])("refuses %o: %s", async (transfer, code, text) => {
    const { sandbox, data } = await open();
    const last = await data("/block/last");
    await expect(sandbox.send(transfer)).rejects.toMatchObject({
      name: "UsageError",
      code,
      message: expect.stringContaining(text),
    });
    expect(await data("/block/last")).toEqual(last);
  });
});

describe("a balance", () => {
  test("is set to the base unit, up and down, and only in this sandbox", async () => {
    const { sandbox, lamports, amountOf, data } = await open();
    const supply = BigInt((await data(`/token/meta?address=${USDC}`)).supply);
    for (const [amount, units] of [
      ["12.000000001", 12_000_000_001],
      ["11", 11_000_000_000],
      ["0", 0],
    ] as const) {
      expect(await sandbox.setBalance({ address: WALLET, amount })).toBeDefined();
      expect(await lamports(WALLET)).toBe(units);
    }
    expect(await sandbox.setBalance({ address: WALLET, amount: "0" })).toBeUndefined();
    const before = BigInt(await amountOf(NEW, USDC));
    await sandbox.setBalance({ address: NEW, amount: "1000.000001", token: USDC });
    expect(await amountOf(NEW, USDC)).toBe(1_000_000_001);
    const { supply: increased } = await data(`/token/meta?address=${USDC}`);
    expect(BigInt(increased)).toBe(supply - before + 1_000_000_001n);
    await sandbox.setBalance({ address: NEW, amount: "0", token: USDC });
    expect(await amountOf(NEW, USDC)).toBe(0);

    const other = await open();
    expect(await other.lamports(WALLET)).toBeGreaterThan(0);
    expect((await other.data(`/account/detail?address=${NEW}`)).lamports ?? 0).toBe(0);
  });

  test("of wrapped SOL, of an NFT and beyond the maximum is refused", async () => {
    const { sandbox } = await open();
    await expect(sandbox.setBalance({ address: NEW, amount: "1", token: WRAPPED_SOL })).rejects.toMatchObject({
      code: "NOT_MINTABLE",
    });
    await expect(sandbox.setBalance({ address: NEW, amount: "1e18", token: USDC })).rejects.toThrow(/maximum/);
    await expect(sandbox.setBalance({ address: NEW, amount: "1e12", token: NATIVE_SOL })).rejects.toMatchObject({
      code: "INSUFFICIENT_BALANCE",
    });
  });

  test("cannot be changed where live blocks follow from other balances", async () => {
    const { sandbox } = await open({ live: 3_600_000 });
    await expect(sandbox.setBalance({ address: NEW, amount: "1" })).rejects.toMatchObject({ code: "CHAIN_FIXED" });
    expect(await sandbox.advanceTime(60)).toEqual({ now: NOW + 60, frozen: true });
  });
});

describe("the time", () => {
  const META = `/v2.0/token/meta?address=${USDC}`;
  const EXPORT = `/v2.0/account/transfer/export?address=${OTHER_WALLET}`;

  test("moves the rate limit, the interval of exports and the month of the units", async () => {
    const { sandbox, get, data } = await open({ plan: "lite", rate: { requests: 2, seconds: 60 } });
    sandbox.freezeTime();
    const statuses = async (...paths: string[]) => {
      const seen: number[] = [];
      for (const path of paths) seen.push((await get(path)).status);
      return seen;
    };
    expect(await statuses(META, EXPORT, META)).toEqual([200, 200, 429]);
    await sandbox.advanceTime(59);
    expect(await statuses(META)).toEqual([429]);
    await sandbox.advanceTime(1);
    expect(await statuses(EXPORT, EXPORT)).toEqual([200, 429]);
    await sandbox.advanceTime(60);
    sandbox.setUsage(19_999_999);
    expect(await statuses(META)).toEqual([429]);
    await sandbox.setTime(Date.UTC(2026, 7, 1) / 1000);
    expect(await data("/monitor/usage")).toMatchObject({ usage_cus: 0, renew_date: "2026-08-01T00:00:00.000Z" });
    expect(await statuses(META)).toEqual([200]);
  });

  test("resumes where it was, also where it was fixed at the start", async () => {
    let system = 1_000_000_000_000;
    const { sandbox } = await open({ clock: () => system });
    expect(sandbox.time()).toEqual({ now: NOW, frozen: true });
    system += 5000;
    expect(sandbox.resumeTime()).toEqual({ now: NOW + 5, frozen: false });
    system += 5000;
    expect(sandbox.freezeTime()).toEqual({ now: NOW + 10, frozen: true });
    system += 5000;
    expect(await sandbox.advanceTime(DAY)).toEqual({ now: NOW + 10 + DAY, frozen: true });
    sandbox.resumeTime();
    system += 1000;
    expect(sandbox.info()).toMatchObject({ now: NOW + 11 + DAY, frozen: false, end: NOW + 10 + DAY });
  });

  test("ages the chain: the next block is there, and the last day is empty", async () => {
    const { sandbox, data } = await open();
    expect(Number((await data(`/token/meta?address=${USDC}`)).volume_24h)).toBeGreaterThan(0);
    const [before] = await data("/block/last");
    await sandbox.advanceTime(2 * DAY);
    const [after] = await data("/block/last");
    expect(after.block_time).toBe(NOW + 2 * DAY);
    // A skipped slot is followed by at most four others.
    expect(Math.floor((after.current_slot - before.current_slot) / 5)).toBe((2 * DAY * 2.5) / 5);
    expect(Number((await data(`/token/meta?address=${USDC}`)).volume_24h)).toBe(0);
    const { time } = await sandbox.send({ from: OTHER_WALLET, to: NEW, amount: "0.1" });
    expect(time).toBe(NOW + 2 * DAY);
  });

  test("leaves a chain that can be walked from block to block, over everything that was added", async () => {
    const { sandbox, data } = await open();
    const [end] = await data("/block/last");
    for (const seconds of [0, 0, 3, 90]) {
      await sandbox.advanceTime(seconds);
      await sandbox.send({ from: OTHER_WALLET, to: NEW, amount: "0.1" });
    }
    let [block] = await data("/block/last");
    let slot: number = block.current_slot;
    expect(slot - end.current_slot).toBeGreaterThan(93 * 2.5);
    let added = 0;
    while (slot > end.parent_slot) {
      const parent = await data(`/block/detail?block=${block.parent_slot}`);
      expect([parent.blockhash, parent.block_height]).toEqual([block.previous_block_hash, block.block_height - 1]);
      expect(block.block_time).toBeGreaterThanOrEqual(parent.block_time);
      const { total, transactions } = await data(`/block/transactions?block=${slot}&exclude_vote=true`);
      if (slot > end.current_slot) added += total;
      for (const { tx_hash } of transactions) {
        expect((await data(`/transaction/detail?tx=${tx_hash}`)).recent_block_hash).toBe(parent.blockhash);
      }
      [slot, block] = [block.parent_slot, parent];
    }
    expect(added).toBe(4);
  });

  test("only moves forward", async () => {
    const { sandbox } = await open();
    await expect(sandbox.setTime(NOW - 1)).rejects.toMatchObject({ code: "BAD_TIME" });
    await expect(sandbox.advanceTime(Number.NaN)).rejects.toMatchObject({ code: "BAD_TIME" });
    expect(sandbox.time().now).toBe(NOW);
  });
});

describe("a state file", () => {
  test("continues the chain, the time and the usage of an earlier sandbox", async () => {
    const state = join(folder(), "state.db");
    let system = 1_800_000_000_000;
    const options = { state, clock: () => system };
    const first = await open(options);
    await first.sandbox.advanceTime(DAY);
    await first.sandbox.setBalance({ address: NEW, amount: "3" });
    first.sandbox.setUsage(1000);
    await first.sandbox.close();
    system += 5000;
    const second = await open({ ...options, now: undefined });
    expect(second.sandbox.time()).toEqual({ now: NOW + DAY, frozen: true });
    expect(await second.lamports(NEW)).toBe(3_000_000_000);
    expect(second.sandbox.usage().used).toBe(1100);
    second.sandbox.resumeTime();
    const { time } = await second.sandbox.send({ from: NEW, to: WALLET, amount: "1" });
    expect(time).toBe(NOW + DAY + 5);
    await second.sandbox.close();
    system += 1000;
    const third = await open(options);
    expect(third.sandbox.time()).toEqual({ now: NOW + DAY + 6, frozen: false });
    expect(await third.lamports(NEW)).toBe(2_000_000_000);
  });

  test("is refused for another world, for two sandboxes at once, for another file and with live blocks", async () => {
    const state = join(folder(), "state.db");
    await open({ state });
    await expect(open({ state })).rejects.toMatchObject({
      code: "STATE_FILE",
      message: expect.stringMatching(/used by/),
    });
    const other = join(folder(), "other.db");
    await (await open({ state: other })).sandbox.close();
    await expect(open({ state: other, size: 0.02 })).rejects.toThrow(/another world/);
    await expect(open({ state: fileURLToPath(import.meta.url) })).rejects.toMatchObject({ code: "STATE_FILE" });
    await expect(open({ state: join(folder(), "missing", "state.db") })).rejects.toMatchObject({ code: "STATE_FILE" });
    await expect(open({ state: other, live: true })).rejects.toThrow(/live/);
    expect(readdirSync(dirname(state)).filter((name) => name.startsWith("."))).toEqual([]);
  });
});

test("a new plan counts the requests before it", async () => {
  const { sandbox, get } = await open();
  const path = `/v2.0/token/meta?address=${USDC}`;
  expect((await get(path)).status).toBe(200);
  expect(sandbox.setPlan({ rate: { requests: 1, seconds: 60 } })).toEqual({
    ...{ plan: null, rate: { requests: 1, seconds: 60 }, units: null },
  });
  expect((await get(path)).status).toBe(429);
  expect(sandbox.setPlan({ plan: "lite" })).toMatchObject({ plan: "lite", units: 20_000_000 });
  expect((await get(`/v2.0/account/metadata?address=${WALLET}`)).status).toBe(403);
  expect(() => sandbox.setPlan({ plan: "gold" as "lite" })).toThrow(/unknown plan/);
  expect(sandbox.info().plan).toBe("lite");
  sandbox.setPlan({});
  expect((await get(path)).status).toBe(200);
});

describe("from the command line", () => {
  async function start() {
    const sandbox = await startSandbox({ ...WORLD, now: NOW, port: 0 });
    onTestFinished(() => sandbox.close());
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runInProcess(["sandbox", ...args, "-o", "json"], {
        env: { SOLX_BASE_URL: `${sandbox.url}/v2.0` },
      });
      return { code, stderr, output: stdout === "" ? undefined : (JSON.parse(stdout) as Data) };
    };
    return { sandbox, run };
  }

  test("tables have times and columns for people", async () => {
    const { sandbox } = await start();
    await fetch(`${sandbox.url}/v2.0/nothing`);
    const table = async (name: string) =>
      (await runInProcess(["sandbox", name, "--url", sandbox.url, "-o", "table"])).stdout;
    expect(await table("time")).toBe("now     2026-07-01T12:00:00Z\nfrozen  yes\n");
    expect(await table("requests")).toMatch(
      /^TIME +METHOD +PATH .*\n2026-07-01T12:00:\d\dZ +GET +\/v2\.0\/nothing .* 404 /,
    );
  });

  test("--control-token is sent to a sandbox on another machine", async () => {
    const tokens: (string | undefined)[] = [];
    // Answers like a sandbox that other machines use: loopback is all that a test may reach.
    const server = createServer(({ headers: { authorization } }, response) => {
      tokens.push(authorization);
      response.writeHead(authorization === "Bearer a-token" ? 200 : 403).end('{"now":1782993600,"frozen":true}');
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const run = (...args: string[]) => runInProcess(["sandbox", "time", ...args, "-o", "json"]);
    expect((await run("--url", url, "--control-token", "a-token")).code).toBe(0);
    expect(await run("--url", url, "--control-token", "other")).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("refuses to be changed from here"),
    });
    expect(tokens).toEqual(["Bearer a-token", "Bearer other"]);
    expect(await run("--url", "http://sandbox:8787")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--control-token <token>"),
    });
  });

  test("every subcommand changes the running sandbox of the base URL", async () => {
    const { sandbox, run } = await start();
    expect((await run("time", "+1d")).output).toEqual({ now: NOW + DAY, frozen: true });
    expect((await run("time", "resume")).output.frozen).toBe(false);
    expect((await run("time", "freeze")).output.frozen).toBe(true);
    expect((await run("time", "set", "2026-08-01")).output.now).toBe(Date.UTC(2026, 7, 1) / 1000);
    expect((await run("time")).output).toEqual(sandbox.time());
    expect((await run("usage", "1.5M")).output.used).toBe(1_500_000);
    expect((await run("plan", "level-2", "--rate", "5/1")).output).toMatchObject({
      ...{ plan: "level-2", rate: { requests: 5, seconds: 1 } },
    });
    expect((await run("plan")).output.plan).toBe("level-2");
    expect((await run("plan", "none")).output).toEqual({ plan: null, rate: null, units: null });
    expect((await run("balance", NEW, "2.5")).output).toMatchObject({ address: NEW, amount: "2.5" });
    const { output } = await run("send", NEW, WALLET, "1.25");
    expect(output).toMatchObject({ from: NEW, to: WALLET, amount: "1.25", time: Date.UTC(2026, 7, 1) / 1000 });
    const answer = await fetch(`${sandbox.url}/v2.0/transaction/detail?tx=${output.signature}`, {
      headers: { token: sandbox.key },
    });
    expect(((await answer.json()) as Data).data.block_id).toBe(output.slot);
    expect((await run("faults", "503:10%", "latency=1ms")).output.faults).toEqual(["503:10%", "latency=1ms"]);
    expect((await run("faults", "none")).output.faults).toEqual([]);
    expect((await run("requests")).output.requests).toMatchObject([{ route: "v2-transaction-detail" }]);
  });

  test("names and well-known symbols stand for addresses", async () => {
    const { sandbox } = await start();
    const env = { SOLX_HOME: folder() };
    const run = (line: string) => runInProcess([...line.split(" "), "-o", "json"], { env });
    expect((await run(`names add treasury ${NEW}`)).code).toBe(0);
    expect((await run(`names add receiver ${WALLET}`)).code).toBe(0);
    expect((await run(`sandbox balance treasury 5 --token usdc --url ${sandbox.url}`)).code).toBe(0);
    const { stdout } = await run(`sandbox send Treasury receiver 1.5 --token USDC --url ${sandbox.url}`);
    expect(JSON.parse(stdout)).toMatchObject({ from: NEW, to: WALLET, amount: "1.5", token: USDC });
    const unknown = await run(`sandbox send treasury missing 1 --url ${sandbox.url}`);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("BAD_ADDRESS")]);
  });

  test("what the sandbox refuses is a usage error with its advice", async () => {
    const { run } = await start();
    const { code, stderr } = await run("send", NEW, WALLET, "1");
    expect([code, JSON.parse(stderr).errors]).toEqual([
      2,
      expect.objectContaining({ code: "INSUFFICIENT_BALANCE", hint: expect.stringContaining("solx sandbox balance") }),
    ]);
    for (const args of [
      ["time", "yesterday"],
      ["time", "set"],
      ["usage", "many"],
      ["plan", "gold"],
      ["plan", "none", "--rate", "5"],
      ["faults", "oops"],
      ["balance", NEW],
      ["balance", NEW, "1", "--url", "https://example.com"],
    ]) {
      expect([args, (await run(...args)).code]).toEqual([args, 2]);
    }
  });

  test("no running sandbox is a network error that says how to start one", async () => {
    const { sandbox, run } = await start();
    await sandbox.close();
    const { code, stderr } = await run("time");
    expect([code, JSON.parse(stderr).errors]).toEqual([9, expect.objectContaining({ code: "NO_SANDBOX" })]);
  });

  test("the control endpoints refuse what they do not know", async () => {
    const { sandbox } = await start();
    const put = (path: string, body: unknown, method = "PUT") =>
      fetch(`${sandbox.url}/_sandbox${path}`, { method, body: JSON.stringify(body) });
    for (const [path, body] of [
      ["/time", { later: 1 }],
      ["/time", { advance: "1d" }],
      ["/time", { advance: -1 }],
      ["/plan", { rate: { requests: 1 } }],
      ["/plan", { units: -1 }],
      ["/balance", { address: NEW }],
      ["/balance", []],
    ] as const) {
      expect([path, body, (await put(path, body)).status]).toEqual([path, body, 400]);
    }
    // A number with more digits than a double has is exact too.
    const body = `{"address": "${NEW}", "amount": 9007.199254741}`;
    expect((await fetch(`${sandbox.url}/_sandbox/balance`, { method: "PUT", body })).status).toBe(200);
    expect((await put("/transfers", { from: NEW, to: WALLET, amount: "9007.199254742" }, "POST")).status).toBe(400);
  });
});
