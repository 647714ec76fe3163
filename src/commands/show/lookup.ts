/** Looks up an address, signature, slot or link: determines its kind and fetches its details. Shared by `show` and MCP. */
import { isObject, type Json, type JsonObject, NotFoundError, PermissionError, UsageError } from "../../base/index.ts";
import type { DataFacts, Recognised, TokenResolver } from "../../client/index.ts";
import { explainUnknownSymbol, type NameResolver } from "../names/resolve-names.ts";

/** Programs that own mints and token accounts. */
const TOKEN_PROGRAMS = ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"];

/** The path that returns the details of each kind. */
export const DETAIL_PATHS = {
  account: "/account/detail",
  token: "/token/meta",
  transaction: "/transaction/detail",
  block: "/block/detail",
} as const;

/** The kinds that can be looked up. */
export type LookupKind = keyof typeof DETAIL_PATHS;

/** Paths of the endpoints to suggest next for each kind. */
export const NEXT_PATHS: Readonly<Record<LookupKind, readonly string[]>> = {
  account: ["/account/portfolio", "/account/transfer", "/account/transactions"],
  token: ["/token/holders", "/token/markets", "/token/transfer"],
  transaction: ["/transaction/actions"],
  block: ["/block/transactions"],
};

/** Fetches the data of one identifier from the endpoint at a path. */
export type FetchEntity = (path: string, id: string) => Promise<Json>;

/** What resolves words that are no identifiers. */
export interface WordResolvers {
  readonly names: NameResolver;
  readonly tokens: Pick<TokenResolver, "resolve">;
}

/**
 * Returns the kind of an input and its identifier. A name stands for an address, a symbol for the mint of a token.
 * @throws UsageError when the input is not recognised, a symbol is ambiguous, or a link names a cluster that is not the one
 * that answers
 */
export async function identifyEntity(
  typed: string,
  { names, tokens }: WordResolvers,
  source: DataFacts,
): Promise<{ readonly kind: LookupKind; readonly id: string }> {
  const { isTokenSymbol, recognise, unrecognisedError } = await import("../../client/index.ts");
  const input = (await names.resolve(typed.trim())) ?? typed;
  if (isTokenSymbol(input)) {
    const token = await tokens.resolve(input, "mint").catch(async (error: unknown) => {
      throw await explainUnknownSymbol(names, error, input);
    });
    return { kind: "token", id: token.mint };
  }
  checkCluster(input, source);
  const match = recognise(input);
  const kind = lookupKindOf(match);
  if (kind === undefined) {
    const advice = "Give an address, a transaction signature, a slot or an explorer link.";
    throw unrecognisedError(match, "address, signature, slot or link", advice);
  }
  return { kind, id: match.value };
}

/** The clusters that links and public nodes name. */
const CLUSTERS: readonly string[] = ["mainnet", "devnet", "testnet"];

/** A node by its URL, and an index, can be of any cluster: links of all clusters are accepted. */
function checkCluster(input: string, { key, cluster: other }: DataFacts): void {
  const cluster = /[?&]cluster=(?!mainnet)([\w-]+)/.exec(input)?.[1];
  if (cluster === undefined) return;
  if (other === undefined || !CLUSTERS.includes(other) || cluster === other) return;
  const subject = key === "none" ? `the node is of ${other}` : `the API only covers ${other}`;
  const command = CLUSTERS.includes(cluster) ? ` To look it up on ${cluster}, add --rpc ${cluster}.` : "";
  throw new UsageError(`The link is for the cluster ${cluster}, but ${subject}.`, {
    hint: `To look it up on ${other}, give the address or signature itself.${command}`,
  });
}

function lookupKindOf(match: Recognised): LookupKind | undefined {
  if (match.target !== undefined) return match.target;
  if (match.kind === "address") return "account";
  if (match.kind === "signature") return "transaction";
  return match.kind === "slot" ? "block" : undefined;
}

/** An entity with its kind, which decides about the other fields. */
export interface Subject {
  readonly kind: LookupKind;
  readonly id: string;
  readonly data: Json;
}

/** Fetches the details of an entity. What a link calls a token may turn out to be an account. */
export async function fetchSubject(fetchEntity: FetchEntity, kind: LookupKind, id: string): Promise<Subject> {
  if (kind === "account" || kind === "token") return { id, ...(await fetchAddress(fetchEntity, id)) };
  if (kind === "block") return { kind, id, data: await fetchBlock(fetchEntity, id) };
  return { kind, id, data: await fetchEntity(DETAIL_PATHS[kind], id) };
}

/** Returns a block with its slot, which the API's answer does not contain. */
export async function fetchBlock(fetchEntity: FetchEntity, slot: string): Promise<Json> {
  const block = await fetchEntity(DETAIL_PATHS.block, slot);
  return isObject(block) ? { slot: Number(slot), ...block } : block;
}

/**
 * Returns an account with its metadata. An account owned by a token program may be a mint: then the result is the token
 * together with its mint account.
 */
export async function fetchAddress(
  fetchEntity: FetchEntity,
  address: string,
): Promise<{ readonly kind: LookupKind; readonly data: Json }> {
  const account = await fetchEntity(DETAIL_PATHS.account, address);
  const isToken = isTokenAccount(account);
  const extra = await optional(() => fetchEntity(isToken ? DETAIL_PATHS.token : "/account/metadata", address));
  if (isToken && isObject(extra) && extra.address !== undefined) {
    return { kind: "token", data: { ...(isObject(account) ? { account } : {}), token: extra } };
  }
  const data = isObject(account) && !isToken ? { ...account, ...metadataOf(extra) } : account;
  return { kind: "account", data };
}

/** Returns the metadata without the address, which the account already contains. */
function metadataOf(answer: Json | undefined): JsonObject {
  if (!isObject(answer)) return {};
  const { account_address: _, ...metadata } = answer;
  return metadata;
}

function isTokenAccount(detail: Json): boolean {
  return isObject(detail) && typeof detail.owner_program === "string" && TOKEN_PROGRAMS.includes(detail.owner_program);
}

/**
 * Returns undefined for data that may legitimately be unavailable: a token account is not a mint, and not every plan
 * includes account metadata. Other failures are rethrown.
 */
async function optional(fetchData: () => Promise<Json>): Promise<Json | undefined> {
  try {
    return await fetchData();
  } catch (error) {
    if ([NotFoundError, UsageError, PermissionError].some((type) => error instanceof type)) return undefined;
    throw error;
  }
}
