/** Opening pages in a browser: which program is used on which system, with the URL as one argument. */
import { describe, expect, test } from "vitest";
import { browserOpeners, createBrowserOpener } from "../../src/commands/explore/tools.ts";
import type { Io } from "../../src/commands/run/context.ts";

const PAGE = "https://solscan.io/tx/abc?a=1&b=2";

describe("the openers of a system", () => {
  test.each<[string, Io["env"], NodeJS.Platform, string[]]>([
    ["macOS", {}, "darwin", ["open"]],
    ["Windows", {}, "win32", ["rundll32.exe"]],
    ["a desktop", { DISPLAY: ":0" }, "linux", ["xdg-open"]],
    ["Wayland", { WAYLAND_DISPLAY: "w" }, "linux", ["xdg-open"]],
    ["Windows' Linux", { WSL_DISTRO_NAME: "Ubuntu" }, "linux", ["wslview"]],
    ["a server", {}, "linux", []],
    ["SSH", { SSH_CONNECTION: "1 2 3 4", DISPLAY: ":10" }, "linux", []],
  ])("%s", (_name, env, platform, names) => {
    expect(browserOpeners(env, platform).map(({ name }) => name)).toEqual(names);
  });
});

test("the URL is passed as one argument and named in the message", async () => {
  const calls: (readonly string[])[] = [];
  const run = async (name: string, args: readonly string[]) => calls.push([name, ...args]) > 0;
  const browse = createBrowserOpener({ env: { DISPLAY: ":0" }, platform: "linux", run });
  expect(await browse(PAGE)).toEqual({ ok: true, message: `Opened ${PAGE}` });
  expect(calls).toEqual([["xdg-open", PAGE]]);
});

test("the message contains the URL when no program opens it", async () => {
  const none = createBrowserOpener({ env: {}, platform: "linux", run: async () => false });
  expect(await none(PAGE)).toEqual({ ok: false, message: `Cannot open a browser here: ${PAGE}` });
});

test.each(["javascript:alert(1)", "file:///etc/passwd", "-version", "http://solscan.io"])(
  "%s is not opened",
  async (url) => {
    const run = () => Promise.reject(new Error("a program was started"));
    const { ok } = await createBrowserOpener({ env: { DISPLAY: ":0" }, platform: "linux", run })(url);
    expect(ok).toBe(false);
  },
);
