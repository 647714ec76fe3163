/** What instructions say about tokens: their creation, their authorities and their metadata. */
import { omitUndefined } from "../../../base/index.ts";
import { WRAPPED_SOL } from "../../../catalogue/index.ts";
import type { TokenFact } from "../../ledger/index.ts";
import { type Call, integerArgument, textArgument } from "./calls.ts";

/** What a transaction is for the tokens that it creates. */
export interface TokenContext {
  readonly signature: string;
  /** The account that pays the fee. */
  readonly payer: string;
  /** Returns what is known about a token. */
  readonly known: (mint: string) => TokenFact | undefined;
}

/** Fields that change; undefined removes one. */
type TokenFields = { readonly [Name in keyof TokenFact]?: TokenFact[Name] | undefined };
type Change = (call: Call, context: TokenContext, token: TokenFact) => TokenFields | undefined;

/** Native SOL as a token, which has no metadata on most clusters. */
const KNOWN: Readonly<Record<string, Partial<TokenFact>>> = { [WRAPPED_SOL]: { name: "Wrapped SOL", symbol: "SOL" } };

/** Returns what is known about a token before anything else: its address. */
export const newToken = (mint: string): TokenFact => ({ address: mint, kind: "fungible", ...KNOWN[mint] });

const initializeMint: Change = ({ info, instruction }, { signature, payer }) => ({
  decimals: Number(integerArgument(info, "decimals") ?? 0n),
  program: instruction.program,
  creator: payer,
  created: signature,
  mintAuthority: textArgument(info, "mintAuthority") ?? null,
  freezeAuthority: textArgument(info, "freezeAuthority") ?? null,
});

const firstMint: Change = (_, { signature }, { created, firstMint: known }) =>
  created !== undefined && known === undefined ? { firstMint: signature } : undefined;

const AUTHORITIES: Readonly<Record<string, "mintAuthority" | "freezeAuthority">> = {
  mintTokens: "mintAuthority",
  freezeAccount: "freezeAuthority",
};

const setAuthority: Change = ({ info }) => {
  const field = AUTHORITIES[textArgument(info, "authorityType") ?? ""];
  return field && { [field]: textArgument(info, "newAuthority") ?? null };
};

const describe: Change = ({ info }) => ({
  name: cleanText(textArgument(info, "name")),
  symbol: cleanText(textArgument(info, "symbol")),
  metadataUri: cleanText(textArgument(info, "uri")),
});

/** Names are padded with zero bytes. */
const cleanText = (text: string | undefined): string | undefined => text?.replace(/\0+$/, "").trim() || undefined;

/** A master edition makes a token unique. */
const makeUnique: Change = () => ({ kind: "nft" });

const TOKEN_CHANGES: Readonly<Record<string, Change>> = {
  initializeMint,
  initializeMint2: initializeMint,
  mintTo: firstMint,
  mintToChecked: firstMint,
  setAuthority,
  initializeTokenMetadata: describe,
};

/** What instructions say about tokens, by the name of the program and the type. */
const CHANGES: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  "spl-token": TOKEN_CHANGES,
  "spl-token-2022": TOKEN_CHANGES,
  token_metadata: {
    createMetadataAccount: describe,
    createMetadataAccountV2: describe,
    createMetadataAccountV3: describe,
    createMasterEdition: makeUnique,
    createMasterEditionV3: makeUnique,
  },
};

/** Returns the new state of the token that an instruction is about; undefined when it says nothing new. */
export function tokenChange(call: Call, context: TokenContext): TokenFact | undefined {
  const changes = CHANGES[call.program ?? ""];
  const change = changes && Object.hasOwn(changes, call.type ?? "") ? changes[call.type ?? ""] : undefined;
  const mint = textArgument(call.info, "mint");
  if (!change || mint === undefined) return undefined;
  const token = context.known(mint) ?? newToken(mint);
  const fields = change(call, context, token);
  if (!fields) return undefined;
  return omitUndefined({ ...token, ...fields }) as unknown as TokenFact;
}
