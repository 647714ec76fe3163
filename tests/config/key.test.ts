import fc from "fast-check";
import { expect, test } from "vitest";
import { AuthError } from "../../src/base/errors.ts";
import { abbreviateKey, checkKey, noKeyError } from "../../src/config/key.ts";

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
])("%j is refused with the reason", (text, reason) => {
  expect(() => checkKey(text)).toThrow(AuthError);
  expect(() => checkKey(text)).toThrow(reason);
});

test("surrounding blanks and a byte order mark are removed", () => {
  expect(checkKey("\ufeff  eyJhbGciOi.J9-_~+/=  \r\n")).toBe("eyJhbGciOi.J9-_~+/=");
});

test("a refused key is not in the message", () => {
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

test("at most the last four characters of a key are printed, and none of a short one", () => {
  expect(abbreviateKey("abcdefghijkl")).toBe("****ijkl");
  expect(abbreviateKey("abcdefghijk")).toBe("****");
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200 }), (key) => {
      const rest = abbreviateKey(key).slice(4);
      expect(rest).toBe(key.length >= 12 ? key.slice(-4) : "");
    }),
  );
});

test("the error for a missing key has two ways to set one, for the selected profile, and two to do without", () => {
  const { exitCode, hint = "" } = noKeyError("work");
  expect(exitCode).toBe(3);
  expect(hint.split("\n")).toHaveLength(4);
  expect(hint).toMatch(/\n.*--rpc mainnet .*--sandbox /);
  expect(hint).toContain("SOLX_API_KEY");
  expect(hint).toContain("solx auth login --profile work");
  expect(noKeyError("default").hint).not.toContain("--profile");
});
