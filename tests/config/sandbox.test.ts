import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/base/errors.ts";
import { SERVERS } from "../../src/catalogue/index.ts";
import { configList, configProfiles, configSet } from "../../src/commands/config/config.ts";
import { Home } from "./helpers.ts";

const KEY = "real-key-0123456789abcdef";
const { signal } = new AbortController();

describe("the built-in profile", () => {
  test.each([
    ["--sandbox", { sandbox: true }, "flag --sandbox"],
    ["SOLX_SANDBOX", { env: { SOLX_SANDBOX: "1" } }, "environment SOLX_SANDBOX"],
    ["--profile", { flags: { profile: "sandbox" } }, "flag --profile"],
    ["SOLX_PROFILE", { env: { SOLX_PROFILE: "sandbox" } }, "environment SOLX_PROFILE"],
  ])("%s selects it", async (_how, options, origin) => {
    const settings = await new Home().load(options);
    expect([settings.sandbox, settings.profile, settings.originOf("profile")]).toEqual([true, "sandbox", origin]);
    expect(settings.baseUrls()).toEqual({
      v2: "http://127.0.0.1:8787/v2.0",
      legacy: "http://127.0.0.1:8787/v1.0",
      public: "http://127.0.0.1:8787",
      node: SERVERS.node,
    });
  });

  test("the file selects it, and the profile of a flag has precedence", async () => {
    const home = new Home().write({ profile: "sandbox", profiles: { work: {} } });
    expect((await home.load()).sandbox).toBe(true);
    expect((await home.load({ flags: { profile: "work" } })).sandbox).toBe(false);
    expect((await home.load({ flags: { profile: "work" }, env: { SOLX_SANDBOX: "on" } })).sandbox).toBe(false);
    expect((await new Home().load({ env: { SOLX_SANDBOX: "0" } })).sandbox).toBe(false);
  });

  test("no saved key is read", async () => {
    const settings = await new Home().load({
      sandbox: true,
      flags: { "api-key": KEY },
      env: { SOLX_API_KEY: KEY, SOLX_SANDBOX_SEED: "other" },
    });
    expect(await settings.key()).toEqual({ value: "sandbox-key-other", source: "the sandbox", notes: [] });
  });

  test("file, environment and options do not change its server", async () => {
    const home = new Home().write({ profiles: { sandbox: { "base-url": "https://evil", "sandbox-seed": "mine" } } });
    const env = { SOLX_BASE_URL_V2: "https://evil", SOLX_BASE_URL: "https://evil", SOLX_KEY_HEADER: "x-other" };
    const settings = await home.load({ sandbox: true, env });
    expect(settings.get("base-url-v2")).toBe("http://127.0.0.1:8787/v2.0");
    expect(settings.get("base-url")).toBe("http://127.0.0.1:8787");
    expect(settings.get("key-header")).toBe("token");
    expect(settings.get("sandbox-seed")).toBe("mine");
    expect(settings.warnings).toEqual(["The sandbox answers in process: base-url of its profile is ignored."]);
  });

  test.each([
    [{ sandbox: true, flags: { profile: "work" } }, /cannot be used together/],
    [{ env: { SOLX_SANDBOX: "perhaps" } }, /^invalid value "perhaps" for SOLX_SANDBOX: expected on or off/],
    [{ sandbox: true, env: { SOLX_SANDBOX_SIZE: "11" } }, /from 0\.02 to 10/],
    [{ sandbox: true, env: { SOLX_SANDBOX_HOSTILE: "rather" } }, /on or off/],
  ])("%j is refused", async (options, message) => {
    const failure = await new Home().load(options).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as UsageError).message).toMatch(message);
  });

  test("config set changes its data, not its server", async () => {
    const home = new Home();
    const settings = await home.load({ sandbox: true });
    await configSet({ settings, name: "sandbox", value: "hostile=true", signal });
    await configSet({ settings, name: "sandbox", value: "now=2024-07-05", signal });
    expect(home.read()).toEqual({
      profiles: { sandbox: { "sandbox-hostile": "on", "sandbox-now": "2024-07-05" } },
    });
    for (const [name, value] of [
      ["base-url", "https://x"],
      ["base-url-v2", "https://x"],
      ["sandbox", "now=soon"],
      ["sandbox", "seed=a b"],
    ] as const) {
      await expect(configSet({ settings, name, value, signal })).rejects.toThrow(UsageError);
    }
  });

  test("a note says that its settings have no effect in another profile", async () => {
    const { notes } = await configSet({ settings: await new Home().load(), name: "sandbox", value: "size=2", signal });
    expect(notes).toEqual([
      "It only applies to the sandbox, which has its own profile: solx config set sandbox size=2 --sandbox",
    ]);
  });

  test("is listed", async () => {
    const settings = await new Home().load({ sandbox: true });
    expect(configProfiles(settings).value).toMatchObject([{ name: "default" }, { name: "sandbox", active: true }]);
    expect(configList(settings).value).toContainEqual(
      expect.objectContaining({ name: "base-url", source: "profile sandbox (built in)" }),
    );
  });
});
