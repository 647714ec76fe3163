import { readFileSync, writeFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, test, vi } from "vitest";
import { AuthError, NetworkError, UsageError } from "../../src/base/errors.ts";
import type { Json } from "../../src/base/json.ts";
import { login, logout, status, token } from "../../src/commands/auth/auth.ts";
import {
  configGet,
  configList,
  configPath,
  configProfiles,
  configSet,
  configUnset,
} from "../../src/commands/config/config.ts";
import type { CommandResult } from "../../src/commands/run/command-definition.ts";
import * as schemas from "../../src/commands/schemas.ts";
import { ENTRY_NAMES, type Settings } from "../../src/config/index.ts";
import { runInProcess } from "../support/in-process.ts";
import { fakeKeychain, Home } from "./helpers.ts";

const KEY = "secret-key-0123456789";
const { signal } = new AbortController();
const USAGE: Json = { remaining_cus: 10, usage_cus: 5 };

/** A login with the key on standard input. */
function pipe(settings: Settings, sent = `${KEY}\n`, check?: (key: string) => Promise<Json>) {
  const stdin = new PassThrough();
  stdin.end(sent);
  return login({
    settings,
    stdin,
    stdinIsTTY: false,
    promptOutput: new PassThrough(),
    signal,
    ...(check && { check }),
  });
}

/** The fields of a result that its schema does not know. */
function strangers({ value, schema }: CommandResult): string[] {
  const { shape = {} } = new Map(Object.entries(schemas)).get(schema ?? "") ?? {};
  const row = (Array.isArray(value) ? value[0] : value) as object;
  return Object.keys(row).filter((name) => !Object.hasOwn(shape, name));
}

const inFile = { default: { "key-store": "file" } };

describe("auth login", () => {
  test("checks the key, saves it and prints only its end", async () => {
    const home = new Home().write({ profiles: inFile });
    const check = vi.fn(async () => {
      expect(home.keys()).toEqual({});
      return USAGE;
    });
    const result = await pipe(await home.load(), undefined, check);
    expect(check).toHaveBeenCalledExactlyOnceWith(KEY);
    expect(home.keys()).toEqual({ default: KEY });
    expect(result.value).toMatchObject({ profile: "default", key: "****6789", place: home.credentials, usage: USAGE });
    expect(JSON.stringify(result)).not.toContain(KEY);
    expect(result.notes).toEqual([]);
    expect(strangers(result)).toEqual([]);
  });

  test("saves nothing when the API refuses the key or cannot be reached", async () => {
    const home = new Home().write({ profiles: inFile });
    const refused = pipe(await home.load(), undefined, async () => {
      throw new AuthError("Authentication failed", { status: 401, code: 401 });
    });
    await expect(refused).rejects.toThrow("The API does not accept the key ****6789. Nothing was saved.");
    await expect(refused).rejects.toMatchObject({ exitCode: 3, status: 401 });
    const offline = pipe(await home.load(), undefined, async () => {
      throw new NetworkError("No connection.");
    });
    await expect(offline).rejects.toBeInstanceOf(NetworkError);
    expect(home.keys()).toEqual({});
  });

  test("saves without a check on request", async () => {
    const home = new Home().write({ profiles: inFile });
    expect((await pipe(await home.load())).value).toMatchObject({ usage: null });
    expect(home.keys()).toEqual({ default: KEY });
  });

  test("refuses an invalid key without a request", async () => {
    const home = new Home();
    const check = vi.fn(async () => USAGE);
    await expect(pipe(await home.load(), '"quoted"\n', check)).rejects.toThrow("contains quotes");
    expect(check).not.toHaveBeenCalled();
  });

  test("prompts on a terminal without echo", async () => {
    const home = new Home().write({ profiles: inFile });
    const stdin = Object.assign(new PassThrough(), { setRawMode: () => {} });
    const promptOutput = new PassThrough();
    stdin.write(`${KEY}\r`);
    await login({ settings: await home.load(), stdin, stdinIsTTY: true, promptOutput, signal });
    expect(home.keys()).toEqual({ default: KEY });
    expect(await text(promptOutput.end())).toBe("API key for profile default (input is hidden): \n");
  });

  test("creates a new profile", async () => {
    const home = new Home();
    const settings = await home.load({
      flags: { profile: "work" },
      env: { SOLX_KEY_STORE: "file" },
      allowsNewProfile: true,
    });
    await pipe(settings);
    expect(home.read()).toEqual({ profiles: { work: {} } });
    expect((await (await home.load({ flags: { profile: "work" } })).key())?.value).toBe(KEY);
  });

  test("reports that the environment has precedence, and where the key is without a keychain", async () => {
    const home = new Home();
    const settings = await home.load({
      env: { SOLSCAN_API_KEY: "another-key" },
      keychain: fakeKeychain("refuses").options,
    });
    const { notes } = await pipe(settings);
    expect(notes).toEqual([
      expect.stringContaining(`the key was saved in ${home.credentials}`),
      expect.stringMatching(/^SOLSCAN_API_KEY is set and takes precedence/),
    ]);
  });

  test("refuses to save while the settings cannot be read", async () => {
    const home = new Home().write("{");
    await expect(pipe(await home.load())).rejects.toThrow(home.config);
    expect(home.keys()).toEqual({});
  });
});

describe("auth status", () => {
  test("prints the source of the key and its end", async () => {
    const home = new Home();
    writeFileSync(home.credentials, JSON.stringify({ default: KEY }), { mode: 0o600 });
    const result = await status({ settings: await home.load(), check: async () => USAGE, signal });
    expect(result.value).toMatchObject({
      key: "****6789",
      source: `profile default (${home.credentials})`,
      server: "https://pro-api.solscan.io/v2.0",
      usage: USAGE,
    });
    expect(strangers(result)).toEqual([]);
  });

  test("reports that a saved key is not used while the environment has one", async () => {
    const home = new Home();
    writeFileSync(home.credentials, JSON.stringify({ default: { store: "keychain" } }), { mode: 0o600 });
    const settings = await home.load({
      env: { SOLX_API_KEY: "of-environment-1" },
      keychain: fakeKeychain("hangs").options,
    });
    const { value, notes } = await status({ settings, signal });
    expect(value).toMatchObject({ source: "environment SOLX_API_KEY", usage: null });
    expect(notes).toEqual(["Profile default also has a saved key (system keychain), which is not in use."]);
  });

  test("without a key the error lists the ways to set one", async () => {
    const error = await status({ settings: await new Home().load(), signal }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ exitCode: 3, hint: expect.stringContaining("SOLX_API_KEY") });
  });

  test("a refused key is reported with its source", async () => {
    const settings = await new Home().load({ env: { SOLX_API_KEY: KEY } });
    const check = async () => {
      throw new AuthError("Authentication failed", { status: 401 });
    };
    await expect(status({ settings, check, signal })).rejects.toThrow("Source of the key: environment SOLX_API_KEY.");
  });
});

describe("auth logout and token", () => {
  test("logout removes the key, and warns when the environment has one", async () => {
    const home = new Home();
    writeFileSync(home.credentials, JSON.stringify({ default: KEY, work: "x" }), { mode: 0o600 });
    const result = await logout({ settings: await home.load({ env: { SOLX_API_KEY: "other-key" } }), signal });
    expect(result.value).toEqual({ profile: "default", removed: true, place: home.credentials });
    expect(result.notes).toEqual([expect.stringMatching(/^SOLX_API_KEY is set and still provides a key/)]);
    expect(home.keys()).toEqual({ work: "x" });
    expect(strangers(result)).toEqual([]);
  });

  test("logout without a key says so", async () => {
    const { value, notes } = await logout({ settings: await new Home().load(), signal });
    expect(value).toMatchObject({ removed: false });
    expect(notes).toEqual(["Profile default had no saved key."]);
  });

  test("token prints the key itself", async () => {
    const settings = await new Home().load({ env: { SOLX_API_KEY: KEY } });
    expect((await token({ settings, signal })).value).toBe(KEY);
    await expect(token({ settings: await new Home().load(), signal })).rejects.toBeInstanceOf(AuthError);
  });
});

describe("config", () => {
  test("list names every setting with its value and source", async () => {
    const home = new Home().write({ profiles: { default: { timeout: 5 } } });
    const result = configList(await home.load({ env: { SOLX_OUTPUT: "csv" } }));
    const rows = result.value as { name: string; value: Json; source: string }[];
    expect(rows.map(({ name }) => name)).toEqual(ENTRY_NAMES);
    expect(rows).toContainEqual(
      expect.objectContaining({ name: "timeout", value: 5, source: `profile default (${home.config})` }),
    );
    expect(rows).toContainEqual(
      expect.objectContaining({ name: "output", value: "csv", source: "environment SOLX_OUTPUT" }),
    );
    expect(rows).toContainEqual(
      expect.objectContaining({ name: "plan", value: null, source: "default", default: "unknown" }),
    );
    expect(strangers(result)).toEqual([]);
  });

  test("the words of an entry are set one by one", async () => {
    const home = new Home();
    const set = async (name: string, value: string) => configSet({ settings: await home.load(), name, value, signal });
    await set("max-wait", "60 retries=5");
    await set("max-wait", "retries=2");
    await set("units", "day=10M");
    expect(home.read()).toEqual({
      profiles: { default: { "max-wait": 60, retries: 2, "units-per-day": "10000000" } },
    });
    const settings = await home.load();
    expect([settings.get("retries"), settings.get("max-wait"), settings.get("units-per-day")]).toEqual([
      2,
      60,
      "10000000",
    ]);
    await set("retries", "1");
    expect((await home.load()).get("retries")).toBe(1);
    await configUnset({ settings: await home.load(), name: "max-wait", signal });
    expect(home.read()).toEqual({ profiles: { default: { "units-per-day": "10000000" } } });
    await expect(set("max-wait", "retries=many")).rejects.toThrow("for retries of max-wait");
  });

  test("get prints one value", async () => {
    const settings = await new Home().load({ flags: { "max-wait": "4" } });
    expect(configGet(settings, "max-wait").value).toBe(4);
    expect(configGet(await new Home().load({ env: { SOLX_RETRIES: "4" } }), "max_wait").value).toBe("90 retries=4");
    expect(configGet(settings, "plan").value).toBeNull();
    expect(() => configGet(settings, "retry")).toThrow(UsageError);
  });

  test("set applies to the next run", async () => {
    const home = new Home();
    const result = await configSet({ settings: await home.load(), name: "max_wait", value: " 90 ", signal });
    expect(result).toMatchObject({ value: { name: "max-wait", value: 90 }, notes: [] });
    expect(strangers(result)).toEqual([]);
    expect(home.read()).toEqual({ profiles: { default: { "max-wait": 90 } } });
    expect((await home.load()).get("max-wait")).toBe(90);
    await configUnset({ settings: await home.load(), name: "max-wait", signal });
    expect((await home.load()).originOf("max-wait")).toBe("default");
  });

  test("set and unset change only the selected profile", async () => {
    const home = new Home();
    const work = { flags: { profile: "work" }, allowsNewProfile: true };
    await configSet({ settings: await home.load(work), name: "output", value: "csv", signal });
    expect((await home.load()).get("output")).toBeUndefined();
    expect((await home.load(work)).get("output")).toBe("csv");
    const nothing = await configUnset({ settings: await home.load(), name: "output", signal });
    expect(nothing.notes).toEqual([expect.stringContaining("was not set in profile default")]);
    expect((await home.load(work)).get("output")).toBe("csv");
  });

  test("set refuses invalid values and writes nothing", async () => {
    const home = new Home();
    const set = async (name: string, value: string) => configSet({ settings: await home.load(), name, value, signal });
    await expect(set("output", "tabel")).rejects.toMatchObject({ hint: "Did you mean table?" });
    await expect(set("api-key", KEY)).rejects.toMatchObject({ hint: expect.stringContaining("auth login") });
    await expect(set("profile", "nowhere")).rejects.toThrow('unknown profile "nowhere"');
    expect(() => readFileSync(home.config)).toThrow("ENOENT");
  });

  test("set does not change an invalid file", async () => {
    const home = new Home().write("{ broken");
    await expect(configSet({ settings: await home.load(), name: "output", value: "csv", signal })).rejects.toThrow(
      "line 1",
    );
    await expect(configUnset({ settings: await home.load(), name: "output", signal })).rejects.toThrow("line 1");
    expect(readFileSync(home.config, "utf8")).toBe("{ broken");
  });

  test.each([[["config", "set", "output", "csv"]], [["config", "unset", "output"]], [["auth", "login"]]])(
    "%j reports what is wrong with an invalid file once",
    async (argv) => {
      const home = new Home().write("{ broken");
      const { code, stderr } = await runInProcess(argv, { env: { SOLX_HOME: home.path } });
      expect(code).toBe(2);
      expect(stderr.match(/not valid JSON/g)).toHaveLength(1);
    },
  );

  test("the selected profile is set for later runs, and unset", async () => {
    const home = new Home().write({ profiles: { work: {} } });
    await configSet({ settings: await home.load(), name: "profile", value: "work", signal });
    expect((await home.load()).profile).toBe("work");
    await configUnset({ settings: await home.load(), name: "profile", signal });
    expect((await home.load()).profile).toBe("default");
  });

  test("a deleted profile can be deselected", async () => {
    const home = new Home().write({ profile: "gone", profiles: { work: {} } });
    await configSet({ settings: await home.load({ allowsNewProfile: true }), name: "profile", value: "work", signal });
    expect((await home.load()).profile).toBe("work");
  });

  test("set reports that the environment has precedence", async () => {
    const settings = await new Home().load({ env: { SOLX_OUTPUT: "json" } });
    const { notes } = await configSet({ settings, name: "output", value: "csv", signal });
    expect(notes).toEqual(["The environment SOLX_OUTPUT takes precedence while it is set."]);
  });

  test.each([
    ["http://example.com", 1],
    ["https://example.com", 0],
    ["http://127.0.0.1:8080", 0],
    ["http://localhost", 0],
    ["http://[::1]:80", 0],
    ["http://127.0.0.1.example.com", 1],
  ])("set reports that no key would be sent to %s: %i", async (value, count) => {
    const result = await configSet({ settings: await new Home().load(), name: "base-url", value, signal });
    expect(result.notes?.filter((note) => note.includes("plain http"))).toHaveLength(count);
  });

  test("path prints every folder and file", async () => {
    const home = new Home();
    const result = configPath(await home.load());
    expect(result.value).toEqual({
      config: home.config,
      credentials: home.credentials,
      state: `${home.path}/state`,
      cache: `${home.path}/cache`,
    });
    expect(strangers(result)).toEqual([]);
    expect(configPath(await home.load({ env: { SOLX_HOME: undefined } })).notes).toHaveLength(1);
  });

  test("profiles prints server, plan and the location of the key of each", async () => {
    const home = new Home().write({
      profile: "work",
      profiles: { work: { "base-url": "https://all", plan: "level-3" }, odd: { "base-url": "nonsense" } },
    });
    writeFileSync(home.credentials, JSON.stringify({ default: KEY, work: { store: "keychain" } }), { mode: 0o600 });
    const result = configProfiles(await home.load({ env: { SOLX_BASE_URL: "https://other" } }));
    expect(result.value).toEqual([
      {
        name: "default",
        active: false,
        kind: "api",
        server: "https://pro-api.solscan.io/v2.0",
        plan: null,
        key: home.credentials,
      },
      { name: "sandbox", active: false, kind: "sandbox", server: "http://127.0.0.1:8787/v2.0", plan: null, key: null },
      { name: "work", active: true, kind: "api", server: "https://all/v2.0", plan: "level-3", key: "system keychain" },
      { name: "odd", active: false, kind: "api", server: null, plan: null, key: null },
    ]);
    expect(JSON.stringify(result)).not.toContain(KEY);
    expect(strangers(result)).toEqual([]);
  });
});
