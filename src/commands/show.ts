/** `solx show <anything>`: recognises an address, a signature, a slot, a mint or an explorer link, and shows it. */
import { NotFoundError, SolxError, UsageError } from "../base/errors.ts";
import { isObject, type Json } from "../base/json.ts";
import type { Endpoint } from "../catalogue/endpoint.ts";
import { endpointByPath, positionalOf } from "../catalogue/index.ts";
import type { Recognised } from "../client/index.ts";
import type { Frame } from "./frame.ts";
import { runEndpoint } from "./run-endpoint.ts";

/** Programs that own mints and token accounts. */
const TOKEN_PROGRAMS = ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"];

const DETAIL = {
  account: "/account/detail",
  token: "/token/meta",
  transaction: "/transaction/detail",
  block: "/block/detail",
} as const;

type Thing = keyof typeof DETAIL;

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
  await runEndpoint(frame, detailOf(thing), [found.value], {});
}

function thingOf(found: Recognised): Thing | undefined {
  if (found.target !== undefined) return found.target;
  if (found.kind === "address") return "account";
  if (found.kind === "signature") return "transaction";
  return found.kind === "slot" ? "block" : undefined;
}

function detailOf(thing: Thing): Endpoint {
  const endpoint = endpointByPath("v2", DETAIL[thing]);
  if (!endpoint) throw new SolxError("unexpected", `The catalogue has no ${DETAIL[thing]}.`);
  return endpoint;
}

/** An address may be a mint: what the token programs own is looked up as a token too. */
async function showAddress(frame: Frame, address: string): Promise<void> {
  const account = detailOf("account");
  if (frame.globals.dryRun || frame.globals.curl) return runEndpoint(frame, account, [address], {});
  const client = await frame.client();
  const { signal } = frame.io;
  const ask = async (endpoint: Endpoint) => {
    const [name = "address"] = positionalOf(endpoint) ?? [];
    return (await client.fetch(endpoint, { [name]: address }, { signal })).data;
  };
  const detail = await ask(account);
  const token = isTokenAccount(detail) ? await orNothing(() => ask(detailOf("token"))) : undefined;
  if (!isObject(token) || token.address === undefined) {
    const entities = await import("../catalogue/entities/index.ts");
    return frame.printObject(detail, {
      entity: async () => entities[account.returns.entity],
      columns: account.columns,
    });
  }
  const { detailWithToken } = await import("./show-view.ts");
  await frame.printObject(
    { ...(isObject(detail) ? { account: detail } : {}), token },
    { entity: async () => detailWithToken() },
  );
  await frame.hint(
    `More: solx token holders ${address} · solx token markets ${address} · solx token transfer ${address}`,
  );
}

function isTokenAccount(detail: Json): boolean {
  return isObject(detail) && typeof detail.owner_program === "string" && TOKEN_PROGRAMS.includes(detail.owner_program);
}

/** A token account is no mint: that the API knows no such token is an answer, other failures are not. */
async function orNothing(ask: () => Promise<Json>): Promise<Json | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof UsageError) return undefined;
    throw error;
  }
}
