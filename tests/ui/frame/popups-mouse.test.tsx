/** Every popup can be used with the mouse alone. */
import { describe, expect, test } from "vitest";
import { SIGNATURE, USDC, WALLET } from "../../../src/catalogue/samples.ts";
import type { Route } from "../../../src/ui/navigation/route.ts";
import type { Services } from "../../../src/ui/navigation/services.ts";
import type { Bookmark } from "../../../src/ui/navigation/view.ts";
import { fakeData, fakeServices, renderExplorer } from "../support.tsx";

const TRANSFERS: Route = { kind: "endpoint", endpointRoute: "v2-account-transfer", params: { address: WALLET } };
const ROWS = [1, 2, 3].map((amount) => ({
  block_time: 1_720_000_000 + amount,
  trans_id: SIGNATURE,
  from_address: WALLET,
  to_address: USDC,
  token_address: USDC,
  amount,
  token_decimals: 0,
  flow: "in",
}));

/** Opens a list of transfers, and what a key opens above it. */
async function open(key: string, services: Partial<Services> = {}, size = { width: 120, height: 30 }) {
  const data = fakeData({ "v2-account-transfer": ROWS });
  const window = renderExplorer({ route: TRANSFERS, data, services, ...size });
  await window.waitFor(/3 rows/);
  await window.press(key);
  return { ...window, data, last: () => data.requests.at(-1)?.params };
}

describe("with the mouse", () => {
  test("the filter form: fields, options and the hints in its border", async () => {
    const window = await open("F");
    await window.waitFor("filter account transfer");
    await window.mouse("click", /flow {8}/);
    await window.mouse("click", / out(?= )/);
    await window.mouse("click", "activity type");
    await window.mouse("click", "[ ] burn");
    await window.waitFor("[x] burn");
    await window.mouse("click", "Enter apply");
    await expect.poll(window.last).toMatchObject({ flow: "out", activity_type: ["ACTIVITY_SPL_BURN"] });
  });

  test("the filter form is cancelled by its hint and by a click beside it", async () => {
    for (const outside of ["Esc cancel", "account transfer ›"]) {
      const window = await open("F");
      const params = window.last();
      await window.mouse("click", /flow {8}/);
      await window.mouse("click", / out(?= )/);
      await window.mouse("click", outside === "Esc cancel" ? outside : /solx/);
      await window.waitFor(/^(?!.*filter account transfer)/s);
      expect(window.last()).toEqual(params);
    }
  });

  test("the export form: fields, formats, choices and saving", async () => {
    const saved: string[] = [];
    const save: Services["save"] = async (name) => {
      saved.push(name);
      return name;
    };
    const window = await open("e", { save });
    await window.waitFor("Export");
    await window.mouse("click", /format +csv/);
    await window.mouse("click", "ndjson");
    await window.waitFor("[ndjson]");
    await window.mouse("click", /units +default/);
    await window.mouse("click", "of the API: base");
    await window.waitFor(/units +of the API: base units/);
    await window.mouse("click", "Enter save");
    await expect.poll(() => saved).toEqual([expect.stringMatching(/\.ndjson$/)]);
  });

  test("the copy menu", async () => {
    const copied: string[] = [];
    const copy: Services["copy"] = async (text) => {
      copied.push(text);
      return { ok: true, message: "Copied." };
    };
    const window = await open("c", { copy });
    await window.waitFor("Copy");
    await window.mouse("click", "the identifier");
    await expect.poll(() => copied).toEqual([WALLET]);
  });

  test("the menu of links", async () => {
    const window = await open("O");
    await window.waitFor("Open");
    await window.mouse("click", /transaction \S+…\S+ /);
    await window.waitFor(/› transaction/);
  });

  test("the column picker", async () => {
    const window = await open("C");
    await window.waitFor("Columns");
    await window.mouse("click", /\[✓\] +flow|\[✓\] flow/i);
    await window.waitFor(/\[ \] flow/i);
    await window.mouse("click", "Enter apply");
    await window.waitFor(/^(?!.* flow )/s);
  });

  test("the menu of themes: the wheel moves, a click chooses", async () => {
    const saved: string[] = [];
    const saveTheme = async (name: string) => void saved.push(name);
    const window = await open("T", { saveTheme });
    await window.waitFor("Theme");
    await window.mouse("down", "dark");
    await window.mouse("click", "high-contrast");
    await expect.poll(() => saved).toEqual(["high-contrast"]);
  });

  test("the rows of the palette and of help", async () => {
    const window = await open(":");
    await window.press("usage");
    await window.mouse("click", /Pages +usage/);
    await window.waitFor(/solx .*usage/);
    await window.press("?");
    await window.mouse("click", /B +bookmarks/);
    await window.waitFor(/solx .*bookmarks/);
  });

  test("bookmarks", async () => {
    const bookmarks: readonly Bookmark[] = [1, 2].map((at) => ({
      name: `wallet ${at}`,
      route: { kind: "entity", entity: "account", id: at === 1 ? WALLET : USDC },
    }));
    const memory = { ...fakeServices().memory, bookmarks: () => bookmarks };
    const window = await open("B", { memory });
    await window.waitFor("wallet 2");
    await window.mouse("click", "wallet 2");
    await window.mouse("click", "wallet 2");
    await window.waitFor(/EPjF…Dt1v|USDC/);
  });

  test("the preview: a click on an identifier opens it, one beside it does not move the cursor", async () => {
    const window = await open("v", {}, { width: 130, height: 30 });
    await window.waitFor("row · v close");
    await window.mouse("click", /from address +5Q54/);
    expect(window.frame()).toContain("account transfer");
    await window.mouse("click", /5Q54[1-9A-Za-z…]* *$/m);
    await window.waitFor(/› account/);
  });
});
