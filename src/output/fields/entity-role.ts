/** The kinds of entities that fields refer to. Links of the explorer and colours of all tables follow from them. */
import type { FieldMeta } from "../../catalogue/index.ts";
import type { Role } from "../text/roles.ts";

/** The kinds of entities that an address may be of. */
export type AddressEntity = "account" | "market" | "collection" | "program" | "token";

/** What the name of an address field says about its entity; the first pattern that matches decides. */
const BY_NAME: readonly (readonly [AddressEntity, RegExp])[] = [
  ["account", /token_?account|associated|authority|owner/i],
  ["market", /pool|market(_|$)|amm/i],
  ["collection", /collection/i],
  ["program", /program/i],
  ["token", /token|mint/i],
];

/** What the description of an address field says about its entity. */
const BY_DESCRIPTION: readonly (readonly [AddressEntity, RegExp])[] = [
  ["token", /^(the )?mint of\b/i],
  ["market", /^(the )?(pool|market)\b/i],
];

/** Returns the kind of entity that an address field refers to by its name; undefined where the name does not say. */
export function entityOfName(field: string): AddressEntity | undefined {
  return BY_NAME.find(([, pattern]) => pattern.test(field))?.[0];
}

/** Returns the kind of entity that an address field refers to by its description. */
export function entityOfDescription({ description }: Pick<FieldMeta, "description">): AddressEntity {
  return BY_DESCRIPTION.find(([, pattern]) => pattern.test(description))?.[0] ?? "account";
}

const ROLES: Readonly<Record<AddressEntity, Role>> = {
  account: "account",
  market: "market",
  collection: "nft",
  program: "program",
  token: "token",
};

/** Returns the role of a field that refers to an entity: an identifier, a symbol or a label; undefined for all other fields. */
export function entityRole(field: string, meta: FieldMeta | undefined): Role | undefined {
  switch (meta?.kind) {
    case "signature":
      return "transaction";
    case "slot":
      return "block";
    case "program":
      return "program";
    case "hash":
      return /collection/i.test(field) ? "nft" : undefined;
    case "address":
      if (/\bNFT\b/.test(meta.description)) return "nft";
      return ROLES[entityOfName(field) ?? entityOfDescription(meta)];
    case "text":
      if (/(^|_)symbol$/i.test(field)) return "token";
      return /(^|_)account_label$/i.test(field) ? "account" : undefined;
    default:
      return undefined;
  }
}
