import { expect, test } from "vitest";
import { UsageError } from "../../src/base/errors.ts";
import { SERVERS } from "../../src/catalogue/index.ts";
import { getFlag, getSetting, SETTING_NAMES, type SettingName } from "../../src/config/index.ts";
import { settingVariable } from "../../src/config/settings.ts";
import { Home } from "./helpers.ts";

/** For each setting a value per level: flag, environment, profile. */
const VALUES: Readonly<Record<Exclude<SettingName, "profile">, readonly [string, string, string]>> = {
  "base-url": ["https://flag", "https://env", "https://profile"],
  "base-url-v2": ["", "https://env", "https://profile"],
  "base-url-legacy": ["", "https://env", "https://profile"],
  "base-url-public": ["", "https://env", "https://profile"],
  "rpc-url": ["mainnet", "http://127.0.0.1:8899", "https://host/key"],
  commitment: ["processed", "finalized", "processed"],
  index: ["one", "two", "three"],
  "key-header": ["", "x-env", "x-profile"],
  "key-store": ["", "keychain", "file"],
  plan: ["lite", "level-2", "level-3"],
  rate: ["1/2", "200/10", "off"],
  budget: ["machine", "process", "redis://127.0.0.1:6379"],
  "confirm-units": ["1", "2", "3"],
  "units-per-day": ["off", "0", "500000"],
  "request-log": ["", "off", "off"],
  cache: ["fresh", "off", "only"],
  concurrency: ["", "2", "4"],
  numbers: ["", "text", "exact"],
  strict: ["", "on", "off"],
  output: ["json", "csv", "yaml"],
  time: ["iso", "unix", "local"],
  "table-style": ["", "border", "plain"],
  names: ["fetch", "off", "known"],
  color: ["always", "never", "always"],
  links: ["always", "never", "always"],
  theme: ["dark", "light", "mono"],
  timeout: ["1.5", "2.5", "3.5"],
  retries: ["1", "2", "4"],
  "max-wait": ["10", "20", "30"],
  "max-answer": ["8", "16", "24"],
  "jq-timeout": ["100", "200", "400"],
  "ca-cert": ["/flag.pem", "/env.pem", "/profile.pem"],
  "sandbox-seed": ["", "env", "profile"],
  "sandbox-size": ["", "2", "0.5"],
  "sandbox-now": ["", "7d", "2024-07-05"],
  "sandbox-hostile": ["", "on", "on"],
  "sandbox-faults": ["", "503", "hang#2 latency=1s"],
};

test.each(Object.entries(VALUES))("%s: flag over environment over profile over default", async (key, values) => {
  const name = key as SettingName;
  const home = new Home().write({ profiles: { work: { [name]: values[2] } } });
  const flags = { profile: "work", [name]: values[0] || undefined };
  const variable = settingVariable(name);
  const env = { [variable]: values[1] };
  const resolved = (settings: Awaited<ReturnType<Home["load"]>>) => [
    String(settings.get(name)),
    settings.originOf(name),
  ];

  if (getSetting(name).flag) {
    expect(resolved(await home.load({ flags, env }))).toEqual([values[0], `flag ${getFlag(name)}`]);
  }
  expect(resolved(await home.load({ flags: { profile: "work" }, env }))).toEqual([
    values[1],
    `environment ${variable}`,
  ]);
  const fromProfile = [values[2], `profile work (${home.config})`];
  expect(resolved(await home.load({ flags: { profile: "work" } }))).toEqual(fromProfile);
  expect(resolved(await home.load({ flags: { profile: "work" }, env: { [variable]: "" } }))).toEqual(fromProfile);
  expect(resolved(await home.load())).toEqual([String(getSetting(name).default), "default"]);
});

test("values have their types", async () => {
  const settings = await new Home().write({ profiles: { default: { timeout: 12.5, retries: "2" } } }).load();
  expect(settings.get("timeout")).toBe(12.5);
  expect(settings.get("retries")).toBe(2);
  expect(settings.get("output")).toBeUndefined();
});

test("the profile is selected by flag, environment, file, default", async () => {
  const home = new Home().write({ profile: "file", profiles: { file: {}, flag: {}, env: {} } });
  const selected = async (flag?: string, variable?: string) => {
    const settings = await home.load({ flags: { profile: flag }, env: { SOLX_PROFILE: variable } });
    return [settings.profile, settings.get("profile"), settings.originOf("profile")];
  };
  expect(await selected("flag", "env")).toEqual(["flag", "flag", "flag --profile"]);
  expect(await selected(undefined, "env")).toEqual(["env", "env", "environment SOLX_PROFILE"]);
  expect(await selected()).toEqual(["file", "file", `file ${home.config}`]);
  const empty = await new Home().load();
  expect([empty.profile, empty.originOf("profile")]).toEqual(["default", "default"]);
});

test("an unknown profile is refused with a list of profiles", async () => {
  const home = new Home().write({ profiles: { work: {}, play: {} } });
  const error = await home.load({ flags: { profile: "wrok" } }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UsageError);
  expect(error).toMatchObject({ message: 'unknown profile "wrok"' });
  expect((error as UsageError).hint).toMatch(/^Did you mean work\? Profiles: default, sandbox, work, play\./);
  await expect(home.load({ env: { SOLX_PROFILE: "toString" } })).rejects.toThrow("environment SOLX_PROFILE");
  const dangling = new Home().write({ profile: "gone" });
  await expect(dangling.load()).rejects.toThrow(dangling.config);
});

test("a command that creates profiles accepts a new name", async () => {
  expect((await new Home().load({ flags: { profile: "new" }, allowsNewProfile: true })).profile).toBe("new");
});

const DEFAULTS = {
  v2: "https://pro-api.solscan.io/v2.0",
  legacy: "https://pro-api.solscan.io/v1.0",
  public: "https://public-api.solscan.io",
};

test.each([
  { about: "nothing", expected: DEFAULTS },
  {
    about: "one URL for all",
    env: { SOLX_BASE_URL: "http://127.0.0.1:9/x/" },
    expected: { v2: "http://127.0.0.1:9/x/v2.0", legacy: "http://127.0.0.1:9/x/v1.0", public: "http://127.0.0.1:9/x" },
  },
  {
    about: "a family and one URL for all, at the same level",
    env: { SOLX_BASE_URL: "https://all", SOLX_BASE_URL_LEGACY: "https://old/api/" },
    expected: { v2: "https://all/v2.0", legacy: "https://old/api", public: "https://all" },
  },
  {
    about: "one URL for all over a family at a lower level",
    env: { SOLX_BASE_URL: "https://all" },
    profile: { "base-url-v2": "https://mine" },
    expected: { v2: "https://all/v2.0", legacy: "https://all/v1.0", public: "https://all" },
  },
  {
    about: "a family over one URL for all at a lower level",
    env: { SOLX_BASE_URL_V2: "https://mine" },
    profile: { "base-url": "https://all" },
    expected: { v2: "https://mine", legacy: "https://all/v1.0", public: "https://all" },
  },
  {
    about: "each family by itself",
    profile: { "base-url-v2": "https://a", "base-url-legacy": "https://b", "base-url-public": "https://c" },
    expected: { v2: "https://a", legacy: "https://b", public: "https://c" },
  },
])("servers: $about", async ({ env = {}, profile = {}, expected }) => {
  const home = new Home().write({ profiles: { default: profile } });
  const settings = await home.load({ env });
  expect(settings.baseUrls()).toEqual({ ...expected, node: SERVERS.node });
});

test("the origin of a family's URL is that of the general one", async () => {
  const settings = await new Home().load({ env: { SOLX_BASE_URL: "https://all" } });
  expect(settings.originOf("base-url-v2")).toBe("environment SOLX_BASE_URL");
});

test.each([
  [{ flags: { output: "jsn" } }, "--output"],
  [{ flags: { timeout: "" } }, "--timeout"],
  [{ env: { SOLX_RETRIES: "many" } }, "SOLX_RETRIES"],
])("an invalid flag or variable stops the run: %j", async (options, subject) => {
  const error = await new Home().load(options).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UsageError);
  expect((error as UsageError).message).toContain(` for ${subject}: expected `);
});

test("invalid values of the profile are reported and ignored", async () => {
  const invalid = { output: "jsn", timeout: true, time: null, "max-wait": 5, retries: "many" };
  const home = new Home().write({ profiles: { default: invalid } });
  const settings = await home.load();
  expect(settings.get("output")).toBeUndefined();
  expect(settings.get("timeout")).toBe(30);
  expect(settings.originOf("timeout")).toBe("default");
  expect(settings.get("max-wait")).toBe(5);
  expect(settings.warnings).toHaveLength(3);
  for (const name of ["output", "timeout", "retries"]) {
    expect(settings.warnings).toContainEqual(
      expect.stringMatching(new RegExp(`for ${name} of profile default \\(${home.config}\\).*ignored`)),
    );
  }
});

test("an invalid URL of the profile is never replaced by another server", async () => {
  const home = new Home().write({ profiles: { default: { "base-url": "localhost:8080" } } });
  const settings = await home.load();
  expect(settings.warnings).toHaveLength(1);
  expect(() => settings.baseUrls()).toThrow(UsageError);
  expect((await home.load({ env: { SOLX_BASE_URL: "http://localhost:8080" } })).baseUrls().v2).toBe(
    "http://localhost:8080/v2.0",
  );
});

test("unknown entries are reported with verbose only", async () => {
  const home = new Home().write({ later: 1, profiles: { default: { "new-thing": 1 } } });
  expect((await home.load()).warnings).toEqual([]);
  const { warnings } = await home.load({ verbose: true });
  expect(warnings.join()).toMatch(/later.*new-thing/);
});

test("every setting resolves", async () => {
  const settings = await new Home().load();
  for (const name of SETTING_NAMES) expect(settings.resolve(name).level).toBe("default");
});
