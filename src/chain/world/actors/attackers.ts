/** Attackers: hostile texts in tokens, labels, domains and memos, and address poisoning. */

import { BASE58_DIGITS } from "../../../base/index.ts";
import { USDC } from "../../../catalogue/index.ts";
import { keyPairAddress } from "../addresses.ts";
import { type Actor, createRotation, type WorldContext } from "../context.ts";
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
import type { Account, Token, TokenSpec } from "../economy/accounts.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import type { Transaction } from "../economy/transaction.ts";
import { createPool } from "../markets/market.ts";
import type { Random } from "../random.ts";
import { lamports } from "./wallets.ts";

const LOOKALIKE_WALLETS = 3;
/** Number of characters at both ends that lookalike addresses share with the original. */
const MATCHING_CHARACTERS = 4;
/** Number of tokens with pools: they are traded and appear in every list. */
const TRADED_TOKENS = 8;
/** The maximum of base units, an unsigned integer. */
const MAX_AMOUNT = 2n ** 64n - 1n;

/** Texts without NUL: the padding of fixed-length strings never reaches the names of tokens. */
const TEXTS: readonly string[] = Object.values(HOSTILE_TEXTS).map((text) => text.replaceAll("\0", ""));

const cycle = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

function lookalikeAddress(random: Random, address: string): string {
  return keyPairAddress(random, () => {
    const middle = Array.from({ length: address.length - 2 * MATCHING_CHARACTERS }, () =>
      random.pick([...BASE58_DIGITS]),
    );
    return address.slice(0, MATCHING_CHARACTERS) + middle.join("") + address.slice(-MATCHING_CHARACTERS);
  });
}

/** Returns the attackers; none unless the world is hostile. */
export function createAttackers({ economy, wallets, market, random: root, hostile }: WorldContext): readonly Actor[] {
  if (!hostile) return [];
  const random = root.fork("hostile");
  const attacker = economy.wallet();
  const lookalikes: (readonly [lookalike: Account, exchange: Account])[] = [];
  const tokens: Token[] = [];
  let memoCount = 0;

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
  const imitate = (name: string, symbol: string): TokenSpec => {
    const original =
      KNOWN_TOKENS.find((token) => token.symbol === symbol) ?? KNOWN_TOKENS.find(({ address }) => address === USDC);
    return { kind: "fungible", name, symbol, decimals: original?.decimals ?? 6, reputation: 0, icon: original?.icon };
  };
  /** Mints a token and, for the first ones, lists it and creates its pool. */
  const mintToken = (spec: TokenSpec, index = TRADED_TOKENS): void => {
    const tx = economy.begin(wallets.ensureFunds(attacker, lamports(60)));
    const program = spec.extensions ? economy.programs.token2022 : economy.programs.token;
    const token = tx.createMint({ spec, creator: attacker, program });
    const supply = token.toBaseUnits(1_000_000_000);
    tx.mint(token, attacker, supply);
    if (!tx.commit()) return;
    tokens.push(token);
    if (index >= TRADED_TOKENS) return;
    const [baseAmount, quoteAmount] = [supply / 2n, lamports(40)];
    const price = Number(economy.sol.value(quoteAmount)) / 1_000_000 / (Number(baseAmount) / token.unitsPerToken);
    market.listToken(token, price, 0.2);
    const sides = { base: token, quote: economy.wrapped, baseAmount, quoteAmount };
    createPool(market, { exchange: "meteora", creator: attacker, ...sides, isMain: true });
  };
  /** Mints the maximum of base units, and sends more of them to an exchange than a signed integer holds. */
  const mintMaximum = (): void => {
    const spec = { kind: "fungible", name: "Maximum", symbol: "MAX", decimals: 0, reputation: 0 } as const;
    send(lamports(1), (tx) => {
      const token = tx.createMint({ spec, creator: attacker });
      tx.mint(token, attacker, MAX_AMOUNT);
      tx.transferToken(attacker, wallets.exchanges[0] as Account, token, MAX_AMOUNT - 1n);
    });
  };
  /** Creates wallets whose addresses can be mistaken for those of exchanges. */
  const createLookalikes = (): void => {
    for (const exchange of wallets.exchanges.slice(0, LOOKALIKE_WALLETS)) {
      const lookalike = economy.wallet(lookalikeAddress(random, exchange.address));
      sendSol(lookalike, lamports(2));
      lookalikes.push([lookalike, exchange]);
    }
  };
  const createWallets = (): void => {
    for (const [index, text] of TEXTS.entries()) {
      const wallet = economy.wallet();
      sendSol(wallet, lamports(0.01), text);
      const domain = HOSTILE_DOMAINS[index];
      const tags = [text, cycle(TEXTS, index + 2)];
      const look = { icon: cycle(TEXTS, index + 5), type: cycle(ACCOUNT_TYPES, index) };
      economy.label(wallet, { label: text, tags, ...look, domain });
    }
  };
  /** Sends dust from a lookalike wallet, which thereby appears in the histories of the receivers (address poisoning). */
  const sendDust = (): boolean => {
    const [lookalike, exchange] = random.pick(lookalikes);
    if (wallets.spendable(lookalike) < lamports(0.01) && !sendSol(lookalike, lamports(1))) return false;
    const victims = [exchange, wallets.pickUser(), wallets.pickUser()];
    return economy.send(lookalike, (tx) => {
      for (const victim of victims) tx.transferSol(lookalike, victim, BigInt(random.integer(1, 1000)));
    });
  };
  /** Sends the next hostile text as a memo, with one lamport, to an exchange or a user. */
  const sendMemo = (): boolean =>
    send(lamports(1), (tx) => {
      addMemo(tx, cycle(Object.values(HOSTILE_TEXTS), memoCount++));
      tx.transferSol(attacker, random.chance(0.3) ? wallets.pickExchange() : wallets.pickUser(), 1n);
    });
  const sendAirdrop = (): boolean => {
    if (tokens.length === 0) return false;
    const token = random.pick(tokens);
    return send(lamports(1), (tx) => {
      for (let count = random.integer(1, 8); count > 0; count--) {
        tx.transferToken(attacker, wallets.pickUser(), token, token.toBaseUnits(random.integer(1, 5000)));
      }
    });
  };
  wallets.fund(attacker, lamports(20_000));
  createLookalikes();
  createWallets();
  for (const [index, text] of TEXTS.entries()) mintToken(createSpec(text, cycle(TEXTS, index + 1), index), index);
  for (const [name, symbol] of LOOKALIKE_TOKENS) mintToken(imitate(name, symbol));
  mintToken({ ...createSpec("Long", LONG_SYMBOL, 0), name: "Long" });
  mintMaximum();
  const act = createRotation(economy, random, [
    [12, sendDust],
    [10, sendMemo],
    [10, sendAirdrop],
  ]);
  return [{ weight: 30, act }];
}
