import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textWidth } from "../../../src/output/text/width.ts";
import { lineWidth } from "../../../src/ui/navigation/theme/text-line.ts";
import {
  EDIT_KEYS,
  editField,
  fieldLine,
  insertText,
  type TextField,
  textField,
} from "../../../src/ui/widgets/text-field.ts";

const segmenter = new Intl.Segmenter();

const typed = fc.oneof(
  fc.constantFrom("a", "B", " ", "  ", "é", "你", "👩‍🚀", "🇩🇪", "e\u0301", "\u0301", "-", "x y"),
  fc.string({ maxLength: 6, unit: "grapheme" }),
);
const step = fc.oneof(
  typed.map((text) => ({ text })),
  fc.constantFrom(...EDIT_KEYS).map((key) => ({ key })),
);
const after = (field: TextField, one: { text: string } | { key: string }) =>
  "text" in one ? insertText(field, one.text) : editField(field, one.key);
const field = fc.array(step, { maxLength: 30 }).map((steps) => steps.reduce(after, textField()));

describe("a text field", () => {
  test("the cursor is always at a grapheme boundary, and the text has no invisible characters", () => {
    fc.assert(
      fc.property(field, ({ text, at }) => {
        const places = [...[...segmenter.segment(text)].map(({ index }) => index), text.length];
        expect(places).toContain(at);
        expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  test("a word ends at a grapheme boundary, also after a space with a combining mark", () => {
    const marked = textField("  \u0301");
    expect(editField(editField(marked, "home"), "alt+f").at).toBe(3);
    expect(editField(marked, "alt+b").at).toBe(1);
  });

  test("Backspace undoes typing of single graphemes", () => {
    fc.assert(
      fc.property(field, fc.constantFrom("a", "你", "€"), (before, character) => {
        const next = insertText(before, character);
        // A combining mark after the cursor would join the new character.
        fc.pre(next.at === before.at + character.length);
        expect(editField(next, "backspace")).toEqual(before);
      }),
    );
  });

  test("moving the cursor changes no value", () => {
    fc.assert(
      fc.property(
        field,
        fc.constantFrom("left", "right", "home", "end", "ctrl+a", "ctrl+e", "alt+b", "alt+f"),
        (before, key) => {
          expect(editField(before, key).text).toBe(before.text);
        },
      ),
    );
  });

  test("Ctrl-U and Ctrl-K split the text at the cursor, Ctrl-W deletes part of what Ctrl-U deletes", () => {
    fc.assert(
      fc.property(field, (before) => {
        expect(editField(before, "ctrl+u").text).toBe(before.text.slice(before.at));
        expect(editField(before, "ctrl+k").text).toBe(before.text.slice(0, before.at));
        expect(editField(before, "ctrl+w").text.endsWith(before.text.slice(before.at))).toBe(true);
        expect(before.text.startsWith(editField(before, "ctrl+w").text.slice(0, editField(before, "ctrl+w").at))).toBe(
          true,
        );
      }),
    );
  });

  test("it goes word by word", () => {
    const line = textField("account transfer 5Q54");
    expect(editField(line, "ctrl+w").text).toBe("account transfer ");
    expect(editField(editField(line, "ctrl+w"), "ctrl+w").text).toBe("account ");
    expect(editField(line, "alt+b").at).toBe("account transfer ".length);
    expect(editField(textField(""), "ctrl+w").text).toBe("");
  });

  test("a key that changes nothing returns the same object", () => {
    const line = textField("x");
    for (const key of ["right", "end", "delete", "ctrl+k", "f5"]) expect(editField(line, key)).toBe(line);
    expect(insertText(line, "\n\u0007\u200b")).toBe(line);
  });

  test("pasted text loses line breaks and control characters", () => {
    expect(textField("\n5Q54\r\n").text).toBe("5Q54");
    expect(textField("a\nb\tc\u2028d").text).toBe("a b c d");
    expect(textField("a\u001B[2J\u009Bb\u202Ec\0").text).toBe("a[2Jbc");
    expect(textField("x".repeat(1_000_000)).text.length).toBe(10_000);
  });

  test("it fills its width exactly, with the cursor visible", () => {
    fc.assert(
      fc.property(field, fc.integer({ min: 1, max: 40 }), (line, width) => {
        const drawn = fieldLine(line, width, true);
        const cursor = drawn.filter(({ cursor: on }) => on === "caret");
        expect(cursor).toHaveLength(1);
        // One character may be wider than a very narrow field.
        expect(lineWidth(drawn)).toBeLessThanOrEqual(Math.max(width, textWidth(cursor[0]?.text ?? "")));
        expect(lineWidth(fieldLine(line, width, false))).toBeLessThanOrEqual(Math.max(width, 9));
      }),
    );
  });

  test("a long text is marked where it is truncated", () => {
    const text = (line: TextField, focused = true) =>
      fieldLine(line, 10, focused)
        .map((one) => one.text)
        .join("");
    const line = textField("abcdefghijklmnopqrstuvwxyz");
    expect(text(line)).toBe("…stuvwxyz ");
    expect(text(editField(line, "home"))).toBe("abcdefghi…");
    expect(text(line, false)).toBe("abcdefghi…");
  });
});
