import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/base/errors.ts";
import { changeSettings } from "../../src/config/config-file.ts";
import { findJsonError, lineAndColumn } from "../../src/config/json-file.ts";
import { Home } from "./helpers.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("where a text stops being JSON", () => {
  const json = fc
    .json({ maxDepth: 4 })
    .chain((text) => fc.constantFrom(text, JSON.stringify(JSON.parse(text), null, 2), ` ${text}\r\n`));

  test("a text has such a place exactly when it is not JSON", () => {
    fc.assert(
      fc.property(json, fc.nat(), fc.nat(4), fc.string({ maxLength: 2 }), (text, at, length, other) => {
        const start = at % (text.length + 1);
        const broken = text.slice(0, start) + other + text.slice(start + length);
        expect(findJsonError(broken) === undefined).toBe(isJson(broken));
      }),
      { numRuns: 2000 },
    );
  });

  test("for a text cut short it is not before the last whole token", () => {
    expect(findJsonError('{"a": [1, 2')).toBe(11);
    expect(findJsonError('{"a": "b')).toBe(6);
    expect(findJsonError("")).toBe(0);
  });

  test("depth is no problem", () => {
    expect(findJsonError("[".repeat(200_000))).toBe(200_000);
  });

  test("lines and columns count from 1, whatever ends the lines", () => {
    expect(lineAndColumn("a\nb\r\ncd", 7)).toEqual({ line: 3, column: 3 });
    expect(lineAndColumn("", 0)).toEqual({ line: 1, column: 1 });
  });
});

/** Contents that are no settings, and the end of the message. */
const BROKEN: readonly (readonly [about: string, content: string, says: string])[] = [
  ["cut short", '{\n  "profiles": {\n    "default": {"output": "ta', "is not valid JSON (line 3, column 27)."],
  ["a brace too many", '{"profile": "work"}}', "is not valid JSON (line 1, column 20)."],
  ["a comma too many", '{\n  "profile": "a",\n}', "is not valid JSON (line 3, column 1)."],
  ["empty", "", "is not valid JSON (line 1, column 1)."],
  ["binary", "\u0000\u0001", "is not valid JSON (line 1, column 1)."],
  ["a list", "[]", "does not contain a JSON object."],
  ["null", "null", "does not contain a JSON object."],
  ["profile is a number", '{"profile": 1}', 'is invalid: "profile" must be a string.'],
  ["profiles is a list", '{"profiles": []}', 'is invalid: "profiles" must be an object.'],
  ["a profile is a text", '{"profiles": {"work": "x"}}', 'is invalid: profile "work" must be an object.'],
];

describe.each(BROKEN)("a settings file that is %s", (_about, content, says) => {
  test("is reported, and flags, environment and defaults apply", async () => {
    const home = new Home().write(content);
    const settings = await home.load({ flags: { output: "csv" }, env: { SOLX_API_KEY: "key-of-environment" } });
    expect(settings.warnings).toHaveLength(1);
    expect(settings.warnings[0]).toContain(`${home.config} ${says}`);
    expect(settings.get("output")).toBe("csv");
    expect(await settings.key()).toMatchObject({ value: "key-of-environment" });
  });

  test("stays byte for byte when a change fails", async () => {
    const home = new Home().write(content);
    const { paths } = await home.load();
    const change = changeSettings(paths, "default", { output: "csv" });
    await expect(change).rejects.toThrow(`${home.config} ${says}`);
    await expect(change).rejects.toBeInstanceOf(UsageError);
    expect(readFileSync(home.config, "utf8")).toBe(content);
  });

  test("prevents the use of saved keys, because their server is unknown", async () => {
    const home = new Home().write(content);
    writeFileSync(home.credentials, JSON.stringify({ default: "stored-key-1234" }), { mode: 0o600 });
    await expect((await home.load()).key()).rejects.toThrow(home.config);
  });
});

test("a byte order mark is accepted", async () => {
  const settings = await new Home().write('\ufeff{"profiles": {"default": {"output": "csv"}}}').load();
  expect(settings.warnings).toEqual([]);
  expect(settings.get("output")).toBe("csv");
});

test("a folder instead of the file is reported", async () => {
  const home = new Home();
  mkdirSync(home.config);
  expect((await home.load()).warnings[0]).toContain("is a directory");
});

test("a dangling link is reported and not replaced", async () => {
  const home = new Home();
  symlinkSync(join(home.path, "elsewhere.json"), home.config);
  const settings = await home.load();
  expect(settings.warnings[0]).toContain("is a link to a file that does not exist");
  await expect(changeSettings(settings.paths, "default", { output: "csv" })).rejects.toThrow("link");
});

test.skipIf(process.platform === "win32")("a pipe instead of the file does not block", async () => {
  const home = new Home();
  execFileSync("mkfifo", [home.config]);
  expect((await home.load()).warnings[0]).toContain("is not a regular file");
});

test("a missing file or folder is no problem", async () => {
  expect((await new Home().load()).warnings).toEqual([]);
  expect((await new Home().load({ env: { SOLX_HOME: "/dev/null/nowhere" } })).warnings).toEqual([]);
  expect((await new Home().load({ env: { SOLX_HOME: undefined } })).warnings).toEqual([]);
});
