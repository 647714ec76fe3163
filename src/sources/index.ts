/** What answers the requests of a client: the API, a Solana node, a ledger in this process, or recordings. */
export {
  type ClientOptions,
  type ConnectedClient,
  createClient,
  describeSource,
  type SourceInfo,
} from "./open-source.ts";
export { resolveRate } from "./options.ts";
