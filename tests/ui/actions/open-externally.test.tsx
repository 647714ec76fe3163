/** Opening a view in the pager or editor, and returning to the screen. */
import { describe, expect, test } from "vitest";
import { SIGNATURE, USDC, WALLET } from "../../../src/catalogue/samples.ts";
import { viewAsTextFile } from "../../../src/ui/actions/export.ts";
import type { Route } from "../../../src/ui/navigation/route.ts";
import { fakeData, renderExplorer } from "../support.tsx";

const TRANSFERS: Route = { kind: "endpoint", endpointRoute: "v2-account-transfer", params: { address: WALLET } };
const ROWS = [1, 2].map((amount) => ({ trans_id: SIGNATURE, token_address: USDC, amount, token_decimals: 0 }));

describe("pager and editor", () => {
  test("gets the visible or marked rows; the screen is redrawn at its new size", async () => {
    const opened: [string, string, string][] = [];
    const data = fakeData({ "v2-account-transfer": ROWS });
    const handOff = async (to: string, name: string, text: string) => {
      opened.push([to, name, text]);
      return to === "pager" ? { ok: true, message: "" } : { ok: false, message: "The editor ended with code 1." };
    };
    const window = renderExplorer({ route: TRANSFERS, data, services: { openExternally: handOff } });
    await window.waitFor(/\? help/);
    await window.press("|");
    await expect.poll(() => opened).toHaveLength(1);
    expect(opened[0]?.slice(0, 2)).toEqual(["pager", "account-transfer-5Q54e4j1.json"]);
    expect(JSON.parse(opened[0]?.[2] ?? "")).toEqual(ROWS);
    await window.press("space");
    await window.resize(120, 40);
    await window.press("E");
    await window.waitFor(/The editor ended with code 1/);
    expect(JSON.parse(opened[1]?.[2] ?? "")).toEqual([ROWS[0]]);
    expect(window.frame().split("\n")).toHaveLength(39);
    await window.press("j");
    await window.waitFor(/\? help/);
  });

  test("gets the lines of line views, and otherwise JSON that is safe in a terminal", () => {
    const lines = () => ["Program log: one", "Program log: two"];
    const place: Route = { kind: "entity", entity: "transaction", id: SIGNATURE };
    expect(viewAsTextFile(place, { lines, row: {} })?.text).toBe("Program log: one\nProgram log: two\n");
    expect(viewAsTextFile(place, { row: { a: "\u001B[2J" } })?.text).toBe('{\n  "a": "\\u001b[2J"\n}\n');
    expect(viewAsTextFile(place, undefined)).toBeUndefined();
    expect(viewAsTextFile(TRANSFERS, { rows: [] })).toBeUndefined();
  });
});
