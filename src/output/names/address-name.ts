/** What an address is called. */
import type { Role } from "../text/roles.ts";
import type { NameKind } from "./collect-names.ts";

/** The name of an address. */
export interface AddressName {
  /** One line of safe text. */
  readonly name: string;
  readonly kind: NameKind;
  readonly source: "own" | "built-in" | "answer";
  /** How the name imitates another one, such as `belongs to another token`. */
  readonly warning?: string;
}

/** Returns the name of an address; undefined when it is unknown. */
export type NameOf = (address: string) => AddressName | undefined;

/** The role in which names of a kind are styled. */
export const NAME_ROLES: Readonly<Record<NameKind, Role>> = {
  token: "token",
  program: "program",
  account: "account",
  validator: "account",
  market: "market",
  nft: "nft",
  collection: "nft",
};
