/** A key that is taken up while the explorer runs: asked about, kept where it was said, and used from then on. */
import { describe, expect, test } from "vitest";
import { AuthError } from "../../src/base/errors.ts";
import type { Client } from "../../src/client/index.ts";
import type { ExplorerContext } from "../../src/commands/explore/context.ts";
import { createKeySession } from "../../src/commands/explore/key-session.ts";
import { Home, modeOf } from "../config/helpers.ts";

const GOOD = "good-key-0123456789";
const { signal } = new AbortController();

/** A run whose clients know one good key. */
function inside() {
  const log: string[] = [];
  const closers: (() => Promise<void>)[] = [];
  const clientFor = async (_settings: unknown, key: string) =>
    ({
      key,
      fetch: async () => {
        log.push(`asked with ${key}`);
        if (key !== GOOD) throw new AuthError("Unauthorized.", { status: 401 });
        return { data: {} };
      },
      close: async () => void log.push(`closed ${key}`),
    }) as unknown as Client;
  const frame = { clientFor, client: () => clientFor(undefined, "none") };
  const run = {
    frame,
    alsoClose: (close: () => Promise<void>) => void closers.push(close),
  } as unknown as ExplorerContext;
  return { run, log, close: () => Promise.all(closers.map((one) => one())) };
}

const keyOf = async (client: Promise<Client>) => ((await client) as unknown as { readonly key: string }).key;

describe("a key that is entered", () => {
  test("is used once the API took it, kept for the profile in a file of the user's own, and told by its end", async () => {
    const home = new Home().write({ profiles: { default: { "key-store": "file" } } });
    const { run, log, close } = inside();
    const use = createKeySession(await home.load(), run, signal);
    expect(await keyOf(use.client())).toBe("none");
    expect(use.hasKey()).toBe(false);
    expect(use.entry.storage).toContain(home.credentials);
    await expect(use.entry.submit("a-wrong-key-12345", true, signal)).rejects.toThrow(
      /does not accept the key \*{4}2345/,
    );
    expect([await keyOf(use.client()), home.keys()]).toEqual(["none", {}]);
    const { message: told, notes: more } = await use.entry.submit(` ${GOOD}\n`, true, signal);
    expect(told).toMatch(/^Key \*{4}\S+ is in use and kept in the file credentials\.json\.$/);
    expect([told, ...more].join()).not.toContain(GOOD);
    expect([await keyOf(use.client()), use.hasKey(), home.keys()]).toEqual([GOOD, true, { default: GOOD }]);
    expect(modeOf(home.credentials)).toBe(0o600);
    await close();
    expect(log.at(-1)).toBe(`closed ${GOOD}`);
  });

  test("is kept nowhere when it is for this session, and not used when it was given up", async () => {
    const home = new Home();
    const { run } = inside();
    const use = createKeySession(await home.load(), run, signal);
    await expect(use.entry.submit(GOOD, true, AbortSignal.abort())).rejects.toThrow();
    expect([await keyOf(use.client()), home.keys()]).toEqual(["none", {}]);
    expect((await use.entry.submit(GOOD, false, signal)).message).toMatch(/for this session/);
    expect([await keyOf(use.client()), home.keys()]).toEqual([GOOD, {}]);
  });

  test("says why it cannot be one, and that the environment's goes before it", async () => {
    const home = new Home().write({ profiles: { default: { "key-store": "file" } } });
    const { run } = inside();
    const { entry } = createKeySession(await home.load({ env: { SOLX_API_KEY: "another-key-0000" } }), run, signal);
    expect(entry.validate("")).toMatch(/is empty/);
    expect(entry.validate("two words")).toMatch(/white space/);
    expect(entry.validate(GOOD)).toBeUndefined();
    const { notes: more } = await entry.submit(GOOD, true, signal);
    expect(more.join("\n")).toMatch(/SOLX_API_KEY is set/);
    expect(more.join("\n")).toContain(home.credentials);
  });

  test.runIf(process.platform === "linux")("is promised to the file where there is no keychain", async () => {
    const home = new Home();
    const { entry } = createKeySession(await home.load(), inside().run, signal);
    await entry.checkStorage?.();
    expect(entry.storage).toContain(home.credentials);
    await expect(entry.submit("a-wrong-key-12345", true, signal)).rejects.toThrow(/The one of before|Nothing was kept/);
  });
});
