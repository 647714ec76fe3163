/** Pictures of every page with all its tabs, in several sizes and themes, to look at: they are not compared. */
import {
  BONK,
  JUP,
  JUPITER,
  NFT_COLLECTION,
  OTHER_WALLET,
  POOL,
  SIGNATURE,
  SLOT,
  USDC,
} from "../../src/catalogue/samples.ts";
import { ENTITY_KINDS, type EntityKind, PAGE_NAMES } from "../../src/ui/navigation/entity-pages.ts";
import { recordOfEntity } from "../../src/ui/pages/records.ts";
import { PAGES } from "./screen.ts";
import type { Size } from "./terminal.ts";

/** The windows of the pictures. */
export const SIZES: readonly Size[] = [
  { width: 80, height: 24 },
  { width: 100, height: 30 },
  { width: 120, height: 40 },
  { width: 200, height: 60 },
];

/** The themes of the pictures. */
export const THEMES = Object.keys(PAGES) as readonly (keyof typeof PAGES)[];

/** A screen: what opens it, by words in the palette or a key, and the key that leaves it again. */
export interface Shot {
  readonly name: string;
  readonly words?: string;
  readonly press?: string;
  readonly leave?: string;
}

/** What each kind of entity is shown by; kinds without an identifier are those that only a node answers. */
const SAMPLES: Partial<Record<EntityKind, readonly string[]>> = {
  account: [OTHER_WALLET],
  token: [USDC, BONK],
  transaction: [SIGNATURE],
  block: [String(SLOT)],
  program: [JUPITER],
  market: [POOL],
  collection: [NFT_COLLECTION],
};

/** Tabs after these are opened with Tab. */
const MAX_TAB_NUMBER = 9;

/** Popups of a list. */
const POPUPS: readonly (readonly [name: string, key: string])[] = [
  ...([
    ["help", "?"],
    ["copy", "c"],
    ["command", "!"],
    ["export", "e"],
    ["columns", "C"],
    ["filters", "F"],
    ["palette", ":"],
    ["bookmark", "b"],
    ["themes", "T"],
    ["load", "L"],
  ] as const),
];

/** Returns all screens. */
export function listShots(): readonly Shot[] {
  const entities = ENTITY_KINDS.flatMap((entity) =>
    (SAMPLES[entity] ?? []).flatMap((id, at) => {
      const name = at === 0 ? entity : `${entity}${at + 1}`;
      const tabs = (recordOfEntity(entity)?.tabs ?? []).filter(
        (tab) => tab.endpoint.family !== "node" && !(entity === "account" && tab.isActive),
      );
      return [
        { name, words: `${entity} ${id}` },
        ...tabs.map((tab, index) => ({
          name: `${name}-${index + 1}-${tab.name.replaceAll(" ", "-")}`,
          press: index < MAX_TAB_NUMBER ? String(index + 1) : "Tab",
        })),
      ];
    }),
  );
  return [
    ...PAGE_NAMES.filter((page) => page !== "validators").map((page) => ({ name: page, words: page })),
    ...entities,
    { name: "compare", words: `compare ${JUP} ${BONK}` },
    { name: "list", words: "token trending" },
    ...POPUPS.map(([name, press]) => ({ name: `popup-${name}`, press, leave: "Escape" })),
  ];
}
