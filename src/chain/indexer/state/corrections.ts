/**
 * Corrects an opening state that contains the effects of the first blocks: a node answers about its latest state only.
 * The first transaction of an account says its balance before, and mints and burns say what the supply was before them.
 */

import { NATIVE_SOL } from "../../../catalogue/index.ts";
import type { Facts, OpeningBalanceFact, OpeningSupplyFact, SourceBlock } from "../../ledger/index.ts";
import { BURN, MINT } from "../facts/transfers.ts";

/** The slots of an opening state: of its latest balance, and of supplies. */
export interface OpeningSlots {
  readonly balances: number;
  readonly supplies: readonly (readonly [supply: OpeningSupplyFact, slot: number])[];
}

interface Supply {
  readonly fact: OpeningSupplyFact;
  readonly slot: number;
  amount: bigint;
}

/** Corrects the opening state while its first blocks are converted. */
export class OpeningCorrections {
  /** The last block that needs corrections. */
  readonly lastSlot: number;
  readonly #supplies = new Map<string, Supply>();
  readonly #hasChange: (account: string, token: string) => boolean;
  /** Balances that blocks have changed, by account and token. */
  readonly #changed = new Set<string>();

  /** @param hasChange whether the ledger contains a change of a balance */
  constructor({ balances, supplies }: OpeningSlots, hasChange: (account: string, token: string) => boolean) {
    this.lastSlot = Math.max(balances, ...supplies.map(([, slot]) => slot));
    this.#hasChange = hasChange;
    for (const [fact, slot] of supplies) this.#supplies.set(fact.token, { fact, slot, amount: fact.amount });
  }

  /** Returns a block with the balances and supplies before it. Blocks have to come in order. */
  correct(block: SourceBlock): SourceBlock {
    if (block.slot > this.lastSlot) return block;
    const openingBalances: OpeningBalanceFact[] = [];
    const addBalance = (fact: OpeningBalanceFact) => {
      const key = `${fact.account} ${fact.token}`;
      if (this.#changed.has(key)) return;
      this.#changed.add(key);
      if (!this.#hasChange(fact.account, fact.token)) openingBalances.push(fact);
    };
    for (const { changes } of block.transactions) {
      for (const { account, owner, token, pre } of changes) addBalance({ account, owner, token, amount: pre });
    }
    for (const { account, amount, post } of block.rewards) {
      addBalance({ account, owner: account, token: NATIVE_SOL, amount: post - amount });
    }
    const openingSupplies = this.#correctSupplies(block);
    return { ...block, facts: { ...block.facts, openingBalances, openingSupplies } satisfies Facts };
  }

  #correctSupplies({ slot, transactions }: SourceBlock): readonly OpeningSupplyFact[] {
    const corrected = new Set<Supply>();
    for (const { type, token, amount } of transactions.flatMap(({ transfers }) => transfers)) {
      const supply = this.#supplies.get(token);
      if (!supply || slot > supply.slot || (type !== MINT && type !== BURN)) continue;
      supply.amount += type === MINT ? -amount : amount;
      corrected.add(supply);
    }
    return [...corrected].map(({ fact, amount }) => ({ ...fact, amount }));
  }

  /** The supplies as they were corrected so far. */
  get slots(): OpeningSlots {
    const supplies = [...this.#supplies.values()].map(({ fact, slot, amount }) => [{ ...fact, amount }, slot] as const);
    return { balances: this.lastSlot, supplies };
  }
}
