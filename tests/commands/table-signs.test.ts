/** Tables in a pipe have only signs that the locale has. */
import { expect, test } from "vitest";
import { runInProcess } from "../support/in-process.ts";
import { useSandbox } from "../support/running-sandbox.ts";

const sandbox = useSandbox();
const TABLE = ["token", "list", "--limit", "20", "--fields", "symbol,price,price_24h_change", "-o", "table"];
const ARROWS = /[▲▼]/;

test.each([
  [{ LC_ALL: "C" }, false],
  [{ LANG: "C" }, false],
  [{ LANG: "en_US.UTF-8" }, true],
])("with %j", async (locale, hasArrows) => {
  const env = { ...sandbox.env(), LC_ALL: undefined, LC_CTYPE: undefined, LANG: undefined, ...locale };
  const { stdout } = await runInProcess(TABLE, { env });
  expect(stdout).toContain("USDC");
  expect(ARROWS.test(stdout)).toBe(hasArrows);
});
