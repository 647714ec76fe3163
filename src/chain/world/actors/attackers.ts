/** Attackers: hostile texts in tokens, labels, domains and memos, and address poisoning. */
import { USDC } from "../../../catalogue/index.ts";
import type { Actor, WorldContext } from "../context.ts";
import {
  ACCOUNT_TYPES,
  HOSTILE_DOMAINS,
  HOSTILE_EXTENSIONS,
  HOSTILE_META,
  HOSTILE_TEXTS,
  LONG_SYMBOL,
  LOOKALIKE_TOKENS,
} from "../data/hostile.ts";
import { KNOWN_TOKENS } from "../data/tokens.ts";
import { keyPairAddress } from "../derive.ts";
import type { Account, Token, TokenSpec } from "../economy/accounts.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import { createMint } from "../economy/mints.ts";
import { createPool } from "../markets/liquidity.ts";
import type { Random } from "../random.ts";
import { createRotation } from "./rotation.ts";
import { lamports } from "./wallets.ts";

/** Number of exchanges whose addresses are imitated. */
const LOOKALIKE_WALLETS = 3;
/** Number of characters at both ends that lookalike addresses share with the original. */
const MATCHING_CHARACTERS = 4;
/** Number of tokens with pools: they are traded and appear in every list. */
const TRADED_TOKENS = 8;
/** The maximum of base units, an unsigned integer. */
const MAX_AMOUNT = 2n ** 64n - 1n;
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Texts without NUL: the padding of fixed-length strings never reaches the names of tokens. */
const TEXTS: readonly string[] = Object.values(HOSTILE_TEXTS).map((text) => text.replaceAll("\0", ""));

const cycle = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** Returns a random address that begins and ends like another one. */
function lookalikeAddress(random: Random, address: string): string {
  return keyPairAddress(random, () => {
    const middle = Array.from({ length: address.length - 2 * MATCHING_CHARACTERS }, () => random.pick([...BASE58]));
    return address.slice(0, MATCHING_CHARACTERS) + middle.join("") + address.slice(-MATCHING_CHARACTERS);
  });
}

class Attacker {
  readonly #context: WorldContext;
  readonly #random: Random;
  readonly #attacker: Account;
  readonly #lookalikes: (readonly [lookalike: Account, exchange: Account])[] = [];
  readonly #tokens: Token[] = [];
  #memoCount = 0;
  readonly act: () => void;

  /** Has the attacker send a transaction, and returns whether it succeeded. */
  const send = (funds: bigint, build: (tx: Transaction) => void): boolean =>
    economy.send(wallets.ensureFunds(attacker, funds), build);
  const addMemo = (tx: Transaction, memo: string) =>
    tx.instruction(economy.programs.memo, "memo", "memo", TOP_LEVEL, { memo });
  const sendSol = (to: Account, amount: bigint, memo?: string): boolean =>
    send(amount * 2n, (tx) => {
      if (memo !== undefined) addMemo(tx, memo);
      tx.transferSol(attacker, to, amount);
    });
  const createSpec = (name: string, symbol: string, index: number): TokenSpec => ({
    kind: "fungible",
    name,
    symbol,
    icon: cycle(TEXTS, index + 3),
    decimals: 6,
    metadataUri: cycle(TEXTS, index + 4),
    metadata: { ...cycle(HOSTILE_META, index), name, symbol },
    extensions: [cycle(HOSTILE_EXTENSIONS, index)],
    reputation: random.integer(0, 49),
  });
  /** Returns the properties of a token that imitates a well-known one. */
  #lookalikeToken(name: string, symbol: string): TokenSpec {
    const original =
      KNOWN_TOKENS.find((token) => token.symbol === symbol) ?? KNOWN_TOKENS.find(({ address }) => address === USDC);
    const icon = original && { icon: original.icon };
    return { kind: "fungible", name, symbol, decimals: original?.decimals ?? 6, reputation: 0, ...icon };
  }

  #mintToken(spec: TokenSpec, index = TRADED_TOKENS): void {
    const { economy, wallets } = this.#context;
    const tx = economy.begin(wallets.ensureFunds(this.#attacker, lamports(60)));
    const program = spec.extensions ? economy.programs.token2022 : economy.programs.token;
    const token = createMint(economy, tx, { spec, creator: this.#attacker, program });
    const supply = token.toBaseUnits(1_000_000_000);
    tx.mint(token, this.#attacker, supply);
    if (!tx.commit()) return;
    this.#tokens.push(token);
    if (index < TRADED_TOKENS) this.#openPool(token, supply / 2n);
  }

  /** Lists a token and creates its pool. */
  #openPool(base: Token, baseAmount: bigint): void {
    const { economy, market } = this.#context;
    const quoteAmount = lamports(40);
    const price = Number(economy.sol.value(quoteAmount)) / 1_000_000 / (Number(baseAmount) / base.unitsPerToken);
    market.listToken(base, price, 0.2);
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

  /** Sends dust from a lookalike wallet, which thereby appears in the histories of the receivers (address poisoning). */
  #sendDust(): boolean {
    const { economy, wallets } = this.#context;
    const [lookalike, exchange] = this.#random.pick(this.#lookalikes);
    if (wallets.spendable(lookalike) < lamports(0.01) && !this.#sendSol(lookalike, lamports(1))) return false;
    const victims = [exchange, wallets.pickUser(), wallets.pickUser()];
    return economy.send(lookalike, (tx) => {
      for (const victim of victims) tx.transferSol(lookalike, victim, BigInt(random.integer(1, 1000)));
    });
  };
  /** Sends the next hostile text as a memo, with one lamport, to an exchange or a user. */
  #sendMemo(): boolean {
    const { economy, wallets } = this.#context;
    const memo = cycle(Object.values(HOSTILE_TEXTS), this.#memoCount++);
    const tx = economy.begin(wallets.ensureFunds(this.#attacker, lamports(1)));
    tx.instruction(economy.programs.memo, "memo", "memo", TOP_LEVEL, { memo });
    tx.transferSol(this.#attacker, this.#random.chance(0.3) ? wallets.pickExchange() : wallets.pickUser(), 1n);
    return tx.commit();
  }

  #sendAirdrop(): boolean {
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

/** Returns the attackers; none unless the world is hostile. */
export function createAttackers(context: WorldContext): readonly Actor[] {
  if (!context.hostile) return [];
  const attacker = new Attacker(context);
  return [{ weight: 30, act: attacker.act, open: () => attacker.open() }];
}
