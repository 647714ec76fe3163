import { expect, test } from "vitest";
import { WALLET } from "../../../src/catalogue/samples.ts";
import { IDLE_QUERY } from "../../../src/ui/navigation/data-store.ts";
import { safetyRows } from "../../../src/ui/pages/token/safety.ts";

const textsOf = (meta: Parameters<typeof safetyRows>[0]["answers"]["meta"]) =>
  safetyRows({
    ...{ id: WALLET, states: { meta: IDLE_QUERY }, answers: { meta }, days: 1, width: 80 },
    ...{ clock: { style: "iso", now: 0 }, nameOf: () => undefined, unicode: false, hasPrices: true },
  })
    .map(({ line }) => (typeof line === "function" ? line(80) : line).map(({ text }) => text).join(""))
    .join("\n");

test("names who can mint and freeze, and what extensions permit", () => {
  const text = textsOf({
    symbol: "KES",
    mint_authority: null,
    freeze_authority: WALLET,
    extensions: [{ extension: "permanentDelegate" }, { extension: "unknownThing" }],
  });
  expect(text).toMatch(/mint authority +revoked/);
  expect(text).toMatch(/freeze authority +! can freeze accounts/);
  expect(text).toMatch(/permanent delegate +! can take tokens from every account/);
  expect(text).toMatch(/unknown thing/);
});
