/** The records of pages: every tab is on the screen and in plain mode, and asks for something that may be sent. */
import { describe, expect, test } from "vitest";
import { NFT_COLLECTION, POOL, SIGNATURE, USDC, WALLET } from "../../../src/catalogue/samples.ts";
import { prepare } from "../../../src/client/index.ts";
import type { EntityKind } from "../../../src/ui/navigation/entity-pages.ts";
import { ENTITY_KINDS } from "../../../src/ui/navigation/entity-pages.ts";
import { tabRequest } from "../../../src/ui/pages/entity/record.ts";
import { recordOfEntity } from "../../../src/ui/pages/records.ts";
import { runPlainExplorer } from "../../../src/ui/plain/session.ts";
import { type FakeAnswer, fakeData, fakeServices, renderExplorer } from "../support.tsx";

const IDS: Readonly<Record<string, string>> = {
  account: WALLET,
  token: USDC,
  transaction: SIGNATURE,
  block: "286244072",
  program: USDC,
  market: POOL,
  collection: NFT_COLLECTION,
  epoch: "662",
};

/** Answers every endpoint with an object that makes all tabs of a page available. */
const ANSWERS = new Proxy<Readonly<Record<string, FakeAnswer>>>(
  {},
  {
    get: (_target, route) => {
      if (route === "v2-nft-collection-lists") return [{ collection_id: NFT_COLLECTION }];
      return { owner_program: "Other", token_infos: [{ token: USDC }], state: {} };
    },
    ownKeys: () => [],
  },
);

const KINDS = ENTITY_KINDS.filter((entity) => recordOfEntity(entity) !== undefined);

/** Returns the names of the tabs that plain mode prints. */
async function plainTabs(entity: EntityKind, id: string): Promise<readonly string[]> {
  let output = "";
  const none = async function* () {};
  await runPlainExplorer({
    services: fakeServices({ supports: () => true }),
    data: fakeData(ANSWERS),
    initialRoute: { kind: "entity", entity, id },
    lines: none(),
    write: (text) => {
      output += text;
    },
    signal: new AbortController().signal,
  });
  const [, menu = ""] = output.split("Tabs:\n");
  return [...menu.matchAll(/^\d+\. (.+)$/gm)].map(([, name = ""]) => name);
}

describe.each(KINDS)("the page of %s", (entity) => {
  const id = IDS[entity] ?? "";
  const record = recordOfEntity(entity);

  test("has tabs with names of their own, whose requests may be sent", () => {
    const names = (record?.tabs ?? []).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const tab of record?.tabs ?? []) {
      const { endpoint, params } = tabRequest(tab, id, { info: { token_infos: [{ token: USDC }] } });
      expect(() => prepare(endpoint, params, { now: () => 0 })).not.toThrow();
    }
  });

  test("has the same tabs on the screen and in plain mode", async () => {
    const names = await plainTabs(entity, id);
    expect(names.length).toBeGreaterThan(0);
    const services = fakeServices({ supports: () => true });
    const route = { kind: "entity", entity, id, tab: names.at(-1) ?? "" } as const;
    const window = renderExplorer({ route, data: fakeData(ANSWERS), services, width: 250, height: 30 });
    const line = names.map((name, at) => (at < 9 ? `${at + 1} ${name}` : name)).join("  ");
    await window.waitFor(names.length > 1 ? new RegExp(line) : new RegExp(`(^|\\n| )(1 )?${names[0]}`));
  });
});
