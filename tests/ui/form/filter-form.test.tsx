import { describe, expect, test } from "vitest";
import { endpointByRoute, type ParameterValues } from "../../../src/catalogue/index.ts";
import { USDC, WALLET } from "../../../src/catalogue/samples.ts";
import type { Route } from "../../../src/ui/navigation/route.ts";
import { fakeData, renderExplorer } from "../support.tsx";

const PLACE: Route = { kind: "endpoint", endpointRoute: "v2-account-transfer", params: { address: WALLET } };

/** Opens a list and its filter form. */
async function open(width = 80, height = 24) {
  const data = fakeData({ "v2-account-transfer": [] });
  const screen = renderExplorer({ route: PLACE, width, height, data });
  await screen.waitFor(/account transfer/);
  await screen.press("F");
  await screen.waitFor("filter account transfer");
  return { ...screen, data, last: (): ParameterValues | undefined => data.requests.at(-1)?.params };
}

describe("the filter form of a list", () => {
  test("chosen and typed values are sent", async () => {
    const form = await open();
    await form.press(USDC, "down", "space", "enter");
    await form.waitFor(/^(?!.*filter account transfer)/s);
    await expect.poll(form.last).toMatchObject({
      address: WALLET,
      token: [USDC],
      flow: "in",
    });
  });

  test("invalid values are marked while typing, and not applied", async () => {
    const form = await open();
    await form.press("unknown");
    await form.waitFor("Validation Error: Address [unknown] is invalid");
    await form.press("enter");
    await form.waitFor("1 invalid");
    expect(form.frame()).toMatch(/✗/);
    expect(form.last()).not.toHaveProperty("token");
  });

  test("a known name is sent as its address", async () => {
    const form = await open();
    form.data.setName("USDC", USDC);
    await form.press("usd");
    await form.waitFor("→ complete");
    await form.press("right");
    await form.waitFor("→ EPjF…Dt1v");
    await form.press("enter");
    await expect.poll(form.last).toMatchObject({ token: [USDC] });
  });

  test("Esc changes nothing", async () => {
    const form = await open();
    const params = form.last();
    await form.press("usdc", "esc");
    await form.waitFor(/^(?!.*filter account transfer)/s);
    expect(form.last()).toEqual(params);
  });

  test("letters are typed and trigger no bindings", async () => {
    const form = await open();
    await form.press("q?");
    await form.waitFor("Address [q?]");
    expect(form.quits()).toBe(0);
  });

  test.each([
    [60, 15],
    [80, 24],
    [200, 60],
  ])("every field can be reached at %i × %i", async (width, height) => {
    const endpoint = endpointByRoute("v2-account-transfer");
    // The start and the end of the time range are one field.
    const count =
      Object.values(endpoint?.query ?? {}).filter(
        ({ role, positional, deprecated }) => role !== "page" && !positional && !deprecated,
      ).length - 1;
    const form = await open(width, height);
    for (let at = 1; at <= count; at += 1) {
      await form.waitFor(` ${at} of ${count} `);
      expect(form.frame().split("\n").length).toBeLessThan(height);
      await form.press("tab");
    }
    await form.waitFor(` 1 of ${count} `);
  });
});
