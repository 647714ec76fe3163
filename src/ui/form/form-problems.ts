/** Validation of a form by field, with names resolved to addresses, and the meaning of relative times. */
import {
  type Endpoint,
  isAddress,
  type Param,
  type ParameterValues,
  validationMessages,
} from "../../catalogue/index.ts";
import { checkRequest, checkValue, type ValueProblem } from "../../client/index.ts";
import { createShortener, formatDate } from "../../output/index.ts";
import { type FormField, paramNames } from "./form-fields.ts";
import { type FormState, inputParams } from "./form-state.ts";

/** Problems by the name of the field; empty when the request may be sent. */
export type FormProblems = ReadonlyMap<string, ValueProblem>;

/**
 * Validates each field, so that every problem is found, then the request as a whole.
 * @param fixed the parameters that the form does not offer
 * @param now milliseconds since the epoch
 * @param findAddresses resolves names to addresses
 */
export function checkForm(
  endpoint: Endpoint,
  state: FormState,
  fixed: ParameterValues,
  now: number,
  findAddresses: FindAddresses,
): FormProblems {
  const entered = resolveNames(state.fields, inputParams(state), findAddresses);
  const problems = new Map<string, ValueProblem>();
  for (const field of state.fields) {
    for (const name of paramNames(field)) {
      const [param, value] = [endpoint.query[name], entered[name]];
      if (!param || problems.has(field.name)) continue;
      const problem =
        value === undefined
          ? missingProblem(name, param)
          : (ambiguousNameProblem(param, value, findAddresses) ??
            invalidProblem(name, param, value, { ...fixed, ...entered }, now));
      if (problem) problems.set(field.name, problem);
    }
  }
  if (problems.size > 0) return problems;
  const requestIssue = checkRequest(endpoint, { ...fixed, ...entered }, now);
  if (requestIssue) problems.set(fieldNamed(requestIssue.message, state) ?? state.fields[0]?.name ?? "", requestIssue);
  return problems;
}

function missingProblem(name: string, { required, default: defaultValue }: Param): ValueProblem | undefined {
  return required && defaultValue === undefined
    ? { message: validationMessages.required(name), hint: undefined }
    : undefined;
}

function invalidProblem(
  name: string,
  param: Param,
  value: unknown,
  all: ParameterValues,
  now: number,
): ValueProblem | undefined {
  const { problem } = checkValue(name, param, value, now);
  if (problem) return param.type === "address" ? { ...problem, hint: addressHint(value, problem.hint) } : problem;
  const isAlone = param.needs !== undefined && all[param.needs] === undefined;
  return isAlone ? { message: validationMessages.needs(name, param.needs), hint: undefined } : undefined;
}

function fieldNamed(message: string, { fields }: FormState): string | undefined {
  const words = message.match(/\w+/g) ?? [];
  const named = words.flatMap((word) => fields.find((field) => paramNames(field).includes(word)) ?? []);
  return named[0]?.name;
}

/** Returns the times or dates that a relative value resolves to: `2026-11-14 12:00 UTC`; undefined for other values. */
export function resolveTimes(name: string, param: Param, value: unknown, now: number): string | undefined {
  if (value === undefined || (param.type !== "time" && param.type !== "date")) return undefined;
  const checked = checkValue(name, param, value, now);
  if (checked.problem) return undefined;
  const text = checked.values
    .map((one) => (param.type === "date" ? (formatDate(one) ?? one) : momentText(Number(one))))
    .join(" to ");
  return text === String(value) ? undefined : text;
}

function momentText(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return String(seconds);
  const [day, time = ""] = date.toISOString().split("T");
  return `${day} ${time.startsWith("00:00:00") || seconds % 60 === 0 ? time.slice(0, 5) : time.slice(0, 8)} UTC`;
}

/** Returns the addresses with a name. */
export type FindAddresses = (name: string) => readonly string[];

const MAX_NAME_LENGTH = 24;

const MAX_LISTED = 5;
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

function ambiguousNameProblem({ type }: Param, value: unknown, findAddresses: FindAddresses): ValueProblem | undefined {
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
function addressHint(value: unknown, hint: string | undefined): string {
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
