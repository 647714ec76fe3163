import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AuthError, InterruptedError, UsageError } from "../../src/base/errors.ts";
import { readSavedEntry, removeKey, requestKeychain, saveKey } from "../../src/config/credentials.ts";
import { fakeKeychain, Home, modeOf } from "./helpers.ts";

const KEY = "secret-key-0123456789";
const posix = process.platform !== "win32";

describe("which key is used", () => {
  const stored = () => {
    const home = new Home().write({ profiles: { work: {} } });
    writeFileSync(home.credentials, JSON.stringify({ default: "stored-default", work: "stored-work" }), {
      mode: 0o600,
    });
    return home;
  };
  const env = { SOLX_API_KEY: "of-solx", SOLSCAN_API_KEY: "of-solscan" };

  test.each([
    ["SOLX_API_KEY first", env, { value: "of-solx", source: "environment SOLX_API_KEY" }],
    [
      "then SOLSCAN_API_KEY",
      { ...env, SOLX_API_KEY: " " },
      { value: "of-solscan", source: "environment SOLSCAN_API_KEY" },
    ],
  ] as const)("%s", async (_about, variables, expected) => {
    const home = stored();
    const settings = await home.load({ env: variables });
    expect(await settings.key()).toEqual({ ...expected, notes: [] });
  });

  test("then the profile's", async () => {
    const home = stored();
    const settings = await home.load({ flags: { profile: "work" } });
    expect(await settings.key()).toEqual({
      value: "stored-work",
      source: `profile work (${home.credentials})`,
      notes: [],
    });
  });

  test("no key is no error", async () => {
    expect(await (await new Home().load()).key()).toBeUndefined();
    expect(await (await new Home().load({ env: { SOLX_HOME: undefined } })).key()).toBeUndefined();
  });

  test("an invalid key is refused with its origin, and only where a key is needed", async () => {
    const settings = await new Home().load({ env: { SOLX_API_KEY: "two words" } });
    expect(settings.get("color")).toBe("auto");
    await expect(settings.key()).rejects.toThrow("SOLX_API_KEY contains white space.");
  });

  test("a key of the environment needs no keys file", async () => {
    const home = stored();
    writeFileSync(home.credentials, "{{{");
    expect(await (await home.load({ env })).key()).toMatchObject({ value: "of-solx" });
    const error = await (await home.load()).key().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ message: `${home.credentials} is not valid JSON (line 1, column 2).` });
  });

  test("the content of an invalid keys file is not in the message", async () => {
    const home = stored();
    writeFileSync(home.credentials, `{"default": "${KEY}" x}`);
    const error = await (await home.load()).key().catch((reason: unknown) => reason);
    expect(`${(error as UsageError).message}${(error as UsageError).hint}`).not.toContain(KEY);
    writeFileSync(home.credentials, JSON.stringify({ default: [KEY] }));
    await expect((await home.load()).key()).rejects.toThrow(`The entry of profile default in ${home.credentials}`);
  });
});

describe("the keys file", () => {
  test.runIf(posix)("has mode 0600", async () => {
    const home = new Home();
    const { owner } = await home.load();
    expect(await saveKey(owner, KEY, "file")).toEqual({ location: home.credentials, notes: [] });
    expect(modeOf(home.credentials)).toBe(0o600);
    expect(home.keys()).toEqual({ default: KEY });
  });

  test.runIf(posix).each([0o644, 0o640, 0o666, 0o604])("gets mode 0600 when its mode is %o", async (mode) => {
    const home = new Home();
    writeFileSync(home.credentials, JSON.stringify({ default: KEY }));
    chmodSync(home.credentials, mode);
    const key = await (await home.load()).key();
    expect(key?.value).toBe(KEY);
    expect(key?.notes).toEqual([expect.stringContaining(`mode 0${mode.toString(8)}`)]);
    expect(key?.notes.join()).not.toContain(KEY);
    expect(modeOf(home.credentials)).toBe(0o600);
    expect((await (await home.load()).key())?.notes).toEqual([]);
  });

  describe.runIf(posix)("on Windows", () => {
    /** A home on Windows, whose program for access lists records its arguments, or fails. */
    const onWindows = (script: string) => {
      const home = new Home();
      const system = join(home.path, "System32");
      mkdirSync(system);
      writeFileSync(join(system, "icacls.exe"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const env = { SystemRoot: home.path, USERDOMAIN: "OFFICE" };
      const owner = {
        profile: "default",
        paths: { config: home.path, state: undefined, cache: undefined },
        keychain: { env, platform: "win32" as const },
      };
      return { home, owner, argumentsFile: join(home.path, "arguments") };
    };

    test("is restricted to its owner after each change", async () => {
      const { home, owner, argumentsFile } = onWindows(`printf "%s\\n" "$@" > "\${0%/*}/../arguments"`);
      expect(await saveKey(owner, KEY, "file")).toEqual({ location: home.credentials, notes: [] });
      const user = `OFFICE\\${userInfo().username}:F`;
      const expected = [home.credentials, "/inheritance:r", "/grant:r", user, "*S-1-5-18:F"];
      expect(readFileSync(argumentsFile, "utf8").trim().split("\n")).toEqual(expected);
      rmSync(argumentsFile);
      expect((await removeKey(owner)).notes).toEqual([]);
      expect(existsSync(argumentsFile)).toBe(true);
    });

    test("is saved with a note when that fails", async () => {
      const { home, owner } = onWindows('echo "Access is denied." >&2; exit 5');
      const { notes } = await saveKey(owner, KEY, "file");
      expect(notes).toEqual([expect.stringMatching(/^Other users may be able to read .*\(Access is denied\.\)\.$/)]);
      expect(home.keys()).toEqual({ default: KEY });
    });
  });

  test("stays as it is when it cannot be read", async () => {
    const home = new Home();
    writeFileSync(home.credentials, "not json");
    const { owner } = await home.load();
    await expect(saveKey(owner, KEY, "file")).rejects.toThrow(home.credentials);
    await expect(removeKey(owner)).rejects.toThrow(home.credentials);
    expect(readFileSync(home.credentials, "utf8")).toBe("not json");
  });

  test("loses the key of one profile only", async () => {
    const home = new Home();
    writeFileSync(home.credentials, JSON.stringify({ default: KEY, work: "other" }), { mode: 0o600 });
    const { owner } = await home.load();
    expect(await removeKey(owner)).toEqual({ location: home.credentials, notes: [] });
    expect(home.keys()).toEqual({ work: "other" });
    expect(await removeKey(owner)).toEqual({ location: undefined, notes: [] });
  });
});

describe("the system keychain", () => {
  test("has the key instead of the file", async () => {
    const home = new Home();
    const keychain = fakeKeychain("works");
    const settings = await home.load({ keychain: keychain.options });
    expect(await saveKey(settings.owner, KEY, "keychain")).toEqual({ location: "system keychain", notes: [] });
    expect(readFileSync(home.credentials, "utf8")).not.toContain(KEY);
    expect(await settings.key()).toEqual({ value: KEY, source: "profile default (system keychain)", notes: [] });
    expect(readFileSync(join(keychain.root, "argv"), "utf8")).not.toContain(KEY);
    expect(await removeKey(settings.owner)).toEqual({ location: "system keychain", notes: [] });
    expect(readdirSync(keychain.entries)).toEqual([]);
    expect(home.keys()).toEqual({});
  });

  test("has one entry per profile and folder", async () => {
    const keychain = fakeKeychain("works");
    const one = await new Home().load({ keychain: keychain.options });
    const two = await new Home().load({ keychain: keychain.options });
    await saveKey(one.owner, "key-one", "keychain");
    await saveKey(two.owner, "key-two", "keychain");
    await saveKey({ ...two.owner, profile: "work" }, "key-three", "keychain");
    expect([(await one.key())?.value, (await two.key())?.value]).toEqual(["key-one", "key-two"]);
    expect(readdirSync(keychain.entries)).toHaveLength(3);
  });

  test("is not accessed when the environment or the file has the key", async () => {
    const home = new Home();
    const keychain = fakeKeychain("works");
    const isAccessed = () => existsSync(join(keychain.root, "argv"));
    const loaded = (options: Parameters<Home["load"]>[0]) => home.load({ ...options, keychain: keychain.options });
    writeFileSync(home.credentials, JSON.stringify({ default: { store: "keychain" }, work: KEY }), { mode: 0o600 });
    home.write({ profiles: { work: {} } });
    await (await loaded({ env: { SOLX_API_KEY: KEY } })).key();
    await (await loaded({ flags: { profile: "work" } })).key();
    expect(isAccessed()).toBe(false);
    await (await loaded({})).key().catch(() => {});
    expect(isAccessed()).toBe(true);
  });

  test.each([
    ["hangs", "did not answer within 0.3 seconds"],
    ["crashes", "cannot be used on this machine"],
    ["babbles", "cannot be used on this machine"],
    ["refuses", "is locked"],
  ] as const)("that %s is replaced by the file, with a note", async (behaviour, reason) => {
    const home = new Home();
    const keychain = { ...fakeKeychain(behaviour).options, ...(behaviour === "hangs" ? { limit: 300 } : {}) };
    const settings = await home.load({ keychain });
    const { location, notes } = await saveKey(settings.owner, KEY, "keychain");
    expect(location).toBe(home.credentials);
    expect(notes).toEqual([
      `The system keychain ${reason}: the key was saved in ${home.credentials} (mode 0600) instead.`,
    ]);
    expect(await settings.key()).toMatchObject({ value: KEY });
  });

  test.each([
    ["hangs", "did not answer"],
    ["crashes", "cannot be used"],
    ["works", "no longer contains it"],
  ] as const)("that %s and should have the key: the error says so", async (behaviour, reason) => {
    const home = new Home();
    writeFileSync(home.credentials, JSON.stringify({ default: { store: "keychain" } }), { mode: 0o600 });
    const keychain = { ...fakeKeychain(behaviour).options, ...(behaviour === "hangs" ? { limit: 300 } : {}) };
    const error = await (await home.load({ keychain })).key().catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(AuthError);
    expect(error).toMatchObject({
      message: expect.stringContaining(reason),
      hint: expect.stringContaining("SOLX_API_KEY"),
    });
  });

  test("is not accessed without a session bus on Linux", async () => {
    const keychain = fakeKeychain("works");
    const options = { ...keychain.options, platform: "linux" as const, env: {} };
    const answer = await requestKeychain({ action: "get", account: "x" }, options);
    expect(answer).toMatchObject({ ok: false, reason: expect.stringContaining("DBUS_SESSION_BUS_ADDRESS") });
    expect(existsSync(join(keychain.root, "argv"))).toBe(false);
  });

  test("can be interrupted", async () => {
    const controller = new AbortController();
    const options = { ...fakeKeychain("hangs").options, env: {}, limit: 60_000 };
    const answer = requestKeychain({ action: "get", account: "x" }, options, controller.signal);
    controller.abort();
    await expect(answer).rejects.toBeInstanceOf(InterruptedError);
  });

  test("ignores NODE_OPTIONS of the program", async () => {
    const options = { ...fakeKeychain("works").options, env: { NODE_OPTIONS: "--no-such-option" } };
    expect(await requestKeychain({ action: "get", account: "x" }, options)).toEqual({ ok: true });
  });

  test("loses its entry when a key is saved in the file", async () => {
    const home = new Home();
    const keychain = fakeKeychain("works");
    const { owner } = await home.load({ keychain: keychain.options });
    await saveKey(owner, "old-key-in-keychain", "keychain");
    await saveKey(owner, KEY, "file");
    expect(readdirSync(keychain.entries)).toEqual([]);
    expect(home.keys()).toEqual({ default: KEY });
    expect(readSavedEntry(owner).saved).toMatchObject({ store: "file" });
  });

  test("loses a key whose mark could not be saved", async () => {
    const home = new Home();
    const keychain = fakeKeychain("works");
    const { owner } = await home.load({ keychain: keychain.options });
    writeFileSync(`${home.path}/file`, "");
    const elsewhere = { ...owner, paths: { ...owner.paths, config: `${home.path}/file` } };
    await expect(saveKey(elsewhere, KEY, "keychain")).rejects.toThrow("not a folder");
    expect(readdirSync(keychain.entries)).toEqual([]);
  });

  test("is accessed by the real worker, which always answers", async () => {
    const missing = join(new Home().path, "no-bus");
    mkdirSync(missing);
    const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${missing}/socket` };
    const answer = await requestKeychain({ action: "get", account: "solx-test" }, { env, limit: 30_000 });
    if (!answer.ok) expect(answer.reason).toMatch(/^(cannot be used \(|did not answer)/);
  });
});
