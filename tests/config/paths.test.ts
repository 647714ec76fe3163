import envPaths from "env-paths";
import { expect, test } from "vitest";
import { resolvePaths } from "../../src/config/paths.ts";

test("SOLX_HOME contains all folders", () => {
  expect(resolvePaths({ SOLX_HOME: "/data/solx", HOME: "/home/me" })).toEqual({
    config: "/data/solx",
    state: "/data/solx/state",
    cache: "/data/solx/cache",
  });
});

test("a relative SOLX_HOME starts at the current folder", () => {
  expect(resolvePaths({ SOLX_HOME: "here" }).config).toBe(`${process.cwd()}/here`);
});

test("the XDG variables on Linux; relative ones are ignored", () => {
  expect(resolvePaths({ HOME: "/home/me" }, "linux")).toEqual({
    config: "/home/me/.config/solx",
    state: "/home/me/.local/state/solx",
    cache: "/home/me/.cache/solx",
  });
  const env = { HOME: "/home/me", XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "s", XDG_CACHE_HOME: "" };
  expect(resolvePaths(env, "linux")).toEqual({
    config: "/c/solx",
    state: "/home/me/.local/state/solx",
    cache: "/home/me/.cache/solx",
  });
});

test("the standard folders of macOS and Windows", () => {
  expect(resolvePaths({ HOME: "/Users/me" }, "darwin").config).toBe("/Users/me/Library/Preferences/solx");
  const windows = resolvePaths({ APPDATA: "/roaming", LOCALAPPDATA: "/local" }, "win32");
  expect([windows.config, windows.cache]).toEqual(["/roaming/solx/Config", "/local/solx/Cache"]);
});

test.skipIf(!process.env.HOME)("the folders of settings and cache are those that other programs would choose", () => {
  const usual = envPaths("solx", { suffix: "" });
  const { SOLX_HOME: _own, ...env } = process.env;
  const ours = resolvePaths(env);
  expect([ours.config, ours.cache]).toEqual([usual.config, usual.cache]);
});

test.each(["linux", "darwin", "win32"] as const)("without a home there are no folders (%s)", (platform) => {
  expect(resolvePaths({}, platform)).toEqual({ config: undefined, state: undefined, cache: undefined });
  expect(resolvePaths({ HOME: "" }, platform).config).toBeUndefined();
});
