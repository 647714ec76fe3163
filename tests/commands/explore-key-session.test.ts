/** Entering an API key in the explorer: it is checked, saved where requested, and used from then on. */
import { describe, expect, test } from "vitest";
import { AuthError } from "../../src/base/errors.ts";
import { createKeySession } from "../../src/commands/explore/key-session.ts";
import type { RunContext } from "../../src/commands/run/context.ts";
import type { ConnectedClient } from "../../src/sources/index.ts";
import { Home, modeOf } from "../config/helpers.ts";

const GOOD = "good-key-0123456789";
const { signal } = new AbortController();

/** A run whose clients accept one key. */
function createTestContext() {
  const log: string[] = [];
  const closers: (() => Promise<void>)[] = [];
  const clientFor = async (_settings: unknown, key = "none") =>
    ({
      key,
      fetch: async () => {
        log.push(`checked ${key}`);
        if (key !== GOOD) throw new AuthError("Unauthorized.", { status: 401 });
        return { data: { ok: true } };
      },
      close: async () => void log.push(`closed ${key}`),
    }) as unknown as ConnectedClient;
  const onClose = (close: () => Promise<void>) => void closers.push(close);
  const session = { clientFor, onClose };
  const context = { session } as unknown as RunContext;
  return { context, log, close: () => Promise.all(closers.map((one) => one())) };
}

const keyOf = async (client: Promise<ConnectedClient>) => ((await client) as unknown as { readonly key: string }).key;

describe("an entered key", () => {
  test("is used once the API accepts it, saved in a private file, and shown masked", async () => {
    const home = new Home().write({ profiles: { default: { "key-store": "file" } } });
    const { context, log, close } = createTestContext();
    const session = createKeySession(await home.load(), context, signal);
    expect(await keyOf(session.client())).toBe("none");
    expect(session.hasKey()).toBe(false);
    expect(session.entry.storage).toContain(home.credentials);
    await expect(session.entry.submit("a-wrong-key-12345", true, signal)).rejects.toThrow(
      /does not accept the key \*{4}2345/,
    );
    expect([await keyOf(session.client()), home.keys()]).toEqual(["none", {}]);
    const { message, notes } = await session.entry.submit(` ${GOOD}\n`, true, signal);
    expect(message).toMatch(/^Key \*{4}\S+ is in use and saved in the file credentials\.json\.$/);
    expect([message, ...notes].join()).not.toContain(GOOD);
    expect([await keyOf(session.client()), session.hasKey(), home.keys()]).toEqual([GOOD, true, { default: GOOD }]);
    expect(modeOf(home.credentials)).toBe(0o600);
    await close();
    expect(log.slice(-2)).toEqual([`closed ${GOOD}`, "closed none"]);
  });

  test("is not saved when it is for this session only, and not used when the check is aborted", async () => {
    const home = new Home();
    const { context } = createTestContext();
    const session = createKeySession(await home.load(), context, signal);
    await expect(session.entry.submit(GOOD, true, AbortSignal.abort())).rejects.toThrow();
    expect([await keyOf(session.client()), home.keys()]).toEqual(["none", {}]);
    expect((await session.entry.submit(GOOD, false, signal)).message).toMatch(/for this session/);
    expect([await keyOf(session.client()), home.keys()]).toEqual([GOOD, {}]);
  });

  test("is validated, and a note says that the environment takes precedence", async () => {
    const home = new Home().write({ profiles: { default: { "key-store": "file" } } });
    const { context } = createTestContext();
    const { entry } = createKeySession(await home.load({ env: { SOLX_API_KEY: "another-key-0000" } }), context, signal);
    expect(entry.validate("")).toMatch(/is empty/);
    expect(entry.validate("two words")).toMatch(/white space/);
    expect(entry.validate(GOOD)).toBeUndefined();
    const { notes } = await entry.submit(GOOD, true, signal);
    expect(notes.join("\n")).toMatch(/SOLX_API_KEY is set/);
    expect(notes.join("\n")).toContain(home.credentials);
  });

  test.runIf(process.platform === "linux")(
    "is announced to be saved in the file when there is no keychain",
    async () => {
      const home = new Home();
      const { entry } = createKeySession(await home.load(), createTestContext().context, signal);
      await entry.checkStorage?.();
      expect(entry.storage).toContain(home.credentials);
      await expect(entry.submit("a-wrong-key-12345", true, signal)).rejects.toThrow(
        /The previous key|Nothing was saved/,
      );
    },
  );
});
