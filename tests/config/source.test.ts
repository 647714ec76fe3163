import { describe, expect, test } from "vitest";
import { configGet, configList, configProfiles, configSet } from "../../src/commands/config/config.ts";
import { maskValue, parseValue } from "../../src/config/values.ts";
import { Home, modeOf } from "./helpers.ts";

const KEY = "real-key-0123456789abcdef";
const PROVIDER = "https://node.example/v2/SECRETPATH?api-key=SECRETQUERY";
const { signal } = new AbortController();

const home = () =>
  new Home().write({
    profiles: {
      default: {},
      node: { "rpc-url": PROVIDER, "base-url": "https://api.example" },
      local: { index: "localnet", "rpc-url": "localnet" },
    },
  });

describe("what answers", () => {
  test.each([
    ["nothing is set", {}, "api"],
    ["--rpc", { flags: { "rpc-url": "mainnet" } }, "rpc"],
    ["SOLX_RPC_URL", { env: { SOLX_RPC_URL: "devnet" } }, "rpc"],
    ["a profile with a node and a server", { flags: { profile: "node" } }, "rpc"],
    ["a profile with an index and a node", { flags: { profile: "local" } }, "index"],
    ["--index", { flags: { index: "localnet" } }, "index"],
    ["--rpc over SOLX_SANDBOX", { flags: { "rpc-url": "mainnet" }, env: { SOLX_SANDBOX: "1" } }, "rpc"],
    ["--sandbox over SOLX_RPC_URL", { sandbox: true, env: { SOLX_RPC_URL: "devnet" } }, "sandbox"],
    [
      "SOLX_BASE_URL over a profile",
      { flags: { profile: "node" }, env: { SOLX_BASE_URL: "https://x.example" } },
      "api",
    ],
    ["SOLX_API_KEY leaves a profile alone", { flags: { profile: "node" }, env: { SOLX_API_KEY: KEY } }, "rpc"],
    ["--rpc off", { flags: { profile: "node", "rpc-url": "off" } }, "api"],
    ["SOLX_RPC_URL=off", { flags: { profile: "node" }, env: { SOLX_RPC_URL: "off" } }, "api"],
    ["--index off leaves the node", { flags: { profile: "local", index: "off" } }, "rpc"],
  ] as const)("%s", async (_how, options, source) => {
    expect((await home().load(options)).source).toBe(source);
  });

  test.each([
    [{ sandbox: true, flags: { "rpc-url": "mainnet" } }, "--sandbox and --rpc cannot be used together"],
    [{ flags: { "rpc-url": "mainnet", index: "one" } }, "--index and --rpc cannot be used together"],
  ])("%j is refused", async (options, message) => {
    await expect(home().load(options)).rejects.toThrow(message);
  });

  test("a node gets no key, and a profile is a way back to its server and key", async () => {
    const env = { SOLX_API_KEY: KEY };
    const settings = await home().load({ flags: { profile: "node" }, env });
    expect([await settings.key(), settings.node()]).toEqual([undefined, { url: PROVIDER, name: "node.example" }]);
    const back = await home().load({ flags: { profile: "node", "rpc-url": "off" }, env });
    expect([(await back.key())?.value, back.node(), back.get("base-url-v2")]).toEqual([
      KEY,
      undefined,
      "https://api.example/v2.0",
    ]);
  });

  test("an invalid node of a profile is not replaced by the API", async () => {
    const settings = await new Home().write({ profiles: { default: { "rpc-url": "ftp://SECRET" } } }).load();
    expect(settings.source).toBe("rpc");
    expect(() => settings.node()).toThrow(/^invalid value for rpc-url of profile default/);
    expect(settings.warnings.join()).not.toContain("SECRET");
  });
});

describe("the URL of a node", () => {
  test.each([
    ["mainnet-beta", "mainnet"],
    ["LOCALHOST", "localnet"],
    ["http://[::1]:8899/", "http://[::1]:8899"],
    [`${PROVIDER}#top`, PROVIDER],
  ])("%s is %s", (text, value) => {
    expect(parseValue("rpc-url", text)).toBe(value);
  });

  test.each([
    ["mainet", /invalid value "mainet" for --rpc: expected mainnet, devnet/, "Did you mean mainnet?"],
    ["node.example/SECRET", /^(?!.*SECRET)invalid value for --rpc/, "Start the URL with http:// or https://."],
    ["ws://node.example/SECRET", /^(?!.*SECRET)/, "Start the URL with http:// or https://."],
    ["0123456789abcdefSECRET", /^(?!.*SECRET)/, undefined],
  ])("%s is refused", (text, message, hint) => {
    const failure = (() => {
      try {
        return parseValue("rpc-url", text, { origin: "--rpc" });
      } catch (error) {
        return error;
      }
    })();
    expect(failure).toMatchObject({ exitCode: 2, message: expect.stringMatching(message), hint });
  });

  test("user and password are part of it, and masked", () => {
    const value = parseValue("rpc-url", "https://me:SECRET@node.example");
    expect([value, maskValue("rpc-url", value)]).toEqual([
      "https://me:SECRET@node.example/",
      "https://node.example/***",
    ]);
  });

  test.each([
    [
      "redis+sentinel://u:hush@a:1,b/name?sentinel-password=quiet",
      "redis+sentinel://u:***@a:1,b/name?sentinel-password=***",
    ],
    ["rediss+cluster://:hush@a,b:2", "rediss+cluster://:***@a,b:2"],
    ["unix://u:hush@/run/redis.sock?db=2", "unix://u:***@/run/redis.sock?db=2"],
  ])("the password of a server of the rate limit is masked: %s", (text, masked) => {
    expect(maskValue("budget", parseValue("budget", text))).toBe(masked);
  });

  test("lists mask what may be a key, and only config get prints it", async () => {
    const settings = await home().load({ flags: { profile: "node" } });
    const lists = JSON.stringify([configList(settings), configProfiles(settings)]);
    expect(lists).toContain("https://node.example/***");
    expect(lists).not.toContain("SECRET");
    expect(configGet(settings, "rpc-url").value).toBe(PROVIDER);
    const rows = configProfiles(settings).value as { name: string; kind: string }[];
    expect(Object.fromEntries(rows.map(({ name, kind }) => [name, kind]))).toEqual({
      default: "api",
      sandbox: "sandbox",
      node: "rpc",
      local: "index",
    });
  });

  test("config set saves it in a file for its owner only, and prints the host", async () => {
    const fresh = new Home();
    const settings = await fresh.load({ flags: { profile: "dev" }, allowsNewProfile: true });
    const result = await configSet({ settings, name: "rpc-url", value: PROVIDER, signal });
    expect(JSON.stringify(result)).not.toContain("SECRET");
    expect(fresh.read()).toEqual({ profiles: { dev: { "rpc-url": PROVIDER } } });
    expect(modeOf(fresh.config)).toBe(0o600);
  });
});
