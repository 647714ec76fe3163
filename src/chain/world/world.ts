/** The simulated world: actors and the schedule by which they fill blocks. */
import { DAY_SECONDS } from "../../base/index.ts";
import { OTHER_SIGNATURE, OTHER_WALLET, SIGNATURE, SLOT } from "../../catalogue/index.ts";
import { type BlockSource, LeaderSchedule } from "../ledger/index.ts";
import { createAttackers } from "./actors/attackers.ts";
import { createLiquidityProviders, createOrderBookTraders } from "./actors/liquidity-providers.ts";
import {
  createAccountClosers,
  createColdWallets,
  createExchanges,
  createPayers,
  createSybils,
  createTreasuries,
  createWhales,
} from "./actors/payers.ts";
import {
  createFeeTokenIssuers,
  createRegulatedIssuers,
  createSpammers,
  createTokenLaunchers,
} from "./actors/token-issuers.ts";
import { BOT_FACTORIES, createRegularTrader, createTraders, Traders } from "./actors/traders.ts";
import { lamports, Wallets } from "./actors/wallets.ts";
import { activityLevel, blockSlots, END, timeOf } from "./clock.ts";
import type { Actor, Voter, WorldContext } from "./context.ts";
import { Economy } from "./economy/economy.ts";
import type { WorldBlock } from "./facts.ts";
import { openingSteps, runGenesis } from "./genesis.ts";
import { createCurveTraders } from "./markets/bonding-curves.ts";
import { createLendingUsers } from "./markets/lending.ts";
import { Market } from "./markets/market.ts";
import { createCompressedNfts, createNftUsers } from "./nft/nfts.ts";
import { Random } from "./random.ts";
import { createStakers } from "./staking/stakers.ts";
import { createSmallVoters, createValidators } from "./staking/stakes.ts";
import { type WorldOptions, worldId } from "./world-id.ts";

/** Approximate number of transactions of worlds of size 0 and 1, without votes, and of each size beyond 1. */
const MIN_TRANSACTIONS = 1500;
const TRANSACTIONS = 4400;
const FURTHER_TRANSACTIONS = 17_000;
/** Number of sparse blocks of a world of size 1, and the minimum and maximum of any size. */
const SPARSE_BLOCKS = 2800;
const MIN_BLOCKS = 320;
const MAX_BLOCKS = 42_000;
/** Number of blocks of the opening, for sixty steps. */
const OPENING_BLOCKS = 36;
/** Transactions of a dense block without votes: a linear share, and one that makes blocks of large worlds as full as on mainnet. */
const DENSE_BLOCK_TRANSACTIONS = { linear: 4, steep: 8.5 };
/** Transactions of the sample block of the documentation. */
const SAMPLE_BLOCK_TRANSACTIONS = 140;

/** Functions that create actors with their initial state; each is a step of the opening, after those of the tokens. */
const FACTORIES: readonly ((context: WorldContext) => readonly Actor[])[] = [
  createExchanges,
  createColdWallets,
  createWhales,
  createTreasuries,
  createTokenLaunchers,
  createCurveTraders,
  createRegularTrader,
  createTraders,
  ...BOT_FACTORIES,
  createLiquidityProviders,
  createOrderBookTraders,
  createPayers,
  createSybils,
  createAccountClosers,
  createSpammers,
  createFeeTokenIssuers,
  createRegulatedIssuers,
  createCompressedNfts,
  createStakers,
  createLendingUsers,
  createNftUsers,
  createAttackers,
];

class World {
  readonly #random: Random;
  readonly #context: WorldContext;
  readonly #schedule: LeaderSchedule;
  readonly #actors: Actor[] = [];
  readonly #cumulative: number[] = [];
  readonly #sparseBlocks: number;
  readonly #transactionsPerBlock: number;
  readonly #transactionsPerDenseBlock: number;
  #hasGenesis = false;
  #opening: (() => void)[] = [];
  #dueActors: Actor[] = [];
  #finalRoundStarted = false;
  #transactionDebt = 0;
  #day = 0;
  #epoch = 0;
  #sampleTransferDone = false;

  constructor(id: string, random: Random, size: number, hostile: boolean) {
    this.#random = random.fork("world");
    const economy = new Economy(random.fork("economy"));
    const wallets = new Wallets(economy, random.fork("people"));
    const market = new Market(economy, random.fork("market"));
    const validators = createValidators(economy);
    const voters = [...validators, ...createSmallVoters(economy, size)];
    const shares = voters.map(({ share }) => share);
    this.#schedule = new LeaderSchedule(id, shares);
    this.#context = { random, economy, market, wallets, validators, voters, size, hostile };
    this.#sparseBlocks = Math.min(MAX_BLOCKS, Math.max(MIN_BLOCKS, Math.round(SPARSE_BLOCKS * size)));
    const transactions =
      size < 1
        ? MIN_TRANSACTIONS + (TRANSACTIONS - MIN_TRANSACTIONS) * size
        : TRANSACTIONS + FURTHER_TRANSACTIONS * (size - 1);
    this.#transactionsPerBlock = transactions / this.#sparseBlocks;
    const { linear, steep } = DENSE_BLOCK_TRANSACTIONS;
    this.#transactionsPerDenseBlock = size < 1 ? linear * size : linear * size + steep * (size * Math.sqrt(size) - 1);
  }

  /** Yields blocks without an end. @param interval seconds between two blocks after the end of the world */
  *blocks(interval?: number): Generator<WorldBlock> {
    const { economy, voters } = this.#context;
    const schedule = this.#schedule;
    let last: WorldBlock | undefined;
    const identities = voters.map(({ identity }) => identity.address);
    for (const { slot, dense } of blockSlots(schedule, this.#random.fork("ticks"), this.#sparseBlocks, interval)) {
      const parentSlot = schedule.lastUpTo(slot - 1);
      if (!last) economy.setVoters(schedule, identities, slot - 1);
      economy.openBlock({
        slot,
        height: schedule.heightOf(slot),
        time: timeOf(slot),
        parentSlot,
        parentHash: last?.slot === parentSlot ? last.hash : undefined,
        leader: (voters[schedule.leaderAt(slot)] as Voter).identity,
        votes: schedule.votesIn(slot),
      });
      this.#fillBlock(dense);
      if (!dense && economy.transactionCount === 0) continue;
      last = economy.closeBlock();
      yield last;
    }
  }

  #fillBlock(dense: boolean): void {
    const { economy } = this.#context;
    // Not by its time: the block of the next slot can be in the same second.
    if (!this.#hasGenesis) {
      this.#hasGenesis = true;
      runGenesis(this.#context);
      this.#opening = [
        ...openingSteps(this.#context),
        ...FACTORIES.map((create) => () => this.#addActors(create(this.#context))),
      ];
    }
    if (this.#opening.length > 0) {
      for (const step of this.#opening.splice(0, Math.ceil(60 / OPENING_BLOCKS))) step();
      return;
    }
    this.#runCalendar();
    if (economy.position.slot === SLOT) this.#fillSampleBlock();
    else this.#fillRegularBlock(dense);
  }

  #addActors(actors: readonly Actor[]): void {
    this.#actors.push(...actors);
    this.#dueActors.push(...actors);
    for (const { weight } of actors) this.#cumulative.push((this.#cumulative.at(-1) ?? 0) + weight);
  }

  /** Runs what actors do once an epoch and once a day. */
  #runCalendar(): void {
    const { economy } = this.#context;
    const day = Math.floor(economy.position.time / DAY_SECONDS);
    if (economy.epoch !== this.#epoch) {
      this.#epoch = economy.epoch;
      for (const actor of this.#actors) actor.epoch?.();
    }
    if (day !== this.#day) {
      this.#day = day;
      for (const actor of this.#actors) actor.day?.();
    }
  }

  #fillRegularBlock(dense: boolean): void {
    const { economy } = this.#context;
    const { time } = economy.position;
    if (!this.#finalRoundStarted && time > END - DAY_SECONDS) {
      this.#finalRoundStarted = true;
      this.#dueActors = [...this.#actors];
    }
    if (!this.#sampleTransferDone && time > END - 3 * DAY_SECONDS) this.#sendSampleTransfer();
    this.#transactionDebt += dense
      ? this.#transactionsPerDenseBlock * this.#random.between(0.4, 1.6)
      : this.#sparseShare(time);
    const count = Math.floor(this.#transactionDebt);
    this.#transactionDebt -= count;
    this.#runActors(economy.transactionCount + count);
  }

  #sparseShare(time: number): number {
    return this.#transactionsPerBlock * activityLevel(time) * this.#random.between(0.3, 1.7);
  }

  /** Calls actors until the block has `count` transactions. */
  #runActors(count: number): void {
    const { economy } = this.#context;
    for (let acts = count * 2; acts > 0 && economy.transactionCount < count; acts--) {
      const due = this.#dueActors.pop();
      (due ?? this.#random.pickWeighted(this.#actors, this.#cumulative)).act();
    }
  }

  /** Fills the sample block of the documentation, which includes the sample swap. */
  #fillSampleBlock(): void {
    const { economy, wallets, market, size } = this.#context;
    const trader = economy.wallet(OTHER_WALLET);
    wallets.ensureFunds(trader, lamports(200));
    const traders = new Traders(this.#context);
    this.#runActors(20);
    for (let attempt = 0; attempt < 10 && !traders.swapRouted(trader, market.token("BONK"), SIGNATURE); ) attempt++;
    this.#runActors(Math.max(60, Math.round(SAMPLE_BLOCK_TRANSACTIONS * Math.min(size, 2))));
  }

  /** Sends the sample transfer of the documentation. */
  #sendSampleTransfer(): void {
    this.#sampleTransferDone = true;
    const { economy, wallets, market } = this.#context;
    const trader = economy.wallet(OTHER_WALLET);
    wallets.ensureFunds(trader, lamports(20));
    const tx = economy.begin(trader, { priority: 1000, signature: OTHER_SIGNATURE });
    tx.transferSol(trader, wallets.pickOtherUser(trader), lamports(12.5));
    const dollars = trader.holdings.get(market.usdc)?.amount ?? 0n;
    if (dollars > 0n) tx.transferToken(trader, wallets.pickOtherUser(trader), market.usdc, dollars / 3n);
    tx.commit();
  }
}

/**
 * Returns the world of a seed. Every call of its `blocks()` starts from the first block.
 * @param interval seconds between two blocks after the end; 0.4 by default, as on mainnet
 */
export function createWorld(
  { seed, size, hostile = false }: WorldOptions,
  interval?: number,
): BlockSource & { blocks(): Iterable<WorldBlock> } {
  const id = worldId({ seed, size, hostile });
  return {
    id,
    details: { seed, size, hostile },
    end: END,
    blocks() {
      const random = new Random(JSON.stringify([seed, size, hostile]).slice(1, -1));
      return new World(id, random, size, hostile).blocks(interval);
    },
  };
}
