/** Rows as they were received: the same lines that printing them again would give, or none. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Json, type JsonObject, parseJson, stringifyJson } from "../../src/base/json.ts";
import { forgetText, joinReceived, receivedLength, rememberText } from "../../src/base/received-rows.ts";

/** Returns the received rows of a list, one per line. */
function textOf(list: readonly Json[]): string | undefined {
  const bytes = joinReceived(list, { lead: "", separator: "\n", end: "" });
  return bytes && Buffer.from(bytes).toString();
}

/** Parses a text with a list under `data`, and returns what it has as lines, with those that printing it gives. */
function linesOf(text: string) {
  const { data } = parseJson(text) as JsonObject & { readonly data: readonly Json[] };
  rememberText(data, text);
  return { received: textOf(data), printed: data.map((row) => stringifyJson(row)).join("\n") };
}

const string = fc
  .array(fc.constantFrom("a", " ", "{", "}", "},{", "[", "]", ",", ":", '\\"', "\\u007b", "é", "\u2028"), {
    maxLength: 4,
  })
  .map((parts) => `"${parts.join("")}"`);
const number = fc.constantFrom("0", "-1", "1.10", "18446744073709551615", "1E5", "-0");
const space = fc.constantFrom("", "", "", "", "", "", "", "", " ", "\n");
const member = (value: fc.Arbitrary<string>) => fc.tuple(fc.constantFrom("a", "b", "c", "{", "},{", "]"), space, value);
const objectOf = (value: fc.Arbitrary<string>) =>
  fc
    .tuple(space, fc.uniqueArray(member(value), { maxLength: 3, selector: ([name]) => name }))
    .map(([before, members]) => `{${before}${members.map(([name, gap, text]) => `"${name}":${gap}${text}`).join()}}`);
const flat = objectOf(fc.oneof(string, number, fc.constantFrom("true", "null")));
const item = fc.oneof(
  { weight: 20, arbitrary: flat },
  {
    weight: 1,
    arbitrary: fc.oneof(string, number, fc.constant("[]"), objectOf(fc.oneof(flat, fc.constant("[{},{}]")))),
  },
);
const list = fc
  .array(fc.tuple(item, space, space), { maxLength: 4 })
  .map((items) => items.map(([text, before, after]) => before + text + after).join());
const page = fc
  .tuple(
    fc.constantFrom("", '"x":"[{}]",', '"x":[{}],', '"x":{"n":1.10},'),
    list,
    fc.constantFrom("", ',"y":[]', ',"y":{}'),
  )
  .map(([before, items, after]) => `{${before}"data":[${items}]${after}}`);

describe("joinReceived", () => {
  test("returns the lines that printing the rows gives, or nothing", () => {
    fc.assert(
      fc.property(page, (text) => {
        const { received, printed } = linesOf(text);
        if (received !== undefined) expect(received, text).toBe(printed);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["a page", '{"success":true,"data":[{"a":"x y","n":18446744073709551615},{"a":"e","n":1.10},{}],"total":3}'],
    ["one row", '{"data":[{"a":1}]}'],
    ["an object beside the list", '{"data":[{"a":1},{"a":2}],"metadata":{"tokens":{"x":{"n":1}}}}'],
  ])("returns the lines of %s", (_what, text) => {
    const { received, printed } = linesOf(text);
    expect(received).toBe(printed);
  });

  test.each([
    ["a separator inside a string, and a space between rows", '{"data":[{"a":"},{"}, {"b":1}]}'],
    ["a separator inside a string, and a number", '{"data":[{"a":"},{"},{"b":1},1]}'],
    ["a brace inside a string, and a number", '{"data":[{"a":"{"},1,{"b":1}]}'],
    ["spaces between rows", '{"data":[{"a":1}, {"b":1}]}'],
    ["nested objects", '{"data":[{"a":{"b":1}},{"a":{"b":2}}]}'],
    ["a brace inside a string", '{"data":[{"a":"{"},{"a":1}]}'],
    ["another list", '{"x":[{"a":1}],"data":[{"b":1}]}'],
    ["a list inside a string", '{"x":"[{}]","data":[{"b":1}]}'],
    ["escape sequences", '{"data":[{"a":"\\u0041"}]}'],
    ["text that is not ASCII", '{"data":[{"a":"é"}]}'],
    ["characters that terminals obey", '{"data":[{"a":"\u007f"}]}'],
    ["spaces", '{"data":[{"a": 1}]}'],
    ["line breaks", '{"data":[{"a":1\n}]}'],
    ["no rows", '{"data":[]}'],
  ])("returns nothing for %s", (_what, text) => expect(linesOf(text).received).toBeUndefined());

  test("is undefined for lists that were not received, or are released", () => {
    expect(textOf([{ a: 1 }])).toBeUndefined();
    expect(receivedLength([{ a: 1 }])).toBeUndefined();
    const list = [{ a: 1 }];
    rememberText(list, '[{"a":1}]');
    expect(textOf(list)).toBeDefined();
    forgetText(list);
    expect(textOf(list)).toBeUndefined();
  });
});
