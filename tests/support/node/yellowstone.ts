/** A server of Yellowstone gRPC over the chain of a test node: it sends the blocks of a commitment when they reach it. */
import { Server, ServerCredentials, type ServerDuplexStream, status } from "@grpc/grpc-js";
import type { SubscribeRequest } from "@triton-one/yellowstone-grpc";
import type { Block, TestChain } from "./chain.ts";
import { encodeBlock } from "./encode.ts";
import { codecs, encodeMessage, encodeUpdate } from "./yellowstone-codec.ts";

type Call = ServerDuplexStream<SubscribeRequest, Uint8Array>;

/** Options of {@link startYellowstone}. */
export interface YellowstoneOptions {
  /** The token that is asked for; none by default. */
  readonly token?: string;
  /** The port, of a server that was there before. */
  readonly port?: number;
  readonly credentials?: ServerCredentials;
}

/** Starts a server. */
export async function startYellowstone(chain: TestChain, options: YellowstoneOptions = {}) {
  const calls = new Map<Call, string>();
  const requests: SubscribeRequest[] = [];
  let isSilent = false;
  const send = (block: Block, level?: string) => {
    const update = encodeUpdate(block.slot, encodeBlock(block, "full", "base64", 1, true));
    for (const [call, wanted] of calls) if (!isSilent && (level === undefined || level === wanted)) call.write(update);
  };
  const stop = chain.listen({
    committed: (level, blocks) => {
      for (const block of blocks) send(block, level);
    },
  });
  const subscribe = (call: Call) => {
    if (options.token !== undefined && call.metadata.get("x-token")[0] !== options.token) {
      call.emit("error", { code: status.UNAUTHENTICATED, details: "No valid auth token" });
      return;
    }
    call.sendMetadata(call.metadata.clone());
    call.on("data", (request: SubscribeRequest) => {
      requests.push(request);
      if (request.ping === undefined) calls.set(call, request.commitment === 2 ? "finalized" : "confirmed");
    });
    for (const event of ["cancelled", "end", "error"]) call.on(event, () => calls.delete(call));
  };
  const server = new Server();
  const definition = {
    path: "/geyser.Geyser/Subscribe",
    requestStream: true,
    responseStream: true,
    requestSerialize: (request: SubscribeRequest) => Buffer.from(codecs.SubscribeRequest.encode(request).finish()),
    requestDeserialize: (bytes: Uint8Array) => codecs.SubscribeRequest.decode(bytes),
    responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
    responseDeserialize: (bytes: Uint8Array) => bytes,
  } as const;
  server.addService({ Subscribe: definition }, { Subscribe: subscribe });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(
      `127.0.0.1:${options.port ?? 0}`,
      options.credentials ?? ServerCredentials.createInsecure(),
      (error, bound) => (error ? reject(error) : resolve(bound)),
    ),
  );
  return {
    port,
    name: `127.0.0.1:${port}`,
    requests,
    subscribers: () => calls.size,
    /** Sends a block to all subscribers. */
    send,
    ping() {
      for (const call of calls.keys()) call.write(encodeMessage({ ping: {} }));
    },
    /** Sends nothing any more, with open connections. */
    silence(is: boolean) {
      isSilent = is;
    },
    /** Ends all subscriptions with an error. */
    drop(code = status.UNAVAILABLE) {
      for (const call of calls.keys()) call.emit("error", { code, details: "shutting down" });
      calls.clear();
    },
    close() {
      stop();
      server.forceShutdown();
    },
  };
}
