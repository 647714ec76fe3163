/** The entities of the specification (§3): zod objects whose fields have a kind. */
export * from "./account.ts";
export * from "./chain.ts";
export * from "./legacy.ts";
export * from "./market.ts";
export * from "./nft.ts";
export * from "./node.ts";
export * from "./token.ts";
export * from "./transaction.ts";
