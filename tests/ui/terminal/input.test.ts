import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import { separateEscapes } from "../../../src/ui/terminal/input.ts";

const PASTE = "\u001B[200~q\u001B[201~";

/** A terminal whose input arrives in chunks; returns what one wake-up reads. */
function open() {
  const arrived: string[] = [];
  const stdin = Object.assign(new EventEmitter(), { read: (): string | null => arrived.shift() ?? null });
  const { read } = stdin;
  const stop = separateEscapes(stdin);
  const readAll = () => {
    let text = "";
    for (let chunk = stdin.read(); chunk !== null; chunk = stdin.read()) text += chunk;
    return text;
  };
  const arrive = (...chunks: readonly string[]) => {
    arrived.push(...chunks);
    return readAll();
  };
  const end = () => {
    stop();
    return stdin.read === read;
  };
  return { stdin, arrive, readAll, end };
}

test.each([
  ["a paste", [`j\u001B${PASTE}k`], "j\u001B", `${PASTE}k`],
  ["a paste that arrives later", ["\u001B", PASTE], "\u001B", PASTE],
  ["a mouse report", ["\u001B\u001B[<35;1;2M"], "\u001B", "\u001B[<35;1;2M"],
])("an Escape before %s is read first, alone", async (_, chunks, first, second) => {
  const { stdin, arrive, readAll, end } = open();
  expect(arrive(...chunks)).toBe(first);
  expect(arrive("x")).toBe("");
  await once(stdin, "readable");
  expect(readAll()).toBe(`${second}x`);
  expect(arrive(PASTE)).toBe(PASTE);
  expect(end()).toBe(true);
});

test.each([[PASTE], ["\u001B"], ["\u001B\u001B[A"], ["\u001Bb"], ["\u001B[<0;1;1M"]])("%j is read at once", (text) => {
  const { arrive } = open();
  expect(arrive(text)).toBe(text);
});
