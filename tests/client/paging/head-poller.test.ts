import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json.ts";
import { createHeadPoller, type HeadCursor, MAX_PAGES } from "../../../src/client/paging/head-poller.ts";
import { createRowKeyer } from "../../../src/client/paging/row-keys.ts";

const SIZE = 5;

interface Row extends JsonObject {
  /** The digits of the identifier. */
  readonly transaction: string;
  readonly id: string;
}

const rowOf = (id: string): Row => ({ transaction: id.replace(/\D/g, ""), id });

/** A list that grows at its head, read in pages; the rows of `drift` are added after each page. */
function createList(size = SIZE, drift: () => readonly Row[] = () => []) {
  const rows: Row[] = [];
  let requests = 0;
  const open = (cursor?: HeadCursor) =>
    createHeadPoller(
      createRowKeyer(["transaction", "id"]),
      async ({ page = 1 } = {}) => {
        requests += 1;
        const start = (Number(page) - 1) * size;
        const answer = rows.slice(start, start + size);
        rows.unshift(...drift().toReversed());
        return { rows: answer, hasMore: answer.length < size ? false : undefined, next: { page: Number(page) + 1 } };
      },
      cursor,
    );
  let poller = open();
  return {
    /** Newest first. */
    rows,
    /** Adds rows that are newer than all others. */
    grow: (...ids: readonly string[]) => rows.unshift(...ids.toReversed().map(rowOf)),
    async poll() {
      const result = await poller.poll();
      return { ids: result.rows.map(({ row }) => (row as Row).id), isComplete: result.isComplete };
    },
    /** Polls as the next run does, which has the cursor of the previous one as JSON. */
    async resume() {
      poller = open(JSON.parse(JSON.stringify(poller.cursor())));
      const { rows: found } = await poller.poll();
      return found.map(({ row, key }) => [(row as Row).id, key] as const);
    },
    requests: () => requests,
  };
}

describe("a poll", () => {
  test("returns the newest page first, then the new rows, oldest first", async () => {
    const list = createList();
    list.grow("1", "2", "3", "4", "5", "6", "7");
    expect((await list.poll()).ids).toEqual(["3", "4", "5", "6", "7"]);
    expect((await list.poll()).ids).toEqual([]);
    list.grow("8", "9");
    expect((await list.poll()).ids).toEqual(["8", "9"]);
    expect(list.requests()).toBe(3);
  });

  test("reads pages until it finds a known row", async () => {
    const list = createList();
    list.grow("a");
    await list.poll();
    const ids = Array.from({ length: 13 }, (_, at) => `${at}`);
    list.grow(...ids);
    expect(await list.poll()).toEqual({ ids, isComplete: true });
    expect(list.requests()).toBe(1 + 3);
  });

  test("returns all rows of a list that was empty", async () => {
    const list = createList();
    expect(await list.poll()).toEqual({ ids: [], isComplete: true });
    list.grow("1", "2");
    expect(await list.poll()).toEqual({ ids: ["1", "2"], isComplete: true });
  });

  test("reports when more rows arrived than it reads", async () => {
    const list = createList();
    list.grow("a");
    await list.poll();
    const maxRows = MAX_PAGES * SIZE;
    list.grow(...Array.from({ length: maxRows + 3 }, (_, at) => `${at}`));
    const { ids, isComplete } = await list.poll();
    expect(isComplete).toBe(false);
    expect(ids).toEqual(Array.from({ length: maxRows }, (_, at) => `${at + 3}`));
    list.grow("b");
    expect(await list.poll()).toEqual({ ids: ["b"], isComplete: true });
  });

  test("returns a late row below newer ones", async () => {
    const list = createList();
    list.grow("1", "2", "3", "4");
    await list.poll();
    list.rows.splice(1, 0, rowOf("late"));
    expect((await list.poll()).ids).toEqual(["late"]);
    expect((await list.poll()).ids).toEqual([]);
  });

  test("does not return older rows when rows disappear", async () => {
    const list = createList();
    list.grow("1", "2", "3", "4", "5", "6", "7", "8");
    await list.poll();
    list.rows.splice(0, 2);
    expect((await list.poll()).ids).toEqual([]);
  });

  test("changes nothing when it fails", async () => {
    let fails = false;
    const rows = [{ id: "1" }];
    const poller = createHeadPoller(createRowKeyer(["id"]), async () => {
      if (fails) throw new Error("no");
      return { rows: [...rows], hasMore: false, next: undefined };
    });
    await poller.poll();
    rows.unshift({ id: "2" });
    fails = true;
    await expect(poller.poll()).rejects.toThrow("no");
    fails = false;
    expect((await poller.poll()).rows).toEqual([{ row: { id: "2" }, key: expect.any(String) }]);
  });

  test("continues after the rows of an earlier run, equal rows included, with the keys that these would have had", async () => {
    const list = createList();
    list.grow("1a", "1a");
    await list.poll();
    list.grow(...Array.from({ length: 600 }, (_, at) => `${at + 2}`));
    await list.poll();
    list.grow("700a", "700a");
    const found = await list.resume();
    expect(found.map(([id]) => id)).toEqual(["700a", "700a"]);
    const keys = found.map(([, key]) => key);
    expect(new Set(keys).size).toBe(2);
    const other = createList();
    other.grow("1");
    await other.poll();
    other.grow("700a", "700a");
    expect((await other.resume()).map(([, key]) => key)).toEqual(keys);
  });
});

/** A transaction with several rows, some of them equal. */
const equalRows = (name: number) =>
  fc.array(fc.constantFrom("a", "b"), { maxLength: 4 }).map((kinds) => kinds.map((kind) => `${name}${kind}`));

test("each row is printed once and in order, with any number of new and of equal rows", async () => {
  const batches = fc.array(fc.array(fc.nat(), { maxLength: 6 }), { minLength: 1, maxLength: 6 });
  const polledRows = batches.chain((polls) => {
    let name = 0;
    return fc.tuple(...polls.map((transactions) => fc.tuple(...transactions.map(() => equalRows(name++)))));
  });
  await fc.assert(
    fc.asyncProperty(polledRows, async (polls) => {
      const list = createList();
      list.grow("start");
      const printed = (await list.poll()).ids;
      for (const transactions of polls) {
        list.grow(...transactions.flat());
        printed.push(...(await list.poll()).ids);
      }
      expect(printed).toEqual(list.rows.map(({ id }) => id).toReversed());
    }),
  );
});

test("nothing is lost or repeated when less than a page of rows arrives between the requests of a poll", async () => {
  const rowCounts = fc.array(fc.nat({ max: 2 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(rowCounts, fc.nat({ max: 20 }), async (drifts, burst) => {
      let name = 0;
      const remaining = [...drifts];
      const list = createList(SIZE, () => Array.from({ length: remaining.shift() ?? 0 }, () => rowOf(`${name++}`)));
      list.grow("start");
      const printed = (await list.poll()).ids;
      list.grow(...Array.from({ length: burst }, () => `${name++}`));
      for (let at = 0; at < 12; at += 1) {
        const { ids, isComplete } = await list.poll();
        expect(isComplete).toBe(true);
        printed.push(...ids);
      }
      remaining.length = 0;
      printed.push(...(await list.poll()).ids);
      expect(printed).toEqual(list.rows.map(({ id }) => id).toReversed());
    }),
  );
});

test("each row is returned once, and none from before the start, by backends that lag, restart and reorder", async () => {
  const polls = fc.array(
    fc.record({
      added: fc.nat({ max: 8 }),
      /** How many of the newest rows the backend does not have yet. */
      lag: fc.oneof(fc.constant(0), fc.nat({ max: 60 })),
      reverses: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 40 }), polls, async (before, all) => {
      const rows: JsonObject[] = [];
      const grow = (count: number) => {
        for (let n = 0; n < count; n++)
          rows.unshift({ id: rows.length, block_time: 1000 + Math.floor(rows.length / 3) });
      };
      grow(before + SIZE);
      let visible = rows;
      const poller = createHeadPoller(createRowKeyer(["id"]), async ({ page = 1 } = {}) => {
        const answer = visible.slice((Number(page) - 1) * SIZE, Number(page) * SIZE);
        return { rows: answer, hasMore: answer.length < SIZE ? false : undefined, next: { page: Number(page) + 1 } };
      });
      const poll = async () => (await poller.poll()).rows.map(({ row }) => Number((row as JsonObject).id));
      const printed = await poll();
      for (const { added, lag, reverses } of all) {
        grow(added);
        visible = rows.slice(lag);
        // Rows of one block, in another order.
        if (reverses) visible = [...visible].sort((a, b) => Number(b.block_time) - Number(a.block_time));
        printed.push(...(await poll()));
      }
      visible = rows;
      printed.push(...(await poll()));
      expect(printed.toSorted((a, b) => a - b)).toEqual(
        rows
          .map(({ id }) => Number(id))
          .filter((id) => id >= before)
          .toReversed(),
      );
    }),
    { numRuns: 300 },
  );
});
