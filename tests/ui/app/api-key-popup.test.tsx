import { describe, expect, test } from "vitest";
import { AuthError } from "../../../src/base/errors.ts";
import { EMPTY_FIELD, insertKeyText, maskKey } from "../../../src/ui/app/api-key.tsx";
import type { ApiKeyEntry } from "../../../src/ui/navigation/services.ts";
import { fakeData, fakeServices, renderExplorer } from "../support.tsx";

const KEY = "eyJhbGciOi.J9secretpart.Zx81";
const TOKEN = "v2-token-meta";
const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

function entryThat(accepts: (key: string) => boolean) {
  const entered: [string, boolean][] = [];
  const entry: ApiKeyEntry = {
    storage: "file /home/me/credentials.json, which only you can read",
    validate: (text) => (text === "" ? "The key is empty." : undefined),
    submit: async (text, save) => {
      entered.push([text, save]);
      if (!accepts(text)) throw new AuthError("The API does not accept the key.", { hint: "Copy it once more." });
      return { message: "The key ****Zx81 is in use and saved.", notes: [] };
    },
  };
  return { entry, entered };
}

const identity = { ...fakeServices().identity, isSandbox: false, hasKey: false, profile: "work" };

describe("entering an API key", () => {
  test("prompts without a key, checks it, rejects it with a reason, then uses it at once; never displays it", async () => {
    const { entry, entered } = entryThat((key) => key === KEY);
    const data = fakeData({ [TOKEN]: new AuthError("Unauthorized.") });
    const place = { kind: "endpoint", endpointRoute: TOKEN, params: { address: MINT } } as const;
    const logged: string[] = [];
    const services = { identity, apiKeyEntry: entry, log: (text: string) => void logged.push(text) };
    const window = renderExplorer({ route: place, data, services });
    await window.waitFor(/k +enter a key/);
    await window.press("k");
    await window.waitFor(/key for profile work/);
    await window.press("enter");
    await window.waitFor(/The key is empty/);
    await window.paste(" wrong-key-of-some-length\r\n");
    await window.press("enter");
    expect(await window.waitFor(/does not accept the key/)).toMatch(/Copy it once more/);
    await window.press("ctrl+u");
    await window.paste(`\n${KEY}\n`);
    expect(await window.waitFor(/•Zx81 {2}\(28 characters\)/)).not.toContain("secretpart");
    await window.press("tab");
    await window.waitFor(/‹ this session only ›/);
    data.setAnswers({ [TOKEN]: { address: MINT, name: "USD Coin" } });
    const before = data.requests.length;
    await window.press("enter");
    await window.waitFor(/The key \*\*\*\*Zx81 is in use/);
    expect(entered).toEqual([
      ["wrong-key-of-some-length", true],
      [KEY, false],
    ]);
    expect(data.requests.length).toBeGreaterThan(before);
    await window.waitFor(/USD Coin/);
    expect(logged.join()).not.toContain("secretpart");
    await window.press(":");
    expect(await window.waitFor(/go to/)).not.toMatch(/secretpart|Zx81/);
  });

  test("K opens the popup everywhere, Esc closes it, and a sandbox needs no key", async () => {
    const { entry } = entryThat(() => true);
    const window = renderExplorer({ services: { identity: { ...identity, hasKey: true }, apiKeyEntry: entry } });
    await window.waitFor(/\? help/);
    await window.press("K");
    await window.waitFor(/API key/);
    await window.press("esc");
    expect(window.frame()).not.toMatch(/─ API key/);
    const sandbox = renderExplorer();
    await sandbox.waitFor(/\? help/);
    await sandbox.press("K");
    expect(sandbox.frame()).not.toMatch(/─ API key/);
  });

  test.each(["ab\u0007c", "ab\u200Bc", "ab\nc", "ab\u001B[31mc"])(
    "a paste with invalid characters is rejected: %j",
    (text) => {
      const field = insertKeyText({ ...EMPTY_FIELD, text: "first" }, text);
      expect(field.text).toBe("first");
      expect(field.problem).toMatch(/^not accepted: the text has /);
      expect(field.problem).not.toMatch(/ab|\u0007/);
    },
  );

  test("a short key is fully masked", () => {
    expect(maskKey("hunter2", true)).toBe("•••••••  (7 characters)");
    expect(maskKey("hunter2hunter2", false)).toBe("**********ter2  (14 characters)");
  });
});
