import { base58 } from "@scure/base";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBase58, encodeBase58 } from "../../src/base/index.ts";

test("base58 is written and read as by the reference implementation", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(4), (bytes, zeros) => {
      const all = Uint8Array.from([...new Array<number>(zeros).fill(0), ...bytes]);
      expect(encodeBase58(all)).toBe(base58.encode(all));
      expect(decodeBase58(base58.encode(all))).toEqual(all);
    }),
    { numRuns: 500 },
  );
});

test.each(["0", "O", "I", "l", "é", "\u{1f600}", "1 1"])("%s is not base58", (text) => {
  expect(() => decodeBase58(text)).toThrow(RangeError);
});

test("text that would take seconds to read is refused", () => {
  expect(() => decodeBase58("1".repeat(40_000))).toThrow("too long");
});
