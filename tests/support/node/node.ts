/**
 * A Solana node for tests: JSON-RPC over HTTP and websockets, with transactions executed by litesvm. It answers what a
 * validator answers, from blocks that appear when transactions are sent.
 */
import { createServer, type Server } from "node:http";
import {
  address,
  lamports as asLamports,
  createKeyPairSignerFromPrivateKeyBytes,
  type Instruction,
  type KeyPairSigner,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { walletAccount } from "./account.ts";
import { type ChainOptions, TestChain } from "./chain.ts";
import type { FaultRule } from "./faults.ts";
import { type JsonRpcServer, type ServerOptions, serveJsonRpc } from "./json-rpc-server.ts";
import { ACCOUNT_METHODS } from "./methods/accounts.ts";
import { BLOCK_METHODS } from "./methods/blocks.ts";
import { CLUSTER_METHODS } from "./methods/cluster.ts";
import type { Method, NodeContext, NodeLimits } from "./methods/request.ts";
import { TRANSACTION_METHODS } from "./methods/transactions.ts";
import { signTransaction, type TransactionDraft } from "./sign.ts";
import { serveSubscriptions } from "./subscriptions.ts";
import { acceptWebSockets, type WebSocketPeer } from "./websocket.ts";

/** The methods of a node. */
const METHODS: Readonly<Record<string, Method>> = {
  ...BLOCK_METHODS,
  ...TRANSACTION_METHODS,
  ...ACCOUNT_METHODS,
  ...CLUSTER_METHODS,
};

/** Settings of a node. */
export interface TestNodeOptions extends ChainOptions, ServerOptions {
  readonly limits?: NodeLimits;
  /** A chain to serve, instead of a new one. */
  readonly chain?: TestChain;
  /** Lamports of the faucet: 500 million SOL by default. */
  readonly faucetLamports?: bigint;
  /** A port for websockets beside the one of HTTP, which serves them, too. */
  readonly wsPort?: number;
}

/** A running node. */
export interface TestNode extends Omit<JsonRpcServer, "http" | "faults"> {
  /** The address of subscriptions: the port of {@link url}, as websocket. */
  readonly wsUrl: string;
  /** Blocks and accounts: sending without HTTP, groups, skipped slots, rollbacks, planted accounts. */
  readonly chain: TestChain;
  /** Limits and gaps; they can change while the node runs. */
  readonly limits: NodeLimits;
  /** Pays airdrops and whatever tests have to pay. */
  readonly faucet: KeyPairSigner;
  /** Makes calls fail or wait (see `FAULTS`); returns a function that removes the fault. */
  fail(rule: FaultRule): () => void;
  clearFaults(): void;
  /** Ends all websocket connections without a word. */
  dropWebSockets(): void;
  /** Transfers lamports from the faucet; returns the signature. */
  airdrop(to: string, lamports: bigint): Promise<string>;
  /** Signs instructions and sends them in a transaction; returns the signature. Failed ones are in a block, too. */
  send(instructions: readonly Instruction[], options?: SendOptions): Promise<string>;
}

/** How to build a transaction: the faucet pays its fee by default. */
export type SendOptions = Partial<Omit<TransactionDraft, "instructions">>;

const FAUCET_SEED = new Uint8Array(32).fill(0xfa);
const FAUCET_LAMPORTS = 500_000_000n * 1_000_000_000n;

/** Starts a node. */
export async function startTestNode(options: TestNodeOptions = {}): Promise<TestNode> {
  const chain = options.chain ?? new TestChain(options);
  const faucet = await createKeyPairSignerFromPrivateKeyBytes(FAUCET_SEED);
  if (chain.accountsAt("processed").get(faucet.address) === undefined) {
    chain.setAccount(walletAccount(faucet.address, options.faucetLamports ?? FAUCET_LAMPORTS));
  }
  const limits: NodeLimits = { ...options.limits };
  const send: TestNode["send"] = async (instructions, draft = {}) => {
    const bytes = await signTransaction({ payer: faucet, blockhash: chain.tip.blockhash, ...draft, instructions });
    return chain.send(bytes).signatures[0] ?? "";
  };
  const airdrop = (to: string, amount: bigint) =>
    send([getTransferSolInstruction({ source: faucet, destination: address(to), amount: asLamports(amount) })]);
  const context: NodeContext = { chain, limits, airdrop };
  const server = await serveJsonRpc((method, params) => METHODS[method]?.(context, params), options);
  const peers = new Set<WebSocketPeer>();
  const extra = options.wsPort === undefined ? undefined : await listen(options.wsPort);
  const connect = (peer: WebSocketPeer) => {
    peers.add(peer);
    const handlers = serveSubscriptions(chain, peer);
    return {
      message: handlers.message,
      close() {
        peers.delete(peer);
        handlers.close();
      },
    };
  };
  const closeSockets = [server.http, ...(extra ? [extra] : [])].map((http) => acceptWebSockets(http, connect));
  const { http: _, faults, close, ...counters } = server;
  return {
    ...counters,
    wsUrl: server.url.replace("http:", "ws:"),
    chain,
    limits,
    faucet,
    fail: (rule) => faults.add(rule),
    clearFaults: () => faults.clear(),
    dropWebSockets() {
      for (const peer of peers) peer.drop();
    },
    airdrop,
    send,
    async close() {
      for (const closeAll of closeSockets) closeAll();
      extra?.close();
      await close();
    },
  };
}

/** Starts an HTTP server that only accepts websockets. */
async function listen(port: number): Promise<Server> {
  const server = createServer((_, response) => response.writeHead(426).end());
  await new Promise<void>((ready, fail) => {
    server.once("error", fail);
    server.listen(port, "127.0.0.1", ready);
  });
  return server.unref();
}
