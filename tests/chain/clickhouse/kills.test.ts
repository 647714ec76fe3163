/**
 * Programs that index parts of a chain into one database at the same time, and the server, are killed at any moment:
 * afterwards the database is the same as that of one program. A fortieth of `LAW_CASES` is the number of kills.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectToStore } from "../../../src/chain/ledger/clickhouse/server.ts";
import { STORED_TABLES } from "../../../src/chain/ledger/clickhouse/tables.ts";
import { type ClickHouseServer, startClickHouse, storeAt } from "../../support/clickhouse/start.ts";
import type { WorkerOptions } from "../../support/clickhouse/store-worker.ts";
import { useScenario } from "../../support/node/use-test-node.ts";
import { CHDB, describeWith } from "../../support/programs.ts";

const KILLS = Math.max(4, Number(process.env.LAW_CASES ?? 0) / 40);
const SEED = Number(process.env.KILL_SEED ?? 1);
const WORKER = fileURLToPath(new URL("../../support/clickhouse/store-worker.ts", import.meta.url));
/** Statements that change something. */
const CHANGES = [
  ...["INSERT INTO", "INSERT INTO ranges", "INSERT INTO covered", "FORMAT RowBinary"],
  ...["EXCHANGE", "_next_", "REPLACE PARTITION", "token_sums"],
];

const shared = useScenario();
const folder = mkdtempSync(join(tmpdir(), "solx-kills-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns integers below a bound, the same ones for a seed. */
function createRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return Math.floor((((state ^ (state >>> 13)) >>> 0) / 2 ** 32) * bound);
  };
}

describeWith(CHDB)("an index in ClickHouse that several programs make", () => {
  const data = join(folder, "data");
  const stops: (() => Promise<void> | void)[] = [];
  afterAll(() => Promise.all(stops.map((stop) => stop())));
  let server: ClickHouseServer;
  let serverExit: Promise<string>;
  const start = async () => {
    server = await startClickHouse((stop) => stops.push(stop), { folder: data, port: server?.port ?? 0 });
    serverExit = once(server.child, "exit").then(() => "server");
  };
  beforeAll(start);

  const addressOf = (database: string) => storeAt(server.url, database);
  const startWriter = (database: string, name: string, killing: Partial<WorkerOptions> = {}): ChildProcess => {
    const { slot } = shared.node.chain.tip;
    const path = join(folder, `${database}-${name}.db`);
    const options: WorkerOptions = {
      ...{ node: shared.node.url, address: addressOf(database), from: 0, to: slot - 3, path },
      ...killing,
    };
    const child = spawn(process.execPath, [WORKER, JSON.stringify(options)], { stdio: ["ignore", "inherit", "pipe"] });
    stops.push(() => void child.kill("SIGKILL"));
    return child;
  };
  const exitOf = (child: ChildProcess): Promise<string> => {
    let errors = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    return once(child, "close").then(([code, signal]) => (code === 0 ? "" : `${signal ?? errors}`));
  };

  /** Returns all that a database says, by table. */
  const dump = async (database: string) => {
    const store = await connectToStore(addressOf(database));
    const texts = {};
    const all = async (sql: string) =>
      (await store.ask({ sql: `SELECT * FROM (${sql}) ORDER BY ALL`, texts })).data.map((row) => JSON.stringify(row));
    try {
      const tables: Record<string, readonly string[]> = {
        ranges: await all(
          "SELECT from, end, writer, max(is_first), max(is_complete), max(is_done) FROM ranges GROUP BY ALL",
        ),
        covered: await all("SELECT min(from), max(end) FROM covered"),
      };
      for (const { name } of STORED_TABLES) tables[name] = await all(`SELECT * FROM ${name}`);
      return tables;
    } finally {
      await store.close();
    }
  };

  test("is the same as that of one program, when the programs and the server are killed", async () => {
    expect(await exitOf(startWriter("one", "only"))).toBe("");
    const expected = await dump("one");
    expect(expected.transfers?.length).toBeGreaterThan(20);
    const random = createRandom(SEED);
    let kills = 0;
    for (let round = 0; kills < KILLS; round++) {
      const database = `killed_${round}`;
      const writers = new Map<string, Promise<string>>();
      const isDone = new Set<string>();
      while (isDone.size < 2) {
        for (const name of ["a", "b"]) {
          if (writers.has(name) || isDone.has(name)) continue;
          const killing = kills < KILLS && random(2) === 0 ? { killAt: 1 + random(120), killAfter: random(4) } : {};
          const exit = exitOf(startWriter(database, name, killing));
          writers.set(
            name,
            exit.then((text) => `${name} ${text}`),
          );
        }
        if (kills < KILLS && random(2) === 0) {
          const query = CHANGES[random(CHANGES.length)] ?? "";
          await server.fail({ query, after: random(30), times: 1, killAfter: random(6) });
        }
        const [name = "", ...why] = (await Promise.race([...writers.values(), serverExit])).split(" ");
        if (name === "server") {
          kills += 1;
          await start();
        } else {
          writers.delete(name);
          const reason = why.join(" ");
          if (reason === "") isDone.add(name);
          else {
            expect(reason).toBe("SIGKILL");
            kills += 1;
          }
        }
      }
      await server.recover();
      expect(await dump(database), `seed ${SEED}, round ${round}, after ${kills} kills`).toEqual(expected);
    }
  }, 1_200_000);
});
