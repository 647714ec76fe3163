/** The exchanges: programs with pools of two tokens. */
import type { ProgramName } from "../data/programs.ts";

/** A program with pools: the names of its instructions, and its fee in basis points. */
export interface Exchange {
  readonly name: ExchangeName;
  readonly program: ProgramName;
  readonly label: string;
  readonly swap: string;
  readonly create: string;
  readonly add: string;
  readonly remove: string;
  readonly feeBps: number;
  /** Code of the error for too little output. */
  readonly slippageError: number;
  /** Whether shares are represented by an LP token. */
  readonly hasLpToken: boolean;
}

type ExchangeRow = readonly [
  ProgramName,
  label: string,
  instructions: string,
  feeBps: number,
  error: number,
  lp?: "lp",
];

/** By name: program, label, instructions (swap, create, add, remove), fee, error for too little output, LP token. */
const EXCHANGE_ROWS = {
  raydium: ["raydiumAmm", "raydium", "swapBaseIn initialize2 deposit withdraw", 25, 30, "lp"],
  clmm: ["raydiumClmm", "raydium", "swapV2 createPool increaseLiquidityV2 decreaseLiquidityV2", 20, 6022],
  orca: ["whirlpool", "whirlpool", "swapV2 initializePoolV2 increaseLiquidityV2 decreaseLiquidityV2", 16, 6036],
  meteora: [
    "meteoraDlmm",
    "meteora",
    "swap2 initializeLbPair2 addLiquidityByStrategy2 removeLiquidityByRange2",
    20,
    6003,
  ],
  pump: ["pumpSwap", "pumpswap", "sell createPool deposit withdraw", 30, 6004],
} as const satisfies Record<string, ExchangeRow>;

/** Name of an exchange. */
export type ExchangeName = keyof typeof EXCHANGE_ROWS;

/** Returns the exchange of a name. */
export function exchangeOf(name: ExchangeName): Exchange {
  const [program, label, instructions, feeBps, slippageError, lp]: ExchangeRow = EXCHANGE_ROWS[name];
  const [swap = "", create = "", add = "", remove = ""] = instructions.split(" ");
  return { name, program, label, swap, create, add, remove, feeBps, slippageError, hasLpToken: lp !== undefined };
}
