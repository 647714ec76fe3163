/** The client of the library: that of the command line, with numbers in the form that the program chooses. */
import { addressTo, type Json, parseJson as parseExactJson, SolxError, toNumeric, UsageError } from "./base/index.ts";
import {
  convertNumbers,
  type Endpoint,
  exceedsDouble,
  type JsonOf,
  type LargeNumbers,
  loadEntities,
  loadFields,
  NUMBER_MODES,
  type NumberConversion,
  type NumberMode,
  type NumberShape,
  toBigInt,
  toDigits,
  toDouble,
} from "./catalogue/index.ts";
import {
  type Answer,
  type ClientCore,
  createMethods,
  resolveToken as exactResolveToken,
  type Page,
  type ResolvedToken,
  type ResolveOptions,
} from "./client/index.ts";
import type { ApiMethods } from "./library-methods.ts";
import {
  type ConnectedClient,
  createClient as createExactClient,
  type ClientOptions as ExactClientOptions,
} from "./sources/index.ts";

/** Options of a client; all have defaults. Times are in seconds. */
export interface ClientOptions<N extends NumberMode = NumberMode> extends ExactClientOptions {
  /** How whole numbers that can exceed 2^53 are returned (default `bigint`): {@link NumberMode}. */
  readonly numbers?: N | undefined;
}

/** A client of the API: a method for every endpoint, and {@link ClientCore}. */
export type Client<N extends NumberMode = "bigint"> = ApiMethods<LargeNumbers[N]> & ConnectedClient<JsonOf<N>>;

/** The clients with exact numbers behind others, for functions that need the answers as they were sent. */
const exactClients = new WeakMap<object, ClientCore>();

/**
 * Creates a client. It connects when it first sends, and should be closed when it is no longer needed.
 * @throws UsageError for an invalid option
 */
export function createClient<const N extends NumberMode = "bigint">(options: ClientOptions<N> = {}): Client<N> {
  const { numbers = "bigint", ...others } = options;
  if (!NUMBER_MODES.includes(numbers)) {
    throw new UsageError(`The option numbers must be one of ${NUMBER_MODES.join(", ")}.`, { code: "BAD_OPTION" });
  }
  const exact = advised(() => createExactClient(others));
  const core = convertCore(exact, createConverter(numbers, others.onEvent));
  const methods = createMethods(core);
  // What only a node answers is called as `client.node.status()`, the node itself as `client.node()`.
  const client = Object.assign(methods, core, { node: Object.assign(() => core.node(), methods.node) });
  exactClients.set(client, exact);
  return client as unknown as Client<N>;
}

/**
 * Returns the token that an address or a symbol stands for. Symbols are compared without case; a `$` before them is
 * ignored. Only symbols that are not well known cost a request. Of several tokens with a symbol, the only verified one is
 * returned.
 * @throws UsageError when no token has the symbol (code `UNKNOWN_SYMBOL`), or several have it and none stands out (code
 * `AMBIGUOUS_SYMBOL`, with the tokens as `candidates`)
 */
export function resolveToken(
  client: Pick<ClientCore<unknown>, "fetch">,
  text: string,
  options?: ResolveOptions,
): Promise<ResolvedToken> {
  return exactResolveToken(exactClients.get(client) ?? (client as ClientCore), text, options).catch(rethrow);
}

/** Returns a row, or any other object of an answer, with the members that the catalogue does not describe. */
export const raw = (row: object): Readonly<Record<string, unknown>> => row as Readonly<Record<string, unknown>>;

/** Parses JSON; whole numbers beyond 2^53 are bigints. */
export const parseJson = (text: string): JsonOf<"bigint"> =>
  convertNumbers(parseExactJson(text), "unknown", { large: toBigInt, plain: toDouble }) as JsonOf<"bigint">;

/** Returns a value as JSON text, with all digits of bigints. */
export const stringifyJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_, item) => (typeof item === "bigint" ? toNumeric(String(item)) : item), indent);

/** Converts the numbers of values; of an endpoint, with the fields that the catalogue describes. */
interface Converter {
  readonly conversion: NumberConversion;
  readonly shapeOf: (endpoint: Endpoint | undefined) => Promise<NumberShape>;
}

function createConverter(mode: NumberMode, onEvent: ExactClientOptions["onEvent"]): Converter {
  if (mode !== "number") {
    return { conversion: { large: mode === "bigint" ? toBigInt : toDigits, plain: toDouble }, shapeOf: loadShape };
  }
  let isReported = false;
  const large: NumberConversion["large"] = (value) => {
    // A plain number is what the server sent.
    if (!isReported && typeof value !== "number" && exceedsDouble(value)) {
      isReported = true;
      const text = 'A number beyond 2^53 was rounded. To get all digits: createClient({ numbers: "bigint" }).';
      onEvent?.({ type: "note", text });
    }
    return toDouble(value);
  };
  // All numbers are converted alike, so the entities need not be loaded.
  return { conversion: { large, plain: toDouble }, shapeOf: async () => "unknown" };
}

/** Returns the large fields of an endpoint's rows. */
async function loadShape(endpoint: Endpoint | undefined): Promise<NumberShape> {
  if (!endpoint) return "unknown";
  if (endpoint.returns.shape === "number") return "plain";
  const [entities, { deriveNumberShape }] = await Promise.all([loadEntities(), loadFields()]);
  return deriveNumberShape(entities[endpoint.returns.entity]);
}

/** Returns the core of a client whose answers have converted numbers. */
function convertCore(core: ConnectedClient, converter: Converter): ConnectedClient {
  const { conversion, shapeOf } = converter;
  const loose = (value: Json) => convertNumbers(value, "unknown", conversion) as Json;
  const answerOf = async (answer: Answer) => convertAnswer(answer, await shapeOf(answer.request.endpoint), conversion);
  return {
    ...core,
    prepare: (...args) => advised(() => core.prepare(...args)),
    fetch: async (...args) => answerOf(await core.fetch(...args).catch(rethrow)),
    request: async (...args) => answerOf(await core.request(...args).catch(rethrow)),
    async *pages(endpoint, ...args) {
      const shape = await shapeOf(endpoint);
      for await (const page of advisedItems(core.pages(endpoint, ...args))) yield convertPage(page, shape, conversion);
    },
    async *many(endpoint, ...args) {
      const shape = await shapeOf(endpoint);
      for await (const { data, answer, error, ...item } of advisedItems(core.many(endpoint, ...args))) {
        yield {
          ...item,
          ...(error && { error: addressTo("program", error) }),
          ...(data !== undefined && { data: convertData(data, endpoint.returns.at, shape, conversion) }),
          ...(answer && { answer: await answerOf(answer) }),
        };
      }
    },
    node() {
      const node = advised(() => core.node());
      return {
        ...node,
        call: async (method, params = [], options) =>
          loose(await node.call(method, params.map(toExact), options).catch(rethrow)),
        callMany: async (calls, options) => {
          const exact = calls.map(({ method, params }) => ({ method, params: params.map(toExact) }));
          const results = await node.callMany(exact, options).catch(rethrow);
          return results.map((result) => (result instanceof SolxError ? addressTo("program", result) : loose(result)));
        },
      };
    },
  };
}

/** Throws an error with the hint for programs. */
function rethrow(error: unknown): never {
  throw error instanceof SolxError ? addressTo("program", error) : error;
}

/** Returns what a function returns; its errors have the hint for programs. */
function advised<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    return rethrow(error);
  }
}

/** Returns items as they are; errors between them have the hint for programs. */
async function* advisedItems<T>(items: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  try {
    yield* items;
  } catch (error) {
    rethrow(error);
  }
}

/** Returns a value of a program, which may contain bigints, as exact JSON. */
function toExact(value: Json | bigint): Json {
  return parseExactJson(stringifyJson(value));
}

function convertPage(page: Page, shape: NumberShape, conversion: NumberConversion): Page {
  return {
    ...page,
    rows: convertNumbers(page.rows, shape, conversion) as Json[],
    // Few programs need the answer besides its rows.
    get answer() {
      return convertAnswer(page.answer, shape, conversion);
    },
  };
}

function convertAnswer(answer: Answer, shape: NumberShape, conversion: NumberConversion): Answer {
  const { envelope, at } = answer;
  const data = convertData(answer.data, at, shape, conversion);
  const list = at === undefined ? data : (data as Readonly<Record<string, Json>>)[at];
  return {
    ...answer,
    data,
    rows: answer.rows && (list as readonly Json[]),
    envelope: envelope && {
      ...(convertNumbers({ ...envelope, data: null }, "unknown", conversion) as object),
      data,
    },
  };
}

/** Converts the data of an answer, in which the rows may be below a field. */
function convertData(data: Json, at: string | undefined, shape: NumberShape, conversion: NumberConversion): Json {
  const isWrapped = at !== undefined && typeof data === "object" && data !== null && at in data;
  return convertNumbers(data, isWrapped ? new Map([[at, shape]]) : shape, conversion) as Json;
}
