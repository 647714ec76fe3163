/** The API's endpoints answered from a Solana node. What connects to it is loaded on demand. */

export { createSession } from "./answer.ts";
export { findNodeAnswer } from "./answers.ts";
export type { LocalIdl } from "./cluster/contents.ts";
export { type NodeAddress, type RpcOptions, resolveNode } from "./connection/address.ts";
export type { OpenNode } from "./source.ts";
export { isReadByWalk, nodeSupport } from "./support.ts";

/** Loads the connection to a node. */
export const loadNode = () => import("./source.ts");

/** Loads the inspection of transactions. */
export const loadInspect = () => import("./inspect.ts");
