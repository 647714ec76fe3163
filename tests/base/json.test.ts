/** Exact JSON: the fast parser returns what a check of each number would return. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isRawNumber, type Json, parseJson, stringifyJson } from "../../src/base/json.ts";

interface WithSource {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): Json;
  rawJSON(text: string): Json;
}

const exact = JSON as unknown as WithSource;

/** The definition: every number whose text a double would change is stored as its text. */
const byDefinition = (text: string) =>
  exact.parse(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source ? exact.rawJSON(source) : value,
  );

/** A value with everything that distinguishes it: keys in order, prototypes, kinds of numbers. */
function whole(value: unknown): unknown {
  if (isRawNumber(value)) return { exactly: value.rawJSON };
  if (typeof value === "number") return { number: Object.is(value, -0) ? "-0" : String(value) };
  if (Array.isArray(value)) return value.map(whole);
  if (typeof value !== "object" || value === null) return value;
  return {
    prototype: Object.getPrototypeOf(value) === Object.prototype,
    entries: Object.keys(value).map((key) => [key, whole(Object.getOwnPropertyDescriptor(value, key)?.value)]),
  };
}

const outcome = (parse: (text: string) => Json, text: string): unknown => {
  try {
    return whole(parse(text));
  } catch (error) {
    return (error as Error).name;
  }
};

function same(text: string): void {
  expect(outcome(parseJson, text), text).toEqual(outcome(byDefinition, text));
}

const digits = fc.stringMatching(/^[0-9]{1,25}$/);
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
  fc.bigInt({ min: 2n ** 49n, max: 2n ** 54n }).map(String),
  fc.integer().map(String),
  fc.constantFrom("-0", "0", "0.0", "-0.0", "1.10", "1E5", "1e400", "1e-7", "0.0000001", "0.000001", "1e21", "5e-324"),
  fc
    .tuple(fc.constantFrom("", "-"), digits, fc.option(digits), fc.option(fc.integer({ min: -330, max: 330 })))
    .map(([sign, before, after, power]) => {
      const fraction = after === null ? "" : `.${after}`;
      return `${sign}${before.replace(/^0+(?=\d)/, "")}${fraction}${power === null ? "" : `e${power}`}`;
    }),
);
const space = fc.constantFrom("", "", "", " ", "\n", "\t", "\r\n  ");
/** Text inside quotes: what looks like numbers, marks, escapes, and the ends of strings. */
const inner = fc
  .array(
    fc.oneof(
      { weight: 2, arbitrary: fc.string({ unit: "binary" }).map((text) => JSON.stringify(text).slice(1, -1)) },
      { weight: 3, arbitrary: number },
      fc.constantFrom(
        ":",
        ",",
        " ",
        "[",
        "]",
        "{",
        "}",
        '\\"',
        "\\\\",
        "\\u0022",
        "\\u007f",
        "\\u007F",
        "\u007f",
        "\\n",
      ),
      fc.constantFrom("\u007f1.10", "\\u007f1.10", ": 1.10 ,", "[1.10]"),
    ),
    { maxLength: 5 },
  )
  .map((parts) => `"${parts.join("")}"`);
// No key equals another one after unescaping: V8's JSON.parse sometimes loses such a member.
const key = fc.oneof(
  inner,
  fc.constantFrom('"a"', '"b"', '"__proto__"', '"constructor"', '"1"', '"0"', '"rawJSON"', '"toJSON"', '""'),
);
const { value } = fc.letrec<{ value: string }>((tie) => {
  const part = fc.tuple(space, tie("value"), space).map((parts) => parts.join(""));
  const member = fc.tuple(space, key, space, part).map(([before, name, after, of]) => `${before}${name}${after}:${of}`);
  return {
    value: fc.oneof(
      { maxDepth: 5, depthSize: "small" },
      number,
      inner,
      fc.constantFrom("true", "false", "null", "{}", "[]"),
      fc.array(part, { maxLength: 5 }).map((parts) => `[${parts.join(",")}]`),
      fc.array(member, { maxLength: 5 }).map((parts) => `{${parts.join(",")}}`),
    ),
  };
});

describe("parseJson", () => {
  test("returns for every JSON text what the definition returns", () => {
    fc.assert(
      fc.property(space, value, space, (before, text, after) => same(before + text + after)),
      { numRuns: 5000 },
    );
  });

  test("rejects invalid JSON and nothing else", () => {
    const damage = fc.constantFrom(
      "",
      " ",
      ",",
      ":",
      '"',
      "1.10",
      " 1.10 ",
      "-",
      ".",
      "0",
      "e5",
      "\\",
      "{",
      "]",
      "\u007f",
      "\u00a0",
    );
    fc.assert(
      fc.property(value, fc.nat(), fc.nat({ max: 3 }), damage, (text, at, length, put) => {
        const place = at % (text.length + 1);
        same(text.slice(0, place) + put + text.slice(place + length));
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    ["a number as a key", "{ 1.10 :2}"],
    ["a number as a key beside an exact one", '{"a":1.10, 1.20 :2}'],
    ["a duplicate that was exact", '{"a":1.10,"a":1}'],
    ["a duplicate that is exact", '{"a":1,"a":1.10}'],
    ["a duplicate, and a string with the mark of what was lost", '{"b":"\\u007f1.10","a":1.10,"a":2}'],
    ["the same with a raw mark", '{"b":"\u007f1.10","a":1.10,"a":2}'],
    ["the same in capitals", '{"b":"\\u007F1.10","a":1.10,"a":2}'],
    ["a prototype", '{"__proto__":1.10,"x":{"__proto__":[1.10]}}'],
    ["a number alone", " 1.10 "],
    ["numbers in a string", '[1.10,"paid 1.50 of: 2.50 , [3.50]"]'],
    ["numbers side by side", "[1.10,1.20, 1.30 ,[1.40]]"],
    ["a leading zero", "[01.10]"],
    ["two points", "[1.1.0]"],
    ["a point at the end", "[10.]"],
    ["a space that is none", "[\u00a01.10]"],
    ["nothing", ""],
  ])("parses by the definition: %s", (_what, text) => same(text));

  test("preserves the digits of numbers in any context", () => {
    fc.assert(
      fc.property(fc.array(number), fc.string(), (numbers, text) => {
        const compact = `{"text":${JSON.stringify(text)},"numbers":[${numbers.join(",")}]}`;
        expect(stringifyJson(parseJson(compact))).toBe(compact);
      }),
    );
  });

  test.each([
    ["[", "1.10", "]"],
    ['{"a":', "1", "}"],
  ])("rejects JSON that is nested too deeply: %s", (open, inside, close) => {
    const nested = (levels: number) => open.repeat(levels) + inside + close.repeat(levels);
    expect(stringifyJson(parseJson(nested(1000)))).toBe(nested(1000));
    expect(() => parseJson(nested(100_000))).toThrow(SyntaxError);
    expect(parseJson(`[${`${nested(2)},`.repeat(3000)}1]`)).toHaveLength(3001);
  });
});
