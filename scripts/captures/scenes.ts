/** What the pictures of the documentation show. */
import { SIGNATURE } from "../../src/catalogue/samples.ts";
import { type Session, STILL_CHAIN } from "./terminal.ts";

/** The window of the pictures. */
export const SIZE = { width: 120, height: 36 } as const;

/** A text to type, or a key by its name in tmux; then a text that the screen must show. */
export interface Step {
  readonly type?: string;
  readonly press?: readonly string[];
  readonly waitFor: string;
  /** Seconds for which an animation shows the result (default: 2). */
  readonly seconds?: number;
}

/** A picture. */
export interface Picture extends Session, Step {
  /** The name of the file without its ending. */
  readonly name: string;
  readonly title: string;
  readonly steps?: readonly Step[];
  /** Whether all screens are part of it, as an animation and as a recording. */
  readonly isAnimated?: boolean;
}

/** A wallet with tokens of several kinds, and a transaction with several instructions. */
const WALLET = "ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk";

/** A wallet that pays other wallets. */
const PAYER = "492M7pwBSYb3jhZfc47mavcxuPTtZeom1sMLuLJo5xei";

/** The still pictures. */
export const PICTURES: readonly Picture[] = [
  { name: "home", title: "solx explore", lines: ["solx explore"], waitFor: "latest blocks" },
  { name: "chart", title: "solx explore token SOL", lines: ["solx explore token SOL"], waitFor: "volume" },
  { name: "wallet", title: "solx explore <wallet>", lines: [`solx explore ${WALLET}`], waitFor: "portfolio" },
  {
    name: "flow",
    title: "solx explore <wallet>",
    lines: [`solx explore ${PAYER}`],
    env: STILL_CHAIN,
    waitFor: "portfolio",
    steps: [
      { type: "$", waitFor: "sent to" },
      { press: ["Left", "Up"], waitFor: "a wallet" },
      { press: ["Left"], waitFor: "collapse" },
    ],
  },
  {
    name: "transaction",
    title: "solx explore <signature>",
    lines: [`solx explore ${WALLET}`],
    env: STILL_CHAIN,
    waitFor: "portfolio",
    steps: [
      { press: ["8"], waitFor: "activity" },
      { press: ["Enter"], waitFor: "Value flow" },
    ],
  },
  {
    name: "usage",
    title: "solx explore usage",
    lines: ["solx explore usage"],
    env: { SOLX_PLAN: "level-2" },
    waitFor: "Units left",
  },
  {
    name: "table",
    title: "solx",
    lines: [
      "solx token list --sort-by market_cap --limit 10",
      `solx account transfer ${WALLET} --from-time 7d --limit 10`,
    ],
    hasPrompt: true,
    waitFor: "SIGNATURE",
  },
];

/** The tour of a minute. */
export const TOUR: Picture = {
  name: "tour",
  title: "solx explore",
  lines: ["solx explore"],
  waitFor: "latest blocks",
  isAnimated: true,
  steps: [
    { type: ":", waitFor: "go to" },
    { type: "jup", waitFor: "Jupiter" },
    { press: ["Enter"], waitFor: "volume", seconds: 4 },
    { press: ["Left", "Left", "Left"], waitFor: "volume" },
    { press: ["4"], waitFor: "owner", seconds: 4 },
    { press: ["6"], waitFor: "signature", seconds: 3 },
    // Values of today would change with the seconds that a machine takes.
    { type: `:${SIGNATURE}`, waitFor: "go to" },
    { press: ["Enter"], waitFor: "Value flow", seconds: 5 },
    { press: ["!"], waitFor: "solx", seconds: 3 },
    { press: ["Escape"], waitFor: "Value flow" },
    { type: "?", waitFor: "Keys", seconds: 3 },
  ],
};
