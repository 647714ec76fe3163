/** A client with a method for every endpoint, like that of the library, but with numbers as they were sent. */
import type { Numeric } from "../../src/base/json.ts";
import { createMethods } from "../../src/client/index.ts";
import type { ApiMethods } from "../../src/library-methods.ts";
import { type ClientOptions, type ConnectedClient, createClient } from "../../src/sources/index.ts";

export type { ClientOptions } from "../../src/sources/index.ts";

export type ExactClient = ApiMethods<Numeric> & ConnectedClient;

export function createExactClient(options: ClientOptions = {}): ExactClient {
  const core = createClient(options);
  return Object.assign(createMethods(core), core) as unknown as ExactClient;
}
