import { expect, test } from "vitest";
import { listenForMouse } from "../../../src/ui/terminal/mouse.ts";

/** Returns the mouse reports in chunks of input. */
function reportsIn(...pieces: readonly string[]): readonly string[] {
  const waiting = [...pieces];
  const reports: string[] = [];
  const stdin = { read: () => waiting.shift() ?? null };
  const before = stdin.read;
  const end = listenForMouse(stdin, (report) => reports.push(report));
  expect(pieces.map(() => stdin.read())).toEqual(pieces);
  end();
  expect(stdin.read).toBe(before);
  return reports;
}

test("reports are found among keys, several at once and split in two", () => {
  expect(reportsIn("j\u001B[<0;5;6Mk\u001B[<65;1;2m")).toEqual(["[<0;5;6M", "[<65;1;2m"]);
  expect(reportsIn("x\u001B[<0;1", "7;3M")).toEqual(["[<0;17;3M"]);
  expect(reportsIn("\u001B", "[<0;1;3M", "\u001B[A", "[<0;1;3M")).toEqual(["[<0;1;3M"]);
});

test("pasted text has no reports", () => {
  expect(reportsIn("\u001B[200~a\u001B[<0;5;6M\u001B[201~\u001B[<0;1;1M")).toEqual(["[<0;1;1M"]);
  expect(reportsIn("\u001B[200~a", "\u001B[<0;5;6M", "\u001B[201~")).toEqual([]);
});
