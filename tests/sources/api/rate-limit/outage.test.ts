/** Machines whose Redis server is lost and returns: together they never exceed the limit, and all of them complete. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openRedisStore } from "../../../../src/sources/api/rate-limit/redis-store.ts";
import { absenceTime, EMPTY_STEP } from "../../../../src/sources/api/rate-limit/store.ts";
import { countingServer, highestCount } from "../../../support/counting-server.ts";
import { describeWith } from "../../../support/programs.ts";
import type { WorkerTask } from "../../../support/rate-limit-worker.ts";
import { createTempFolder } from "../../../support/solx.ts";
import { redisServer, startWorker, type Worker } from "../../../support/workers.ts";

const RATE = { requests: 100, seconds: 1 };
const HOUR = 3_600_000;
/** Concurrent requests of a machine. */
const CONCURRENCY = 16;

const root = createTempFolder();
let folders = 0;
/** The state folder of a machine: each process with its own counts as a machine. */
function fresh(): string {
  folders += 1;
  return join(root, String(folders));
}

/** A server that counts and refuses nothing, unless a limit is given. */
async function counting(requests = 1_000_000) {
  const server = await countingServer({ ...RATE, requests });
  onTestFinished(() => server.close());
  return server;
}

/** A way to a port of this machine that can be cut. */
async function relayTo(port: number) {
  const sockets = new Set<Socket>();
  const relay = createServer((client) => {
    const target = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy()).pipe(to);
    }
  });
  const cut = () => {
    relay.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(cut);
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  return { port: (relay.address() as AddressInfo).port, cut };
}

const isLost = ({ note }: { note?: string }) => note?.includes("not shared with other machines") === true;
const isBack = ({ note }: { note?: string }) => note?.includes("shared with other machines again") === true;
const hasAnswer = (worker: Worker) => worker.waitForMessage((messages) => messages.length > 0);
/** Waits until each machine has had permits since all of them have: then each knows how many there are. */
async function haveMet(workers: readonly Worker[]): Promise<void> {
  await Promise.all(workers.map(hasAnswer));
  const counts = workers.map(({ messages }) => messages.length);
  // Up to that many requests had their permits before.
  await Promise.all(
    workers.map((worker, at) => worker.waitForMessage(({ length }) => length > (counts[at] ?? 0) + CONCURRENCY)),
  );
}
const hasLost = (worker: Worker) => worker.waitForMessage((messages) => messages.some(isLost));
const hasReturned = (worker: Worker) => worker.waitForMessage((messages) => messages.some(isBack));

describeWith("redis-server")("machines whose server is lost", () => {
  const machine = (url: string, port: number, options: Partial<WorkerTask> = {}): Worker =>
    startWorker({
      server: url,
      key: "one-key",
      folder: fresh(),
      redis: `redis://127.0.0.1:${port}`,
      ...RATE,
      calls: 150,
      at: CONCURRENCY,
      isOpenEnded: true,
      ...options,
    });
  /** Lets processes send their last requests; all of them are answered. */
  const complete = async (workers: readonly Worker[]) => {
    for (const { child } of workers) child.stdin?.end("complete");
    for (const { outcome } of workers) expect((await outcome).failures).toEqual([]);
  };

  it("use their shares while it is killed, and the whole limit again when it is back with no data", async () => {
    const [server, redis] = [await counting(), await redisServer()];
    const clocks = [[0], [0, HOUR], [-HOUR, 24 * HOUR]];
    const workers = clocks.map((clock) => machine(server.url, redis.port, { clock }));
    const doomed = machine(server.url, redis.port);
    await haveMet([...workers, doomed]);
    redis.child.kill("SIGKILL");
    await Promise.all(workers.map(hasLost));
    doomed.child.kill("SIGKILL");
    await redisServer(redis.port);
    await Promise.all(workers.map(hasReturned));
    await complete(workers);
    expect(highestCount(await server.received(), RATE.seconds)).toBeLessThanOrEqual(1.1 * RATE.requests);
  });

  it("use their shares while it is stopped", async () => {
    const [server, redis] = [await counting(), await redisServer()];
    const workers = [1, 2].map(() => machine(server.url, redis.port));
    await haveMet(workers);
    redis.child.kill("SIGSTOP");
    await Promise.all(workers.map(hasLost));
    redis.child.kill("SIGCONT");
    await complete(workers);
    expect(highestCount(await server.received(), RATE.seconds)).toBeLessThanOrEqual(1.1 * RATE.requests);
  });

  it("do not use at once what another machine has just used alone", async () => {
    const [server, redis] = [await counting(), await redisServer()];
    const folder = fresh();
    await complete([machine(server.url, redis.port, { folder, calls: 1, isOpenEnded: false })]);
    const busy = machine(server.url, redis.port);
    await hasAnswer(busy);
    redis.child.kill("SIGKILL");
    const idle = machine(server.url, redis.port, { folder });
    await complete([busy, idle]);
    expect((await idle.outcome).notes).toEqual([
      expect.stringMatching(
        /^The rate limit is not shared with other machines: redis:\/\/127\.0\.0\.1:\d+: nothing listens there\. Until it is reached again, this machine uses a share: 50 requests in 1 s \(1 of 2 machines\)\.$/,
      ),
    ]);
    expect(highestCount(await server.received(), RATE.seconds)).toBeLessThanOrEqual(1.1 * RATE.requests);
  });

  it("leave its share to one that is cut off from it alone", async () => {
    const [server, redis] = [await counting(), await redisServer()];
    const relay = await relayTo(redis.port);
    const near = [1, 2].map(() => machine(server.url, redis.port));
    const far = machine(server.url, relay.port, { calls: 80 });
    await haveMet([...near, far]);
    relay.cut();
    await complete([...near, far]);
    expect((await far.outcome).notes).toEqual([expect.stringContaining("33 requests in 1 s (1 of 3 machines)")]);
    expect(highestCount(await server.received(), RATE.seconds)).toBeLessThanOrEqual(1.1 * RATE.requests);
  });

  it("leave when they end: nothing is reserved for them, unlike for one that is cut off", async () => {
    const redis = await redisServer();
    const relay = await relayTo(redis.port);
    // On a busy machine, signs of presence arrive late: they are far apart, so that this is no absence.
    const bucket = { account: "account", owner: 1, requests: 100, window: 2000, unitsPerDay: undefined };
    const open = async (port: number, id: number) => {
      const store = await openRedisStore(`redis://127.0.0.1:${port}`);
      onTestFinished(() => store.close());
      const step = async () => {
        const machine = { id, machines: 1, hasLocalPermits: false };
        return (await store.step(bucket, { ...EMPTY_STEP, machine })).remaining;
      };
      expect(await step()).toBe(100);
      return { step, close: () => store.close() };
    };
    const [here, leaving] = [await open(redis.port, 1), await open(redis.port, 2)];
    await leaving.close();
    const idle = await open(relay.port, 3);
    for (const end = performance.now() + 2 * absenceTime(bucket.window); performance.now() < end; )
      expect(await here.step()).toBe(100);
    relay.cut();
    await expect(idle.step()).rejects.toThrow();
    while ((await here.step()) === 100);
    expect(await here.step()).toBe(66);
  });

  it("take turns where there are more machines than requests", async () => {
    const rate = { requests: 2, seconds: 1 };
    const [server, redis] = [await counting(), await redisServer()];
    const workers = [1, 2, 3, 4].map(() =>
      machine(server.url, redis.port, { ...rate, calls: 4, at: 1, isOpenEnded: false }),
    );
    await Promise.all(workers.map((worker) => worker.waitForMessage(({ length }) => length >= 2)));
    redis.child.kill("SIGKILL");
    await complete(workers);
    // A busy machine wakes processes late, and their requests arrive late: turns are still far apart.
    expect(highestCount(await server.received(), rate.seconds / 2)).toBeLessThanOrEqual(rate.requests);
  });

  it("complete when the server refuses what they estimate", async () => {
    // The server allows a third of what the machines believe, and no machine ever reached Redis.
    const server = await counting(RATE.requests / 3);
    const workers = [1, 2, 3].map(() => machine(server.url, 1, { calls: 40 }));
    await complete(workers);
  });
});
