/** The copied command prints what the keys produced on screen. */
import { expect, test } from "vitest";
import { USDC, WALLET } from "../../../src/catalogue/samples.ts";
import type { Route } from "../../../src/ui/navigation/route.ts";
import { runInProcess } from "../../support/in-process.ts";
import { SANDBOX_NOW, useSandbox } from "../../support/running-sandbox.ts";
import { fakeServices, renderExplorer } from "../support.tsx";

const sandbox = useSandbox();

/** Presses keys and returns the visible rows and the output of the copied command. */
async function bothWays(
  place: Route,
  ready: RegExp,
  ...steps: (readonly [keys: readonly string[], pattern: RegExp])[]
) {
  const copies = new Map<string, string>();
  const services = {
    now: () => SANDBOX_NOW * 1000,
    memory: fakeServices().memory,
    command: (words: readonly string[]) => JSON.stringify(words),
    copy: async (text: string, what: string) => {
      copies.set(what, text);
      return { ok: true, message: `Copied ${what}` };
    },
  };
  const window = renderExplorer({ route: place, client: sandbox.client, services, width: 200, height: 60 });
  await window.waitFor(ready);
  for (const [keys, pattern] of steps) {
    await window.press(...keys);
    await window.waitFor(pattern);
  }
  await window.press("c", "f", "c", "s");
  await expect.poll(() => copies.size).toBe(2);
  const [rows = "", words = "[]"] = [...copies.values()];
  const { stdout, stderr } = await runInProcess([...JSON.parse(words), "-o", "ndjson"], { env: sandbox.env() });
  return { rows, words: JSON.parse(words) as string[], stdout, stderr };
}

const TRANSFERS: Route = { kind: "endpoint", endpointRoute: "v2-account-transfer", params: { address: WALLET } };

test("a list when opened", async () => {
  const { rows, stdout, stderr } = await bothWays(TRANSFERS, /rows 1–/);
  expect(rows).not.toBe("");
  expect(stdout, stderr).toBe(rows);
});

test("the next page", async () => {
  const { rows, stdout, words } = await bothWays(TRANSFERS, /rows 1–/, [["n"], /page 2/]);
  expect(words).toContain("--page");
  expect(stdout).toBe(rows);
});

test("an order that the API gives", async () => {
  const { rows, stdout, words } = await bothWays(
    TRANSFERS,
    /rows 1–/,
    [["h", "h", "s"], /time ↓, by the API/],
    [["s"], /time ↑, by the API.* 2 requests/],
  );
  expect(words).toContain("--sort-order");
  expect(stdout).toBe(rows);
});

test("rows inside an object", async () => {
  const holders: Route = { kind: "endpoint", endpointRoute: "v2-token-holders", params: { address: USDC } };
  const { rows, stdout } = await bothWays(holders, /rows 1–/);
  expect(stdout).toBe(rows);
});
