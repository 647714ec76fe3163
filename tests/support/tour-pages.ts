/** The pages of the explorer to visit, and patterns that identify them. */
import {
  DLMM_POOL,
  JUPITER,
  NFT_COLLECTION,
  OTHER_WALLET,
  POOL,
  SIGNATURE,
  SLOT,
  USDC,
} from "../../src/catalogue/samples.ts";

/** A page with tabs: how to open it through the palette, and patterns of the page and of each loaded tab. */
export interface TourPage {
  readonly words: string;
  readonly crumb: RegExp;
  readonly tabs: readonly (readonly [name: string, shows: RegExp])[];
}

/** The row count above a list. */
export const ROWS = /\brows?\b/;
/** A list of swaps; a narrow window has the activity or the token of each. */
const SWAPS = / time .* amount 1[\s\S]* (ago|now) .* (swap +[\d.,]+[KMB]?|[\d.,]+[KMB]? +(wSOL|USDC))/;
/** Pages of entities with all their tabs. */
export const TABBED_PAGES: readonly TourPage[] = [
  {
    words: OTHER_WALLET,
    crumb: /account ob2h…Ungk[\s\S]*balance +[\d.,]+[KMB]? SOL \$[\d.,]+[KMB]?[\s\S]*1 portfolio/,
    tabs: [
      ["portfolio", / token +balance +price +value[\s\S]* SOL +[\d.,]+[KMB]? +\$1\d\d\.\d+ +\$[\d.,]+[KMB]?/],
      ["balance", /SOL balance +[\d.,]+[KMB]? SOL[\s\S]*▏◂[\d.,]+[KMB]?/],
      ["transfers", / time +flow +amount +token[\s\S]* in +[\d.,]+[KMB]? +USDC/],
      ["counterparties", / counterparty +in +out [\s\S]* \w{4}\S+ +(-|\$[\d.,]+[KMB]?) +(-|\$[\d.,]+[KMB]?) /],
      ["stakes", / stake account +status +active[\s\S]* active +[\d.,]+[KMB]? +SOL/],
      ["positions", / value +type +range [\s\S]* \$[\d.,]+[KMB]? +\w+ +(in|out of) range/],
      ["transactions", / time +status +signature +instructions[\s\S]* [✔✖] +\w{4}…\w{4} +\w+/],
      ["defi", SWAPS],
      ["changes", / change +amount +token[\s\S]* dec +[\d.,]+[KMB]? +SOL/],
      ["token accounts", / token +amount +token account[\s\S]* USDC +[\d.,]+[KMB]? +\w{4}[\w…]+/],
      ["nfts", /\d+ rows[\s\S]* #\d+ +\w{4}[\w…]+ +\w{4}[\w…]+/],
      ["flow", /received from \d+ accounts[\s\S]*│ ob2h…Ungk │/],
      ["about", / owner program +System Program[\s\S]* is on curve +yes/],
      ["funders", / # +funder +funded +time[\s\S]* 1 +\w{4}…?\w{4,} +ob2h/],
      ["enhanced", / time +slot +signatures?[\s\S]* 3902\d{5} +\w{4}/],
    ],
  },
  {
    words: DLMM_POOL,
    crumb:
      /account[\s\S]*M open as market[\s\S]* (wSOL +[\d.,]+[KMB]?K[\s\S]* USDC|USDC +[\d.,]+[KMB]?M[\s\S]* wSOL) +[\d.,]+[KMB]?[KM]/,
    tabs: [],
  },
  {
    words: `token ${USDC}`,
    crumb: new RegExp(`› token USDC[\\s\\S]*USDC +${USDC}`),
    tabs: [
      ["price", /USDC in USD +\$1\.00[\s\S]*◂\$1\.00/],
      ["candles", /USDC in USD +1 [\s\S]*1m 5m 15m 30m 1h[\s\S]*◂1\.00/],
      ["statistics", / 24h +7d[\s\S]*volume +\$[\s\S]*bought +\$[\s\S]*sold +\$/],
      [
        "holders",
        /largest \d[\d.,]+[KMB]?%.* others \d[\d.,]+[KMB]?%[\s\S]* rank +owner +amount +share[\s\S]* 1 +\w{4}.* [\d.,]+[KMB]?B +[\d.,]+[KMB]?%/,
      ],
      ["markets", / pool +program +token 1 +token 2[\s\S]* wSOL\/USDC \w{4}…\S* +\w[\w. ]+ +wSOL +USDC/],
      ["transfers", /Σ amount [\d.,]+[KMB]? USDC[\s\S]* time +amount +from[\s\S]* ago +[\d.,]+[KMB]? +USDC/],
      ["defi", SWAPS],
      ["safety", /mint authority/],
      ["history", / date +supply +holders[\s\S]* 2024-06-06 +[\d.,]+[KMB]?B +\d+/],
      ["about", new RegExp(` address +${USDC.slice(0, 8)}[\\s\\S]* symbol +USDC`)],
    ],
  },
  {
    words: SIGNATURE,
    crumb: /transaction F16M…wDSd[\s\S]*status +✔ success/,
    tabs: [
      ["overview", /Value flow[\s\S]*ob2h…Ungk: [\d.,]+[KMB]? USDC → [\d.,]+[KMB]?M BONK \(\$[\d.,]+[KMB]?\) via Jup/],
      ["instructions", /2 Compute Budget › setComputeUnitPrice[\s\S]*3 Associated Token › createIdempotent +[\d,]+/],
      ["balances", / account +.*after +change[\s\S]* ob2h\S+Ungk.* -0\.\d+/],
      ["logs", /Program Compute Budget invoke \[1\][\s\S]*Program log: CreateIdempotent/],
      ["accounts", / 0 +ob2h…?\w*Ungk.* signer, fee[\s\S]* Jupiter v6 +.*program/],
      ["cost", /base +0\.000005 SOL[\s\S]*Compute units[\s\S]*used +[\d,]+/],
      ["raw", / tx hash +F16M[\s\S]* block id +385804412[\s\S]* status +Success/],
    ],
  },
  {
    words: String(SLOT),
    crumb: /› block 385804412[\s\S]*transactions +\d+\s+fee rewards +0\.\d+ SOL/,
    tabs: [
      ["transactions", /rows 1–100 of \d+[\s\S]* \w{4}…\w+ +✔ +0\.\d+ +SOL/],
      ["raw", / blockhash +\w{4}[\s\S]* parent slot +385804411/],
      ["distribution", /fees of transactions[\s\S]*fees compute units[\s\S]* [\d.,]+[KMB]?K +[\d.,]+[KMB]?K/],
    ],
  },
  {
    words: `market ${POOL}`,
    crumb: /› market (wSOL\/USDC|Gf7s…Td3v)[\s\S]*wSOL\/USDC +Gf7sX\w+/,
    tabs: [
      ["candles", /wSOL in USDC +1\d\d\.\d+[\s\S]*1m 5m 15m 30m 1h[\s\S]*▏◂1\d\d/],
      ["volume", /volume per day +\$[\d,.]+[\s\S]*█/],
      [
        "liquidity",
        /value locked +\$[\d,]+\.\d\d [\s\S]*(wSOL \$[\d.,]+[KMB]?\w? [\s\S]*USDC \$[\d.,]+[KMB]?|◂\$[\d.,]+[KMB]?M)/,
      ],
      ["statistics", / program id +Pump\.fun AMM[\s\S]* total volume 24h +\$[\d.,]+[KMB]?[\s\S]* TVL +\$[\d.,]+[KMB]?/],
      ["positions", / position +owner +value[\s\S]* \w{4}…\w{4} +\w{4}…\w{4} +\$[\d.,]+[KMB]?M/],
      ["defi", SWAPS],
      ["about", / program id +Pump\.fun AMM[\s\S]* token infos +2 entries/],
    ],
  },
  {
    words: `program ${JUPITER}`,
    crumb: /› program Jupiter v6[\s\S]*Jupiter Aggreg\S*( v6)? +JUP6Lkb\w+/,
    tabs: [
      [
        "activity",
        /30 days +transactions \d+ +successful [\d.,]+[KMB]?%[\s\S]*sharedAccountsRoute +\d+ +[\d.,]+[KMB]?%/,
      ],
      ["transactions", / time +status +signature +instructions?[\s\S]* Jupiter v6 › shared/],
      ["transfers", /no rows[\s\S]*No transfers of JUP6/],
      ["busiest programs", / program +transactions +success +users[\s\S]* Vote Program +[\d.,]+[KMB]?B .*100% /],
      ["labels", / account label +Jupiter Aggregator v6[\s\S]* account type +program/],
      ["raw", / executable +yes[\s\S]* owner program +Upgradeable Loader/],
    ],
  },
  {
    words: `collection ${NFT_COLLECTION}`,
    crumb: /› collection (Boryoku Dragonz|3790…ca84)[\s\S]*floor +[\d.,]+[KMB]? SOL[\s\S]*\d+ items/,
    tabs: [
      ["items", /\d+ rows?[\s\S]* name +type +price[\s\S]* Boryoku Dragonz #\d+ +(- +-|Buy +[\d.,]+[KMB]? +wSOL)/],
      ["activity", /\d+ rows?[\s\S]* time +activity +price[\s\S]* (sold|listing) +[\d.,]+[KMB]? +wSOL/],
      ["about", / name +Boryoku Dragonz[\s\S]* symbol +BORYOKU[\s\S]* floor price +[\d.,]+[KMB]? SOL/],
    ],
  },
];

/** Sections of the home page. */
export const SECTIONS = ["latest blocks", "trending tokens", "top tokens", "richest accounts"];

/** Pages without tabs, by the words that open them. */
export const PLAIN_PAGES: readonly (readonly [words: string, shows: RegExp])[] = [
  ["network", /› network[\s\S]*transactions +\d+ [\s\S]*fees +[\d.,]+[KMB]? SOL[\s\S]*DEX +\$[\d.,]+[KMB]?K/],
  [
    "leaderboard",
    /› leaderboard[\s\S]*Richest accounts[\s\S]* account +net worth[\s\S]* \w{4}\S+ +\$[\d.,]+[KMB]?B +[█$]/,
  ],
  ["usage", /› usage[\s\S]*[\d,]+ used, [\d,]+ left[\s\S]*[\d,]+\s+per\s+day\s+since\s+the\s+reset/],
  ["bookmarks", /› bookmarks[\s\S]*Recent pages +\d+[\s\S]*token +USDC/],
  ["chaininfo", /› chaininfo[\s\S]*absolute slot +390204414/],
  ["legacy transaction last", /› legacy transaction last[\s\S]*rows[\s\S]* \w{4}\S+ +0\.\d+ +SOL/],
  ["token trending", /› token trending[\s\S]*\d+ rows[\s\S]* USDC +USDC /],
];

/** Overlays of a list, by the key that opens them. */
export const OVERLAYS: readonly (readonly [name: string, key: string, shows: RegExp])[] = [
  ["help", "?", /─ Keys|─ Help|─ All keys/i],
  ["copy menu", "c", /─ Copy ─[\s\S]*as JSON/i],
  ["command", "!", /─ solx command of this view ─[\s\S]*token trending/],
  ["export", "e", /─ Export ─[\s\S]*csv/],
  ["column picker", "C", /─ Columns ─/],
  ["filter form", "F", /─ filter token trending ─/],
  ["palette", ":", /─ go to ─[\s\S]*Pages +home/],
];
