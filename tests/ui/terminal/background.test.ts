import { describe, expect, test } from "vitest";
import type { Rgb } from "../../../src/output/index.ts";
import { createBackgroundQuery } from "../../../src/ui/terminal/background.ts";

/** A terminal whose input arrives in chunks. */
function open(chunks: readonly string[]) {
  const pending = [...chunks];
  const stdin = { read: (): string | null => pending.shift() ?? null };
  const written: string[] = [];
  const query = createBackgroundQuery(stdin, (text) => void written.push(text));
  const readAll = () => {
    let text = "";
    for (let chunk = stdin.read(); chunk !== null; chunk = stdin.read()) text += chunk;
    return text;
  };
  return { query, written, readAll, arrive: (...more: readonly string[]) => pending.push(...more) };
}

const REPLIES: readonly (readonly [string, Rgb])[] = [
  ["\u001B]11;rgb:1e1e/1e1e/2e2e\u001B\\", [30, 30, 46]],
  ["\u001B]11;rgb:ff/f/0\u0007", [255, 255, 0]],
  ["\u001B]11;rgba:ffff/ffff/ffff/8000\u0007", [255, 255, 255]],
];

describe("the background of the terminal", () => {
  test.each(REPLIES)("is read from %j wherever it is cut, and keys around it are not lost", (reply, color) => {
    const text = `ab${reply}cd`;
    for (let cut = 0; cut <= text.length; cut += 1) {
      const colors: Rgb[] = [];
      const { query, written, readAll } = open([text.slice(0, cut), text.slice(cut)]);
      query.ask((one) => void colors.push(one));
      expect(written).toEqual(["\u001B]11;?\u001B\\"]);
      // An escape at the end is a key: what follows it is no reply then.
      if (text[cut - 1] === "\u001B" && cut === 3) continue;
      expect([readAll(), colors]).toEqual(["abcd", [color]]);
    }
  });

  test("is asked for once; without a request, input stays as it is", () => {
    const [[reply] = [""]] = REPLIES;
    const { query, readAll, arrive } = open([reply]);
    expect(readAll()).toBe(reply);
    const colors: Rgb[] = [];
    query.ask((one) => void colors.push(one));
    arrive("\u001B", "[A", reply, "x");
    expect(readAll()).toBe("\u001B[Ax");
    arrive(reply);
    expect(readAll()).toBe(reply);
    expect(colors).toHaveLength(1);
  });

  test("is not waited for once it is known", async () => {
    const [[reply] = [""]] = REPLIES;
    const { query, readAll } = open([reply]);
    await query.settle();
    query.ask(() => {});
    readAll();
    await query.settle();
    query.stop();
  });
});
