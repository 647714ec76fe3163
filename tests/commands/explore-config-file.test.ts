/** The configuration file of the explorer. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readConfigFile } from "../../src/commands/explore/config-file.ts";
import { folder } from "../config/helpers.ts";

async function readWith(content: unknown) {
  const config = folder();
  const log: string[] = [];
  const text = typeof content === "string" ? content : JSON.stringify(content);
  if (content !== undefined) writeFileSync(join(config, "explore.json"), text);
  return { custom: await readConfigFile({ config }, (line) => log.push(line)), log };
}

describe("explore.json", () => {
  test("defines keys and the routes of hotkeys", async () => {
    const { custom, log } = await readWith({
      keys: { "go.back": "x" },
      hotkeys: [{ key: "ctrl+t", open: "token trending" }],
    });
    expect(custom?.keys.keys.get("go.back")).toEqual(["x"]);
    expect(custom?.hotkeyRoutes.get("token trending")).toMatchObject({
      kind: "endpoint",
      endpointRoute: "v2-token-trending",
    });
    const problems = [/key x .* list\.failed;/, /key x .* chart\.numbers;/].map((one) => expect.stringMatching(one));
    expect([custom?.problems, log]).toEqual([problems, problems]);
  });

  test.each([
    ["{", /explore\.json is not valid JSON/],
    [{ colours: {} }, /unknown field "colours"/],
    [{ mouse: "off" }, /"mouse" must be true or false/],
    [{ hotkeys: [{ key: "Y", open: "nowhere at all" }] }, /hotkey Y: .*nowhere at all/],
    [{ hotkeys: [{ key: "Y", run: ["x"], kinds: ["wallet"] }] }, /hotkeys 1 kinds 0: .*account/],
    [{ hotkeys: [{ key: "Y", run: "rm {id}" }] }, /hotkeys 1 run: /],
    [{ hotkeys: [{ key: "Y", run: ["{name}"] }] }, /hotkeys 1 run 0: the program must not be a placeholder/],
  ])("%j is reported and logged, and the explorer starts", async (content, message) => {
    const { custom, log } = await readWith(content);
    expect(custom?.problems[0]).toMatch(message);
    expect(log).toEqual(custom?.problems);
  });

  test("is optional", async () => {
    expect(await readWith(undefined)).toMatchObject({ custom: { problems: [], theme: undefined }, log: [] });
  });
});
