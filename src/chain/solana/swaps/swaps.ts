/** Finds the swaps of a transaction, and the changes of liquidity. */
import { NATIVE_SOL, WRAPPED_SOL } from "../../../catalogue/index.ts";
import type { ChainInstruction, ChainTransaction } from "../model.ts";
import { type Flow, TransactionFlows } from "./flows.ts";
import {
  type AccountIndex,
  EXCHANGES,
  type ExchangeAction,
  type ExchangeLayout,
  exchangeLayout,
  type PoolLayout,
} from "./programs.ts";

/** One side of a swap, in base units. */
interface SwapLeg {
  /** The mint; {@link NATIVE_SOL} for lamports. */
  readonly mint: string;
  /** What the user pays to the pool or receives from it, with transfer fees of the token. */
  readonly amount: bigint;
  /** The part that the token program withholds: the pool receives less than `amount`, or pays more. */
  readonly withheld: bigint;
  /** What the pool pays to others than the user: fees of the exchange. */
  readonly fees: bigint;
  /** The account of the pool, and that of the user. For routes the vault is undefined. */
  readonly vault: string | undefined;
  readonly account: string | undefined;
}

interface Exchange {
  readonly instruction: number;
  readonly program: string;
  /** The name of the program: `raydium_amm`. */
  readonly name: string;
  /** `raydium` */
  readonly platform: string;
  /** Who trades, or changes liquidity. */
  readonly owner: string;
}

/** A trade with one pool. The pool receives `in` and pays `out`. */
export interface PoolSwap extends Exchange {
  readonly kind: "swap";
  readonly pool: string;
  readonly in: SwapLeg;
  readonly out: SwapLeg;
}

/** A trade through an aggregator. */
interface RouteSwap extends Exchange {
  readonly kind: "route";
  readonly in: SwapLeg;
  readonly out: SwapLeg;
  /** The trades that it consists of, in the order of execution; without those of programs that are not known. */
  readonly hops: readonly Swap[];
}

/** A trade. */
export type Swap = PoolSwap | RouteSwap;

/** A deposit into a pool, or a withdrawal. Pools with a range of prices may take or pay one of their tokens only. */
export interface LiquidityChange extends Exchange {
  readonly kind: "add-liquidity" | "remove-liquidity";
  readonly pool: string;
  readonly legs: readonly SwapLeg[];
}

/** Returns the platform of an exchange's program: `raydium`; undefined for other programs. */
export const platformOf = (program: string): string | undefined =>
  Object.hasOwn(EXCHANGES, program) ? EXCHANGES[program]?.platform : undefined;

/** What a transaction does with exchanges. */
export interface Exchanges {
  readonly swaps: readonly Swap[];
  readonly liquidity: readonly LiquidityChange[];
}

/**
 * Returns the swaps of a transaction in the order of execution, those of an aggregator below its route, and the changes
 * of liquidity. Reports only what the balances confirm: for every vault, all transfers of the transaction together must
 * equal the change of its balance. Others are left out, because their amounts would be wrong in every sum; their
 * transfers remain.
 */
export function findExchanges(transaction: ChainTransaction): Exchanges {
  const { instructions, error, detail } = transaction;
  const candidates = instructions.flatMap((instruction, index) => findCandidates(instruction, index));
  // A failed transaction moves nothing, and without effects there are no balances.
  if (candidates.length === 0 || error !== undefined || detail !== "full") return { swaps: [], liquidity: [] };
  return new ExchangeFinder(new TransactionFlows(transaction), candidates).find();
}

interface Candidate {
  readonly index: number;
  readonly program: string;
  readonly accounts: readonly string[];
  readonly layout: ExchangeLayout;
}

function findCandidates({ program, accounts, data }: ChainInstruction, index: number): readonly Candidate[] {
  if (accounts === undefined || data === undefined) return [];
  const layout = exchangeLayout(program, data);
  return layout === undefined ? [] : [{ index, program, accounts, layout }];
}

/** What a vault of a pool receives and pays in an instruction. */
interface VaultFlows {
  readonly vault: string;
  readonly inLamports: boolean;
  readonly received: readonly Flow[];
  readonly paid: readonly Flow[];
}

class ExchangeFinder {
  readonly #flows: TransactionFlows;
  readonly #candidates: readonly Candidate[];

  constructor(flows: TransactionFlows, candidates: readonly Candidate[]) {
    this.#flows = flows;
    this.#candidates = candidates;
  }

  find(): Exchanges {
    const liquidity = this.#candidates.flatMap((candidate) => this.#liquidityOf(candidate));
    const swaps: Swap[] = [];
    const routes: [Candidate, RouteSwap, Swap[]][] = [];
    for (const candidate of this.#candidates) {
      const list = routes.findLast(([route]) => this.#isBelow(candidate.index, route.index))?.[2] ?? swaps;
      if (candidate.layout.action !== "route") list.push(...this.#swapsOf(candidate));
      const hops: Swap[] = [];
      const route = candidate.layout.action === "route" ? this.#routeOf(candidate, hops) : undefined;
      if (route === undefined) continue;
      routes.push([candidate, route, hops]);
      list.push(route);
    }
    return { swaps, liquidity };
  }

  #isBelow(index: number, ancestor: number): boolean {
    const { instructions } = this.#flows.transaction;
    let at = index;
    while (at > ancestor) {
      const parent = instructions[at]?.parent ?? -1;
      // A caller precedes what it calls.
      if (parent >= at) return false;
      at = parent;
    }
    return at === ancestor && index !== ancestor;
  }

  /** Whether an instruction was called by another one: directly, or through the program of vaults. */
  #isCall(index: number, { index: caller, layout }: Candidate): boolean {
    const { instructions } = this.#flows.transaction;
    const parent = instructions[index]?.parent ?? -1;
    if (parent === caller) return true;
    const between = instructions[parent];
    return layout.through !== undefined && between?.program === layout.through && between.parent === caller;
  }

  #swapsOf(candidate: Candidate): readonly Swap[] {
    if (candidate.layout.action !== "swap") return [];
    return candidate.layout.pools.flatMap((layout) => {
      const vaults = this.#vaultFlows(candidate, layout);
      const [taker, ...takers] = vaults.filter((vault) => netOf(vault) > 0n);
      const [payer, ...payers] = vaults.filter((vault) => netOf(vault) < 0n);
      const pool = at(candidate, layout.pool);
      if (pool === undefined || !taker || !payer || takers.length + payers.length > 0) return [];
      const owner = this.#ownerOf(candidate, taker.received[0]?.from);
      const [input, output] = [this.#takenLeg(taker), this.#paidLeg(payer, owner)];
      if (!input || !output || ![taker, payer].every((vault) => this.#isConfirmed(vault))) return [];
      return [{ kind: "swap", ...describe(candidate, owner), pool, in: input, out: output }];
    });
  }

  #liquidityOf(candidate: Candidate): readonly LiquidityChange[] {
    const { action, pools } = candidate.layout;
    if (!isLiquidity(action)) return [];
    return pools.flatMap((layout) => {
      const vaults = this.#vaultFlows(candidate, layout).filter(({ received, paid }) => received.length + paid.length);
      const isAdding = action === "add-liquidity";
      const pool = at(candidate, layout.pool);
      const users = vaults.map(({ received, paid }) => (isAdding ? received[0]?.from : paid[0]?.to));
      const owner = this.#ownerOf(candidate, users[0]);
      const legs = vaults.map((vault) => (isAdding ? this.#takenLeg(vault) : this.#paidLeg(vault, owner)));
      const complete = legs.filter((leg) => leg !== undefined);
      const confirmed = vaults.every((vault) => this.#isConfirmed(vault) && netOf(vault) > 0n === isAdding);
      if (pool === undefined || legs.length === 0 || complete.length < legs.length || !confirmed) return [];
      return [{ kind: action, ...describe(candidate, owner), pool, legs: complete }];
    });
  }

  #vaultFlows(candidate: Candidate, layout: PoolLayout): readonly VaultFlows[] {
    const addresses = new Set(vaultsOf(candidate, layout));
    const flows = this.#flows.flows.filter(
      ({ instruction, from, to }) =>
        this.#isCall(instruction, candidate) && addresses.has(from ?? "") !== addresses.has(to ?? ""),
    );
    const vaults = [...addresses].map((vault) => vaultFlows(vault, false, flows));
    const account = layout.lamports === undefined ? undefined : at(candidate, layout.lamports);
    return account === undefined ? vaults : [...vaults, this.#lamportFlows(candidate, account)];
  }

  /** Returns what an account receives and pays in lamports. */
  #lamportFlows(candidate: Candidate, account: string): VaultFlows {
    const flows = this.#flows.flows.filter(({ instruction }) => this.#isCall(instruction, candidate));
    const known = vaultFlows(account, true, flows);
    if (known.received.length > 0) return known;
    // A program pays lamports without a transfer.
    const paid = -this.#flows.unexplainedLamports(account);
    if (paid <= 0n) return known;
    const to = this.#ownerOf(candidate, undefined);
    const payment: Flow = {
      instruction: candidate.index,
      from: account,
      to,
      amount: paid,
      withheld: 0n,
      mint: undefined,
      inLamports: true,
    };
    return { ...known, paid: [payment] };
  }

  /** Returns how many instructions trade with an account of lamports and transfer none to it. */
  #paymentsOf(account: string): number {
    return this.#candidates.filter(
      (candidate) =>
        candidate.layout.pools.some(({ lamports }) => lamports !== undefined && at(candidate, lamports) === account) &&
        !this.#flows.flows.some(
          (flow) => flow.inLamports && flow.to === account && this.#isCall(flow.instruction, candidate),
        ),
    ).length;
  }

  /** Whether the balance of a vault changed by the transfers. */
  #isConfirmed({ vault, inLamports }: VaultFlows): boolean {
    if (!inLamports) return this.#flows.unexplained(vault) === 0n;
    const unexplained = this.#flows.unexplainedLamports(vault);
    // With several payments without a transfer, how much each paid is not known.
    return unexplained === 0n || (unexplained < 0n && this.#paymentsOf(vault) === 1);
  }

  #takenLeg({ vault, inLamports, received, paid }: VaultFlows): SwapLeg | undefined {
    const mint = inLamports ? NATIVE_SOL : this.#flows.balanceOf(vault)?.mint;
    if (mint === undefined || !this.#areConsistent(received)) return undefined;
    const account = received[0]?.from;
    return { mint, amount: sumOf(received), withheld: withheldOf(received), fees: sumOf(paid), vault, account };
  }

  #paidLeg({ vault, inLamports, paid }: VaultFlows, owner: string): SwapLeg | undefined {
    const mint = inLamports ? NATIVE_SOL : this.#flows.balanceOf(vault)?.mint;
    const account = this.#receiverOf(paid, owner);
    const [own, others] = [paid.filter(({ to }) => to === account), paid.filter(({ to }) => to !== account)];
    if (mint === undefined || !this.#areConsistent(own)) return undefined;
    const withheld = withheldOf(own);
    return { mint, amount: sumOf(own) - withheld, withheld, fees: sumOf(others), vault, account };
  }

  /** Returns the account that the user receives in: the user's own, or that of the largest transfer. */
  #receiverOf(paid: readonly Flow[], owner: string): string | undefined {
    const own = paid.find(({ to }) => to === owner || this.#ownersOf(to).includes(owner));
    return (own ?? paid.toSorted((a, b) => Number(b.amount > a.amount) - Number(b.amount < a.amount))[0])?.to;
  }

  #ownersOf(account: string | undefined): readonly (string | undefined)[] {
    const balance = this.#flows.balanceOf(account);
    return balance === undefined ? [] : [balance.owner, balance.ownerBefore];
  }

  /** Whether no balance of a user contradicts transfers. Wrapped SOL is created and closed without transfers. */
  #areConsistent(flows: readonly Flow[]): boolean {
    return flows
      .flatMap(({ from, to }) => [from, to])
      .every((account) => {
        const balance = this.#flows.balanceOf(account);
        return balance === undefined || balance.mint === WRAPPED_SOL || this.#flows.unexplained(balance.account) === 0n;
      });
  }

  #ownerOf({ accounts, layout }: Candidate, account: string | undefined): string {
    const owner = layout.owner === undefined ? undefined : accounts.at(layout.owner);
    const [first = this.#flows.transaction.keys[0]?.address ?? ""] = this.#ownersOf(account).filter(
      (address) => address !== undefined,
    );
    return owner ?? first;
  }

  #routeOf(candidate: Candidate, hops: readonly Swap[]): RouteSwap | undefined {
    const { layout, index, program } = candidate;
    const flows = this.#flows.flows.filter(
      ({ instruction, inLamports }) => !inLamports && this.#isBelow(instruction, index),
    );
    const source = layout.source === undefined ? flows[0]?.from : at(candidate, layout.source);
    const target = layout.destinations
      ?.map((position) => at(candidate, position))
      .find((address) => address !== undefined && address !== program);
    if (source === undefined || target === undefined) return undefined;
    const [input, output] = [this.#routeLeg(source, target, flows, -1n), this.#routeLeg(target, source, flows, 1n)];
    if (input === undefined || output === undefined) return undefined;
    return { kind: "route", ...describe(candidate, this.#ownerOf(candidate, source)), in: input, out: output, hops };
  }

  /** Returns what the user's account pays or receives in a route. */
  #routeLeg(account: string, other: string, flows: readonly Flow[], sign: 1n | -1n): SwapLeg | undefined {
    const received = flows.filter(({ to }) => to === account);
    const paid = flows.filter(({ from }) => from === account);
    // In a route from a token to itself, the one account pays and receives.
    const [plus, minus] = account === other ? (sign > 0 ? [received, []] : [[], paid]) : [received, paid];
    const counted = [...plus, ...minus];
    const amount = (sumOf(plus) - withheldOf(plus) - sumOf(minus)) * sign;
    const mint = counted.find((flow) => flow.mint !== undefined)?.mint;
    const isConfirmed = counted.every(({ from, to }) => this.#isExplained(from) || this.#isExplained(to));
    if (mint === undefined || amount <= 0n || !isConfirmed || !this.#areConsistent(counted)) return undefined;
    return { mint, amount, withheld: withheldOf(sign > 0 ? plus : minus), fees: 0n, vault: undefined, account };
  }

  #isExplained(account: string | undefined): boolean {
    return account !== undefined && this.#flows.unexplained(account) === 0n;
  }
}

const isLiquidity = (action: ExchangeAction): action is LiquidityChange["kind"] =>
  action === "add-liquidity" || action === "remove-liquidity";

const at = ({ accounts }: Candidate, position: AccountIndex): string | undefined => accounts.at(position);

function vaultsOf(candidate: Candidate, { vaults }: PoolLayout): readonly string[] {
  if ("from" in vaults) return candidate.accounts.slice(vaults.from, vaults.to + 1 || undefined);
  return vaults.flatMap((position) => at(candidate, position) ?? []);
}

const vaultFlows = (vault: string, inLamports: boolean, flows: readonly Flow[]): VaultFlows => ({
  vault,
  inLamports,
  received: flows.filter((flow) => flow.inLamports === inLamports && flow.to === vault),
  paid: flows.filter((flow) => flow.inLamports === inLamports && flow.from === vault),
});

const sumOf = (flows: readonly Flow[]): bigint => flows.reduce((sum, { amount }) => sum + amount, 0n);
const withheldOf = (flows: readonly Flow[]): bigint => flows.reduce((sum, { withheld }) => sum + withheld, 0n);
const netOf = ({ received, paid }: VaultFlows): bigint => sumOf(received) - withheldOf(received) - sumOf(paid);

function describe({ index, program }: Candidate, owner: string): Exchange {
  const { name, platform } = EXCHANGES[program] ?? { name: program, platform: "" };
  return { instruction: index, program, name, platform, owner };
}
