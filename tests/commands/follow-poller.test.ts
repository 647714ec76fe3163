import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { createRowKeyer } from "../../src/client/paging/row-keys.ts";
import { createPoller, MAX_PAGES } from "../../src/commands/endpoint/follow-poller.ts";

const SIZE = 5;

interface Row extends JsonObject {
  /** The digits of the id. */
  readonly transaction: string;
  readonly id: string;
}

const rowOf = (id: string): Row => ({ transaction: id.replace(/\D/g, ""), id });

/** A list that grows at its head, read in pages; `drift` arrives after each page. */
function listOf(size = SIZE, drift: () => readonly Row[] = () => []) {
  const rows: Row[] = [];
  let requests = 0;
  const look = createPoller(createRowKeyer(["transaction", "id"]), async ({ page = 1 } = {}) => {
    requests += 1;
    const start = (Number(page) - 1) * size;
    const answer = rows.slice(start, start + size);
    rows.unshift(...drift().toReversed());
    return { rows: answer, more: answer.length < size ? false : undefined, next: { page: Number(page) + 1 } };
  });
  return {
    /** Newest first. */
    rows,
    /** Adds rows that are newer than all others. */
    grow: (...ids: readonly string[]) => rows.unshift(...ids.toReversed().map(rowOf)),
    async look() {
      const round = await look();
      return { ids: round.rows.map((row) => (row as Row).id), isWhole: round.isComplete };
    },
    requests: () => requests,
  };
}

describe("a look at a list", () => {
  test("gives the newest page first, then what is new, the oldest first", async () => {
    const list = listOf();
    list.grow("1", "2", "3", "4", "5", "6", "7");
    expect((await list.look()).ids).toEqual(["3", "4", "5", "6", "7"]);
    expect((await list.look()).ids).toEqual([]);
    list.grow("8", "9");
    expect((await list.look()).ids).toEqual(["8", "9"]);
    expect(list.requests()).toBe(3);
  });

  test("reads on until it meets what it knows", async () => {
    const list = listOf();
    list.grow("a");
    await list.look();
    const ids = Array.from({ length: 13 }, (_, at) => `${at}`);
    list.grow(...ids);
    expect(await list.look()).toEqual({ ids, isWhole: true });
    expect(list.requests()).toBe(1 + 3);
  });

  test("a list that was empty is new as a whole", async () => {
    const list = listOf();
    expect(await list.look()).toEqual({ ids: [], isWhole: true });
    list.grow("1", "2");
    expect(await list.look()).toEqual({ ids: ["1", "2"], isWhole: true });
  });

  test("says so when more came than it reads", async () => {
    const list = listOf();
    list.grow("a");
    await list.look();
    const most = MAX_PAGES * SIZE;
    list.grow(...Array.from({ length: most + 3 }, (_, at) => `${at}`));
    const { ids, isWhole } = await list.look();
    expect(isWhole).toBe(false);
    expect(ids).toEqual(Array.from({ length: most }, (_, at) => `${at + 3}`));
    list.grow("b");
    expect(await list.look()).toEqual({ ids: ["b"], isWhole: true });
  });

  test("a row that comes late, below newer ones, is not lost", async () => {
    const list = listOf();
    list.grow("1", "2", "3", "4");
    await list.look();
    list.rows.splice(1, 0, rowOf("late"));
    expect((await list.look()).ids).toEqual(["late"]);
    expect((await list.look()).ids).toEqual([]);
  });

  test("rows that vanish bring no older ones to light", async () => {
    const list = listOf();
    list.grow("1", "2", "3", "4", "5", "6", "7", "8");
    await list.look();
    list.rows.splice(0, 2);
    expect((await list.look()).ids).toEqual([]);
  });

  test("a look that fails has changed nothing", async () => {
    let fails = false;
    const rows = [{ id: "1" }];
    const look = createPoller(createRowKeyer(["id"]), async () => {
      if (fails) throw new Error("no");
      return { rows: [...rows], more: false, next: undefined };
    });
    await look();
    rows.unshift({ id: "2" });
    fails = true;
    await expect(look()).rejects.toThrow("no");
    fails = false;
    expect((await look()).rows).toEqual([{ id: "2" }]);
  });
});

/** Transactions with some rows each, of which some are equal. */
const equalRows = (name: number) =>
  fc.array(fc.constantFrom("a", "b"), { maxLength: 4 }).map((kinds) => kinds.map((kind) => `${name}${kind}`));

test("each row is printed once and in order, however equal rows of a transaction are, and however many come", async () => {
  const batches = fc.array(fc.array(fc.nat(), { maxLength: 6 }), { minLength: 1, maxLength: 6 });
  const spread = batches.chain((looks) => {
    let name = 0;
    return fc.tuple(...looks.map((transactions) => fc.tuple(...transactions.map(() => equalRows(name++)))));
  });
  await fc.assert(
    fc.asyncProperty(spread, async (looks) => {
      const list = listOf();
      list.grow("start");
      const printed = (await list.look()).ids;
      for (const transactions of looks) {
        list.grow(...transactions.flat());
        printed.push(...(await list.look()).ids);
      }
      expect(printed).toEqual(list.rows.map(({ id }) => id).toReversed());
    }),
  );
});

test("nothing is lost or twice there when rows, fewer than a page, come between the requests of a look", async () => {
  const counts = fc.array(fc.nat({ max: 2 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(counts, fc.nat({ max: 20 }), async (drifts, burst) => {
      let name = 0;
      const left = [...drifts];
      const list = listOf(SIZE, () => Array.from({ length: left.shift() ?? 0 }, () => rowOf(`${name++}`)));
      list.grow("start");
      const printed = (await list.look()).ids;
      list.grow(...Array.from({ length: burst }, () => `${name++}`));
      for (let at = 0; at < 12; at += 1) {
        const { ids, isWhole } = await list.look();
        expect(isWhole).toBe(true);
        printed.push(...ids);
      }
      left.length = 0;
      printed.push(...(await list.look()).ids);
      expect(printed).toEqual(list.rows.map(({ id }) => id).toReversed());
    }),
  );
});
