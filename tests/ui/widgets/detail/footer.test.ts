/** The footer of a detail view. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Json, parseJson } from "../../../../src/base/json.ts";
import { TokenMeta, TransactionDetail } from "../../../../src/catalogue/entities/index.ts";
import { deriveShape } from "../../../../src/catalogue/schemas.ts";
import { textWidth } from "../../../../src/output/text/width.ts";
import { DEFAULT_KEY_LABELS } from "../../../../src/ui/navigation/keys/bindings.ts";
import { footerHeight, footerLines } from "../../../../src/ui/widgets/detail/footer.ts";
import { type DetailModel, INITIAL_DETAIL_STATE, normalizeState } from "../../../../src/ui/widgets/detail/reducer.ts";
import { anyValue, CONTROL_CHARACTERS, modelOf, textOf } from "./support.ts";

const SIGNATURE = "F16MuS9H67iSTdHqtfRXF4e6DaVVdQSnuBYRzGcFYXrJhgFS3zxmKeRpGNFjYrewT2738u59NA6wXfp2t7KwDSd";
const position = { index: 0, count: 3, match: 0, matches: 0 };

function footerTexts(model: DetailModel, cursor: string, height = 4): readonly string[] {
  const state = normalizeState({ ...INITIAL_DETAIL_STATE, cursor }, model);
  const node = model.nodeAt(state.cursor);
  return footerLines(
    { state, node, position, notice: undefined, keyOf: DEFAULT_KEY_LABELS },
    model.options(state),
    height,
  ).map(textOf);
}

const transaction = (value: Json, width = 80) => modelOf(value, { shape: deriveShape(TransactionDetail), width });

describe("the footer", () => {
  test("contains the field name of the API and its description", () => {
    const [rule] = footerTexts(transaction({ block_time: 1749902400 }), "/block_time");
    expect(rule).toMatch(/^── block_time {2}Time of the block ─+ 1\/3 ──$/);
  });

  test("contains whole identifiers, on as many lines as necessary", () => {
    const lines = footerTexts(transaction({ tx_hash: SIGNATURE }, 60), "/tx_hash");
    expect(lines.slice(1).join("")).toBe(SIGNATURE);
  });

  test("contains times in UTC and as raw values", () => {
    const lines = footerTexts(transaction({ block_time: 1749902400 }), "/block_time");
    expect(lines[1]).toBe("2025-06-14T12:00:00Z = 1749902400 Unix seconds");
  });

  test("contains the raw digits of rounded and scaled values, with their unit", () => {
    expect(footerTexts(transaction({ fee: 6268 }), "/fee")[1]).toBe("6268 lamports");
    const meta = modelOf(parseJson('{"price": 0.00001228340123456789012345}'), { shape: deriveShape(TokenMeta) });
    expect(footerTexts(meta, "/price")[1]).toBe("0.00001228340123456789012345");
    for (const exact of ["1234.5", "0", "1.50", "1e3"]) {
      const exactMeta = modelOf(parseJson(`{"price": ${exact}}`), { shape: deriveShape(TokenMeta) });
      expect(footerTexts(exactMeta, "/price")[1]).toBeUndefined();
    }
  });

  test("explains why a name is suspicious", () => {
    const meta = modelOf({ symbol: "USDС" }, { shape: deriveShape(TokenMeta) });
    expect(footerTexts(meta, "/symbol")[1]).toMatch(/mixes Latin and Cyrillic letters/);
  });

  test("fits into its lines at any width and contains no control characters", () => {
    fc.assert(
      fc.property(
        anyValue,
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 0, max: 4 }),
        (value, width, height) => {
          const model = modelOf(value, { width });
          for (const cursor of ["", "/0", "/name", "/a~1b"]) {
            const lines = footerTexts(model, cursor, height);
            expect(lines.length).toBeLessThanOrEqual(height);
            for (const one of lines) {
              expect(textWidth(one)).toBeLessThanOrEqual(width);
              expect(one).not.toMatch(CONTROL_CHARACTERS);
            }
          }
        },
      ),
    );
  });

  test("leaves most of a small region to the fields", () => {
    for (let height = 1; height < 60; height += 1) {
      const foot = footerHeight({ width: 80, height }, { query: "x", searchInput: undefined }, true);
      expect(foot).toBeLessThanOrEqual(Math.max(0, Math.floor(height / 2)));
    }
  });
});
