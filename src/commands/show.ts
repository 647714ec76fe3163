/** `solx show <anything>`: recognises an address, a signature, a slot, a mint or an explorer link, and shows it. */
import { NotFoundError, PermissionError, UsageError } from "../base/errors.ts";
import { isObject, type Json, type JsonObject } from "../base/json.ts";
import { positionalOf } from "../catalogue/index.ts";
import type { Recognised } from "../client/index.ts";
import { endpointAt } from "./answers.ts";
import type { Frame } from "./frame.ts";
import { runEndpoint, wantedRows } from "./run-endpoint.ts";

/** Programs that own mints and token accounts. */
const TOKEN_PROGRAMS = ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"];

const DETAIL = {
  account: "/account/detail",
  token: "/token/meta",
  transaction: "/transaction/detail",
  block: "/block/detail",
} as const;

type Thing = keyof typeof DETAIL;

/** What people look at next. */
const NEXT: Readonly<Record<Thing, readonly string[]>> = {
  account: ["/account/portfolio", "/account/transfer", "/account/transactions"],
  token: ["/token/holders", "/token/markets", "/token/transfer"],
  transaction: ["/transaction/actions"],
  block: ["/block/transactions"],
};

/** Shows whatever was given. */
export async function show(frame: Frame, given: string): Promise<void> {
  const { recognise } = await import("../client/index.ts");
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
  if (thing === "account") return showAddress(frame, found.value);
  if (thing === "block") await showBlock(frame, found.value);
  else await runEndpoint(frame, endpointAt(DETAIL[thing]), [found.value], {});
  await tellNext(frame, thing, found.value);
}

function thingOf(found: Recognised): Thing | undefined {
  if (found.target !== undefined) return found.target;
  if (found.kind === "address") return "account";
  if (found.kind === "signature") return "transaction";
  return found.kind === "slot" ? "block" : undefined;
}

/** The commands that lead on, for a person; a request that is only shown leads nowhere. */
async function tellNext(frame: Frame, thing: Thing, id: string): Promise<void> {
  if (isDry(frame)) return;
  const { suggestion } = await import("./program-name.ts");
  for (const path of NEXT[thing]) {
    await frame.hint(`Next: ${suggestion(frame, [...endpointAt(path).command.split(" "), id])}`);
  }
}

function isDry({ globals: { dryRun, curl } }: Frame): boolean {
  return Boolean(dryRun || curl);
}

/** The schemas, for the formats that need one. */
const views = () => import("./show-view.ts");

/** Asks an endpoint about one thing. */
async function ask(frame: Frame, path: string, id: string): Promise<Json> {
  const endpoint = endpointAt(path);
  const [name = "address"] = positionalOf(endpoint) ?? [];
  const client = await frame.client();
  return (await client.fetch(endpoint, { [name]: id }, { signal: frame.io.signal })).data;
}

/** A block with its slot, which the API's answer leaves out. */
async function showBlock(frame: Frame, slot: string): Promise<void> {
  const endpoint = endpointAt(DETAIL.block);
  if (isDry(frame) || frame.globals.envelope) return runEndpoint(frame, endpoint, [slot], {});
  wantedRows(frame, endpoint);
  const block = await ask(frame, DETAIL.block, slot);
  const whole = isObject(block) ? { slot: Number(slot), ...block } : block;
  await frame.printObject(whole, { entity: async () => (await views()).blockWithSlot() });
}

/** An account and who it is; what the token programs own may be a mint, and is looked up as a token. */
async function showAddress(frame: Frame, address: string): Promise<void> {
  if (isDry(frame)) return runEndpoint(frame, endpointAt(DETAIL.account), [address], {});
  const account = await ask(frame, DETAIL.account, address);
  const ofToken = isTokenAccount(account);
  const more = await orNothing(() => ask(frame, ofToken ? DETAIL.token : "/account/metadata", address));
  if (ofToken && isObject(more) && more.address !== undefined) {
    const both = { ...(isObject(account) ? { account } : {}), token: more };
    await frame.printObject(both, { entity: async () => (await views()).detailWithToken() });
    return tellNext(frame, "token", address);
  }
  const whole = isObject(account) && !ofToken ? { ...account, ...metadataOf(more) } : account;
  await frame.printObject(whole, { entity: async () => (await views()).detailWithMetadata() });
  await tellNext(frame, "account", address);
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
