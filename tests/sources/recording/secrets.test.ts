/** What is recorded of a secret, in whatever form an exchange repeats it: nothing. */
import { Buffer } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeBase58 } from "../../../src/chain/solana/index.ts";
import type { Transport } from "../../../src/sources/api/index.ts";
import { createRecordingTransport } from "../../../src/sources/recording/index.ts";
import { createTempFolder } from "../../support/solx.ts";

const percent = (text: string) => Buffer.from(text).toString("hex").replace(/../g, "%$&");
const escapes = (text: string) => [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

/** Forms of a secret. */
const ENCODINGS: Readonly<Record<string, (secret: string) => string>> = {
  itself: (secret) => secret,
  "upper case": (secret) => secret.toUpperCase(),
  "hexadecimal digits": (secret) => Buffer.from(secret).toString("hex"),
  "hexadecimal digits in upper case": (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
  Base64: (secret) => Buffer.from(secret).toString("base64"),
  "Base64 for URLs": (secret) => Buffer.from(secret).toString("base64url"),
  "Base64 in a URL": (secret) => encodeURIComponent(Buffer.from(secret).toString("base64")),
  "Base64 in JSON": (secret) => Buffer.from(secret).toString("base64").replaceAll("/", "\\/"),
  "Base64 of credentials": (secret) => Buffer.from(`user:${secret}`).toString("base64"),
  Base58: (secret) => encodeBase58(Buffer.from(secret)),
  "a URL": encodeURIComponent,
  "a URL in a URL": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  "percent signs": percent,
  "escapes of JSON": escapes,
  "escapes of HTML": (secret) => [...secret].map((c) => `&#${c.charCodeAt(0)};`).join(""),
};

/** What surrounds a secret, to which it may be glued. */
const PLACES: readonly ((form: string) => string)[] = [
  (form) => `{"error":"no such key: ${form}"}`,
  (form) => `key=${form}&x=1`,
  (form) => `xyz${form}abc`,
  (form) => `https://example.com/${form}/v2?api-key=${form}#${form}`,
];

/** Returns the text of the file in which an exchange is recorded. */
async function recorded(
  key: string | undefined,
  text: string,
  url: string,
  pseudonyms?: string,
  answer = text,
): Promise<string> {
  const folder = createTempFolder();
  const bytes = Buffer.from(answer);
  const inner: Transport = {
    send: async () => ({
      url: new URL(url),
      status: 400,
      headers: { "retry-after": text },
      body: answer,
      bytes,
      source: "test",
    }),
    close: async () => undefined,
  };
  const settings = {
    target: "node",
    key,
    env: {},
    mask: (plain: string) => plain,
    now: Date.now,
    onEvent: () => undefined,
  };
  const transport = await createRecordingTransport(inner, settings as never, { folder, pseudonyms });
  await transport.send({ url: new URL(url), method: "POST", body: text } as never, {} as never);
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}

/** Characters of a secret that are too many to be left. */
const PART = 12;

/** Keys, without characters that no key has. */
const KEY = fc.stringMatching(/^[!#-&(-_a-~]{16,48}$/);

test("no form of the key is recorded, wherever it is", async () => {
  const encoding = fc.constantFrom(...Object.keys(ENCODINGS));
  await fc.assert(
    fc.asyncProperty(KEY, encoding, fc.constantFrom(...PLACES), async (key, name, place) => {
      const form = ENCODINGS[name]?.(key) ?? "";
      const file = await recorded(key, place(form), "https://example.com/");
      expect(file).toContain("***");
      for (const [other, encode] of Object.entries(ENCODINGS)) {
        // Twelve characters of Base58 depend on all of the secret; of other forms, on as many of it.
        const isWhole = /Base/.test(other);
        for (let at = 0; at + PART <= (isWhole ? encode(key) : key).length; at += 1) {
          const part = isWhole ? encode(key).slice(at, at + PART) : encode(key.slice(at, at + PART));
          for (const written of [part, JSON.stringify(part).slice(1, -1)])
            if (file.includes(written)) throw new Error(`${name} left ${written} of ${other}`);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test("no address of a request is recorded, glued to letters or not", async () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(encodeBase58);
  await fc.assert(
    fc.asyncProperty(fc.oneof(bytes(32), bytes(64)), fc.constantFrom(...PLACES), async (address, place) => {
      const file = await recorded(
        undefined,
        `${place(address)} ${address}`,
        `https://example.com/?a=${address}`,
        "secret",
      );
      expect(file).not.toContain(address);
    }),
    { numRuns: 100 },
  );
});

test("no address is recorded that is a word somewhere in the exchange, wherever else it is glued to letters", async () => {
  const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(encodeBase58);
  const letters = fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{0,50}$/);
  await fc.assert(
    fc.asyncProperty(address, letters, letters, fc.boolean(), async (word, before, after, isAnswer) => {
      const texts = [`{"memo":"${before}${word}${after}"}`, `{"owner":"${word}"}`];
      const [request, answer] = isAnswer ? texts.toReversed() : texts;
      const file = await recorded(undefined, request ?? "", "https://example.com/", "secret", answer);
      expect(file).not.toContain(word);
    }),
    { numRuns: 100 },
  );
});
