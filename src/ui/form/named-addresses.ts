/** Names where an address is asked for: famous symbols, and those that answers of this session told; of one address. */
import type { ParameterValues } from "../../catalogue/index.ts";
import type { Param } from "../../catalogue/param.ts";
import { isAddress } from "../../catalogue/validate.ts";
import { createShortener } from "../../output/text/shorten.ts";

import type { ValueProblem } from "./check-value.ts";
import type { FormField } from "./form-fields.ts";

/** The addresses that are called so. */
export type FindAddresses = (name: string) => readonly string[];

/** Characters of a text that may be meant as a name, at most. */
const MAX_NAME_LENGTH = 24;

const MAX_LISTED = 5;
/** What to do about a name that nobody told. */
const UNKNOWN_NAME_HINT =
  "Names are those that answers of this session told. Paste the address, or find a token with : first.";

/** What was entered, with addresses in place of the names that mean one; everything else as it was. */
export function resolveNames(
  fields: readonly FormField[],
  entered: ParameterValues,
  findAddresses: FindAddresses,
): ParameterValues {
  const addressed = fields
    .filter(({ name, param }) => param.type === "address" && entered[name] !== undefined)
    .map(({ name }) => [name, resolveValue(entered[name], findAddresses)] as const);
  return { ...entered, ...Object.fromEntries(addressed) };
}

function resolveValue(value: unknown, findAddresses: FindAddresses): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, findAddresses));
  const [only, ...others] = matchingAddresses(value, findAddresses);
  return only === undefined || others.length > 0 ? value : only;
}

/** The addresses that a text may mean; none for what is an address itself. */
function matchingAddresses(text: unknown, findAddresses: FindAddresses): readonly string[] {
  if (typeof text !== "string" || isAddress(text)) return [];
  const matches = findAddresses(text);
  if (matches.length > 0) return matches;
  // A name of several is told apart by how the address begins.
  const [, name = "", start = ""] = /^(.+)\s(\S+)$/.exec(text) ?? [];
  return findAddresses(name).filter((address) => address.startsWith(start));
}

/** Why a name cannot be taken: it is that of several addresses. */
export function ambiguousNameProblem(
  { type }: Param,
  value: unknown,
  findAddresses: FindAddresses,
): ValueProblem | undefined {
  if (type !== "address") return undefined;
  for (const name of [value].flat()) {
    const matches = matchingAddresses(name, findAddresses);
    if (matches.length < 2) continue;
    const more = matches.length > MAX_LISTED ? ` and ${matches.length - MAX_LISTED} more` : "";
    return {
      message: `${name} is the name of ${matches.length} addresses: ${shortenAll(matches.slice(0, MAX_LISTED))}${more}.`,
      hint: `Add how the right one begins, as in "${name} ${matches[0]?.slice(0, 4)}".`,
    };
  }
  return undefined;
}

/** What to say of a value that is refused as an address: what is too short for one is meant as a name. */
export function addressHint(value: unknown, hint: string | undefined): string {
  const mayBeName = [value].flat().every((item) => isAddress(String(item)) || String(item).length <= MAX_NAME_LENGTH);
  return mayBeName || hint === undefined ? UNKNOWN_NAME_HINT : hint;
}

/** The addresses that names stand for, in short; undefined where no name stands for one. */
export function resolvedAddresses({ type }: Param, value: unknown, findAddresses: FindAddresses): string | undefined {
  if (type !== "address") return undefined;
  const typed = [value].flat();
  const meaning = [resolveValue(value, findAddresses)].flat();
  return typed.some((item, index) => item !== meaning[index]) ? shortenAll(meaning.map(String)) : undefined;
}

/** Short forms that differ. */
function shortenAll(addresses: readonly string[]): string {
  const shorten = createShortener();
  for (const address of addresses) shorten(address);
  return addresses.map(shorten).join(", ");
}
