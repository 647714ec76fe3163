/** The project's vocabulary: words that were replaced by standard terms do not come back. */
import { expect, test } from "vitest";
import { commentsOf, markdownFiles, sourceFiles, syntaxNodes, textOf } from "./source.ts";
import { EXCEPTIONS, IDENTIFIERS, PHRASES } from "./vocabulary.ts";

const files = ["src", "tests", "bench", "scripts", "examples"]
  .flatMap(sourceFiles)
  .filter((file) => !file.startsWith("tests/project/"));

const isException = (word: string, file: string) =>
  EXCEPTIONS.some((exception) => exception.word === word && file.startsWith(exception.file));

test("identifiers", () => {
  const uses = files.flatMap((file) => {
    const names = new Set(
      syntaxNodes(file).flatMap(({ type, name }) =>
        /^(Private|JSX)?Identifier$/.test(type) && typeof name === "string" ? [name] : [],
      ),
    );
    return [...names]
      .filter((name) => Object.hasOwn(IDENTIFIERS, name) && !isException(name, file))
      .map((name) => `${file}: ${name} (${IDENTIFIERS[name]})`);
  });
  expect(uses).toEqual([]);
});

test("texts and comments", () => {
  const uses = files.flatMap((file) => phrasesIn(file, [...literalsOf(file), ...commentsOf(file)].join("\n")));
  expect(uses).toEqual([]);
});

test("documentation", () => {
  expect(markdownFiles().flatMap((file) => phrasesIn(file, textOf(file)))).toEqual([]);
});

test("every exception is still needed", () => {
  const needless = EXCEPTIONS.filter(
    ({ word, file }) =>
      ![...files, ...markdownFiles()].some((path) => path.startsWith(file) && textOf(path).includes(word)),
  );
  expect(needless).toEqual([]);
});

/** The strings, templates and JSX texts of a file. */
function literalsOf(file: string): readonly string[] {
  return syntaxNodes(file).flatMap(({ type, value }) => {
    if ((type === "Literal" || type === "JSXText") && typeof value === "string") return [value];
    const raw = type === "TemplateElement" ? (value as { readonly raw?: string }).raw : undefined;
    return raw === undefined ? [] : [raw];
  });
}

function phrasesIn(file: string, text: string): readonly string[] {
  return Object.entries(PHRASES).flatMap(([pattern, instead]) =>
    [...text.matchAll(new RegExp(pattern, "gi"))]
      .map(([word]) => word.toLowerCase())
      .filter((word) => !isException(word, file))
      .map((word) => {
        const at = text.toLowerCase().indexOf(word);
        return `${file}: "${text.slice(Math.max(0, at - 30), at + word.length + 30).replaceAll("\n", " ")}" (${instead})`;
      }),
  );
}
