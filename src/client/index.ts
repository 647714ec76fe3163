/** Requests to the API: checked, within the budget, retried, decoded. No terminal here. */
export type { BatchItem } from "./batch.ts";
export type { Budget, Taking } from "./budget.ts";
export type { Call, ReadOptions } from "./call.ts";
export { type CheckContext, type PreparedRequest, prepare } from "./check.ts";
export { type Client, type ClientCore, createClient } from "./client.ts";
export { curlLine } from "./curl.ts";
export type { Answer } from "./decode.ts";
export { type Recognised, recognise, type Target } from "./identify.ts";
export { checkKey, masked } from "./key.ts";
export type { Outgoing, Reply, Transport } from "./messages.ts";
export { momentOf } from "./moments.ts";
export { type Timeouts, totalTimeout } from "./network-errors.ts";
export type { ClientEvent, ClientOptions } from "./options.ts";
export type { Page, PagingOptions } from "./paging.ts";
export type { SendOptions } from "./pipeline.ts";
export { type RawOptions, rawRequest } from "./raw.ts";
export { type BaseUrls, baseUrlsOf, isLoopback, pathOf, urlOf } from "./url.ts";
