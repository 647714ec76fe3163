/** What is looked up for an address, a signature, a slot or a link, whoever asks: which thing it is, and what is known of it. */
import { NotFoundError, PermissionError, UsageError } from "../../base/errors.ts";
import { isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { Recognised } from "../../client/index.ts";

/** Programs that own mints and token accounts. */
const TOKEN_PROGRAMS = ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"];

/** The paths that tell of each thing. */
export const DETAIL = {
  account: "/account/detail",
  token: "/token/meta",
  transaction: "/transaction/detail",
  block: "/block/detail",
} as const;

/** A thing that can be shown. */
export type Thing = keyof typeof DETAIL;

/** What people look at next. */
export const NEXT: Readonly<Record<Thing, readonly string[]>> = {
  account: ["/account/portfolio", "/account/transfer", "/account/transactions"],
  token: ["/token/holders", "/token/markets", "/token/transfer"],
  transaction: ["/transaction/actions"],
  block: ["/block/transactions"],
};

/** Asks the endpoint of a path about one thing. */
export type Ask = (path: string, id: string) => Promise<Json>;

/**
 * Which thing a text is about.
 * @throws UsageError for one about nothing, or about another cluster than mainnet
 */
export async function thingIn(given: string): Promise<{ readonly thing: Thing; readonly id: string }> {
  const { recognise } = await import("../../client/index.ts");
  const cluster = /[?&]cluster=(?!mainnet)([\w-]+)/.exec(given)?.[1];
  if (cluster !== undefined) {
    throw new UsageError(`The link is about the cluster ${cluster}; the API knows mainnet alone.`, {
      hint: "Give the address or signature itself to look it up on mainnet.",
    });
  }
  const found = recognise(given);
  const thing = thingOf(found);
  if (thing === undefined) {
    throw new UsageError(`"${found.value}" is nothing that can be shown.`, {
      hint: found.hint ?? "Give an address, a transaction signature, a slot or an explorer link.",
    });
  }
  return { thing, id: found.value };
}

function thingOf(found: Recognised): Thing | undefined {
  if (found.target !== undefined) return found.target;
  if (found.kind === "address") return "account";
  if (found.kind === "signature") return "transaction";
  return found.kind === "slot" ? "block" : undefined;
}

/** A block with its slot, which the API's answer leaves out. */
export async function blockData(ask: Ask, slot: string): Promise<Json> {
  const block = await ask(DETAIL.block, slot);
  return isObject(block) ? { slot: Number(slot), ...block } : block;
}

/**
 * An account and who it is; what the token programs own may be a mint, and is looked up as a token, with the account
 * beside it.
 */
export async function addressData(ask: Ask, address: string): Promise<{ readonly thing: Thing; readonly data: Json }> {
  const account = await ask(DETAIL.account, address);
  const ofToken = isTokenAccount(account);
  const more = await orNothing(() => ask(ofToken ? DETAIL.token : "/account/metadata", address));
  if (ofToken && isObject(more) && more.address !== undefined) {
    return { thing: "token", data: { ...(isObject(account) ? { account } : {}), token: more } };
  }
  const data = isObject(account) && !ofToken ? { ...account, ...metadataOf(more) } : account;
  return { thing: "account", data };
}

/** What is known beside the chain, without the address, which the account has already. */
function metadataOf(answer: Json | undefined): JsonObject {
  if (!isObject(answer)) return {};
  const { account_address: _, ...metadata } = answer;
  return metadata;
}

function isTokenAccount(detail: Json): boolean {
  return isObject(detail) && typeof detail.owner_program === "string" && TOKEN_PROGRAMS.includes(detail.owner_program);
}

/**
 * What may be missing: a token account is no mint, and not every plan tells who an account is. Other failures are none
 * of that.
 */
async function orNothing(ask: () => Promise<Json>): Promise<Json | undefined> {
  try {
    return await ask();
  } catch (error) {
    if ([NotFoundError, UsageError, PermissionError].some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}
