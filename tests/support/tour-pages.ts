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
      ["portfolio", /\$[\d,.]+[\s\S]*SOL/i],
      ["transfers", /FLOW[\s\S]* in /i],
      ["defi", /activity[\s\S]*swap|amount 1[\s\S]*token 2/],
      ["changes", /CHANGE TYPE[\s\S]* inc /i],
      ["transactions", /status[\s\S]*[✔✖]/i],
      ["stakes", /stake account|no stakes|\brows?\b/i],
      ["token accounts", /amount[\s\S]*(EPjF|USDC)/i],
      ["nfts", ROWS],
      ["balance", /SOL/],
    ],
  },
  { words: DLMM_POOL, crumb: /account[\s\S]*open as market/i, tabs: [] },
  {
    words: `token ${USDC}`,
    crumb: /USDC/,
    tabs: [
      ["price", /\$1/],
      ["candles", /\$|\d/],
      ["statistics", /volume/],
      ["holders", /%/],
      ["markets", ROWS],
      ["transfers", ROWS],
      ["defi", ROWS],
      ["history", /\d/],
      ["about", /\w/],
    ],
  },
  {
    words: SIGNATURE,
    crumb: /F16M…wDSd[\s\S]*success/,
    tabs: [
      ["overview", /Value flow/],
      ["instructions", /createIdempotent|setComputeUnit/i],
      ["balances", /before/],
      ["logs", /invoke \[1\]/],
      ["accounts", /signer/],
      ["cost", /compute units/i],
      ["raw", /block/],
    ],
  },
  {
    words: String(SLOT),
    crumb: /385804412/,
    tabs: [
      ["transactions", ROWS],
      ["raw", /blockhash|block hash|fee/],
    ],
  },
  {
    words: `market ${POOL}`,
    crumb: /Gf7s…Td3v|\w+\/\w+/,
    tabs: [
      ["candles", /\$|\d/],
      ["volume", /\$/],
      ["statistics", /\d/],
      ["positions", ROWS],
      ["defi", ROWS],
      ["about", /\w/],
    ],
  },
  {
    words: `program ${JUPITER}`,
    crumb: /JUP6…TaV4|Jupiter/,
    tabs: [
      ["activity", /successful[\s\S]*instructions/],
      ["transactions", ROWS],
      ["transfers", ROWS],
      ["busiest programs", ROWS],
      ["labels", /\w/],
      ["raw", /\d/],
    ],
  },
];

/** Sections of the home page. */
export const SECTIONS = ["latest blocks", "trending tokens", "top tokens", "richest accounts"];

/** Pages without tabs, by the words that open them. */
export const PLAIN_PAGES: readonly (readonly [words: string, shows: RegExp])[] = [
  ["network", /› network[\s\S]*transactions[\s\S]*fees/],
  ["leaderboard", /› leaderboard[\s\S]*SOL/i],
  ["usage", /› usage[\s\S]*units used/],
  ["bookmarks", /› bookmarks/],
  ["chaininfo", /chaininfo[\s\S]*epoch/i],
  ["legacy transaction last", /legacy transaction last[\s\S]*rows/],
  ["token trending", /token trending[\s\S]*rows/],
];

/** Overlays of a list, by the key that opens them. */
export const OVERLAYS: readonly (readonly [name: string, key: string, shows: RegExp])[] = [
  ["help", "?", /─ Keys|─ Help|─ All keys/i],
  ["copy menu", "c", /─ Copy ─[\s\S]*as JSON/i],
  ["command", "!", /─ solx command of this view ─[\s\S]*token trending/],
  ["export", "e", /─ Export ─[\s\S]*csv/],
  ["column picker", "C", /─ Columns ─/],
  ["filter form", "F", /─ filter token trending ─/],
  ["palette", ":", /─ go to ─[\s\S]*leaderboard/],
];
