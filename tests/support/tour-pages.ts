/** The pages of the explorer to visit, and patterns that identify them. */
import { DLMM_POOL, JUPITER, OTHER_WALLET, POOL, SIGNATURE, SLOT, USDC } from "../../src/catalogue/samples.ts";

/** A page with tabs: how to open it through the palette, and patterns of the page and of each loaded tab. */
export interface TourPage {
  readonly words: string;
  readonly crumb: RegExp;
  readonly tabs: readonly (readonly [name: string, shows: RegExp])[];
}

/** The row count above a list. */
export const ROWS = /\brows?\b/;
/** Pages of entities with their tabs. */
export const TABBED_PAGES: readonly TourPage[] = [
  {
    words: OTHER_WALLET,
    crumb: /account ob2h…Ungk[\s\S]*portfolio/,
    tabs: [
      ["portfolio", /\$[\d,.]+[\s\S]*SOL/],
      ["transfers", /FLOW[\s\S]* in /],
      ["defi", /ACTIVITY TYPE[\s\S]*swap|AMOUNT1[\s\S]*TOKEN2/],
      ["changes", /CHANGE TYPE[\s\S]* inc /],
      ["transactions", /STATUS[\s\S]*Success/],
      ["stakes", /STAKE ACCOUNT[\s\S]*active/],
      ["token accounts", /TOKEN ADDRESS[\s\S]*EPjF/],
      ["nfts", ROWS],
      ["about", /owner program/],
    ],
  },
  { words: DLMM_POOL, crumb: /account 4LAC…1o6f[\s\S]*open as market/, tabs: [] },
  {
    words: `token ${USDC}`,
    crumb: /token EPjF…Dt1v[\s\S]*USDC/,
    tabs: [
      ["price", /\$1/],
      ["candles", /│/],
      ["statistics", /volume/],
      ["holders", /%/],
      ["markets", ROWS],
      ["transfers", ROWS],
      ["defi", ROWS],
      ["history", /\d/],
      ["about", /decimals/],
    ],
  },
  {
    words: SIGNATURE,
    crumb: /transaction F16M…wDSd[\s\S]*success/,
    tabs: [
      ["overview", /swapped 27\.418308 USDC/],
      ["instructions", /ComputeBudget[\s\S]*createIdempotent/],
      ["balances", /before/],
      ["logs", /invoke \[1\]/],
      ["accounts", /signer/],
      ["cost", /Compute units[\s\S]*limit/],
      ["raw", /block/],
    ],
  },
  {
    words: String(SLOT),
    crumb: /block 385804412/,
    tabs: [
      ["transactions", ROWS],
      ["raw", /blockhash|block hash|fee/],
    ],
  },
  {
    words: `market ${POOL}`,
    crumb: /market Gf7s…Td3v/,
    tabs: [
      ["candles", /│/],
      ["volume", /\$/],
      ["statistics", /\d/],
      ["positions", ROWS],
      ["defi", ROWS],
      ["about", /pool/],
    ],
  },
  {
    words: `program ${JUPITER}`,
    crumb: /program JUP6…TaV4/,
    tabs: [
      ["activity", /successful \d[\s\S]*instructions/],
      ["transactions", ROWS],
      ["transfers", ROWS],
      ["busiest programs", ROWS],
      ["labels", /account type/],
      ["raw", /\d/],
    ],
  },
];

/** Sections of the home page. */
export const SECTIONS = ["latest blocks", "trending tokens", "top tokens", "richest accounts"];
/** Tabs of an NFT collection. */
export const COLLECTION_TABS = ["items", "activity", "about"];

/** Pages without tabs, by the words that open them. */
export const PLAIN_PAGES: readonly (readonly [words: string, shows: RegExp])[] = [
  ["network", /› network[\s\S]*transactions[\s\S]*fees/],
  ["leaderboard", /› leaderboard[\s\S]*SOL/],
  ["usage", /› usage[\s\S]*units used/],
  ["bookmarks", /› bookmarks/],
  ["chaininfo", /chaininfo[\s\S]*epoch/i],
  ["legacy transaction last", /legacy transaction last[\s\S]*rows/],
  ["token trending", /token trending[\s\S]*rows/],
];

/** Overlays of a list, by the key that opens them. */
export const OVERLAYS: readonly (readonly [name: string, key: string, shows: RegExp])[] = [
  ["help", "?", /─ Keys ─/],
  ["copy menu", "c", /─ Copy ─[\s\S]*as JSON/],
  ["command", "!", /─ solx command of this view ─[\s\S]*token trending/],
  ["export", "e", /─ Export ─[\s\S]*csv/],
  ["column picker", "C", /─ Columns ─/],
  ["filter form", "F", /─ filter token trending ─/],
  ["palette", ":", /─ go to ─[\s\S]*leaderboard/],
];
