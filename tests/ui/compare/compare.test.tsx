/** Comparison of marked rows. */
import { describe, expect, test } from "vitest";
import { UNKNOWN_SHAPE } from "../../../src/catalogue/index.ts";
import { textWidth } from "../../../src/output/text/width.ts";
import type { Route } from "../../../src/ui/navigation/route.ts";
import { lineWidth } from "../../../src/ui/navigation/theme/text-line.ts";
import { computeLayout, fieldRows, rowLine, titleLine, toTsv } from "../../../src/ui/pages/comparison/fields.ts";
import { fakeData, renderExplorer } from "../support.tsx";

const TOKENS: Route = { kind: "endpoint", endpointRoute: "v2-token-list", params: {} };
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SOL = "So11111111111111111111111111111111111111112";
const ROWS = [
  { address: USDC, symbol: "USDC", decimals: 6, price: 1 },
  { address: SOL, symbol: "SOL", decimals: 6, price: 150 },
  { address: "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN", symbol: "JUP", decimals: 6, price: 2 },
];
const CLOCK = { now: 0, timeZone: "UTC" };

describe("comparing", () => {
  test("marked rows shows differences, all fields on request, and copies them", async () => {
    const details = ({ address }: Readonly<Record<string, unknown>>) => ({
      address: String(address),
      holder: address === USDC ? 7 : 9,
    });
    const data = fakeData({ "v2-token-list": ROWS, "v2-token-meta": details });
    const window = renderExplorer({ route: TOKENS, data });
    await window.waitFor(/JUP/);
    await window.press("D");
    expect(window.frame()).not.toMatch(/Comparing/);
    await window.press("space", "space");
    await window.waitFor(/D compare/);
    await window.press("D");
    const differing = await window.waitFor(/Comparing rows {2}3 of \d+ fields differ/);
    expect(differing).toMatch(/symbol +USDC +wSOL/);
    expect(differing).not.toMatch(/decimals/);
    await window.press("a");
    expect(window.frame()).toMatch(/decimals +6 +6/);
    for (const row of window.frame().split("\n")) expect(textWidth(row)).toBeLessThanOrEqual(80);
    await window.press("c");
    await expect.poll(() => window.toasts.at(-1)).toMatch(/^Copied the comparison: field\t1 token USDC\t2 token /);
    expect(window.frame()).not.toMatch(/Comparing/);
  });

  test("tokens side by side shows their prices on one axis, and what differs with the largest number", async () => {
    const others = [SOL];
    const data = fakeData({
      "v2-token-meta": ({ address }) => ({ address: String(address), holder: address === USDC ? 7 : 21, decimals: 6 }),
      "v2-token-price-ohlcv": ({ address, res }) => ({
        data: [0, 1, 2].map((hour) => {
          const price = 1 + (address === SOL ? hour : 0);
          const prices = { open_price: price, high_price: price, low_price: price, close_price: price, volume: 1 };
          return { time: 202_506_140_000 + hour * 400, ...prices };
        }),
        ...{ candles: 3, res: String(res) },
      }),
    });
    const route = { kind: "entity", entity: "token", id: USDC, others } as const;
    const window = renderExplorer({ route, data, width: 120, height: 40 });
    const frame = await window.waitFor(/━━ USDC +0% +┈┈ wSOL ▲ 200%[\s\S]*holder +7 +█+[^█]+21 ▲ +█+ +3\.00×/);
    expect(frame).toMatch(/Comparing tokens {2}\d of \d+ fields differ/);
    expect(frame).not.toMatch(/decimals/);
    await window.press("a");
    expect(window.frame()).toMatch(/decimals +6 +6/);
    await window.press("!");
    await window.waitFor(new RegExp(`solx.* diff ${USDC} ${SOL}`));
  });

  test("more choices than fit are scrolled", () => {
    const all = ROWS.map((value) => ({ value, shape: UNKNOWN_SHAPE }));
    const rows = fieldRows(all, CLOCK);
    const layout = computeLayout(rows, 3, 50, 1);
    expect([layout.from, layout.to]).toEqual([1, 3]);
    const titles = ROWS.map(({ symbol }) => symbol);
    for (const one of [titleLine(titles, layout), ...rows.map((row) => rowLine(row, layout, true))])
      expect(lineWidth(one)).toBeLessThanOrEqual(50);
    expect(toTsv(titles, rows)).toMatch(/^field\tUSDC\tSOL\tJUP\naddress\tEPj/);
  });

  test("fields that one object lacks are listed and differ", () => {
    const one = { value: { x: 1, in: { y: 2 } }, shape: UNKNOWN_SHAPE };
    const rows = fieldRows([one, { value: { x: 1 }, shape: UNKNOWN_SHAPE }], CLOCK);
    expect(rows.map(({ label, cells: own, isSame }) => [label, own.map((cell) => cell?.text), isSame])).toEqual([
      ["x", ["1", "1"], true],
      ["in › y", ["2", undefined], false],
    ]);
  });

  test("identifiers with a common prefix are shortened so that they differ", () => {
    const all = [SOL, `${SOL.slice(0, -1)}1`].map((mint) => ({ value: { mint }, shape: UNKNOWN_SHAPE }));
    const [row] = fieldRows(all, CLOCK);
    const line = row ? rowLine(row, computeLayout([row], 2, 60, 0), true) : [];
    expect(line.map(({ text }) => text).join("")).toMatch(/^mint +So11…1112 +So11…1111 *$/);
  });
});
