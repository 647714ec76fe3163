/** What the foot of a detail tells of the value at the cursor. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Json, parseJson } from "../../../../src/base/json.ts";
import { TokenMeta, TransactionDetail } from "../../../../src/catalogue/entities/index.ts";
import { shapeOf } from "../../../../src/output/fields/schema.ts";
import { textWidth } from "../../../../src/output/text/width.ts";
import { DEFAULT_KEY_LABELS } from "../../../../src/ui/app/keys/key-hints.ts";
import { footerHeight, footerLines } from "../../../../src/ui/widgets/detail/footer.ts";
import { labelsFrom } from "../../../../src/ui/widgets/detail/format.ts";
import type { DrawableModel } from "../../../../src/ui/widgets/detail/model.ts";
import { INITIAL_DETAIL_STATE, normalizeState } from "../../../../src/ui/widgets/detail/reducer.ts";
import { anyValue, OBEYED, sceneOf, textOf } from "./support.ts";

const SIGNATURE = "F16MuS9H67iSTdHqtfRXF4e6DaVVdQSnuBYRzGcFYXrJhgFS3zxmKeRpGNFjYrewT2738u59NA6wXfp2t7KwDSd";
const standing = { index: 0, count: 3, match: 0, matches: 0 };

function told(scene: DrawableModel, cursor: string, height = 4): readonly string[] {
  const state = normalizeState({ ...INITIAL_DETAIL_STATE, cursor }, scene);
  const node = scene.nodeAt(state.cursor);
  return footerLines(
    { state, node, position: standing, notice: undefined, keyOf: DEFAULT_KEY_LABELS },
    scene.options(state),
    height,
  ).map(textOf);
}

const transaction = (value: Json, width = 80) => sceneOf(value, { shape: shapeOf(TransactionDetail), width });

describe("the foot", () => {
  test("names the field as the API does, and says what it is", () => {
    const [rule] = told(transaction({ block_time: 1749902400 }), "/block_time");
    expect(rule).toMatch(/^── block_time {2}Time of the block ─+ 1\/3 ──$/);
  });

  test("gives identifiers whole, on as many lines as they need", () => {
    const lines = told(transaction({ tx_hash: SIGNATURE }, 60), "/tx_hash");
    expect(lines.slice(1).join("")).toBe(SIGNATURE);
  });

  test("gives moments in UTC and as they came", () => {
    const lines = told(transaction({ block_time: 1749902400 }), "/block_time");
    expect(lines[1]).toBe("2025-06-14T12:00:00Z = 1749902400 Unix seconds");
  });

  test("gives the digits of what is rounded or scaled, with their unit", () => {
    expect(told(transaction({ fee: 6268 }), "/fee")[1]).toBe("6268 lamports");
    const meta = sceneOf(parseJson('{"price": 0.00001228340123456789012345}'), { shape: shapeOf(TokenMeta) });
    expect(told(meta, "/price")[1]).toBe("0.00001228340123456789012345");
  });

  test("says why a name is suspicious", () => {
    const meta = sceneOf({ symbol: "USDС" }, { shape: shapeOf(TokenMeta) });
    expect(told(meta, "/symbol")[1]).toMatch(/mixes Latin and Cyrillic letters/);
  });

  test("fits into its lines at any width, and holds nothing that a terminal obeys", () => {
    fc.assert(
      fc.property(
        anyValue,
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 0, max: 4 }),
        (value, width, height) => {
          const scene = sceneOf(value, { width });
          for (const cursor of ["", "/0", "/name", "/a~1b"]) {
            const lines = told(scene, cursor, height);
            expect(lines.length).toBeLessThanOrEqual(height);
            for (const one of lines) {
              expect(textWidth(one)).toBeLessThanOrEqual(width);
              expect(one).not.toMatch(OBEYED);
            }
          }
        },
      ),
    );
  });

  test("leaves nearly all of a small region to the fields", () => {
    for (let height = 1; height < 60; height += 1) {
      const foot = footerHeight({ width: 80, height }, { query: "x", searchInput: undefined }, true);
      expect(foot).toBeLessThanOrEqual(Math.max(0, Math.floor(height / 2)));
    }
  });
});

describe("names beside an answer", () => {
  test("are those of its identifiers alone, made harmless", () => {
    const labels = labelsFrom({
      tokens: {
        EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: { token_symbol: "USDC\u001B[2J" },
        short: { token_symbol: "no" },
        So11111111111111111111111111111111111111112: { token_symbol: "", token_name: "Wrapped" },
      },
      other: 1,
    });
    expect([...labels.values()].map(({ text }) => text)).toEqual(["USDC‹U+001B›[2J", "Wrapped"]);
    expect(labelsFrom(undefined).size).toBe(0);
  });
});
