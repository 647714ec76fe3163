import fc from "fast-check";
import { expect, test } from "vitest";
import { type IdentifierWord, splitIdentifiers } from "../../src/commands/endpoint/identifiers.ts";

async function readIdentifiers(parts: readonly string[]): Promise<IdentifierWord[]> {
  async function* chunks() {
    yield* parts;
  }
  const words: IdentifierWord[] = [];
  for await (const some of splitIdentifiers(chunks())) words.push(...some);
  return words;
}

const readWords = async (parts: readonly string[]) => (await readIdentifiers(parts)).map(({ text }) => text);

/** The expected words in a complete text. */
const expectedWords = (all: string): IdentifierWord[] =>
  all.split("\n").flatMap((line, at) =>
    line
      .replace(/(^|\s)#.*$/s, "")
      .split(/[\s,]+/)
      .filter((word) => word !== "")
      .map((text) => ({ text, line: at + 1 })),
  );

const letters = fc.constantFrom("a", "b", "é", "🦀", "#", ",", " ", "\t", "\n", "\r\n", "\n#", " #");
const texts = fc.array(letters, { maxLength: 60 }).map((all) => all.join(""));

test("a text has the same words and lines however it is split into chunks", async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.array(fc.nat(80), { maxLength: 10 }), async (text, cuts) => {
      const bounds = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const parts = bounds.slice(1).map((end, at) => text.slice(bounds[at], end));
      expect(await readIdentifiers(parts)).toEqual(expectedWords(text));
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
  expect(await readIdentifiers(["\n\n", `${long}x`, "\nb"])).toEqual([
    { text: short, line: 3 },
    { text: "b", line: 4 },
  ]);
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
  expect((await splitIdentifiers(never()).next()).value).toEqual([
    { text: "first", line: 1 },
    { text: "second", line: 1 },
  ]);
});
