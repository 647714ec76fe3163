/** The lamports of the voters of a simulated chain: its blocks move them, also those that a ledger does not store. */
import type { DatabaseSync } from "node:sqlite";
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import type { SourceBlock } from "../source/source.ts";
import type { LatestBalances } from "./facts.ts";
import { LeaderSchedule, VOTE_FEE } from "./schedule.ts";
import { SOL } from "./schema.ts";

interface VoterBalance {
  readonly id: number;
  /** Its number in the schedule. */
  readonly n: number;
  /** Lamports without those that votes have moved. */
  base: bigint;
}

const VOTERS = `SELECT identity_id AS id, a.address, share, CAST(ifnull(b.amount, 0) AS TEXT) AS amount FROM voters
  JOIN accounts a ON a.id = identity_id LEFT JOIN balances b ON b.account_id = identity_id AND b.token_id = ${SOL} ORDER BY n`;

/** Whether a ledger has voters. */
export const hasVoters = (db: DatabaseSync): boolean => db.prepare("SELECT 1 FROM voters LIMIT 1").get() !== undefined;

/** The balances of voters, which change with every block. */
export class VoterBalances {
  readonly #schedule: LeaderSchedule;
  /** By the address of the identity. */
  readonly #voters = new Map<string, VoterBalance>();
  #end: number;
  #moved = 0;

  /** @param end the last slot that the balances of the database include */
  constructor(db: DatabaseSync, end: number) {
    const rows = db.prepare(VOTERS).all();
    const source = String(db.prepare("SELECT value FROM meta WHERE name = 'source'").get()?.value);
    const shares = rows.map(({ share }) => Number(share));
    this.#schedule = new LeaderSchedule(source, shares);
    this.#end = end;
    rows.forEach(({ id, address, amount }, n) => {
      const base = BigInt(String(amount)) - this.#schedule.earnings(n, end);
      this.#voters.set(String(address), { id: Number(id), n, base });
    });
  }

  /** Follows the next block, of which the rows say lamports before its votes, and rewards after them. */
  add({ slot, facts, transactions, rewards }: SourceBlock): void {
    const set = (address: string, lamports: bigint, at: number) => {
      const voter = this.#voters.get(address);
      if (voter) voter.base = lamports - this.#schedule.earnings(voter.n, at);
    };
    for (const { account, token, amount } of facts.openingBalances ?? []) {
      if (token === NATIVE_SOL) set(account, amount, slot - 1);
    }
    for (const { changes } of transactions) {
      for (const { account, token, post } of changes) if (token === NATIVE_SOL) set(account, post, slot - 1);
    }
    for (const { account, post } of rewards) set(account, post, slot);
    // Half of the fees is burnt. Rows of rewards include the other half.
    const votes = this.#schedule.count(this.#end + 1, slot + 1).votes + this.#schedule.votesIn(slot);
    this.#moved -= (votes * VOTE_FEE) / 2;
    this.#end = slot;
  }

  /** Sets the latest balances. Returns the lamports that the blocks since the last call have added without a row. */
  settle(balances: LatestBalances): number {
    for (const { id, n, base } of this.#voters.values()) {
      balances.set(id, SOL, id, base + this.#schedule.earnings(n, this.#end));
    }
    const moved = this.#moved;
    this.#moved = 0;
    return moved;
  }
}
