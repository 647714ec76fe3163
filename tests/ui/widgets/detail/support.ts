/** Arbitrary and hostile values, and their rendering. */
import fc from "fast-check";
import type { Json } from "../../../../src/base/json.ts";
import { type Shape, UNKNOWN_SHAPE } from "../../../../src/catalogue/index.ts";
import { createNamer, createNames } from "../../../../src/output/index.ts";
import type { TextLine } from "../../../../src/ui/navigation/theme/text-line.ts";
import { searchPattern } from "../../../../src/ui/widgets/detail/format.ts";
import { createDetailModel, type DetailInput } from "../../../../src/ui/widgets/detail/model.ts";
import { type DetailModel, type DetailState, INITIAL_DETAIL_STATE } from "../../../../src/ui/widgets/detail/reducer.ts";

export const NOW = Date.UTC(2025, 5, 15, 12);

const HOSTILE = [
  "\u001B[2J",
  "\u001B]52;c;aGk=\u0007",
  "\u009B31m",
  "\u202Edrawkcab",
  "\u2066x\u2069",
  "a\u200Bb",
  "line\nbreak\ttab\r",
  "\u0000\u0000",
  `z${"\u0301".repeat(40)}`,
  "漢字かな交じり文",
  "👩‍👩‍👧‍👦🏳️‍🌈",
  "=HYPERLINK(1)",
  "F16MuS9H67iSTdHqtfRXF4e6DaVVdQSnuBYRzGcFYXrJhgFS3zxmKeRpGNFjYrewT2738u59NA6wXfp2t7KwDSd",
  "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  "",
];

const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary", maxLength: 30 }), fc.string());
const key = fc.oneof(fc.constantFrom("name", "a/b", "a~b", "__proto__", "", "~2", ...HOSTILE), fc.string());

/** Any value, with hostile text in names and values. */
export const anyValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json; list: Json[]; object: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("value"), { maxLength: 8 }),
  object: fc
    .array(fc.tuple(key, tie("value")), { maxLength: 8 })
    .map((entries): Json => Object.fromEntries(entries) as Json),
})).value;

/** Characters that control, reorder or hide text in a terminal. */
export const CONTROL_CHARACTERS = /[\u0000-\u001F\u007F-\u009F\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/;

export function textOf(line: TextLine): string {
  return line.map((span) => span.text).join("");
}

export function modelOf(value: Json, more: Partial<DetailInput> & { readonly shape?: Shape } = {}): DetailModel {
  return createDetailModel({
    value,
    shape: UNKNOWN_SHAPE,
    width: 80,
    height: 24,
    hasNotice: false,
    options: {
      unicode: true,
      now: NOW,
      timeZone: "UTC",
      namer: createNamer(createNames().of),
    },
    ...more,
  });
}

/** Returns all lines of a value in a state. */
export function linesOf(model: DetailModel, state: Partial<DetailState> = {}): readonly string[] {
  const whole = { ...INITIAL_DETAIL_STATE, ...state };
  const view = model.rows(whole);
  return view
    .lines(0, view.count, { now: NOW, query: searchPattern(whole.query) })
    .flat()
    .map(textOf);
}
