import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Json, toNumeric } from "../../src/base/json.ts";
import { AccountDetail, TokenMeta, Transfer } from "../../src/catalogue/entities/index.ts";
import { resolveTheme } from "../../src/output/index.ts";
import { COLUMN_GAP } from "../../src/output/table/columns.ts";
import { textWidth } from "../../src/output/text/width.ts";
import { anyJson, anyRow, rows, SIGNATURE, USDC, WALLET, WSOL, written } from "./helpers.ts";

const TO = "6U91aKa8pmMxkJwBCfPTmUEfZi6dHe7DcFq2ALvB2tbB";
const COLUMNS = ["block_time", "flow", "amount", "token_address", "from_address", "to_address", "trans_id"];
const view = { entity: Transfer, columns: COLUMNS };
const transfer = (changes: Record<string, Json> = {}) => ({
  block_id: 275794898,
  trans_id: SIGNATURE,
  block_time: 1720171655,
  activity_type: "ACTIVITY_SPL_TRANSFER",
  from_address: WALLET,
  to_address: TO,
  token_address: WSOL,
  token_decimals: 9,
  amount: 1587870559,
  flow: "in",
  ...changes,
});
const terminal = { format: "table", isTerminal: true } as const;
const table = async (list: readonly Json[], width: number, options = {}) =>
  (await written(rows(list, 3), { ...terminal, width, ...options }, view)).text;

describe("a field named after a unit that is displayed as another", () => {
  const account = { account: WALLET, lamports: 5_330_000_000 };
  const print = async (options: object, many = false) => {
    const content = many ? rows([account]) : ({ kind: "object", value: account } as const);
    return (await written(content, { ...terminal, width: 80, ...options }, { entity: AccountDetail })).text;
  };

  it("has the heading of its meaning in tables", async () => {
    expect(await print({})).toMatch(/^balance +5.33 SOL$/m);
    expect(await print({ fields: ["lamports"] })).toMatch(/^balance +5.33 SOL$/m);
    expect(await print({ fields: ["lamports"] }, true)).toMatch(/^ *BALANCE\n5.33 SOL\n/);
  });

  it("has its name in other formats, and the heading that was typed", async () => {
    expect(await print({ format: "csv", fields: ["lamports"] }, true)).toMatch(/^lamports\r?\n5330000000/);
    expect(await print({ fields: [{ head: "X", path: "lamports" }] })).toMatch(/^X +5.33 SOL$/m);
  });
});

describe("a table of transfers", () => {
  const list = [
    transfer(),
    transfer({ flow: "out", amount: toNumeric("18446744073709551615"), token_address: USDC, token_decimals: 6 }),
    transfer({ block_time: null, flow: null, amount: 5, token_decimals: null, to_address: "" }),
  ];

  it("at 120 cells shows everything, identifiers short", async () => {
    expect(await table(list, 120)).toBe(
      [
        "TIME    FLOW             AMOUNT  TOKEN                                         FROM       TO         SIGNATURE",
        "3m ago  in     1.588             So11111111111111111111111111111111111111112   5Q54…e4j1  6U91…2tbB  4AU5…CC4f",
        "3m ago  out   18.45T             EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v  5Q54…e4j1  6U91…2tbB  4AU5…CC4f",
        "-       -          5 base units  So11111111111111111111111111111111111111112   5Q54…e4j1  -          4AU5…CC4f",
        "",
      ].join("\n"),
    );
  });

  it("is ASCII where the terminal draws nothing else", async () => {
    const signs = await table(list, 80);
    expect(await table(list, 80, { unicode: false })).toBe(signs.replaceAll("…", "."));
    expect(signs).toContain("…");
  });

  it("at 80 cells shows identifiers short", async () => {
    expect(await table(list, 80)).toBe(
      [
        "TIME    FLOW             AMOUNT  TOKEN      FROM       TO         SIGNATURE",
        "3m ago  in     1.588             So11…1112  5Q54…e4j1  6U91…2tbB  4AU5…CC4f",
        "3m ago  out   18.45T             EPjF…Dt1v  5Q54…e4j1  6U91…2tbB  4AU5…CC4f",
        "-       -          5 base units  So11…1112  5Q54…e4j1  -          4AU5…CC4f",
        "",
      ].join("\n"),
    );
  });

  it("in full leaves out the last column at 80 cells, with a note", async () => {
    const full = [
      "TIME    FLOW                         AMOUNT  TOKEN      FROM       TO",
      "3m ago  in                     1.587870559   So11…1112  5Q54…e4j1  6U91…2tbB",
      "3m ago  out   18,446,744,073,709.551615      EPjF…Dt1v  5Q54…e4j1  6U91…2tbB",
      "-       -                      5 base units  So11…1112  5Q54…e4j1  -",
      "1 column hidden: SIGNATURE; use --fields, a wider terminal or -o wide",
      "",
    ].join("\n");
    expect(await table(list, 80, { numbers: "full" })).toBe(full);
    expect(await table(list, 80, { isTerminal: false, time: "relative" })).toBe(full);
  });

  it("at 60 cells shows less", async () => {
    expect(await table(list, 60)).toBe(
      [
        "TIME    FLOW             AMOUNT  TOKEN      FROM",
        "3m ago  in     1.588             So11…1112  5Q54…e4j1",
        "3m ago  out   18.45T             EPjF…Dt1v  5Q54…e4j1",
        "-       -          5 base units  So11…1112  5Q54…e4j1",
        "2 columns hidden: TO, SIGNATURE; use --fields, a wider",
        "terminal or -o wide",
        "",
      ].join("\n"),
    );
  });

  it("without limit shows identifiers whole", async () => {
    const text = await table(list, Number.POSITIVE_INFINITY);
    for (const id of [SIGNATURE, WALLET, TO, WSOL, USDC]) expect(text).toContain(id);
    expect(text).not.toContain("…");
  });

  it("prints absolute times in a pipe", async () => {
    expect(await table([transfer()], 120, { isTerminal: false })).toContain("2024-07-05T09:27:35Z");
    expect(await table([transfer()], 120, { time: "unix" })).toContain("1720171655");
    expect(await table([transfer()], 130, { time: "local", timeZone: "Asia/Tokyo" })).toContain("18:27:35 UTC+9");
  });

  it("uses colour for roles, never alone", async () => {
    const columns = [{ head: "S", path: "status" }];
    const list = [{ status: 1 }, { status: 0 }];
    const entity = (await import("../../src/catalogue/entities/index.ts")).TransactionDetail;
    const { text } = await written(
      rows(list),
      {
        ...terminal,
        fields: columns,
        theme: resolveTheme({ theme: "terminal", colorScheme: "dark", depth: 4 }).styles,
      },
      { entity },
    );
    expect(text).toBe("\u001b[1mS\u001b[0m\n\u001b[32mSuccess\u001b[0m\n\u001b[31mFail\u001b[0m\n");
    const plain = await written(rows(list), { ...terminal, fields: columns }, { entity });
    expect(plain.text).toBe("S\nSuccess\nFail\n");
  });

  it("prints the total that the API sends beside the rows", async () => {
    const content = { ...rows([transfer()]), beside: { total: 8091170, items: null } } as Parameters<typeof written>[0];
    expect((await written(content, { ...terminal, width: 120 }, view)).text).toMatch(/\ntotal 8,091,170\n$/);
    const dated = { ...content, beside: { updated_time: 1_700_000_000 } } as typeof content;
    expect((await written(dated, { ...terminal, width: 120 }, view)).text).toMatch(/\nupdated_time 2023-11-14/);
  });

  it("says that there are no rows, or prints the header alone in a pipe", async () => {
    expect(await table([], 80)).toBe("No rows.\n");
    expect(await table([], 20)).toBe("No rows.\n");
    expect(await table([], 200, { isTerminal: false })).toMatch(/^TIME +FLOW.*SIGNATURE\n$/);
  });

  it("lists only the first of many hidden columns", async () => {
    const row = Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`c${n}`, "x".repeat(12)]));
    const note = (await written(rows([row]), { ...terminal, width: 26 })).text.replace(/\s+/g, " ");
    expect(note).toContain("11 columns hidden: C2, C3, C4, C5, C6, C7, C8, C9 and 3 more; use --fields");
    const inside = (await written({ kind: "object", value: { list: [row] } }, { ...terminal, width: 26 })).text;
    expect(inside.replace(/\s+/g, " ")).toContain(
      "11 columns hidden: C2, C3, C4, C5, C6, C7, C8, C9 and 3 more; use a wider terminal or -o wide",
    );
  });

  it("puts plain values among objects into a separate column", async () => {
    const list = [{ x: 1 }, "a", 7, null];
    expect((await written(rows(list, 9), terminal)).text).toBe("X  VALUE\n1  -\n-  a\n-  7\n-  -\n");
    expect((await written(rows(list, 9), terminal, { columns: ["x"] })).text).toContain("X  VALUE\n1  -\n-  a\n");
    const later = await written(rows([{ x: 1 }, "a"], 1), terminal);
    expect(later.text).toBe("X\n1\n-\n");
    expect(later.notes).toEqual(["1 later row is not an object and was left out; use -o json to see all rows."]);
  });

  it("limits the width of numbers", async () => {
    const monster = toNumeric("1e300");
    const list = [transfer({ amount: 1, token_decimals: 255 }), transfer({ amount: monster, token_decimals: 6 })];
    expect(await table(list, 100)).toMatch(/ {2}1e-255 .* {2}1e294 /s);
    const text = await table(list, 100, { numbers: "full" });
    expect(text).toMatch(/ {2}~0 .* {2}1e294 /s);
    expect(text).toContain("SIGNATURE");
    expect(text).not.toContain("hidden");
  });

  it("uses the first of several paths with a value", async () => {
    const columns = ["new_name.x|old_name.x"];
    const list = [{ new_name: { x: 1 } }, { old_name: { x: 2 } }, {}];
    expect((await written(rows(list), terminal, { columns })).text).toBe("X\n1\n2\n-\n");
  });
});

describe("similar addresses", () => {
  const real = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
  const fake = "5Q549xKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5Xge4j1";
  const column = (text: string) => text.trim().split("\n").slice(1);
  const options = { ...terminal, width: 20, fields: [{ head: "FROM", path: "from" }] };

  it("get longer until they differ, on one page", async () => {
    const { text } = await written(rows([{ from: real }, { from: fake }, { from: TO }]), options);
    expect(column(text)).toEqual(["5Q544…ge4j1", "5Q549…ge4j1", "6U91…2tbB"]);
  });

  it("stay distinct across pages", async () => {
    const wide = { ...options, width: 30, fields: [...options.fields, { head: "AND TO", path: "to" }] };
    const list = [
      { from: real, to: TO },
      { from: fake, to: TO },
      { from: real, to: TO },
    ];
    const { text } = await written(rows(list, 1), wide);
    const addresses = column(text).map((line) => line.split(/\s+/)[0]);
    expect(new Set(addresses).size).toBe(3);
    expect(addresses[0]).toBe("5Q54…e4j1");
    expect(addresses[1]).not.toBe(addresses[0]);
  });

  it("differ whenever the addresses differ", async () => {
    const id = fc.stringMatching(/^[12]{32,44}$/);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(id, { minLength: 2, maxLength: 8 }), async (ids) => {
        const list = ids.map((from) => ({ from, also: USDC }));
        const { text } = await written(rows(list, 10), { ...options, width: 120, fields: undefined });
        expect(new Set(column(text).map((line) => line.split(/\s+/)[0])).size).toBe(ids.length);
      }),
    );
  });
});

describe("look-alike names", () => {
  it("are marked, with a note", async () => {
    const list = [{ symbol: "USDТ" }, { symbol: "USDC" }, { symbol: "USDТ" }];
    const { text, notes } = await written(rows(list), { ...terminal, fields: ["symbol"] }, { entity: TokenMeta });
    expect(text).toBe("SYMBOL\n⚠ USDТ\nUSDC\n⚠ USDТ\n");
    expect(notes).toEqual(['⚠ The name "USDТ" mixes Latin and Cyrillic letters. Trust the address, not the name.']);
  });
});

describe("streaming", () => {
  it("uses the widths of the first page", async () => {
    const columns = [
      { head: "NAME", path: "name" },
      { head: "N", path: "n" },
    ];
    const list = [
      { name: "abc", n: 1 },
      { name: "a much longer name", n: 1234567 },
      { name: "日本語", n: 2 },
    ];
    const { chunks } = await written(rows(list, 1), { ...terminal, width: 20, fields: columns });
    expect(chunks).toEqual(["NAME  N\nabc   1\n", "a m…  …\n", "日…   2\n", ""]);
  });

  it("uses the widths of the first rows of a page that is very long", async () => {
    const list = [...Array.from({ length: 10_000 }, () => ({ n: 12345 })), { n: 1234567890 }];
    expect((await written(rows(list), { ...terminal })).text.slice(-6)).toBe("1234…\n");
  });

  it("shortens numbers that do not fit with their magnitude", async () => {
    const list = [{ n: 12345 }, { n: 1234567890 }];
    expect((await written(rows(list, 1), { ...terminal })).text).toBe("    N\n12345\n1234…\n");
    const wide = [{ n: 123456 }, { n: 1234567890 }];
    expect((await written(rows(wide, 1), { ...terminal })).text).toBe("     N\n123456\n1.235B\n");
  });
});

const WIDTHS = [1, 2, 20, 40, 79, 80, 200, 500, Number.POSITIVE_INFINITY];
const anyWidth = fc.oneof(fc.constantFrom(...WIDTHS), fc.integer({ min: 1, max: 120 }));

describe("any rows at any width", () => {
  it("never exceed the width, and columns start at the same cell in every line", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 6 }), anyWidth, async (list, width) => {
        const columns = ["a", "b", "yes"].map((path) => ({ head: path.toUpperCase(), path }));
        const first = [{ a: 1, b: "x", yes: null }, ...list];
        const { text } = await written(rows(first, 3), { ...terminal, width, fields: columns });
        const lines = text
          .trimEnd()
          .split("\n")
          .slice(0, first.length + 1);
        for (const line of text.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(width);
        for (const word of ["undefined", "NaN", "[object"])
          if (!JSON.stringify(list).includes(word)) expect(text).not.toContain(word);
        expect(lines.length).toBe(first.length + 1);
      }),
      { numRuns: 200 },
    );
  });

  it("fill each column to one width", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRow, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 20, max: 200 }),
        async (list, width) => {
          const columns = [
            { head: "A", path: "a" },
            { head: "END", path: "end" },
          ];
          const ended = list.map((row) => ({ ...(row as object), end: "|" }));
          const { text } = await written(rows(ended, 2), { ...terminal, width, fields: columns });
          fc.pre(!/hidden:\s+END/.test(text));
          const starts = text
            .split("\n")
            .slice(1, ended.length + 1)
            .map((line) => textWidth(line.slice(0, line.lastIndexOf("|"))));
          expect(new Set(starts).size).toBe(1);
          expect(starts[0]).toBeGreaterThanOrEqual(COLUMN_GAP);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("one object never exceeds the width either", async () => {
    await fc.assert(
      fc.asyncProperty(anyJson, anyWidth, async (value, width) => {
        const { text } = await written({ kind: "object", value: { value, more: [value] } }, { ...terminal, width });
        for (const line of text.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(width);
        expect(text).not.toMatch(/[\p{Cs}\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a record", () => {
  const value = {
    tx_hash: SIGNATURE,
    fee: 6000,
    status: 1,
    block_time: 1720171655,
    signer: [WALLET, TO],
    reward: [],
    sol_bal_change: [
      { address: WALLET, pre_balance: "61773386454", post_balance: "61773388751", change_amount: "2297" },
      { address: TO, pre_balance: "0", post_balance: "0", change_amount: "0" },
    ],
    extra: { deep: { note: "a\u001b[2Jb" } },
    long: `${"word ".repeat(400)}end`,
  };

  it("shows keys and values, and lists of objects below", async () => {
    const entity = (await import("../../src/catalogue/entities/index.ts")).TransactionDetail.partial();
    const { text } = await written({ kind: "object", value }, { ...terminal, width: 80 }, { entity });
    expect(text).toBe(
      [
        "tx_hash          4AU5ShM99Db1yXr72jukaUNSJTnJtp7…HsHqWcKipKCD3MenvdShPsRrAU6CC4f",
        "block_time       3m ago",
        "status           Success",
        "fee              0.000006 SOL",
        "signer           5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1",
        "                 6U91aKa8pmMxkJwBCfPTmUEfZi6dHe7DcFq2ALvB2tbB",
        "reward           -",
        "extra.deep.note  a‹U+001B›[2Jb",
        ...new Array(7)
          .fill(0)
          .map((_, line) => (line === 0 ? "long             " : " ".repeat(17)) + "word ".repeat(12).trim()),
        `                 ${"word ".repeat(8)}wor…(2 kB; use -o json)`,
        "",
        "sol_bal_change (2)",
        "ADDRESS         PRE BALANCE      POST BALANCE    CHANGE AMOUNT",
        "5Q54…e4j1  61.773386454 SOL  61.773388751 SOL  0.000002297 SOL",
        "6U91…2tbB   0           SOL   0           SOL  0           SOL",
        "",
      ].join("\n"),
    );
  });

  it("shows absent required fields as missing", async () => {
    const { text } = await written({ kind: "object", value: { flow: "in" } }, terminal, { entity: Transfer });
    expect(text).toContain("trans_id        -\n");
    expect(text).not.toContain("from_token_account");
  });

  it("counts what it leaves out", async () => {
    const list = Array.from({ length: 1513 }, (_, n) => ({ n }));
    const { text } = await written(
      { kind: "object", value: { list, logs: new Array(5000).fill("log line") } },
      terminal,
    );
    expect(text).toContain("list (1513)\n");
    expect(text).toContain("… 1493 more rows; use -o json\n");
    expect(text).toContain("… 4980 more\n");
    expect(text.split("\n").length).toBeLessThan(60);
  });

  it("shows as much of a line as fits, also where a long word follows a short one", async () => {
    const line = "Program whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc invoke [1]";
    const { text } = await written({ kind: "object", value: { logs: [line, "short"] } }, { ...terminal, width: 40 });
    expect(text).toBe(`logs  ${line.slice(0, 33)}…\n      short\n`);
  });

  it("shows a plain value, an empty object and an empty list", async () => {
    expect((await written({ kind: "object", value: 1554 }, terminal)).text).toBe("1554\n");
    expect((await written({ kind: "object", value: {} }, terminal)).text).toBe("-\n");
    expect((await written({ kind: "object", value: [] }, terminal)).text).toBe("No rows.\n");
  });

  it("prints 60 levels of nesting and a megabyte of text", async () => {
    const deep = Array.from({ length: 60 }).reduce<Json>((inner) => ({ a: inner }), 1);
    const { text } = await written({ kind: "object", value: { deep, big: "x".repeat(1_000_000) } }, terminal);
    expect(text).toContain("deep.a.a.a");
    expect(text).toContain("…(1 MB; use -o json)");
    expect(text.length).toBeLessThan(2000);
  });
});
