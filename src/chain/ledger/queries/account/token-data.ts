/** The data of mints and token accounts. */
import type { JsonObject } from "../../../../base/index.ts";
import { PROGRAM, WRAPPED_SOL } from "../../../../catalogue/index.ts";
import { associatedTokenAddress, requiredExtensions, TOKEN_LAYOUTS } from "../../../solana/index.ts";
import { SOL } from "../../store/schema.ts";
import { addressOf, asText, readBalance } from "../sql.ts";
import { type AccountDataReader, dataOf, readCreation } from "./account-data.ts";

/** Reads the mint, the token account or the multisig of a token program. */
export const readTokenData: AccountDataReader = (db, account) =>
  readTokenAccount(db, account) ?? readMint(db, account) ?? readMultisig(db, account);

const readMultisig: AccountDataReader = (db, account) => {
  const created = readCreation(db, account, /^initializeMultisig2$/);
  if (!created) return undefined;
  const { info, accounts } = created.instruction;
  const signers = accounts.slice(1);
  const isInitialized = true;
  return dataOf(TOKEN_LAYOUTS.multisig, {
    ...{ numRequiredSigners: info?.m, numValidSigners: signers.length, isInitialized, signers },
  });
};

const readTokenAccount: AccountDataReader = (db, { id, address, tokenId, ownerProgram }) => {
  if (tokenId === undefined || ownerProgram === undefined) return undefined;
  const row = db.get(
    `SELECT a.owner_id, n.extensions, ${asText("a.withheld")} AS withheld
    FROM token_accounts a JOIN tokens n ON n.id = a.token_id WHERE a.account_id = ?`,
    id,
  );
  const [mint, owner] = [db.addressOf(tokenId), db.addressOf(Number(row?.owner_id))];
  const isAssociated = associatedTokenAddress(owner, mint, ownerProgram) === address;
  const extensions =
    ownerProgram === PROGRAM.token2022 ? requiredExtensions(extensionsOf(row?.extensions), isAssociated) : [];
  return dataOf(extensions.length > 0 ? TOKEN_LAYOUTS.extendedAccount : TOKEN_LAYOUTS.account, {
    mint,
    owner,
    amount: readBalance(db, id, tokenId),
    state: "initialized",
    isNative: mint === WRAPPED_SOL ? readBalance(db, id, SOL) : null,
    extensions: extensions.map((each) =>
      each.extension === "transferFeeAmount" ? { ...each, state: { withheldAmount: row?.withheld ?? 0 } } : each,
    ),
  });
};

const readMint: AccountDataReader = (db, { id, ownerProgram }) => {
  const row = db.get(
    `SELECT n.decimals, n.mint_authority_id, n.freeze_authority_id, n.extensions, ${asText("s.supply")} AS supply
    FROM tokens n LEFT JOIN token_stats s ON s.token_id = n.id WHERE n.id = ?`,
    id,
  );
  if (!row) return undefined;
  const extensions = ownerProgram === PROGRAM.token2022 ? extensionsOf(row.extensions) : [];
  return dataOf(extensions.length > 0 ? TOKEN_LAYOUTS.extendedMint : TOKEN_LAYOUTS.mint, {
    mintAuthority: addressOf(db, row.mint_authority_id ?? null) ?? null,
    supply: String(row.supply ?? 0),
    decimals: Number(row.decimals),
    isInitialized: true,
    freezeAuthority: addressOf(db, row.freeze_authority_id ?? null) ?? null,
    extensions,
  });
};

const extensionsOf = (json: unknown): readonly JsonObject[] =>
  typeof json === "string" ? (JSON.parse(json) as JsonObject[]) : [];
