/** Connections of websockets to this machine. */
import type { IndexOptions } from "../../src/chain/indexer/index.ts";
import { openUpstream } from "../../src/sources/api/http/transport.ts";

export const openDispatcher: NonNullable<IndexOptions["openDispatcher"]> = async (url, options) =>
  (await openUpstream(url, { env: {}, timeouts: { connect: 10 }, ...options })).dispatcher;
