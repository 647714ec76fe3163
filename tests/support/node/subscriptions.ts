/** Subscriptions over websockets. */
import type { Account } from "./account.ts";
import type { Block, Commitment, TestChain } from "./chain.ts";
import { encodeAccount } from "./encode.ts";
import { VERSION } from "./methods/request.ts";
import type { WebSocketHandlers, WebSocketPeer } from "./websocket.ts";
import { fromJson, isObjectWire, toJson, type Wire, type WireObject } from "./wire.ts";

/** What a subscription does when blocks reach a commitment; undefined for what does not concern it. */
interface Subscription {
  readonly notification: string;
  /** Returns what to report of blocks that reached a level. */
  report(level: Commitment, block: Block): readonly Wire[];
  /** Whether it ends with its first report. */
  readonly once?: boolean;
  /** Returns what is to report already. */
  now?(): readonly Wire[];
}

type Subscribe = (chain: TestChain, params: readonly Wire[]) => Subscription;

const optionsOf = (value: Wire | undefined): WireObject => (isObjectWire(value) ? value : {});
const withSlot = (slot: number, value: Wire) => ({ context: { apiVersion: VERSION, slot }, value });
const levelOf = (options: WireObject) => (options.commitment ?? "finalized") as Commitment;
const LEVELS: readonly Commitment[] = ["processed", "confirmed", "finalized"];
const reached = (actual: Commitment | undefined, requested: Commitment) =>
  actual !== undefined && LEVELS.indexOf(actual) >= LEVELS.indexOf(requested);

const SUBSCRIPTIONS: Readonly<Record<string, Subscribe>> = {
  slotSubscribe: (chain) => ({
    notification: "slotNotification",
    report: (level, { slot, parentSlot }) =>
      level === "processed" ? [{ slot, parent: parentSlot, root: chain.blockAt("finalized").slot }] : [],
  }),
  rootSubscribe: () => ({
    notification: "rootNotification",
    report: (level, { slot }) => (level === "finalized" ? [slot] : []),
  }),
  signatureSubscribe: (chain, params) => {
    const signature = String(params[0]);
    const requested = levelOf(optionsOf(params[1]));
    return {
      notification: "signatureNotification",
      once: true,
      now() {
        const executed = chain.transaction(signature);
        const isReached = executed !== undefined && reached(chain.commitmentOf(executed.slot), requested);
        return isReached ? [withSlot(executed.slot, { err: executed.err })] : [];
      },
      report: (level, { transactions, slot }) =>
        transactions
          .filter(({ signatures }) => level === requested && signatures[0] === signature)
          .map(({ err }) => withSlot(slot, { err })),
    };
  },
  accountSubscribe: (chain, params) => {
    const key = String(params[0]);
    const options = optionsOf(params[1]);
    const requested = levelOf(options);
    const encode = (account: Account | undefined, block: Block) =>
      account ? encodeAccount(account, options, { get: chain.accountsAt(requested).get, time: block.time }) : null;
    return {
      notification: "accountNotification",
      report: (level, block) =>
        level === requested && block.before.has(key)
          ? [withSlot(block.slot, encode(chain.accountsAt(requested).get(key), block))]
          : [],
    };
  },
  logsSubscribe: (_, params) => {
    const [filter] = params;
    const mentions = optionsOf(filter).mentions as readonly Wire[] | undefined;
    const requested = levelOf(optionsOf(params[1]));
    return {
      notification: "logsNotification",
      report: (level, { slot, transactions }) =>
        transactions
          .filter(
            ({ keys }) =>
              level === requested && (mentions?.every((each) => keys.some(({ pubkey }) => pubkey === each)) ?? true),
          )
          .map(({ signatures, err, logs }) => withSlot(slot, { signature: signatures[0] ?? "", err, logs })),
    };
  },
};

/** Serves the subscriptions of one client. */
export function serveSubscriptions(chain: TestChain, peer: WebSocketPeer): WebSocketHandlers {
  const active = new Map<number, Subscription>();
  let last = 0;
  const notify = (id: number, { notification, once }: Subscription, results: readonly Wire[]) => {
    for (const result of results) {
      peer.send(toJson({ jsonrpc: "2.0", method: notification, params: { result, subscription: id } }));
    }
    if (once && results.length > 0) active.delete(id);
  };
  const report = (level: Commitment, block: Block) => {
    for (const [id, subscription] of active) notify(id, subscription, subscription.report(level, block));
  };
  const stop = chain.listen({
    block: (block) => report("processed", block),
    committed: (level, blocks) => {
      for (const block of blocks) report(level, block);
    },
  });
  return {
    message(text) {
      const call = fromJson(text);
      if (!isObjectWire(call)) return;
      const { method = "", id = null } = call as { method?: string; id?: Wire };
      const params = (call.params ?? []) as readonly Wire[];
      if (method.endsWith("Unsubscribe")) {
        const result = active.delete(Number(params[0]));
        peer.send(toJson({ jsonrpc: "2.0", result, id }));
        return;
      }
      const subscription = SUBSCRIPTIONS[method]?.(chain, params);
      if (subscription === undefined) {
        peer.send(toJson({ jsonrpc: "2.0", error: { code: -32601, message: "Method not executed" }, id }));
        return;
      }
      last += 1;
      peer.send(toJson({ jsonrpc: "2.0", result: last, id }));
      active.set(last, subscription);
      notify(last, subscription, subscription.now?.() ?? []);
    },
    close: stop,
  };
}
