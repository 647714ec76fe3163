/** A ledger in ClickHouse that answers queries: each of them sees the blocks that were complete when it began. */
import { SolxError } from "../../../base/index.ts";
import type { ChainDecoder } from "../source/source.ts";
import { FACTS, type LedgerReader } from "../store/reader.ts";
import { LEDGER_VERSION } from "../store/schema.ts";
import type { LedgerMeta, RemoteLedger } from "../store/store.ts";
import type { StoreAddress } from "./address.ts";
import { batchRequests, type Request, type StatementResult } from "./batches.ts";
import { KeyNumbers } from "./keys.ts";
import { readFromStart } from "./long-lists.ts";
import { bindRequest, createReader, NOTHING } from "./reader.ts";
import { readHead, seenRows } from "./seen.ts";
import { connectToStore, type StoreServer, useAnywhere } from "./server.ts";
import { STORE_VERSION } from "./tables.ts";

/** Milliseconds for which the newest block is not asked for again. */
const HEAD_MS = 500;

/**
 * Opens the ledger of a database.
 * @param createDecoder creates the decoder of instructions, which reads properties of the ledger
 * @param timeout seconds that the server has for an answer
 * @throws SolxError when there is none, it is of another version, or the server does not answer
 */
export async function openStore(
  address: StoreAddress,
  createDecoder: (property: (name: string) => string | undefined) => Promise<ChainDecoder>,
  timeout?: number,
): Promise<RemoteLedger> {
  const server = await connectToStore(address, undefined, timeout);
  try {
    return await readStore(server, createDecoder);
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Asks a server whether it knows the user and the password. @throws AuthError when it does not, NetworkError */
export async function checkPassword(address: StoreAddress, signal: AbortSignal, timeout: number): Promise<void> {
  await useAnywhere(address, (server) => server.ask({ sql: "SELECT 1", texts: {} }), signal, timeout);
}

/** Reads the ledger of a database that a server has, as {@link openStore} does. */
export async function readStore(
  server: StoreServer,
  createDecoder: (property: (name: string) => string | undefined) => Promise<ChainDecoder>,
): Promise<RemoteLedger> {
  const meta = await readMeta(server);
  let current: LedgerReader | undefined;
  const decode = await createDecoder((name) => {
    const value = current?.get("SELECT value FROM meta WHERE name = ?", name)?.value;
    return value == null ? undefined : String(value);
  });
  const parts = { facts: FACTS.chain, decode };
  let [head, headAt] = [await readHead(server, "tip"), performance.now()];
  return {
    meta,
    get reader() {
      return createReader(() => undefined, { end: head.time, shift: 0 }, new KeyNumbers(), parts);
    },
    async ask(query) {
      if (performance.now() - headAt > HEAD_MS) [head, headAt] = [await readHead(server, "tip"), performance.now()];
      const clock = { end: head.time, shift: 0 };
      const filters = seenRows(head);
      const keys = new KeyNumbers();
      const read = new Map<string, StatementResult>();
      for (;;) {
        const missing = new Map<string, Request>();
        current = createReader(
          (request) => {
            const key = keyOfRequest(request);
            const result = read.get(key);
            if (result) return result;
            // What follows from rows that are missing is not asked for.
            if (missing.size === 0 || !request.values.includes(NOTHING)) missing.set(key, request);
            return undefined;
          },
          clock,
          keys,
          parts,
        );
        try {
          const answer = query(current);
          if (missing.size === 0) return answer;
        } catch (error) {
          if (missing.size === 0) throw error;
        }
        await Promise.all(
          batchRequests([...missing.values()]).map(async (batch) => {
            const readRows = (each: Request) => server.ask(bindRequest(each), filters);
            const results = batch.divide(await readFromStart(readRows, batch.request));
            for (const [at, request] of batch.parts.entries())
              read.set(keyOfRequest(request), results[at] as StatementResult);
          }),
        );
      }
    },
    close: () => void server.close(),
  };
}

const keyOfRequest = ({ sql, values }: Request): string => JSON.stringify([sql, values.map(({ text }) => text)]);

async function readMeta(server: StoreServer): Promise<LedgerMeta> {
  const { data } = await server.ask({ sql: "SELECT name, value FROM meta WHERE position(name, ':') = 0", texts: {} });
  const meta = Object.fromEntries(data.map(([name, value]) => [String(name), String(value)]));
  if (meta.version !== `${LEDGER_VERSION}` || meta.store !== `${STORE_VERSION}`)
    throw new SolxError(
      "usage",
      `The index in the database ${server.address.database} was made by another version of solx.`,
      {
        code: "INDEX_VERSION",
        hint: "Use another database, or index again into an empty one.",
      },
    );
  return meta;
}
