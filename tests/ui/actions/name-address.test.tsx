/** Naming an address in the explorer: the popup, what it saves, and how the name is displayed. */
import { describe, expect, test } from "vitest";
import { UsageError } from "../../../src/base/index.ts";
import { USDC, WALLET } from "../../../src/catalogue/samples.ts";
import { createDataStore } from "../../../src/ui/data/query-store.ts";
import type { Route } from "../../../src/ui/navigation/route.ts";
import type { AddressBook } from "../../../src/ui/navigation/services.ts";
import { waitFor } from "../../support/wait-for.ts";
import { fakeData, fakeServices, renderExplorer } from "../support.tsx";

/** Opens the page of an account with an address book in memory. */
function openAccount(
  names: Readonly<Record<string, string>> = {},
  route: Route = { kind: "entity", entity: "account", id: WALLET },
) {
  const book = new Map(Object.entries(names));
  const addressBook: AddressBook = {
    names: () => new Map(book),
    async setName(address, name) {
      if (name === "taken") throw new UsageError("taken is already the name of another address.");
      for (const [one, named] of book) if (named === address) book.delete(one);
      if (name !== undefined) book.set(name, address);
      return new Map(book);
    },
  };
  const services = fakeServices({ addressBook });
  const tokens = fakeData({
    "v2-token-list": [{ symbol: "USDC", name: "USDC", address: USDC, decimals: 6, holder: 3 }],
  });
  const data = route.kind === "entity" ? createDataStore(services) : tokens;
  return { book, window: renderExplorer({ route, data, services, width: 110, height: 30 }) };
}

describe("naming an address", () => {
  test("saves the name, and displays it with its own mark", async () => {
    const { book, window } = openAccount();
    await window.press("@");
    expect(window.frame()).toContain(WALLET);
    await window.press(..."treasury");
    await window.press("enter");
    await waitFor(() => expect([...book]).toEqual([["treasury", WALLET]]));
    await window.waitFor(/★ treasury/);
    expect(window.toasts.at(-1)).toBe("Named treasury");
  });

  test("displays names of the address book from the start, and edits them", async () => {
    const { book, window } = openAccount({ treasury: WALLET });
    await window.waitFor(/★ treasury/);
    await window.press("@");
    await window.press("ctrl+u");
    await window.press("enter");
    await waitFor(() => expect([...book]).toEqual([]));
    expect(window.frame()).not.toContain("★");
  });

  test("reports why a name is refused, and keeps the popup open", async () => {
    const { book, window } = openAccount();
    await window.press("@");
    await window.press(..."taken");
    await window.press("enter");
    await window.waitFor(/already the name of another address/);
    await window.press("esc");
    expect([...book]).toEqual([]);
    expect(window.frame()).not.toContain("Name address");
  });

  test("of a row is the first one, unless the cursor is on another", async () => {
    const { book, window } = openAccount({}, { kind: "endpoint", endpointRoute: "v2-token-list", params: {} });
    await window.waitFor(/rows 1–|1 row/);
    await window.press("@", ..."mine", "enter");
    await waitFor(() => expect([...book]).toEqual([["mine", USDC]]));
  });
});
