/** The user's own file of the explorer. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readConfigFile } from "../../src/commands/explore/config-file.ts";
import { folder } from "../config/helpers.ts";

function given(content: unknown) {
  const config = folder();
  const log: string[] = [];
  const text = typeof content === "string" ? content : JSON.stringify(content);
  if (content !== undefined) writeFileSync(join(config, "explore.json"), text);
  return { custom: readConfigFile({ config }, (line) => log.push(line)), log };
}

describe("explore.json", () => {
  test("gives keys and places for hotkeys", () => {
    const { custom, log } = given({ keys: { "go.back": "x" }, hotkeys: [{ key: "ctrl+t", open: "token trending" }] });
    expect(custom?.keys.keys.get("go.back")).toEqual(["x"]);
    expect(custom?.hotkeyRoutes.get("token trending")).toMatchObject({ kind: "endpoint", route: "v2-token-trending" });
    expect([custom?.problems, log]).toEqual([[expect.stringMatching(/Key x/)], [expect.stringMatching(/Key x/)]]);
  });

  test.each([
    ["{", /explore\.json is not valid JSON/],
    [{ colours: {} }, /"colours" is nothing that the explorer knows/],
    [{ hotkeys: [{ key: "T", open: "nowhere at all" }] }, /Hotkey T: .*nowhere at all/],
  ])("%j is told of and logged; the explorer begins all the same", (content, message) => {
    const { custom, log } = given(content);
    expect(custom?.problems[0]).toMatch(message);
    expect(log).toEqual(custom?.problems);
  });

  test("is nothing where it is not there", () => {
    expect(given(undefined)).toEqual({ custom: undefined, log: [] });
  });
});
