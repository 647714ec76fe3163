/** The data of accounts of the metadata program: metadata and editions of tokens. */
import { isObject, type Json, listOf, parseJson } from "../../../../base/index.ts";
import { METAPLEX_LAYOUTS, metadataAddress } from "../../../solana/index.ts";
import { addressOf, columnText } from "../sql.ts";
import { type AccountDataReader, dataOf } from "./account-data.ts";

/** Reads the metadata or the edition of a mint. */
export const readMetadata: AccountDataReader = (db, { address, subject }) => {
  if (subject === undefined) return undefined;
  const row = db.get(
    `SELECT t.kind, t.name, t.symbol, t.metadata_uri, t.creator_id, n.data, n.collection_id
    FROM tokens t LEFT JOIN nfts n ON n.token_id = t.id WHERE t.id = ?`,
    db.idOf(subject) ?? -1,
  );
  if (!row) return undefined;
  if (address !== metadataAddress(subject)) return dataOf(METAPLEX_LAYOUTS.masterEdition, { maxSupply: "0" });
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
    tokenStandard: row.kind === "nft" ? "NonFungible" : "Fungible",
    collection: collection === undefined ? null : { verified: true, address: collection },
  });
};

const creatorOf = ({ address, share, verified }: { readonly [name: string]: Json }): Json => ({
  address: address ?? null,
  verified: verified === 1,
  share: share ?? 0,
});
