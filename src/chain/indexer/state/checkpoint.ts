/** What a ledger file says about how it is indexed, and the opening state that its first blocks correct. */
import { isArray, isObject, type Json, parseJson, SolxError, stringifyJson } from "../../../base/index.ts";
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import type {
  ChainLedgerWriter,
  Facts,
  OpeningBalanceFact,
  OpeningSupplyFact,
  SourceBlock,
} from "../../ledger/index.ts";
import type { BlockCommitment } from "../block-reader.ts";
import type { BlockPosition, StartSlot } from "../blocks.ts";
import { BURN, MINT } from "../facts/transfers.ts";

interface Checkpoint {
  /** Where to continue; undefined for a new index. */
  readonly next: Exclude<StartSlot, "now"> | undefined;
  /** The last blocks, oldest first. */
  readonly known: readonly BlockPosition[];
}

interface IndexIdentity {
  readonly commitment: BlockCommitment;
  /** See `filterKey`. */
  readonly filter: string;
}

/** Blocks that a rollback may concern. */
const KNOWN_BLOCKS = 256;

/** Reads the state of an index. @throws SolxError when it was made in another way */
export function readCheckpoint(ledger: ChainLedgerWriter, identity: IndexIdentity): Checkpoint {
  for (const name of ["commitment", "filter"] as const) {
    const stored = ledger.meta(name);
    if (stored === undefined || stored === identity[name]) continue;
    throw new SolxError("usage", `The index was made with another ${name}: ${stored || "none"}.`, {
      code: "INDEX_OPTIONS",
      hint: `Use the same ${name}, or index into another file.`,
    });
  }
  const next = ledger.meta("next");
  const rows = ledger.db.prepare("SELECT slot, hash FROM blocks ORDER BY slot DESC LIMIT ?").all(KNOWN_BLOCKS);
  return {
    next: next === undefined || next === "earliest" ? next : Number(next),
    known: rows.reverse().map(({ slot, hash }) => ({ slot: Number(slot), hash: String(hash) })),
  };
}

/** Returns opening slots as text. */
export function encodeOpening({ balances, supplies }: OpeningSlots): string {
  return stringifyJson({
    balances,
    supplies: supplies.map(([{ token, amount, allBalances = false }, slot]) => {
      return [token, String(amount), allBalances, slot];
    }),
  });
}

/** Returns the opening slots in a text. */
export function decodeOpening(text: string | undefined): OpeningSlots | undefined {
  const value = text === undefined ? undefined : parseJson(text);
  if (!isObject(value) || !isArray(value.supplies)) return undefined;
  return { balances: Number(value.balances), supplies: value.supplies.flatMap(supplyOf) };
}

function supplyOf(row: Json): OpeningSlots["supplies"] {
  if (!isArray(row)) return [];
  const [token, amount, allBalances, slot] = row;
  const fact = { token: String(token), amount: BigInt(String(amount)), ...(allBalances === true && { allBalances }) };
  return [[fact, Number(slot)]];
}

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
