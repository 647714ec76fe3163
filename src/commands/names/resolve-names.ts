/**
 * What stands for addresses and base units on the command line: the user's names, `.sol` names, symbols of tokens and
 * human amounts. Nothing is loaded, read or sent where addresses were typed.
 */
import { NotFoundError, nearestName, type SolxError, UsageError } from "../../base/index.ts";
import { detectLookalike, type Endpoint, isAddress, type Param, type ParameterValues } from "../../catalogue/index.ts";
import type { ClientCore, ResolvedToken, TokenResolver } from "../../client/index.ts";
import { ADDRESS_BOOK, findName, isNameForm, readTextMap, type Settings, type TextMap } from "../../config/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import type { IdentifierInput } from "../endpoint/identifiers.ts";
import type { RunContext } from "../run/context.ts";

/** A `.sol` name, also with subdomains. */
const DOMAIN = /^[^\s.,/:]+(\.[^\s.,/:]+)*\.sol$/iu;

/** Returns whether a text may be a name in place of an address. */
const mayBeName = (text: string): boolean => !isAddress(text) && (isNameForm(text) || DOMAIN.test(text));

/** Resolves the names of a run. */
export interface NameResolver {
  /** Returns the address that a name stands for; undefined for text that is no known name. */
  resolve(text: string): Promise<string | undefined>;
  /** Returns the known name that was probably meant. */
  suggest(text: string): Promise<string | undefined>;
}

/** What names are resolved with. */
export interface NameSources extends DomainSources {
  /** Called once for each resolved name, with a sentence. `isDomain` is false for the user's own names, whose address does not change. */
  readonly onResolved: (text: string, isDomain: boolean) => void | Promise<void>;
}

/** Returns the resolver of a run. */
export const runNameResolver = (context: RunContext): NameResolver =>
  createNameResolver({
    settings: () => context.session.settings(),
    client: lookupClient(context),
    signal: context.io.signal,
    onResolved: async (text, isDomain) => {
      if (isDomain || context.globals.verbose) await context.reporter.note(text);
    },
  });

/** Creates a resolver; the address book is read when the first name is resolved. */
export function createNameResolver(sources: NameSources): NameResolver {
  let book: ReturnType<typeof readTextMap> | undefined;
  const resolved = new Map<string, Promise<string>>();
  const readNames = async (): Promise<TextMap> => {
    book ??= readTextMap((await sources.settings()).paths, ADDRESS_BOOK);
    if (book.problem) throw book.problem;
    return book.entries;
  };
  const resolveDomain = async (domain: string) => {
    const address = await readDomain(sources, domain);
    const warning = imitationText("name", detectLookalike(domain));
    await sources.onResolved(`${domain} is ${address} (owner of the name)${warning}`, true);
    return address;
  };
  const resolveOwn = async (name: string, address: string) => {
    await sources.onResolved(`${name} is ${address} (address book)`, false);
    return address;
  };
  const once = (name: string, resolve: () => Promise<string>) => {
    const pending = resolved.get(name) ?? resolve();
    resolved.set(name, pending);
    return pending;
  };
  return {
    async resolve(text) {
      if (!mayBeName(text)) return undefined;
      if (DOMAIN.test(text)) return once(text.toLowerCase(), () => resolveDomain(text.toLowerCase()));
      const names = await readNames();
      const name = findName(names, text);
      const address = name === undefined ? undefined : names.get(name);
      return name === undefined || address === undefined ? undefined : once(name, () => resolveOwn(name, address));
    },
    suggest: async (text) => (isNameForm(text) ? nearestName(text, [...(await readNames()).keys()]) : undefined),
  };
}

interface TypedParam {
  readonly name: string;
  readonly param: Param;
}

/** Returns parameters of an endpoint with addresses in place of names. Other values are returned unchanged. */
export async function resolveNames(
  resolver: NameResolver,
  endpoint: Endpoint,
  values: ParameterValues,
): Promise<ParameterValues> {
  const resolved: Record<string, unknown> = { ...values };
  for (const [name, param] of Object.entries(endpoint.query)) {
    if (param.type === "address" && values[name] !== undefined)
      resolved[name] = await resolveValue(resolver, values[name], { name, param });
  }
  return resolved;
}

async function resolveValue(resolver: NameResolver, value: unknown, typed: TypedParam): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => resolveValue(resolver, item, typed)));
  if (typeof value !== "string") return value;
  const parts = typed.param.arity === "one" ? [value] : value.split(",");
  const addresses = await Promise.all(
    parts.map(async (part) => (await resolveName(resolver, part.trim(), typed)) ?? part),
  );
  return addresses.join(",");
}

/**
 * Returns the address that a name stands for; undefined for text that is no known name.
 * @throws UsageError for a text that resembles a name, where nothing but an address is accepted
 */
async function resolveName(
  resolver: NameResolver,
  text: string,
  { name, param }: TypedParam,
): Promise<string | undefined> {
  const address = await resolver.resolve(text);
  if (address !== undefined || param.accepts !== undefined) return address;
  const error = await unknownNameError(resolver, text, name);
  if (error) throw error;
  return undefined;
}

/** Returns the error of a name that resembles a known one in place of that of an unknown symbol. */
export async function explainUnknownSymbol(resolver: NameResolver, error: unknown, input?: string): Promise<unknown> {
  if (!(error instanceof UsageError) || error.code !== "UNKNOWN_SYMBOL") return error;
  const { value = input, parameter } = error.invalid ?? {};
  return (value === undefined ? undefined : await unknownNameError(resolver, value, parameter)) ?? error;
}

/** Returns the error of an unknown name that resembles a known one; undefined when none does. */
async function unknownNameError(
  resolver: NameResolver,
  text: string,
  parameter: string | undefined,
): Promise<UsageError | undefined> {
  const suggestion = await resolver.suggest(text);
  if (suggestion === undefined) return undefined;
  return new UsageError(`No address has the name "${text}".`, {
    code: "UNKNOWN_NAME",
    hint: `Did you mean ${suggestion}? To list all names: solx names list`,
    ...(parameter !== undefined && {
      invalid: { reason: "value", parameter, value: text, expected: "an address or the name of one" },
    }),
  });
}

/** What `.sol` names are read with. */
export interface DomainSources {
  readonly settings: () => Promise<Settings>;
  readonly client: () => Promise<ConnectedClient>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the address that owns a `.sol` name.
 * @throws UsageError without a node, for a name of another form, and for one that a program holds; NotFoundError for a name
 * that is not registered
 */
async function readDomain(sources: DomainSources, domain: string): Promise<string> {
  const { decodeAccount, domainAddress, domainOwner, isDomain, isOnCurve, readAccountValues } = await import(
    "../../chain/solana/index.ts"
  );
  if (!isDomain(domain)) {
    throw new UsageError(`invalid name "${domain}": expected name.sol or subdomain.name.sol`, { code: "DOMAIN" });
  }
  if (!(await sources.settings()).node()) {
    const name = domain.replace(/\.sol$/, "").replaceAll(".", "-");
    throw new UsageError(`${domain} cannot be resolved: the API has no names of .sol, a Solana node has.`, {
      code: "DOMAIN_NEEDS_NODE",
      hint: `Add --rpc mainnet, or store the address under a name: solx names add ${name} ${domain} --rpc mainnet`,
    });
  }
  const node = (await sources.client()).node();
  const address = await domainAddress(domain);
  const sending = { signal: sources.signal };
  const [value] = await readAccountValues(
    node,
    [address],
    { encoding: "base64" },
    { first: "getAccountInfo", sending },
  );
  const account = value?.optional();
  const owner = account && domainOwner(decodeAccount(address, account.value));
  if (owner === undefined) {
    throw new NotFoundError(`${domain} is not registered.`, {
      code: "DOMAIN_NOT_FOUND",
      hint: `It would be the account ${address} of ${node.name}. Names of .sol are registered on mainnet.`,
    });
  }
  // The owner of a name that is wrapped as an NFT, or for sale, is the account of a program.
  if (!isOnCurve(owner)) {
    throw new UsageError(`${domain} is held by a program (${owner}): it is wrapped as an NFT, or for sale.`, {
      code: "DOMAIN_HELD_BY_PROGRAM",
      hint: "Give the address of its holder.",
    });
  }
  return owner;
}

/** Returns a function that opens the client, once. That of a preview sends nothing, so lookups get another one. */
function lookupClient(context: RunContext): () => Promise<ConnectedClient> {
  const open = async () => {
    const { dryRun, curl } = context.globals;
    if (!dryRun && !curl) return context.session.client();
    const settings = await context.session.settings();
    const key = await settings.key(context.io.signal);
    const client = await context.session.clientFor(settings, key?.value);
    context.session.onClose(() => client.close());
    return client;
  };
  let opened: Promise<ConnectedClient> | undefined;
  return () => {
    opened ??= open();
    return opened;
  };
}

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

const imitationText = (what: string, imitation: string | undefined): string =>
  imitation === undefined ? "" : `. Warning: the ${what} ${imitation}`;

/** Returns what the search found: `photo is 8vq5… (PHOTO, verified)`. */
export function resolutionText(text: string, token: ResolvedToken): string {
  const { mint, symbol, isVerified, namesakes = 0, imitation } = token;
  const others =
    namesakes === 0 ? "" : `; ${namesakes} more ${namesakes === 1 ? "token has" : "tokens have"} this symbol`;
  const found = `${text} is ${mint} (${symbol}, ${isVerified ? "verified" : "not verified"}${others})`;
  return `${found}${imitationText("symbol", imitation)}`;
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
