/** Symbols and human amounts on the command line. Nothing is loaded and nothing is sent where addresses were typed. */
import { NotFoundError, type SolxError, UsageError } from "../../base/index.ts";
import { type Endpoint, isAddress, type Param, type ParameterValues } from "../../catalogue/index.ts";
import type { ClientCore, ResolvedToken, TokenResolver } from "../../client/index.ts";
import {
  explainUnknownSymbol,
  lookupClient,
  resolveName,
  resolveNames,
  runNameResolver,
} from "../names/resolve-names.ts";
import type { RunContext } from "../run/context.ts";
import type { IdentifierInput } from "./identifiers.ts";

/** The identifiers and parameters of a command. */
export interface TypedInput {
  /** The parameter of the identifiers; undefined where there is none. */
  readonly name?: string | undefined;
  readonly identifiers?: IdentifierInput;
  readonly values: ParameterValues;
}

/**
 * Returns the input of a command with addresses in place of names and symbols, and base units in place of human amounts.
 * @throws UsageError for a symbol that stands for no token or for several, and for a `.sol` name that cannot be resolved
 */
export async function resolveTokens<T extends TypedInput>(
  context: RunContext,
  endpoint: Endpoint,
  typed: T,
): Promise<T> {
  const { name, identifiers } = typed;
  const param = name === undefined ? undefined : endpoint.query[name];
  const known = identifiers?.known ?? [];
  // Several identifiers with a request each fail one by one, as those of a file or pipe do.
  const isStream =
    identifiers !== undefined && (identifiers.known === undefined || (known.length > 1 && param?.arity === "one"));
  const list = { [name ?? ""]: name === undefined || isStream || known.length === 0 ? undefined : known };
  const { [name ?? ""]: resolvedKnown, ...values } = await resolveValues(context, endpoint, {
    ...typed.values,
    ...list,
  });
  const input = { ...typed, values };
  if (identifiers === undefined || name === undefined || param === undefined) return input;
  if (!isStream)
    return { ...input, identifiers: listInput(identifiers, (resolvedKnown as readonly string[] | undefined) ?? []) };
  return param.type === "address"
    ? { ...input, identifiers: resolveStream(context, { name, param, identifiers }) }
    : input;
}

/** Returns parameters with names, then symbols, replaced. */
async function resolveValues(
  context: RunContext,
  endpoint: Endpoint,
  typed: ParameterValues,
): Promise<ParameterValues> {
  const names = runNameResolver(context);
  const values = await resolveNames(names, endpoint, typed);
  const hasSymbols = Object.entries(values).some(([key, value]) => mayNeedToken(endpoint.query[key], value));
  if (!hasSymbols) return values;
  const tokens = await openResolver(context);
  return tokens.resolveParameters(endpoint, values).catch(async (error: unknown) => {
    throw await explainUnknownSymbol(names, error);
  });
}

/** Whether a value may contain a symbol, or an amount in whole units. */
function mayNeedToken(param: Param | undefined, value: unknown): boolean {
  if (value === undefined) return false;
  if (param?.amountOf !== undefined) return /\p{L}/u.test(String(value));
  if (param?.accepts === undefined) return false;
  return [value].flat().some((item) => typeof item === "string" && !item.split(",").every(isAddress));
}

/** Opens a resolver over the client of the run. */
export async function openResolver(context: RunContext): Promise<TokenResolver> {
  const { TokenResolver: Resolver } = await import("../../client/index.ts");
  const open = lookupClient(context);
  const fetch: ClientCore["fetch"] = async (...request) => (await open()).fetch(...request);
  const onResolved = (text: string, token: ResolvedToken) => context.reporter.note(resolutionText(text, token));
  return new Resolver({ fetch }, { signal: context.io.signal, onResolved });
}

/** Returns what the search found: `photo is 8vq5… (PHOTO, verified)`. */
export function resolutionText(text: string, { mint, symbol, isVerified, namesakes = 0 }: ResolvedToken): string {
  const others =
    namesakes === 0 ? "" : `; ${namesakes} more ${namesakes === 1 ? "token has" : "tokens have"} this symbol`;
  return `${text} is ${mint} (${symbol}, ${isVerified ? "verified" : "not verified"}${others})`;
}

function listInput(identifiers: IdentifierInput, known: readonly string[]): IdentifierInput {
  return {
    ...identifiers,
    known,
    count: known.length,
    async *read() {
      yield* known;
    },
  };
}

/**
 * Resolves the identifiers of a batch as they are read. An unknown one is passed on, so that its item fails and
 * the others continue; `problems` has the reason.
 */
function resolveStream(
  context: RunContext,
  { name, param, identifiers }: { readonly name: string; readonly param: Param; readonly identifiers: IdentifierInput },
): IdentifierInput {
  const problems = new Map<string, SolxError>();
  const names = runNameResolver(context);
  let tokens: Promise<TokenResolver> | undefined;
  const resolveWord = async (word: string) => {
    if (isAddress(word)) return word;
    const address = await resolveName(names, word, { name, param });
    if (address !== undefined || param.accepts === undefined) return address ?? word;
    const { isTokenSymbol } = await import("../../client/index.ts");
    if (!isTokenSymbol(word)) return word;
    tokens ??= openResolver(context);
    return (await (await tokens).resolve(word, param.accepts, name)).mint;
  };
  return {
    ...identifiers,
    known: undefined,
    problems,
    async *read(signal) {
      for await (const word of identifiers.read(signal)) {
        yield await resolveWord(word).catch(async (error: unknown) => {
          const problem = await explainUnknownSymbol(names, error);
          if (!(problem instanceof UsageError || problem instanceof NotFoundError)) throw problem;
          problems.set(word, problem);
          return word;
        });
      }
    },
  };
}
