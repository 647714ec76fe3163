/** Symbols and human amounts on the command line. Nothing is loaded and nothing is sent where addresses were typed. */
import { type SolxError, UsageError } from "../../base/index.ts";
import {
  type Endpoint,
  isAddress,
  type Param,
  type ParameterValues,
  WHOLE_UNITS_SUFFIX,
} from "../../catalogue/index.ts";
import type { ClientCore, ResolvedToken, TokenResolver } from "../../client/index.ts";
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
 * Returns the input of a command with mints in place of symbols, and base units in place of human amounts.
 * @throws UsageError for a symbol that stands for no token or for several
 */
export async function resolveTokens<T extends TypedInput>(
  context: RunContext,
  endpoint: Endpoint,
  input: T,
): Promise<T> {
  const { name, identifiers, values } = input;
  const param = name === undefined ? undefined : endpoint.query[name];
  const known = identifiers?.known ?? [];
  // Several identifiers with a request each fail one by one, as those of a file or pipe do.
  const isStream =
    identifiers !== undefined && (identifiers.known === undefined || (known.length > 1 && param?.arity === "one"));
  const hasSymbols = Object.entries({ ...values, ...(name !== undefined && { [name]: known }) }).some(([key, value]) =>
    mayNeedToken(endpoint.query[key], key, value),
  );
  const readsSymbols = identifiers !== undefined && identifiers.known === undefined && param?.accepts !== undefined;
  if (!hasSymbols && !readsSymbols) return input;
  const resolver = await openResolver(context);
  const all = name === undefined || known.length === 0 || isStream ? values : { ...values, [name]: known };
  const { [name ?? ""]: resolvedKnown, ...resolved } = await resolver.resolveParameters(endpoint, all);
  return {
    ...input,
    values: resolved,
    ...(identifiers &&
      name !== undefined &&
      param && {
        identifiers: isStream
          ? resolveStream(resolver, { name, param, identifiers })
          : listInput((resolvedKnown as readonly string[] | undefined) ?? []),
      }),
  };
}

/** Whether a value may contain a symbol, or an amount in whole units. */
function mayNeedToken(param: Param | undefined, name: string, value: unknown): boolean {
  if (param?.amountOf !== undefined) return /\p{L}/u.test(String(value));
  if (param?.accepts === undefined) return name.endsWith(WHOLE_UNITS_SUFFIX);
  return [value].flat().some((item) => typeof item === "string" && !item.split(",").every(isAddress));
}

/** Opens a resolver over the client of the run; that of a preview has no key, so a symbol gets its own client. */
export async function openResolver(context: RunContext): Promise<TokenResolver> {
  const { TokenResolver: Resolver } = await import("../../client/index.ts");
  const { dryRun, curl } = context.globals;
  const open = async () => {
    if (!dryRun && !curl) return context.client();
    const settings = await context.settings();
    const key = await settings.key(context.io.signal);
    const client = await context.clientFor(settings, key?.value);
    context.onClose(() => client.close());
    return client;
  };
  let opened: ReturnType<typeof open> | undefined;
  const fetch: ClientCore["fetch"] = async (...request) => {
    opened ??= open();
    return (await opened).fetch(...request);
  };
  const onResolved = (text: string, token: ResolvedToken) => context.reporter.note(resolutionText(text, token));
  return new Resolver({ fetch }, { signal: context.io.signal, onResolved });
}

/** Returns what the search found: `photo is 8vq5… (PHOTO, verified)`. */
export function resolutionText(text: string, { mint, symbol, isVerified, namesakes = 0 }: ResolvedToken): string {
  const others =
    namesakes === 0 ? "" : `; ${namesakes} more ${namesakes === 1 ? "token has" : "tokens have"} this symbol`;
  return `${text} is ${mint} (${symbol}, ${isVerified ? "verified" : "not verified"}${others})`;
}

function listInput(known: readonly string[]): IdentifierInput {
  return {
    known,
    count: known.length,
    async *read() {
      yield* known;
    },
  };
}

/**
 * Resolves the identifiers of a batch as they are read. One that stands for no token is passed on, so that its item
 * fails and the others continue; `problems` has the reason.
 */
function resolveStream(
  resolver: TokenResolver,
  { name, param, identifiers }: { readonly name: string; readonly param: Param; readonly identifiers: IdentifierInput },
): IdentifierInput {
  const problems = new Map<string, SolxError>();
  return {
    ...identifiers,
    known: undefined,
    problems,
    async *read(signal) {
      const { isTokenSymbol } = await import("../../client/index.ts");
      for await (const word of identifiers.read(signal)) {
        if (isAddress(word) || !isTokenSymbol(word)) {
          yield word;
          continue;
        }
        const mint = await resolver.resolve(word, param.accepts, name).then(
          (token) => token.mint,
          (error: unknown) => {
            if (!(error instanceof UsageError)) throw error;
            problems.set(word, error);
            return word;
          },
        );
        yield mint;
      }
    },
  };
}
