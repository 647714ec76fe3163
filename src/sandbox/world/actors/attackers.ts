/** Those who attack with what they write: tokens, labels, domains, memos, and addresses that look like others. */
import { USDC } from "../../../catalogue/index.ts";
import type { Actor, WorldContext } from "../context.ts";
import {
  HOSTILE_DOMAINS,
  HOSTILE_EXTENSIONS,
  HOSTILE_META,
  HOSTILE_TEXTS,
  LONG_SYMBOL,
  LOOK_ALIKES,
} from "../data/hostile.ts";
import { KNOWN_TOKENS } from "../data/tokens.ts";
import type { Account, Token, TokenSpec } from "../economy/accounts.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import { createMint } from "../economy/mints.ts";
import { createPool } from "../markets/liquidity.ts";
import type { Random } from "../random.ts";
import { Rotation, type WeightedAction } from "./rotation.ts";
import { lamports } from "./wallets.ts";

/** Part of all acts, in thousandths. */
const WEIGHT = 30;
/** Twins of exchanges' wallets. */
const TWINS = 3;
/** Characters at both ends that people compare. */
const COMPARED = 4;
/** Tokens that have pools, so that they are traded and show up in every list. */
const TRADED = 8;
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Texts without NUL: what fixed-length strings are padded with never reaches the names of tokens. */
const TEXTS: readonly string[] = Object.values(HOSTILE_TEXTS).map((text) => text.replaceAll("\0", ""));

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** An address that begins and ends like another one. */
function twinOf(random: Random, address: string): string {
  const middle = Array.from({ length: address.length - 2 * COMPARED }, () => random.pick([...BASE58]));
  return address.slice(0, COMPARED) + middle.join("") + address.slice(-COMPARED);
}

class Hostile {
  readonly #context: WorldContext;
  readonly #random: Random;
  readonly #attacker: Account;
  readonly #twins: (readonly [twin: Account, exchange: Account])[] = [];
  readonly #tokens: Token[] = [];
  #memos = 0;
  readonly rotation: Rotation;

  constructor(context: WorldContext) {
    this.#context = context;
    this.#random = context.random.fork("hostile");
    this.#attacker = context.economy.wallet();
    const actions: readonly WeightedAction[] = [
      { weight: 12, act: () => this.#dust() },
      { weight: 10, act: () => this.#memo() },
      { weight: 10, act: () => this.#airdrop() },
    ];
    this.rotation = new Rotation(this.#context.economy, this.#random, actions);
  }

  open(): void {
    const { wallets } = this.#context;
    wallets.fund(this.#attacker, lamports(20_000));
    this.#makeTwins();
    this.#makeWallets();
    for (const [index, text] of TEXTS.entries()) this.#mint(this.#spec(text, at(TEXTS, index + 1), index), index);
    for (const [name, symbol] of LOOK_ALIKES) this.#mint(this.#lookAlike(name, symbol));
    this.#mint({ ...this.#spec("Long", LONG_SYMBOL, 0), name: "Long" });
  }

  /** Wallets that could be taken for an exchange's. */
  #makeTwins(): void {
    const { economy, wallets } = this.#context;
    for (const exchange of wallets.exchanges.slice(0, TWINS)) {
      const twin = economy.wallet(twinOf(this.#random, exchange.address));
      this.#send(twin, lamports(2));
      this.#twins.push([twin, exchange]);
    }
  }

  /** Wallets with labels, tags, icons and domains that attack. */
  #makeWallets(): void {
    const { economy } = this.#context;
    for (const [index, text] of TEXTS.entries()) {
      const wallet = economy.wallet();
      this.#send(wallet, lamports(0.01), text);
      const domain = HOSTILE_DOMAINS[index];
      const tags = [text, at(TEXTS, index + 2)];
      economy.label(wallet, {
        label: text,
        tags,
        icon: at(TEXTS, index + 5),
        type: "address",
        ...(domain !== undefined && { domain }),
      });
    }
  }

  #send(to: Account, amount: bigint, memo?: string): boolean {
    const { economy, wallets } = this.#context;
    const tx = economy.begin(wallets.ensureFunds(this.#attacker, amount * 2n));
    if (memo !== undefined) tx.instruction(economy.programs.memo, "memo", "memo", TOP_LEVEL, { memo });
    tx.transferSol(this.#attacker, to, amount);
    return tx.commit();
  }

  #spec(name: string, symbol: string, index: number): TokenSpec {
    return {
      kind: "fungible",
      name,
      symbol,
      icon: at(TEXTS, index + 3),
      decimals: 6,
      metadataUri: at(TEXTS, index + 4),
      metadata: { ...at(HOSTILE_META, index), name, symbol },
      extensions: [at(HOSTILE_EXTENSIONS, index)],
      reputation: this.#random.integer(0, 49),
    };
  }

  /** Looks like USDC but for its mint. */
  #lookAlike(name: string, symbol: string): TokenSpec {
    const original =
      KNOWN_TOKENS.find((token) => token.symbol === symbol) ?? KNOWN_TOKENS.find(({ address }) => address === USDC);
    const icon = original && { icon: original.icon };
    return { kind: "fungible", name, symbol, decimals: original?.decimals ?? 6, reputation: 0, ...icon };
  }

  #mint(spec: TokenSpec, index = TRADED): void {
    const { economy, wallets } = this.#context;
    const tx = economy.begin(wallets.ensureFunds(this.#attacker, lamports(60)));
    const program = spec.extensions ? economy.programs.token2022 : economy.programs.token;
    const token = createMint(economy, tx, { spec, creator: this.#attacker, program });
    const supply = token.toBaseUnits(1_000_000_000);
    tx.mint(token, this.#attacker, supply);
    if (!tx.commit()) return;
    this.#tokens.push(token);
    if (index < TRADED) this.#trade(token, supply / 2n);
  }

  /** Opens a pool. */
  #trade(base: Token, baseAmount: bigint): void {
    const { economy, market } = this.#context;
    const quoteAmount = lamports(40);
    const price = Number(economy.sol.value(quoteAmount)) / 1_000_000 / (Number(baseAmount) / base.unitsPerToken);
    market.list(base, price, 0.2);
    const { wrapped: quote } = economy;
    createPool(market, {
      exchange: "meteora",
      creator: this.#attacker,
      base,
      quote,
      baseAmount,
      quoteAmount,
      main: true,
    });
  }

  /** A twin sends next to nothing to somebody, so that it is among the addresses that they have dealt with. */
  #dust(): boolean {
    const { economy, wallets } = this.#context;
    const [twin, exchange] = this.#random.pick(this.#twins);
    if (wallets.spendable(twin) < lamports(0.01) && !this.#send(twin, lamports(1))) return false;
    const victims = [exchange, wallets.pickUser(), wallets.pickUser()];
    const tx = economy.begin(twin);
    for (const victim of victims) tx.transferSol(twin, victim, BigInt(this.#random.integer(1, 1000)));
    return tx.commit();
  }

  /** Each text in turn, to exchanges and people, with a few lamports. */
  #memo(): boolean {
    const { economy, wallets } = this.#context;
    const memo = at(Object.values(HOSTILE_TEXTS), this.#memos++);
    const tx = economy.begin(wallets.ensureFunds(this.#attacker, lamports(1)));
    tx.instruction(economy.programs.memo, "memo", "memo", TOP_LEVEL, { memo });
    tx.transferSol(this.#attacker, this.#random.chance(0.3) ? wallets.pickExchange() : wallets.pickUser(), 1n);
    return tx.commit();
  }

  #airdrop(): boolean {
    const { economy, wallets } = this.#context;
    if (this.#tokens.length === 0) return false;
    const token = this.#random.pick(this.#tokens);
    const tx = economy.begin(wallets.ensureFunds(this.#attacker, lamports(1)));
    for (let count = this.#random.integer(1, 8); count > 0; count--) {
      tx.transferToken(this.#attacker, wallets.pickUser(), token, token.toBaseUnits(this.#random.integer(1, 5000)));
    }
    return tx.commit();
  }
}

/** The attackers; nobody where the world is not hostile. */
export function createHostile(context: WorldContext): readonly Actor[] {
  if (!context.hostile) return [];
  const hostile = new Hostile(context);
  return [{ weight: WEIGHT, act: () => hostile.rotation.act(), open: () => hostile.open() }];
}
