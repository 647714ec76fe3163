/** What a node adds to rules: it says when something happens, and which transactions were removed from the chain. */
import { fieldAt, isArray, isObject, type Json, splitIntoBatches } from "../../base/index.ts";
import { isSignature, positionalOf } from "../../catalogue/index.ts";
import { keepSubscribed, webSocketUrlOf } from "../../chain/indexer/index.ts";
import type { FindRemoved, Poller } from "../../client/index.ts";
import { isTransient } from "../../sources/api/index.ts";
import { openWebSockets } from "../run/websockets.ts";
import type { Rule } from "./rule.ts";

/**
 * Subscribes to the accounts of rules with a node: what it says makes them be polled at once. Polling goes on without it,
 * so that a failure is none.
 * @param hurry polls at once
 */
export async function subscribe(
  rulesOf: ReadonlyMap<Poller, readonly Rule[]>,
  hurry: (poller: Poller) => void,
  closing: AbortSignal,
): Promise<void> {
  const byUrl = new Map<string, { readonly poller: Poller; readonly method: string; readonly params: Json[] }[]>();
  let opening: ReturnType<typeof openWebSockets> | undefined;
  for (const [poller, [rule]] of rulesOf) {
    const settings = await rule?.context.session.settings();
    const node = settings?.node();
    if (!rule || !settings || !node) continue;
    const [name = "", param] = positionalOf(rule.watched.endpoint) ?? [];
    if (param?.type !== "address") continue;
    opening ??= openWebSockets(rule.context, settings);
    const url = webSocketUrlOf(node.url);
    const commitment = settings.get("commitment");
    for (const account of poller.inputs ?? [rule.watched.params[name] as string]) {
      const [method, ...params] = rule.grows
        ? ["logsSubscribe", { mentions: [account] }, { commitment }]
        : ["accountSubscribe", account, { commitment, encoding: "base64", dataSlice: { offset: 0, length: 0 } }];
      byUrl.set(url, [...(byUrl.get(url) ?? []), { poller, method: String(method), params: params as Json[] }]);
    }
  }
  const openDispatcher = await opening;
  for (const [url, accounts] of byUrl) {
    const requests = accounts.map(({ method, params }) => ({ method, params }));
    const notify = (at: number) => hurry((accounts[at] as (typeof accounts)[number]).poller);
    if (openDispatcher) keepSubscribed({ urls: [url], openDispatcher, requests, notify, closing });
  }
}

/** Returns what finds rows of transactions that were removed; undefined where everything is final. */
export async function openRemovals({ client, context, watched }: Rule): Promise<FindRemoved | undefined> {
  const settings = await context.session.settings();
  const commitment = settings.get("commitment");
  const { identity = [] } = watched.endpoint;
  if (settings.node() === undefined || commitment === "finalized") return undefined;
  const signatureOf = (row: Json) =>
    identity.map((path) => String(fieldAt(row, path.split(".")))).find((text) => isSignature(text));
  const findRemoved: FindRemoved = async (rows) => {
    const signed = rows.flatMap((row) => signatureOf(row) ?? []);
    if (signed.length === 0) return [];
    const sending = { priority: "background", fresh: true } as const;
    // In this order: what is not known when a later slot is final will not be.
    const final = Number(await client.node().call("getSlot", [{ commitment: "finalized" }], sending));
    const statuses = new Map<string, Json>();
    for (const part of splitIntoBatches([...new Set(signed)], MAX_STATUSES)) {
      const params = [part, { searchTransactionHistory: true }];
      const { value } = (await client.node().call("getSignatureStatuses", params, sending)) as { value?: Json };
      if (!isArray(value)) return [];
      for (const [index, status] of value.entries()) statuses.set(part[index] as string, status);
    }
    return rows.filter((row) => {
      const slot = isObject(row) ? Number(row.slot ?? row.block_id) : Number.NaN;
      return slot <= final && statuses.get(signatureOf(row) ?? "") === null;
    });
  };
  // A node that has no such method still has news.
  return (rows) => findRemoved(rows).catch((error: unknown) => (isTransient(error) ? Promise.reject(error) : []));
}

/** Signatures of a call, at most. */
const MAX_STATUSES = 256;
