/** The data of accounts of the metadata program: metadata and editions of tokens. */
import { Buffer } from "node:buffer";
import { isObject, type Json, listOf, parseJson } from "../../../../base/index.ts";
import { METAPLEX_LAYOUTS, metadataAddress } from "../../../solana/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { addressOf, columnText } from "../sql.ts";
import { type AccountDataReader, CALLS, dataOf, readCreation } from "./account-data.ts";

/** The instruction that creates a print. */
const PRINT = "mintNewEditionFromMasterEditionViaToken";
/** Prints of a master that one marker has bits for, and its bytes. */
const PRINTS = 248;
const MARKER_BYTES = PRINTS / 8;

/** Returns the numbers of the prints whose transactions name a master or a marker. */
function readPrints(db: LedgerReader, id: number): readonly number[] {
  const rows = db.all(
    `SELECT i.info FROM ${CALLS} WHERE k.account_id = ? AND x.error IS NULL AND n.type = '${PRINT}'`,
    id,
  );
  return rows.map(({ info }) => (JSON.parse(String(info)) as { readonly edition: number }).edition);
}

/** Reads the edition of a mint: a master, a print of one, or the marker of the prints of a master. */
const readEdition: AccountDataReader = (db, state) => {
  const created = readCreation(db, state, /Edition/);
  if (!created) return undefined;
  const { instruction, accounts } = created;
  const { info } = instruction;
  if (accounts.newEdition === state.address) {
    return dataOf(METAPLEX_LAYOUTS.edition, { parent: accounts.masterEdition, edition: String(info?.edition) });
  }
  const prints = readPrints(db, state.id);
  if (accounts.editionMarkPda !== state.address) {
    return dataOf(METAPLEX_LAYOUTS.masterEdition, {
      supply: String(prints.length),
      maxSupply: String(info?.maxSupply ?? 0),
    });
  }
  const ledger = Buffer.alloc(MARKER_BYTES);
  for (const edition of prints) {
    const at = (edition % PRINTS) >> 3;
    ledger[at] = (ledger[at] ?? 0) | (0x80 >> (edition % 8));
  }
  return dataOf(METAPLEX_LAYOUTS.editionMarker, { ledger: ledger.toString("base64") });
};

/** Reads the metadata or an edition of a mint. */
export const readMetadata: AccountDataReader = (db, state) => {
  const { address, subject } = state;
  if (subject === undefined) return undefined;
  const row = db.get(
    `SELECT t.kind, t.name, t.symbol, t.metadata_uri, t.creator_id, n.data, n.collection_id
    FROM tokens t LEFT JOIN nfts n ON n.token_id = t.id WHERE t.id = ?`,
    db.idOf(subject) ?? -1,
  );
  if (!row) return undefined;
  if (address !== metadataAddress(subject)) return readEdition(db, state);
  const parsed = typeof row.data === "string" ? parseJson(row.data) : undefined;
  const published = isObject(parsed) ? parsed : {};
  const collection = addressOf(db, row.collection_id ?? null);
  return dataOf(METAPLEX_LAYOUTS.metadata, {
    updateAuthority: addressOf(db, row.creator_id ?? null),
    mint: subject,
    name: columnText(row.name),
    symbol: columnText(row.symbol),
    uri: columnText(row.metadata_uri),
    sellerFeeBasisPoints: published.sellerFeeBasisPoints,
    creators: row.data === null ? null : listOf(published.creators).filter(isObject).map(creatorOf),
    primarySaleHappened: collection !== undefined,
    isMutable: true,
    tokenStandard:
      row.kind !== "nft"
        ? "Fungible"
        : readCreation(db, state, new RegExp(PRINT))
          ? "NonFungibleEdition"
          : "NonFungible",
    collection: collection === undefined ? null : { verified: true, address: collection },
  });
};

const creatorOf = ({ address, share, verified }: { readonly [name: string]: Json }): Json => ({
  address: address ?? null,
  verified: verified === 1,
  share: share ?? 0,
});
