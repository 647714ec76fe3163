import { expect, test } from "vitest";
import {
  countOf,
  fieldAt,
  fieldOf,
  listOf,
  objectsOf,
  omitMissing,
  omitUndefined,
  parseJson,
  textOf,
  tryParseJson,
} from "../../src/base/index.ts";

const value = parseJson('{"a":{"b":[1,{"c":2},null]},"none":null,"big":18446744073709551615,"text":"x","empty":""}');

test("reads fields and counts values of an unexpected type as missing", () => {
  expect(fieldOf(value, "text")).toBe("x");
  expect(fieldOf(value, "none")).toBeUndefined();
  expect(fieldOf(value, "toString")).toBeUndefined();
  expect(fieldOf([1], "0")).toBeUndefined();
  expect(fieldAt(value, ["a", "b"])).toHaveLength(3);
  expect(fieldAt(value, ["a", "b", "c"])).toBeUndefined();
  expect(fieldAt(value, ["big", "digits"])).toBeUndefined();
});

test("reads texts, counts, lists and objects of lists", () => {
  const { big, empty, text } = value as Record<string, never>;
  expect([textOf(text), textOf(empty), textOf(1)]).toEqual(["x", undefined, undefined]);
  expect([countOf(3), countOf(-1), countOf(1.5), countOf(big), countOf("3")]).toEqual([
    3,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect([listOf([1]), listOf("ab"), listOf(undefined)]).toEqual([[1], [], []]);
  expect(objectsOf(fieldAt(value, ["a", "b"]))).toEqual([{ c: 2 }]);
});

test("omits fields without a value", () => {
  expect(omitUndefined({ a: 1, b: undefined, c: null })).toStrictEqual({ a: 1, c: null });
  expect(omitMissing({ a: 0, b: undefined, c: null, d: "" })).toStrictEqual({ a: 0, d: "" });
});

test("returns undefined for text that is not JSON", () => {
  expect(tryParseJson('{"a":1}')).toEqual({ a: 1 });
  expect(tryParseJson("{")).toBeUndefined();
});
