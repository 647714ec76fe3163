/** Resolves names to addresses: well-known symbols, and names in the answers of this session. */
import { isAddress, type Param, type ParameterValues } from "../../catalogue/index.ts";
import { createShortener } from "../../output/index.ts";
import type { ValueProblem } from "./check-value.ts";
import type { FormField } from "./form-fields.ts";

/** Returns the addresses with a name. */
export type FindAddresses = (name: string) => readonly string[];

/** Maximum length of a text that may be a name. */
const MAX_NAME_LENGTH = 24;

const MAX_LISTED = 5;
/** Hint for an unknown name. */
const UNKNOWN_NAME_HINT =
  "Only names from results of this session are known. Paste the address, or search for the token with : first.";

/** Returns the parameters with unambiguous names replaced by their addresses. */
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

/** Returns the addresses that a name may stand for; none for an address. */
function matchingAddresses(text: unknown, findAddresses: FindAddresses): readonly string[] {
  if (typeof text !== "string" || isAddress(text)) return [];
  const matches = findAddresses(text);
  if (matches.length > 0) return matches;
  // An ambiguous name may be followed by the start of the address.
  const [, name = "", start = ""] = /^(.+)\s(\S+)$/.exec(text) ?? [];
  return findAddresses(name).filter((address) => address.startsWith(start));
}

/** Returns the problem of a name that several addresses share. */
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
      message: `${name} is ambiguous, ${matches.length} addresses: ${shortenAll(matches.slice(0, MAX_LISTED))}${more}.`,
      hint: `Add the start of the address, for example "${name} ${matches[0]?.slice(0, 4)}".`,
    };
  }
  return undefined;
}

/** Returns the hint for an invalid address; a text that is too short for an address is taken as a name. */
export function addressHint(value: unknown, hint: string | undefined): string {
  const mayBeName = [value].flat().every((item) => isAddress(String(item)) || String(item).length <= MAX_NAME_LENGTH);
  return mayBeName || hint === undefined ? UNKNOWN_NAME_HINT : hint;
}

/** Returns the shortened addresses that names resolve to; undefined without a name. */
export function resolvedAddresses({ type }: Param, value: unknown, findAddresses: FindAddresses): string | undefined {
  if (type !== "address") return undefined;
  const typed = [value].flat();
  const meaning = [resolveValue(value, findAddresses)].flat();
  return typed.some((item, index) => item !== meaning[index]) ? shortenAll(meaning.map(String)) : undefined;
}

/** Shortens addresses so that they stay distinct. */
function shortenAll(addresses: readonly string[]): string {
  const shorten = createShortener();
  for (const address of addresses) shorten(address);
  return addresses.map(shorten).join(", ");
}
