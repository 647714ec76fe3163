/** Trades and changes of liquidity as DeFi activities. Values and prices in dollars are unknown. */
import { DEFI_ACTIVITIES } from "../../../catalogue/index.ts";
import type { DefiFact, RouteFact } from "../../ledger/index.ts";
import type { Exchanges, LiquidityChange, Swap } from "../../solana/index.ts";

const typeOf = (type: (typeof DEFI_ACTIVITIES)[number]): number => DEFI_ACTIVITIES.indexOf(type);
const [SWAP, AGGREGATED_SWAP] = [typeOf("ACTIVITY_TOKEN_SWAP"), typeOf("ACTIVITY_AGG_TOKEN_SWAP")];
const [ADD_LIQUIDITY, REMOVE_LIQUIDITY] = [typeOf("ACTIVITY_TOKEN_ADD_LIQ"), typeOf("ACTIVITY_TOKEN_REMOVE_LIQ")];

const legsOf = ({ in: paid, out: received }: Pick<Swap, "in" | "out">) => ({
  token1: paid.mint,
  amount1: paid.amount,
  token2: received.mint,
  amount2: received.amount,
});

/** Returns the route of a trade: an aggregator stands for its pools. */
function routeOf(swap: Swap): RouteFact {
  const { program } = swap;
  if (swap.kind === "swap") return { pool: swap.pool, program, isTrade: true, ...legsOf(swap) };
  return { pool: program, program, isTrade: false, ...legsOf(swap), children: swap.hops.map(routeOf) };
}

function swapFact(swap: Swap): DefiFact {
  const { instruction, program: platform, owner: from } = swap;
  const isDirect = swap.kind === "swap";
  return {
    instruction,
    type: isDirect ? SWAP : AGGREGATED_SWAP,
    from,
    to: isDirect ? swap.pool : from,
    platform,
    ...legsOf(swap),
    routes: [routeOf(swap)],
  };
}

function liquidityFact({ instruction, kind, program, owner, pool, legs }: LiquidityChange): readonly DefiFact[] {
  const [first, second] = legs;
  if (!first) return [];
  const amounts = {
    token1: first.mint,
    amount1: first.amount,
    ...(second && { token2: second.mint, amount2: second.amount }),
  };
  const type = kind === "add-liquidity" ? ADD_LIQUIDITY : REMOVE_LIQUIDITY;
  const routes = [{ pool, program, isTrade: false, ...amounts }];
  return [{ instruction, type, from: owner, to: pool, platform: program, ...amounts, routes }];
}

/** Returns the activities of a transaction in the order of its instructions. */
export const activitiesOf = ({ swaps, liquidity }: Exchanges): readonly DefiFact[] =>
  [...swaps.map(swapFact), ...liquidity.flatMap(liquidityFact)].sort((a, b) => a.instruction - b.instruction);

const LIQUIDITY_LABELS = { "add-liquidity": "addLiquidity", "remove-liquidity": "removeLiquidity" } as const;

/** Exchanges with these instructions label them so. */
const SIDES: ReadonlySet<string | undefined> = new Set(["buy", "sell"]);

/**
 * Returns the labels of the instructions of exchanges by their position: `raydium:swap`, `pumpfun:buy`.
 * @param typeAt returns the exchange's own name of an instruction
 */
export function exchangeLabels(
  { swaps, liquidity }: Exchanges,
  typeAt: (instruction: number) => string | undefined,
): ReadonlyMap<number, string> {
  const withHops = (swap: Swap): readonly Swap[] => [
    swap,
    ...(swap.kind === "route" ? swap.hops.flatMap(withHops) : []),
  ];
  const trades = swaps.flatMap(withHops).map(({ instruction, kind, platform }) => {
    const type = typeAt(instruction);
    const trade = SIDES.has(type) ? type : "swap";
    return [instruction, `${platform}:${kind === "route" ? "aggregateSwap" : trade}`] as const;
  });
  const changes = liquidity.map(
    ({ instruction, kind, platform }) => [instruction, `${platform}:${LIQUIDITY_LABELS[kind]}`] as const,
  );
  return new Map([...trades, ...changes]);
}
