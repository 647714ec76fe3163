import { expect, test } from "vitest";
import { parseMouseReport } from "../../../src/ui/terminal/mouse.ts";

test("reports are events with a position in the window", () => {
  expect(parseMouseReport("[<0;10;5M")).toEqual({ type: "click", x: 9, y: 4 });
  expect(parseMouseReport("[<64;1;2M")).toEqual({ type: "up", x: 0, y: 1 });
  expect(parseMouseReport("[<65;200;60M")).toEqual({ type: "down", x: 199, y: 59 });
  expect(parseMouseReport("[<20;1;1M")).toEqual({ type: "click", x: 0, y: 0, shift: true, ctrl: true });
});

test("movements have no button or the left one", () => {
  expect(parseMouseReport("[<35;3;4M")).toEqual({ type: "move", x: 2, y: 3 });
  expect(parseMouseReport("[<32;3;4M")).toEqual({ type: "move", x: 2, y: 3, isDragging: true });
});

test("side buttons and horizontal wheels have their own types, other buttons none; keys are no reports", () => {
  const types = ["[<66;1;1M", "[<67;1;1M", "[<128;1;1M", "[<129;1;1M", "[<0;10;5m", "[<2;10;5M"].map(
    (report) => parseMouseReport(report)?.type,
  );
  expect(types).toEqual(["left", "right", "back", "forward", "release", "other"]);
  for (const input of ["j", "[<", "[A", "[<0;10M", ""]) expect(parseMouseReport(input)).toBeUndefined();
});
