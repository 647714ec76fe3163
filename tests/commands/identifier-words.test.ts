import fc from "fast-check";
import { expect, test } from "vitest";
import { splitIdentifiers } from "../../src/commands/endpoint/identifier-words.ts";

async function readWords(parts: readonly (string | Uint8Array)[]): Promise<string[]> {
  async function* chunks() {
    yield* parts;
  }
  const words: string[] = [];
  for await (const some of splitIdentifiers(chunks())) words.push(...some);
  return words;
}

/** The expected words in a complete text. */
const expectedWords = (text: string) =>
  text
    .split("\n")
    .flatMap((line) => line.replace(/(^|\s)#.*$/s, "").split(/[\s,]+/))
    .filter((word) => word !== "");

const letters = fc.constantFrom("a", "b", "é", "🦀", "#", ",", " ", "\t", "\n", "\r\n", "\n#", " #");
const texts = fc.array(letters, { maxLength: 60 }).map((all) => all.join(""));

test("a text has the same words however it is split into chunks", async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.array(fc.nat(80), { maxLength: 10 }), async (text, cuts) => {
      const bytes = Buffer.from(text);
      const bounds = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const parts = bounds.slice(1).map((end, at) => bytes.subarray(bounds[at], end));
      expect(await readWords(parts)).toEqual(expectedWords(text));
    }),
    { numRuns: 500 },
  );
});

test("a comment of any length is skipped", async () => {
  expect(await readWords(["a #", ..."x".repeat(2000), "y".repeat(200_000), "\nb"])).toEqual(["a", "b"]);
});

test("a word of any length is one clipped word, and the text after it is read", async () => {
  const long = "x".repeat(200_000);
  const short = `${"x".repeat(100)}…`;
  const whole = await readWords([`a\n${long}#\n#${long} c\nb ${long}`]);
  expect(whole).toEqual(["a", short, "b", short]);
  expect(await readWords(["a ", ...Array.from({ length: 100 }, () => "x".repeat(2000)), "#y ", "b #", long])).toEqual([
    "a",
    short,
    "b",
  ]);
  expect(await readWords([...long.slice(0, 5000), ",b\n"])).toEqual([short, "b"]);
});

test("words are yielded as soon as their end is known", async () => {
  async function* never() {
    yield "first second thi";
    await new Promise(() => {});
  }
  expect((await splitIdentifiers(never()).next()).value).toEqual(["first", "second"]);
});
