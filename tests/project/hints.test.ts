/** Hints of errors that programs and models get, too: a command is told only to somebody at a command line. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** One text for all readers that names a command, a flag or a variable. */
const SHARED =
  /\bhint(?::| =)\s*(?:\w+ \? )?(["'`])(?:(?!\1)[\s\S])*?(?:(?<!\w)solx [a-z]|(?<![\w-])--[a-z]|SOLX_)[\s\S]*?\1/g;

test("a hint that names a command says what programs and models do", () => {
  const files = globSync("src/{base,catalogue,client,sources,chain/solana}/**/*.ts");
  expect(files.length).toBeGreaterThan(100);
  const shared = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(SHARED)].map(([text]) => `${file}: ${text}`),
  );
  expect(shared).toEqual([]);
});
