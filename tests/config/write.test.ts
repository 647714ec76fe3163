import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { InterruptedError, SolxError } from "../../src/base/errors.ts";
import { addProfile, changeSettings, selectProfile } from "../../src/config/config-file.ts";
import { updateJsonFile } from "../../src/config/json-file.ts";
import type { Paths } from "../../src/config/paths.ts";
import { folder, Home, modeOf } from "./helpers.ts";

const pathsOf = (config: string | undefined): Paths => ({ config, state: undefined, cache: undefined });

test("settings are saved with modes 0700 and 0600", async () => {
  const config = join(folder(), "deep", "solx");
  await changeSettings(pathsOf(config), "work", { timeout: 5 });
  const file = join(config, "config.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ profiles: { work: { timeout: 5 } } });
  expect(readFileSync(file, "utf8").endsWith("}\n")).toBe(true);
  if (process.platform !== "win32") expect([modeOf(config), modeOf(file)]).toEqual([0o700, 0o600]);
  expect(readdirSync(config)).toEqual(["config.json"]);
});

test("unknown entries stay, with exact digits", async () => {
  const home = new Home().write(
    '{"later": [1, {"a": 18446744073709551615}], "profiles": {"work": {"new": 0.10, "output": "csv"}, "play": {}}}',
  );
  await changeSettings(pathsOf(home.path), "work", { output: "yaml" });
  await changeSettings(pathsOf(home.path), "work", { retries: 1 });
  const text = readFileSync(home.config, "utf8");
  expect(text).toContain("18446744073709551615");
  expect(text).toContain("0.10");
  expect(home.read()).toMatchObject({ profiles: { work: { output: "yaml", retries: 1 }, play: {} } });
});

test("settings and the selected profile can be unset", async () => {
  const home = new Home().write({ profiles: { work: { output: "csv", time: "iso" } } });
  const paths = pathsOf(home.path);
  await changeSettings(paths, "work", { output: undefined });
  await selectProfile(paths, "work");
  await addProfile(paths, "play");
  await addProfile(paths, "work");
  expect(home.read()).toEqual({ profile: "work", profiles: { work: { time: "iso" }, play: {} } });
  await selectProfile(paths, undefined);
  expect(home.read()).toEqual({ profiles: { work: { time: "iso" }, play: {} } });
});

test("a link is followed, not replaced", async () => {
  const home = new Home();
  const target = join(folder(), "dotfiles.json");
  writeFileSync(target, "{}");
  symlinkSync(target, home.config);
  await changeSettings(pathsOf(home.path), "default", { output: "csv" });
  expect(lstatSync(home.config).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(target, "utf8"))).toEqual({ profiles: { default: { output: "csv" } } });
});

test("without a home folder the hint has the remedy", async () => {
  const error = await changeSettings(pathsOf(undefined), "default", { output: "csv" }).catch((e) => e);
  expect(error).toBeInstanceOf(SolxError);
  expect(error).toMatchObject({ code: "NO_HOME", hint: expect.stringContaining("SOLX_HOME") });
});

test("a file instead of the folder stays, and the hint has the remedy", async () => {
  const file = join(folder(), "file");
  writeFileSync(file, "mine");
  for (const config of [file, join(file, "below")]) {
    const error = await changeSettings(pathsOf(config), "default", { output: "csv" }).catch((e) => e);
    expect(error).toBeInstanceOf(SolxError);
    expect(error).toMatchObject({
      message: expect.stringContaining("not a folder"),
      hint: expect.stringContaining("SOLX_HOME"),
    });
  }
  expect(readFileSync(file, "utf8")).toBe("mine");
});

test("a change that returns nothing writes nothing", async () => {
  const home = new Home();
  await updateJsonFile(home.config, () => undefined);
  expect(existsSync(home.config)).toBe(false);
});

test("a stale lock is removed", async () => {
  const home = new Home();
  const lock = `${home.config}.lock`;
  mkdirSync(lock);
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(lock, longAgo, longAgo);
  await changeSettings(pathsOf(home.path), "default", { output: "csv" });
  expect(readdirSync(home.path)).toEqual(["config.json"]);
});

test("waiting for another writer can be interrupted", async () => {
  const home = new Home();
  mkdirSync(`${home.config}.lock`);
  const controller = new AbortController();
  const change = addProfile(pathsOf(home.path), "work", controller.signal);
  controller.abort();
  await expect(change).rejects.toBeInstanceOf(InterruptedError);
  expect(existsSync(home.config)).toBe(false);
});

test("processes that write at the same time lose nothing, and a reader never sees half a file", async () => {
  const home = new Home().write({ profiles: {} });
  const writer = fileURLToPath(new URL("./writer.ts", import.meta.url));
  const prefixes = ["a", "b", "c", "d"];
  const count = 25;
  const processes = prefixes.map((prefix) =>
    spawn(process.execPath, [writer, home.path, prefix, String(count)], { stdio: ["ignore", "ignore", "inherit"] }),
  );
  const codes = Promise.all(processes.map(async (child) => (await once(child, "exit"))[0]));
  let running = true;
  codes.finally(() => {
    running = false;
  });
  while (running) {
    expect(home.read()).toHaveProperty("profiles");
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await codes).toEqual(prefixes.map(() => 0));
  const profiles = prefixes.flatMap((prefix) =>
    Array.from({ length: count }, (_, index) => [`${prefix}${index + 1}`, { timeout: index + 1 }] as const),
  );
  expect(home.read()).toEqual({ profiles: Object.fromEntries(profiles) });
  expect(readdirSync(home.path)).toEqual(["config.json"]);
});
