import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sha256 } from "../../src/base/sha256.ts";

it("matches the SHA-256 of node:crypto at every length", () => {
  const expected = (text: string) => createHash("sha256").update(text).digest("hex");
  for (let length = 0; length < 140; length += 1) expect(sha256("x".repeat(length))).toBe(expected("x".repeat(length)));
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      expect(sha256(text)).toBe(expected(text));
    }),
  );
});
