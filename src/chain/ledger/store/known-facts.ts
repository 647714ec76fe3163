/** Reads facts back from a ledger: a source that continues it needs what it published before. */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { omitMissing, parseJson } from "../../../base/index.ts";
import type { AccountFact, AccountKind, StakeAccountFact, TokenFact } from "../source/source.ts";
import { SOL } from "./schema.ts";

type Row = Readonly<Record<string, SQLOutputValue>>;

const TOKEN = `SELECT t.*, p.address AS program, c.address AS creator, m.address AS mint_authority,
    f.address AS freeze_authority, cx.signature AS created_signature, mx.signature AS first_signature
  FROM accounts a JOIN tokens t ON t.id = a.id LEFT JOIN accounts p ON p.id = t.program_id
    LEFT JOIN accounts c ON c.id = t.creator_id LEFT JOIN accounts m ON m.id = t.mint_authority_id
    LEFT JOIN accounts f ON f.id = t.freeze_authority_id LEFT JOIN transactions cx ON cx.id = t.created
    LEFT JOIN transactions mx ON mx.id = t.first_mint
  WHERE a.address = ?`;

const STAKE = `SELECT s.*, k.address AS staker, w.address AS withdrawer, v.address AS voter
  FROM accounts a JOIN stake_accounts s ON s.account_id = a.id JOIN accounts k ON k.id = s.staker_id
    JOIN accounts w ON w.id = s.withdrawer_id LEFT JOIN accounts v ON v.id = s.voter_id
  WHERE a.address = ?`;

const ACCOUNT = `SELECT a.kind, a.executable, o.address AS owner FROM accounts a
  LEFT JOIN accounts o ON o.id = a.owner_program_id WHERE a.address = ? AND a.kind <> 'unknown'`;

const CHANGE = `SELECT 1 FROM balance_changes c WHERE c.account_id = a.id AND c.token_id = t.id`;
const REWARD = `SELECT 1 FROM rewards r WHERE r.account_id = a.id AND t.id = ${SOL}`;
const HAS_CHANGE = `SELECT 1 FROM accounts a, accounts t WHERE a.address = ? AND t.address = ?
  AND (EXISTS (${CHANGE}) OR EXISTS (${REWARD}))`;

const json = (value: SQLOutputValue | undefined): unknown => (typeof value === "string" ? parseJson(value) : undefined);

function tokenOf(address: string, row: Row): TokenFact {
  return {
    address,
    kind: row.kind as TokenFact["kind"],
    ...omitMissing({
      ...{ name: row.name, symbol: row.symbol, icon: row.icon, decimals: row.decimals, program: row.program },
      ...{ creator: row.creator, created: row.created_signature, firstMint: row.first_signature },
      ...{ metadataUri: row.metadata_uri, metadata: json(row.metadata), extensions: json(row.extensions) },
      ...{ platform: row.platform, reputation: row.reputation, founded: row.founded },
    }),
    mintAuthority: row.mint_authority === null ? null : String(row.mint_authority),
    freezeAuthority: row.freeze_authority === null ? null : String(row.freeze_authority),
  };
}

/** Returns functions that read facts by address. */
export function readKnownFacts(db: DatabaseSync) {
  const [token, stake, account, change] = [TOKEN, STAKE, ACCOUNT, HAS_CHANGE].map((sql) => db.prepare(sql));
  stake?.setReadBigInts(true);
  return {
    account(address: string): AccountFact | undefined {
      const row = account?.get(address);
      if (!row) return undefined;
      return {
        address,
        kind: row.kind as AccountKind,
        ...(row.owner !== null && { ownerProgram: String(row.owner) }),
        ...(row.executable === 1 && { executable: true }),
      };
    },
    token(mint: string): TokenFact | undefined {
      const row = token?.get(mint);
      return row && tokenOf(mint, row);
    },
    stakeAccount(address: string): StakeAccountFact | undefined {
      const row = stake?.get(address);
      if (!row) return undefined;
      return {
        ...{ address, staker: String(row.staker), withdrawer: String(row.withdrawer) },
        ...(row.voter !== null && { voter: String(row.voter) }),
        delegated: row.delegated as bigint,
        activationEpoch: Number(row.activation_epoch),
        ...(row.deactivation_epoch !== null && { deactivationEpoch: Number(row.deactivation_epoch) }),
      };
    },
    /** Returns whether a transaction or reward has changed a balance. */
    hasChange: (address: string, mint: string) => change?.get(address, mint) !== undefined,
  };
}

/** Facts that a ledger contains, by address. */
export type KnownFacts = ReturnType<typeof readKnownFacts>;
