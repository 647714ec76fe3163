import { expect, test } from "vitest";
import { parseMouseReport } from "../../../src/ui/terminal/mouse.ts";

test("mouse reports are events with a position in the body", () => {
  expect(parseMouseReport("[<0;10;5M", 1)).toEqual({ type: "click", x: 9, y: 3 });
  expect(parseMouseReport("[<64;1;2M", 1)).toEqual({ type: "up", x: 0, y: 0 });
  expect(parseMouseReport("[<65;200;60M", 1)).toEqual({ type: "down", x: 199, y: 58 });
});

test("releases and other buttons are clicks outside, keys are not events", () => {
  for (const report of ["[<0;10;5m", "[<2;10;5M", "[<35;10;5M"]) {
    expect(parseMouseReport(report, 1)).toMatchObject({ x: -1, y: -1 });
  }
  for (const input of ["j", "[<", "[A", "[<0;10M", ""]) expect(parseMouseReport(input, 1)).toBeUndefined();
});
