/** Real processes that share a key, over a real file and a real Redis server. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CountingOptions, type CountingServer, countingServer } from "../../../support/counting-server.ts";
import { describeWith } from "../../../support/programs.ts";
import type { WorkerTask } from "../../../support/rate-limit-worker.ts";
import { createTempFolder } from "../../../support/solx.ts";
import { redisServer, startWorker } from "../../../support/workers.ts";

const RATE = { requests: 40, seconds: 1 };

const root = createTempFolder();
let folders = 0;
/** The name of a folder that does not exist yet. */
function fresh(): string {
  folders += 1;
  return join(root, String(folders));
}

async function counting(options: Partial<CountingOptions> = {}): Promise<CountingServer> {
  const server = await countingServer({ ...RATE, ...options });
  onTestFinished(() => server.close());
  return server;
}

async function refusals(server: CountingServer): Promise<number> {
  return (await server.received()).filter(({ refused }) => refused).length;
}

const ANSWERED = { failures: [], notes: [] };

describe("processes of a machine", () => {
  const plan = (server: CountingServer, folder: string, options: Partial<WorkerTask> = {}): WorkerTask => ({
    server: server.url,
    key: "one-key",
    folder,
    ...RATE,
    calls: 40,
    at: 8,
    ...options,
  });

  it("use the whole rate together, and the server refuses none of them", async () => {
    const [server, folder] = [await counting(), fresh()];
    const workers = [1, 2, 3, 4].map(() => startWorker(plan(server, folder, { calls: 30 })));
    for (const { outcome } of workers) expect(await outcome).toMatchObject({ ...ANSWERED, answered: 30 });
    const seen = await server.received();
    expect(seen).toHaveLength(120);
    expect(seen.filter(({ refused }) => refused)).toEqual([]);
  });

  it("use the same rate when their clocks differ and jump", async () => {
    const [server, folder] = [await counting({ requests: 10 }), fresh()];
    const HOUR = 3_600_000;
    const workers = [[0, HOUR], [-HOUR], [0, -24 * HOUR, 24 * HOUR], [0]].map((clock) =>
      startWorker(plan(server, folder, { requests: 10, calls: 7, clock })),
    );
    for (const { outcome } of workers) expect(await outcome).toMatchObject({ ...ANSWERED, answered: 7 });
    expect(await refusals(server)).toBe(0);
  });

  it("continue when one of them is killed while it holds permits and waits for more", async () => {
    const [server, folder] = [await counting(), fresh()];
    const doomed = startWorker(plan(server, folder, { calls: 10_000, at: 60 }));
    await doomed.waitForMessage((messages) => messages.length > 0);
    const others = [1, 2].map(() => startWorker(plan(server, folder)));
    await Promise.all(others.map((other) => other.waitForMessage((messages) => messages.length > 0)));
    doomed.child.kill("SIGKILL");
    for (const { outcome } of others) expect(await outcome).toMatchObject({ ...ANSWERED, answered: 40 });
    expect(await refusals(server)).toBe(0);
  });

  it("do not delay each other with different keys", async () => {
    const [server, folder] = [await counting({ requests: 20, seconds: 600 }), fresh()];
    const rate = { requests: 20, seconds: 600, calls: 20 };
    const workers = ["key-a", "key-b", "key-c"].map((key) =>
      startWorker(plan(server, folder, { ...rate, key, priority: "interactive" })),
    );
    for (const { outcome } of workers) expect(await outcome).toMatchObject({ ...ANSWERED, answered: 20 });
    expect(await refusals(server)).toBe(0);
  });

  it("all stop for as long as the server requests when it refuses one", async () => {
    const [server, folder] = [await counting({ refuse: 30, retryAfter: 3 }), fresh()];
    const workers = [1, 2].map(() => startWorker(plan(server, folder)));
    const failures = (await Promise.all(workers.map(({ outcome }) => outcome))).flatMap((outcome) => outcome.failures);
    expect(failures).toHaveLength(1);
    const seen = await server.received();
    const refused = seen.findIndex((request) => request.refused);
    const stop = seen[refused]?.at ?? 0;
    // Requests in flight are let through.
    const later = seen.slice(refused + 1).filter(({ at }) => at > stop + 1000);
    expect(later.length).toBeGreaterThan(0);
    expect(Math.min(...later.map(({ at }) => at)) - stop).toBeGreaterThanOrEqual(2900);
  });

  it("each count for themselves where nothing can be shared", async () => {
    const server = await counting({ requests: 1000 });
    const folder = fresh();
    writeFileSync(folder, "");
    const outcome = await startWorker(plan(server, folder)).outcome;
    expect(outcome).toMatchObject({ answered: 40, failures: [] });
    expect(outcome.notes).toEqual([expect.stringContaining("The rate limit is not shared with other processes")]);
  });
});

describeWith("redis-server")("machines with a Redis server", () => {
  /** Each process has its own folder, so it counts as a machine. */
  const plan = (server: CountingServer, port: number, options: Partial<WorkerTask> = {}): WorkerTask => ({
    server: server.url,
    key: "one-key",
    folder: fresh(),
    redis: `redis://127.0.0.1:${port}`,
    ...RATE,
    calls: 40,
    at: 8,
    ...options,
  });
  const isLost = ({ note }: { note?: string }) => note?.includes("not shared with other machines") === true;
  const isBack = ({ note }: { note?: string }) => note?.includes("shared with other machines again") === true;

  it("use the whole rate together, and the server refuses none of them", async () => {
    const [server, redis] = [await counting(), await redisServer()];
    const workers = [1, 2, 3].map(() => startWorker(plan(server, redis.port)));
    for (const { outcome } of workers) expect(await outcome).toMatchObject({ ...ANSWERED, answered: 40 });
    expect(await refusals(server)).toBe(0);
  });

  it("continue with the machine's own limit when it is killed, and share again when it is back", async () => {
    const [server, redis] = [await counting(), await redisServer()];
    const worker = startWorker(plan(server, redis.port, { isOpenEnded: true }));
    await worker.waitForMessage((messages) => messages.length > 0);
    redis.child.kill("SIGKILL");
    await worker.waitForMessage((messages) => messages.some(isLost));
    await redisServer(redis.port);
    await worker.waitForMessage((messages) => messages.some(isBack));
    worker.child.stdin?.end("complete");
    const { answered, failures, notes } = await worker.outcome;
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(40);
    expect(notes.map((note) => isLost({ note }))).toEqual([true, false]);
    expect(await refusals(server)).toBe(0);
  });

  it("continue when it no longer answers", async () => {
    const [server, redis] = [await counting(), await redisServer()];
    const worker = startWorker(plan(server, redis.port, { isOpenEnded: true }));
    await worker.waitForMessage((messages) => messages.length > 0);
    redis.child.kill("SIGSTOP");
    await worker.waitForMessage((messages) => messages.some(isLost));
    redis.child.kill("SIGCONT");
    worker.child.stdin?.end("complete");
    expect((await worker.outcome).failures).toEqual([]);
    expect(await refusals(server)).toBe(0);
  });

  it("say why it cannot be used, without the password", async () => {
    const [server, redis] = [await counting(), await redisServer()];
    const address = `redis://user:hush-hush@127.0.0.1:${redis.port}`;
    const { answered, notes } = await startWorker(plan(server, 0, { calls: 10, redis: address })).outcome;
    expect(answered).toBe(10);
    expect(notes).toEqual([expect.stringMatching(/127\.0\.0\.1:\d+: WRONGPASS/)]);
    expect(notes.join()).not.toContain("hush");
  });
});
