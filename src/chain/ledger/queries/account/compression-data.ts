/** The data of trees with compressed NFTs, and of their configurations. */

import { createHash } from "node:crypto";
import { COMPRESSION_LAYOUTS } from "../../../solana/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { firstRowSql, slotSql, transactionIdSql } from "../../store/schema.ts";
import { addressOf } from "../sql.ts";
import { type AccountDataReader, CALLS, dataOf } from "./account-data.ts";

const DEPTH = 14;
const BUFFER = 64;

/** Returns what has happened to an account of compressed NFTs: who created it and when, and calls by their type. */
function readHistory(db: LedgerReader, id: number) {
  const first = db.get(
    `SELECT ${slotSql("x.id")} AS slot, p.account_id AS payer_id FROM account_keys k CROSS JOIN transactions x ON x.id = ${transactionIdSql("k.id")}
    CROSS JOIN account_keys p ON p.id = ${firstRowSql("x.id")} WHERE k.account_id = ? AND x.error IS NULL ORDER BY k.id LIMIT 1`,
    id,
  );
  const rows = db.all(
    `SELECT n.type, count(*) AS calls FROM ${CALLS} WHERE k.account_id = ? AND x.error IS NULL GROUP BY n.type`,
    id,
  );
  const calls = new Map(rows.map(({ type, calls }) => [String(type), Number(calls)]));
  return {
    slot: Number(first?.slot ?? 0),
    creator: addressOf(db, first?.payer_id ?? null) ?? null,
    appended: calls.get("append") ?? 0,
    replaced: calls.get("replaceLeaf") ?? 0,
  };
}

/** Reads a tree. Its hashes stand for those of the leaves, which the ledger does not have. */
export const readTree: AccountDataReader = (db, { id, address }) => {
  const { slot, appended, replaced } = readHistory(db, id);
  const changes = appended + replaced;
  const config = db.get("SELECT address FROM accounts WHERE subject_id = ?", id)?.address;
  /** The hashes on the path of a change, the root first. */
  const pathOf = (change: number): readonly string[] => {
    const bytes = createHash("shake256", { outputLength: (DEPTH + 1) * 32 })
      .update(`${address} ${change}`)
      .digest();
    return Array.from({ length: DEPTH + 1 }, (_, level) => bytes.toString("base64", level * 32, (level + 1) * 32));
  };
  const last = Math.max(0, appended - 1);
  const [leaf = null, ...nodes] = pathOf(changes);
  // The entry of a change is at its number, modulo the size of the buffer; the empty tree is the first entry.
  const logs = Array.from({ length: BUFFER }, (_, at) => {
    const change = changes - ((changes - at + BUFFER) % BUFFER);
    const [root = null, ...nodes] = change < 0 ? [] : pathOf(change);
    return root === null ? {} : { root, nodes, index: Math.min(change, last) };
  });
  return dataOf(COMPRESSION_LAYOUTS.tree, {
    authority: config ?? null,
    creationSlot: slot,
    sequenceNumber: changes,
    activeIndex: changes % BUFFER,
    bufferSize: Math.min(BUFFER, changes + 1),
    changeLogs: logs,
    rightmostProof: { nodes, leaf, index: appended },
  });
};

/** Reads the configuration of a tree. */
export const readTreeConfig: AccountDataReader = (db, { subject }) => {
  const tree = db.idOf(subject ?? "");
  if (tree === undefined) return undefined;
  const { creator, appended } = readHistory(db, tree);
  return dataOf(COMPRESSION_LAYOUTS.treeConfig, {
    treeCreator: creator,
    treeDelegate: creator,
    totalMintCapacity: 2 ** DEPTH,
    numMinted: appended,
    isDecompressible: 1,
  });
};

/** Reads an account for tips, which has a mark only. */
export const readTipAccount: AccountDataReader = () => dataOf(COMPRESSION_LAYOUTS.tipAccount, {});
