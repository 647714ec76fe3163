/** What the pictures of the documentation show. */

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
export interface Picture {
  /** The name of the file without its ending. */
  readonly name: string;
  readonly title: string;
  /** Arguments after `solx`. */
  readonly args: readonly string[];
  readonly waitFor: string;
  readonly steps?: readonly Step[];
}

/** A wallet with tokens of several kinds, and a transaction with several instructions. */
const WALLET = "ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk";

/** The still pictures. */
export const PICTURES: readonly Picture[] = [
  { name: "home", title: "solx explore", args: ["explore"], waitFor: "latest blocks" },
  { name: "chart", title: "solx explore token JUP", args: ["explore", "token", "JUP"], waitFor: "volume" },
  { name: "wallet", title: "solx explore <wallet>", args: ["explore", WALLET], waitFor: "portfolio" },
  {
    name: "transaction",
    title: "solx explore <signature>",
    args: ["explore", WALLET],
    waitFor: "portfolio",
    steps: [
      { press: ["3"], waitFor: "activity" },
      { press: ["Enter"], waitFor: "Instructions" },
    ],
  },
  { name: "usage", title: "solx explore usage", args: ["explore", "usage"], waitFor: "units" },
];

/** The tour of a minute. */
export const TOUR: Picture = {
  name: "tour",
  title: "solx explore",
  args: ["explore"],
  waitFor: "latest blocks",
  steps: [
    { type: ":", waitFor: "go to" },
    { type: "jup", waitFor: "Jupiter" },
    { press: ["Enter"], waitFor: "volume", seconds: 4 },
    { press: ["Left", "Left", "Left"], waitFor: "volume" },
    { press: ["4"], waitFor: "owner", seconds: 4 },
    { press: ["6"], waitFor: "signature", seconds: 3 },
    { press: ["Enter"], waitFor: "Instructions", seconds: 5 },
    { press: ["!"], waitFor: "solx", seconds: 3 },
    { press: ["Escape"], waitFor: "Instructions" },
    { type: "?", waitFor: "help", seconds: 3 },
  ],
};
