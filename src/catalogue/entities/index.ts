/** The entities of the specification (§3): zod objects whose fields know their kind. */
export * from "./account.ts";
