import fc from "fast-check";
import { expect, test } from "vitest";
import { AuthError } from "../../src/base/errors.ts";
import { checkKey, maskKey, noKeyError } from "../../src/config/key.ts";

test.each([
  ["", "is empty"],
  ["  \r\n", "is empty"],
  ["abc\ndef", "a line break"],
  ["abc def", "white space"],
  ["abc\u00a0def", "white space"],
  ['"abcdef"', "quotes"],
  ["'abcdef'", "quotes"],
  ["abc\u0000def", "not plain ASCII"],
  ["abc\u001bdef", "not plain ASCII"],
  ["schlüssel", "not plain ASCII"],
  ["abc\u200bdef", "not plain ASCII"],
  ["ａｂｃ", "not plain ASCII"],
  ["x".repeat(5000), "longer than"],
])("%j is refused because of what it holds", (text, reason) => {
  expect(() => checkKey(text)).toThrow(AuthError);
  expect(() => checkKey(text)).toThrow(reason);
});

test("blanks and a byte order mark around a key do not count", () => {
  expect(checkKey("\ufeff  eyJhbGciOi.J9-_~+/=  \r\n")).toBe("eyJhbGciOi.J9-_~+/=");
});

test("a refused key is not shown", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z0-9]{8,40}$/), fc.constantFrom(" ", "\n", '"', "é", "\u0007"), (half, bad) => {
      try {
        checkKey(half + bad + half);
        expect.unreachable();
      } catch (error) {
        const { message, hint } = error as AuthError;
        expect(`${message} ${hint}`).not.toContain(half);
      }
    }),
  );
});

test("a mask shows at most the last four of a key, and nothing of a short one", () => {
  expect(maskKey("abcdefghijkl")).toBe("****ijkl");
  expect(maskKey("abcdefghijk")).toBe("****");
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200 }), (key) => {
      const rest = maskKey(key).slice(4);
      expect(rest).toBe(key.length >= 12 ? key.slice(-4) : "");
    }),
  );
});

test("someone without a key is told three ways to give one, for the profile in use", () => {
  const { exitCode, hint = "" } = noKeyError("work");
  expect(exitCode).toBe(3);
  expect(hint.split("\n")).toHaveLength(3);
  expect(hint).toContain("solx auth login --profile work");
  expect(noKeyError("default").hint).not.toContain("--profile");
});
