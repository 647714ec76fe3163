import { describe, expect, it } from "vitest";
import * as entities from "../../../../src/catalogue/entities/index.ts";
import { deriveShape } from "../../../../src/catalogue/schemas.ts";
import { createShortener } from "../../../../src/output/text/width.ts";
import { lineWidth, type TextLine } from "../../../../src/ui/navigation/theme/text-line.ts";
import { previewLines } from "../../../../src/ui/preview/preview.ts";
import {
  type ColumnChoice,
  chosenKeys,
  moveColumn,
  moveSelection,
  toggleColumn,
} from "../../../../src/ui/widgets/list/column-picker.tsx";
import {
  joinPreview,
  layOutPanel,
  layOutPreview,
  rememberPreview,
  showsPreview,
} from "../../../../src/ui/widgets/list/preview.ts";
import { CLOCK, transfer } from "./samples.ts";

const FIELDS = { shape: deriveShape(entities.Transfer), clock: CLOCK, shorten: createShortener() };
const textOf = (spans: TextLine) => spans.map(({ text }) => text).join("");

describe("the preview of a row", () => {
  it("shows fields with units, times as date and age, and omits empty fields", () => {
    const lines = previewLines(transfer({ flow: null }), FIELDS, { width: 80, height: 30 }).map(textOf);
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}amount +1\.5 *$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}block time +10m ago · 2024-07-05 09:27:35 UTC *$/));
    expect(lines.join("\n")).not.toContain("flow");
  });

  it("counts the fields that do not fit", () => {
    const lines = previewLines(transfer(), FIELDS, { width: 40, height: 4 });
    expect(lines).toHaveLength(4);
    expect(textOf(lines[3] ?? [])).toMatch(/^\d+ more lines$/);
    for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(40);
  });

  it("is to the right of a wide list and below a narrow one, and fills the region exactly", () => {
    const wide = layOutPreview({ width: 120, height: 30 });
    const narrow = layOutPreview({ width: 80, height: 20 });
    if (!wide || !narrow) throw new Error("The preview fits.");
    expect(wide).toMatchObject({ side: "right", list: { height: 30 } });
    expect(wide.list.width + wide.preview.width + 2).toBe(120);
    expect(narrow).toMatchObject({ side: "bottom", list: { width: 80 } });
    expect(narrow.list.height + narrow.preview.height + 1).toBe(20);
    const lines = joinPreview([[], []], [[{ text: "a" }]], { ...wide, list: { width: 10, height: 2 } }, true).map(
      textOf,
    );
    expect(lines).toEqual([`${" ".repeat(10)}│ a`, `${" ".repeat(10)}│ `]);
  });

  it("is omitted when it would leave no space for rows", () => {
    expect(layOutPanel({ width: 60, height: 6 }, { hasPreview: true, prompt: undefined }).preview).toBeUndefined();
    expect(layOutPanel({ width: 60, height: 16 }, { hasPreview: true, prompt: undefined }).preview).toBeDefined();
  });
});

describe("whether a preview is shown", () => {
  it("is by default in wide lists, until the user closes one", () => {
    const session = {};
    expect([100, 139, 140, 200].map((width) => showsPreview(undefined, session, width))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    rememberPreview(session, false);
    expect(showsPreview(undefined, session, 200)).toBe(false);
    expect(showsPreview(true, session, 80)).toBe(true);
    expect(showsPreview(undefined, {}, 200)).toBe(true);
    rememberPreview(session, true);
    expect(showsPreview(undefined, session, 200)).toBe(true);
    expect(showsPreview(false, session, 200)).toBe(false);
  });
});

describe("the column picker", () => {
  const item = (key: string, isOn: boolean) => ({
    key,
    head: key.toUpperCase(),
    description: "",
    isOn,
    width: undefined,
  });
  const start: ColumnChoice = { options: [item("a", true), item("b", true), item("c", false)], selected: 0 };

  it("shows, hides and moves columns", () => {
    expect(chosenKeys(toggleColumn(start))).toEqual(["b"]);
    expect(chosenKeys(moveColumn(start, 1))).toEqual(["b", "a"]);
    expect(chosenKeys(toggleColumn(moveSelection(start, 9)))).toEqual(["a", "b", "c"]);
    expect(moveColumn(start, -1)).toBe(start);
  });
});
