/** Names where an address is asked for: famous symbols, and those that answers of this session told; of one address. */
import type { ParameterValues } from "../../catalogue/index.ts";
import type { Param } from "../../catalogue/param.ts";
import { isAddress } from "../../catalogue/validate.ts";
import { createShortener } from "../../output/text/shorten.ts";

import type { Problem } from "./check-value.ts";
import type { FormField } from "./form-fields.ts";

/** The addresses that are called so. */
export type AddressesOf = (name: string) => readonly string[];

/** Characters of a text that may be meant as a name, at most. */
const LONGEST_NAME = 24;

const MOST_TOLD = 5;
/** What to do about a name that nobody told. */
const UNKNOWN = "Names are those that answers of this session told. Paste the address, or find a token with : first.";

/** What was entered, with addresses in place of the names that mean one; everything else as it was. */
export function withAddresses(
  fields: readonly FormField[],
  entered: ParameterValues,
  addressesOf: AddressesOf,
): ParameterValues {
  const addressed = fields
    .filter(({ name, param }) => param.type === "address" && entered[name] !== undefined)
    .map(({ name }) => [name, addressesIn(entered[name], addressesOf)] as const);
  return { ...entered, ...Object.fromEntries(addressed) };
}

function addressesIn(value: unknown, addressesOf: AddressesOf): unknown {
  if (Array.isArray(value)) return value.map((item) => addressesIn(item, addressesOf));
  const [only, ...others] = meant(value, addressesOf);
  return only === undefined || others.length > 0 ? value : only;
}

/** The addresses that a text may mean; none for what is an address itself. */
function meant(text: unknown, addressesOf: AddressesOf): readonly string[] {
  if (typeof text !== "string" || isAddress(text)) return [];
  const called = addressesOf(text);
  if (called.length > 0) return called;
  // A name of several is told apart by how the address begins.
  const [, name = "", start = ""] = /^(.+)\s(\S+)$/.exec(text) ?? [];
  return addressesOf(name).filter((address) => address.startsWith(start));
}

/** Why a name cannot be taken: it is that of several addresses. */
export function severalProblem({ type }: Param, value: unknown, addressesOf: AddressesOf): Problem | undefined {
  if (type !== "address") return undefined;
  for (const name of [value].flat()) {
    const found = meant(name, addressesOf);
    if (found.length < 2) continue;
    const more = found.length > MOST_TOLD ? ` and ${found.length - MOST_TOLD} more` : "";
    return {
      message: `${name} is the name of ${found.length} addresses: ${short(found.slice(0, MOST_TOLD))}${more}.`,
      hint: `Add how the right one begins, as in "${name} ${found[0]?.slice(0, 4)}".`,
    };
  }
  return undefined;
}

/** What to say of a value that is refused as an address: what is too short for one is meant as a name. */
export function addressHint(value: unknown, hint: string | undefined): string {
  const mayBeName = [value].flat().every((item) => isAddress(String(item)) || String(item).length <= LONGEST_NAME);
  return mayBeName || hint === undefined ? UNKNOWN : hint;
}

/** The addresses that names stand for, in short; undefined where no name stands for one. */
export function namedAddresses({ type }: Param, value: unknown, addressesOf: AddressesOf): string | undefined {
  if (type !== "address") return undefined;
  const typed = [value].flat();
  const meaning = [addressesIn(value, addressesOf)].flat();
  return typed.some((item, index) => item !== meaning[index]) ? short(meaning.map(String)) : undefined;
}

/** Short forms that differ. */
function short(addresses: readonly string[]): string {
  const shorten = createShortener();
  for (const address of addresses) shorten(address);
  return addresses.map(shorten).join(", ");
}
