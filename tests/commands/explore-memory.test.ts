import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { WALLET } from "../../src/catalogue/samples.ts";
import { createMemory, memoryFilePath, mergeLists } from "../../src/commands/explore/memory.ts";
import type { Route } from "../../src/ui/navigation/route.ts";

const account = (id: string): Route => ({ kind: "entity", entity: "account", id });
const LIST: Route = {
  kind: "endpoint",
  endpointRoute: "v2-account-transfer",
  params: {
    address: WALLET,
    flow: "in",
    from_time: "7d",
    exclude_amount_zero: true,
    activity_type: ["ACTIVITY_SPL_MINT"],
  },
};

/** A new state folder, and functions that open memories in it. */
function createWorld() {
  const state = join(mkdtempSync(join(tmpdir(), "solx-memory-")), "state");
  onTestFinished(() => {
    chmodSync(join(state, ".."), 0o700);
    if (existsSync(state)) chmodSync(state, 0o700);
    rmSync(join(state, ".."), { recursive: true, force: true });
  });
  const logged: string[] = [];
  const path = memoryFilePath({ state }) ?? "";
  const open = (scope = "default") => createMemory({ paths: { state }, scope, log: (text) => logged.push(text) });
  const write = (text: string) => {
    mkdirSync(state, { recursive: true });
    writeFileSync(path, text);
  };
  return { state, path, open, write, logged, read: () => JSON.parse(readFileSync(path, "utf8")) };
}

describe("the memory of the explorer", () => {
  test("what was turned off stays off, in every data source", async () => {
    const { open } = createWorld();
    const first = open();
    expect(first.switches()).toEqual({});
    await first.setSwitch("mouse", false);
    expect(open("sandbox").switches()).toEqual({ mouse: false });
  });

  test("is restored in the next run", async () => {
    const { open } = createWorld();
    const first = open();
    expect([first.bookmarks(), first.recent(), first.lists()]).toEqual([[], [], {}]);
    const state = { list: { filter: "usdc", columns: ["amount", "flow"] } };
    await first.setBookmarks([{ name: "Transfers ⚠ 你好", route: LIST, state }]);
    await first.setRecent([account("b"), account("a")]);
    const second = open();
    expect(second.bookmarks()).toEqual([{ name: "Transfers ⚠ 你好", route: LIST, state }]);
    expect(second.recent()).toEqual([account("b"), account("a")]);
  });

  test("has columns, widths and orders of lists; invalid ones are ignored, others of the file stay", async () => {
    const { open, write, read } = createWorld();
    const lists = {
      "v2-token-list": { columns: ["price"], widths: { name: 30 }, sort: { column: "price", isDescending: true } },
    };
    await open().setLists(lists);
    expect(open().lists()).toEqual(lists);
    write(
      JSON.stringify({
        scopes: {
          default: {
            lists: {
              ...lists,
              broken: { columns: [1], widths: { a: -1, b: "x" }, sort: { column: 1 } },
              later: { more: true },
            },
          },
        },
      }),
    );
    const second = open();
    expect(second.lists()).toEqual(lists);
    await second.setLists({});
    expect(open().lists()).toEqual({});
    expect(read().scopes.default.lists.later).toEqual({ more: true });
  });

  test("changes apply at once, before they are written", () => {
    const memory = createWorld().open();
    const written = memory.setRecent([account("a")]);
    expect(memory.recent()).toEqual([account("a")]);
    return written;
  });

  test("many consecutive changes are all saved", async () => {
    const { open } = createWorld();
    const memory = open();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => memory.setRecent([account(String(index)), ...memory.recent()])),
    );
    expect(open().recent()).toHaveLength(20);
    expect(open().recent()[0]).toEqual(account("19"));
  });

  test("is read on first use", async () => {
    const { open, write } = createWorld();
    const memory = open();
    write(JSON.stringify({ scopes: { default: { recent: [account("late")] } } }));
    expect(memory.recent()).toEqual([account("late")]);
  });

  test("is limited to the hundred newest routes", async () => {
    const { open } = createWorld();
    await open().setRecent(Array.from({ length: 500 }, (_, index) => account(String(index))));
    expect(open().recent()).toHaveLength(100);
    expect(open().recent()[0]).toEqual(account("0"));
  });

  test("separates the sandbox from the chain", async () => {
    const { open } = createWorld();
    await open("sandbox 1").setRecent([account("sand")]);
    await open("default").setRecent([account("real")]);
    expect(open("sandbox 1").recent()).toEqual([account("sand")]);
    expect(open("default").recent()).toEqual([account("real")]);
  });

  test("works for the session without a state folder", async () => {
    const memory = createMemory({ paths: { state: undefined }, scope: "default", log: () => {} });
    await memory.setRecent([account("a")]);
    expect(memory.recent()).toEqual([account("a")]);
  });
});

describe("concurrent explorers", () => {
  test("preserve items that the other added, and do not restore items that it deleted", async () => {
    const { open } = createWorld();
    const [one, two] = [open(), open()];
    await one.setBookmarks(["a", "b"].map((name) => ({ name, route: account(name) })));
    expect(two.bookmarks()).toHaveLength(2);
    await one.setBookmarks(one.bookmarks().slice(1));
    await two.setBookmarks([...two.bookmarks(), { name: "c", route: account("c") }]);
    expect(
      open()
        .bookmarks()
        .map(({ name }) => name),
    ).toEqual(["b", "c"]);
    expect(two.bookmarks().map(({ name }) => name)).toEqual(["b", "c"]);
  });

  test("lose nothing when writing at the same time", async () => {
    const { open } = createWorld();
    const names = Array.from({ length: 8 }, (_, index) => `process ${index}`);
    const memories = names.map(() => open());
    for (const memory of memories) memory.bookmarks();
    await Promise.all(
      memories.map((memory, index) => memory.setBookmarks([{ name: names[index] ?? "", route: account(`${index}`) }])),
    );
    expect(
      open()
        .bookmarks()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(names);
  });

  test("merging applies local additions and removals, whatever the other did", () => {
    const list = fc.uniqueArray(fc.constantFrom(..."abcdefgh"));
    fc.assert(
      fc.property(list, list, list, (before, local, current) => {
        const result = mergeLists(before, local, current, (item) => item);
        expect(new Set(result).size).toBe(result.length);
        for (const item of local) if (!before.includes(item)) expect(result).toContain(item);
        for (const item of before) if (!local.includes(item)) expect(result).not.toContain(item);
        for (const item of current) if (!before.includes(item)) expect(result).toContain(item);
      }),
    );
  });
});

describe("a damaged or unknown file", () => {
  test.each([
    ["damaged", "{ not json"],
    ["cut off", '{"scopes":{"default":{"recent":[{"kind":"thi'],
    ["no object", "[1,2,3]"],
    ["empty", ""],
    ["binary", "\u0000\u0001\ufffd".repeat(50)],
  ])("%s: it is moved aside, and the explorer starts without it", async (_name, text) => {
    const { state, open, write, logged } = createWorld();
    write(text);
    const memory = open();
    expect(memory.bookmarks()).toEqual([]);
    await memory.setRecent([account("a")]);
    expect(open().recent()).toEqual([account("a")]);
    const aside = readdirSync(state).find((name) => name.includes("damaged")) ?? "";
    expect(readFileSync(join(state, aside), "utf8")).toBe(text);
    expect(logged.join(" ")).toContain(aside);
  });

  test("unknown content of a newer version is preserved, and known content is used", async () => {
    const { open, write, read } = createWorld();
    const future = { kind: "planet", id: "x" };
    const section = {
      recent: [future, account("a")],
      bookmarks: [{ name: "x", route: future }],
      watch: [1],
      lists: { new: { a: 1 } },
    };
    write(JSON.stringify({ version: 9, scopes: { default: section, other: { recent: [future] } }, theme: "dark" }));
    const memory = open();
    expect(memory.recent()).toEqual([account("a")]);
    await memory.setRecent([account("b"), ...memory.recent()]);
    expect(read()).toMatchObject({
      version: 9,
      theme: "dark",
      scopes: {
        default: {
          recent: [account("b"), account("a"), future],
          bookmarks: [{ name: "x", route: future }],
          watch: [1],
          lists: { new: { a: 1 } },
        },
        other: { recent: [future] },
      },
    });
  });

  test("any content yields only valid routes", () => {
    const { open, write } = createWorld();
    const strange = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          kind: fc.constantFrom("page", "entity", "endpoint", "__proto__"),
          page: fc.oneof(fc.constantFrom("home", "constructor"), fc.jsonValue()),
          entity: fc.oneof(fc.constantFrom("account", "toString"), fc.jsonValue()),
          id: fc.jsonValue(),
          endpointRoute: fc.oneof(fc.constantFrom("v2-account-transfer", "nowhere"), fc.jsonValue()),
          params: fc.jsonValue(),
        },
        { requiredKeys: ["kind"] },
      ),
    );
    fc.assert(
      fc.property(fc.array(strange), fc.jsonValue(), (items, lists) => {
        write(
          JSON.stringify({
            scopes: { default: { recent: items, bookmarks: items.map((route) => ({ name: "x", route })), lists } },
          }),
        );
        const memory = open();
        for (const route of [...memory.recent(), ...memory.bookmarks().map((one) => one.route)]) {
          expect(["page", "entity", "endpoint"]).toContain(route.kind);
          if (route.kind === "entity") expect(typeof route.id).toBe("string");
          if (route.kind === "endpoint") expect(route.endpointRoute).toBe("v2-account-transfer");
        }
        for (const { columns = [] } of Object.values(memory.lists()))
          expect(columns.every((one) => typeof one === "string")).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test.skipIf(process.getuid?.() === 0)("a read-only folder is logged, and the session continues", async () => {
    const { state, open, logged } = createWorld();
    mkdirSync(state, { recursive: true, mode: 0o500 });
    const memory = open();
    await memory.setBookmarks([{ name: "a", route: account("a") }]);
    expect(memory.bookmarks()).toHaveLength(1);
    expect(logged.join(" ")).toContain("permission denied");
  });

  test("a file in place of the folder is logged, and the session continues", async () => {
    const { state, open, logged } = createWorld();
    writeFileSync(state, "");
    const memory = open();
    await memory.setBookmarks([{ name: "a", route: account("a") }]);
    expect(memory.bookmarks()).toHaveLength(1);
    expect(logged.join(" ")).toContain("was not saved");
  });
});
