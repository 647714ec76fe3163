/**
 * The OpenAPI document and the sandbox agree: requests that the document describes are answered as it says, also those
 * about what does not exist, and requests that
 * violate it in one place are refused with a validation error that names the place. The requests are generated from the
 * document alone, so they cover every endpoint of the catalogue.
 */
import { registerSchema, type Validator, validate } from "@hyperjump/json-schema/draft-2020-12";
import { base58 } from "@scure/base";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openapiDocument } from "../../src/commands/openapi/openapi.ts";
import { openSandbox } from "../../src/sandbox/index.ts";
import { worldsFolder } from "../support/ledger.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is read like untyped JSON.
type Loose = any;

const document: Loose = JSON.parse(JSON.stringify(openapiDocument({ version: "1.0.0", examples: {} })));
const ID = "https://solx.test/agreement";

/** A parameter as the document describes it. */
interface Parameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly required: boolean;
  readonly explode?: boolean;
  readonly schema: Loose;
  readonly "x-requires"?: readonly string[];
  readonly "x-comma-name"?: string;
}

interface Operation {
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

const operations: readonly Operation[] = Object.entries(document.paths).map(([path, item]) => ({
  path,
  parameters: (item as Loose).get.parameters,
}));

/** A parameter and its values as text. */
interface Argument {
  readonly parameter: Parameter;
  readonly values: readonly string[];
  /** Whether the values are one comma-separated text although the parameter has brackets. */
  readonly isCommaList?: boolean;
}

/** Identifiers that exist in the sandbox, by the format or name of a parameter. */
const known: Record<string, readonly string[]> = {};

const fromBytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => base58.encode(bytes));
const LENGTHS: Readonly<Record<string, number>> = { "solana-address": 32, "solana-signature": 64 };

/** Generates a text for a schema; one that exists in the sandbox where there is one. */
function textFor(schema: Loose): fc.Arbitrary<string> {
  const { type, format, pattern, enum: allowed, minimum, maximum } = schema;
  if (allowed !== undefined) return fc.constantFrom(...allowed.map(String));
  if (type === "boolean") return fc.constantFrom("true", "false");
  if (type === "integer") {
    const any = fc.bigInt(BigInt(minimum), BigInt(maximum));
    const small = fc.bigInt(BigInt(minimum), BigInt(Math.min(maximum, minimum + 3)));
    const present = (known.block ?? []).filter((slot) => Number(slot) <= maximum).map(BigInt);
    const edges = fc.constantFrom(BigInt(minimum), BigInt(maximum), ...present);
    return fc.oneof(any, small, edges).map(String);
  }
  if (type === "number") {
    const numbers = fc.oneof(
      fc.double({ min: minimum, max: maximum, noNaN: true }),
      fc.constantFrom(minimum, maximum, 1e21, 1e-7, 5e-324),
    );
    return fc
      .tuple(numbers, fc.boolean())
      .map(([number, isUpper]) => (isUpper ? JSON.stringify(number).toUpperCase() : JSON.stringify(number)));
  }
  if (format in LENGTHS) {
    const random = fromBytes(LENGTHS[format] as number);
    return fc.oneof(random, fc.constantFrom(...(known[format] as readonly string[])));
  }
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength: schema.minLength, maxLength: 70, unit: "grapheme" });
}

function argumentFor(parameter: Parameter): fc.Arbitrary<Argument> {
  const { schema } = parameter;
  if (schema.type !== "array") return textFor(schema).map((text) => ({ parameter, values: [text] }));
  const { minItems: minLength, maxItems: maxLength = minLength + 3 } = schema;
  const values = fc.array(textFor(schema.items), { minLength, maxLength });
  const isCommaList = parameter["x-comma-name"] === undefined ? fc.constant(false) : fc.boolean();
  return fc.record({ parameter: fc.constant(parameter), values, isCommaList });
}

/** Optional parameters of a request, at most. */
const MAX_OPTIONAL = 8;

/** Generates the arguments of a request that the document describes. */
function validArguments({ parameters }: Operation): fc.Arbitrary<readonly Argument[]> {
  const optional = parameters.filter(({ required }) => !required);
  return fc.subarray(optional, { maxLength: Math.min(optional.length, MAX_OPTIONAL) }).chain((chosen) => {
    const required = new Set(chosen.flatMap((parameter) => parameter["x-requires"] ?? []));
    const sent = parameters.filter(
      (parameter) => parameter.required || chosen.includes(parameter) || required.has(parameter.name),
    );
    return fc.tuple(...sent.map(argumentFor));
  });
}

const baseName = ({ name }: Parameter) => name.replace(/\[\]$/, "");

/** Returns the names and values that an argument sends. */
function pairsOf({ parameter, values, isCommaList }: Argument): readonly (readonly [string, string])[] {
  if (isCommaList === true) return [[parameter["x-comma-name"] as string, values.join(",")]];
  if (parameter.schema.type === "array" && parameter.explode === false) return [[parameter.name, values.join(",")]];
  return values.map((value) => [parameter.name, value] as const);
}

/** Returns the URL of a request, with further names and values. */
function urlOf(
  { path }: Operation,
  sent: readonly Argument[],
  more: readonly (readonly [name: string, value: string])[] = [],
): string {
  const inPath = new Map(sent.map(({ parameter, values }) => [parameter.name, values[0] ?? ""]));
  const pairs = [...sent.filter(({ parameter }) => parameter.in === "query").flatMap(pairsOf), ...more];
  const search = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath.get(name) ?? ""));
  return search === "" ? filled : `${filled}?${search}`;
}

/** A request with one violation of the document, and what the error has to name. */
interface Violation {
  readonly kind: string;
  readonly url: string;
  readonly names: readonly string[];
}

/** Texts that violate the schema of a value. */
function invalidTexts({ type, format, enum: allowed, minimum, maximum, pattern }: Loose): readonly string[] {
  if (allowed !== undefined) return ["nonsense", `${String(allowed[0]).toUpperCase()}x`, `${allowed[0]} `];
  if (type === "boolean") return ["TRUE", "True", "1", "yes"];
  if (type === "integer") return [`${BigInt(minimum) - 1n}`, `${BigInt(maximum) + 1n}`, "1e0", "1.5", "x", " 1"];
  if (type === "number") return ["x", "1.", "0x10", "Infinity", "1e999", minimum === 0 ? "-1" : "-1e999"];
  if (format === "solana-address") return ["x", "0".repeat(44), base58.encode(new Uint8Array(33).fill(7))];
  if (format === "solana-signature") return ["x", "0".repeat(88), base58.encode(new Uint8Array(32).fill(7))];
  return pattern === undefined ? [] : ["20240230", "20230229", "2024-07-05", "99999999", "20240705\n"];
}

/** Generates requests with one violation each. */
function violations(operation: Operation, sent: readonly Argument[]): readonly Violation[] {
  const add = (kind: string, name: string, value: string) => [
    { kind, url: urlOf(operation, sent, [[name, value]]), names: [name.replace(/\[.*/, "")] },
  ];
  const replace = (kind: string, argument: Argument, values: readonly string[], names: readonly string[]) => ({
    kind,
    url: urlOf(
      operation,
      sent.map((other) => (other === argument ? { ...argument, values } : other)),
    ),
    names: [...names, baseName(argument.parameter)],
  });
  const dependents = new Set(sent.flatMap(({ parameter }) => parameter["x-requires"] ?? []));
  const rewritten = (argument: Argument, write: (value: string) => readonly (readonly [string, string])[]) =>
    urlOf(
      operation,
      sent.filter((other) => other !== argument),
      argument.values.flatMap(write),
    );
  return [
    ...add("unknown", "unheard_of", "1"),
    ...sent.flatMap((argument): readonly Violation[] => {
      const { parameter, values } = argument;
      const { schema } = parameter;
      const name = baseName(parameter);
      const isList = schema.type === "array";
      const others = sent.filter((other) => other !== argument);
      const inQuery = parameter.in === "query";
      return [
        ...invalidTexts(isList ? schema.items : schema)
          // A path segment without a value is another path, and another segment may be another endpoint.
          .filter((text) => inQuery || text !== "")
          .map((text) => replace("value", argument, [text, ...values.slice(1)], [`[${text}]`])),
        ...(inQuery ? [replace("empty", argument, ["", ...values.slice(1)], [])] : []),
        ...(inQuery && parameter.required
          ? [{ kind: "missing", url: urlOf(operation, others), names: [name] }]
          : dependents.has(parameter.name)
            ? [{ kind: "dependency", url: urlOf(operation, others), names: [name] }]
            : []),
        ...(inQuery && (!isList || parameter.explode === false)
          ? [
              ...add("repeated", parameter.name, values[0] ?? ""),
              { kind: "brackets", url: rewritten(argument, (value) => [[`${name}[]`, value]]), names: [name] },
            ]
          : []),
        ...(inQuery
          ? [{ kind: "index", url: rewritten(argument, (value) => [[`${name}[0]`, value]]), names: [name] }]
          : []),
        ...(isList && parameter.explode === true && parameter["x-comma-name"] === undefined
          ? [{ kind: "no brackets", url: rewritten(argument, (value) => [[name, value]]), names: [name] }]
          : []),
        ...(schema.maxItems === undefined
          ? []
          : [replace("too many", argument, new Array(schema.maxItems + 1).fill(values[0]), [])]),
        ...(schema.minItems > 1 ? [replace("too few", argument, values.slice(1), [])] : []),
      ];
    }),
  ];
}

describe("the OpenAPI document and the sandbox agree on", () => {
  let sandbox: Awaited<ReturnType<typeof openSandbox>>;
  const get = async (url: string) => {
    const { status, body, headers } = await sandbox.handle({ method: "GET", url, headers: { token: sandbox.key } });
    return { status, body, hint: headers["x-solx-hint"], type: headers["content-type"]?.split(";")[0] };
  };
  /** Returns what of an answer the document does not describe; the values of identifiers are known and random ones. */
  const problemsOf = async (path: string): Promise<(body: string, type?: string) => unknown> => {
    const [[media, { schema }]] = Object.entries<Loose>(document.paths[path].get.responses[200].content) as [Loose];
    if (schema.type === "string") return (body, type) => (type === media && body.includes(",") ? [] : [type, body]);
    const check: Validator = await validate(
      `${ID}#/paths/${encodeURI(path.replaceAll("/", "~1"))}/get/responses/200/content/application~1json/schema`,
    );
    return (body, type) => {
      const output: { readonly valid: boolean; readonly errors?: unknown } = check(JSON.parse(body), "BASIC");
      return type === media && output.valid ? [] : [type, output.errors];
    };
  };

  beforeAll(async () => {
    registerSchema({ $schema: "https://json-schema.org/draft/2020-12/schema", ...document }, ID);
    const now = Date.UTC(2026, 6, 1) / 1000;
    sandbox = await openSandbox({ folder: worldsFolder(), seed: "test", size: 0.05, now, usage: "memory" });
    const list = async (path: string) => JSON.parse((await get(path)).body).data as readonly Loose[];
    const tokens = await list("/v2.0/token/list");
    const pools = await list("/v2.0/market/list");
    const transactions = await list("/v2.0/transaction/last");
    const accounts = [...tokens.map(({ address }) => address), ...pools.map(({ pool_address }) => pool_address)];
    known["solana-address"] = [...accounts, ...transactions.flatMap(({ signer }) => signer)];
    known["solana-signature"] = transactions.map(({ tx_hash }) => tx_hash);
    known.block = transactions.map(({ slot }) => String(slot));
  });
  afterAll(() => sandbox.close());

  test.each(operations)("$path", async (operation) => {
    const problems = await problemsOf(operation.path);
    await fc.assert(
      fc.asyncProperty(validArguments(operation), async (sent) => {
        const url = urlOf(operation, sent);
        const { status, body, hint, type } = await get(url);
        expect([url, status, status === 200 ? "" : body, hint]).toEqual([url, 200, "", undefined]);
        expect([url, problems(body, type)]).toEqual([url, []]);
      }),
      { numRuns: 40 },
    );
    await fc.assert(
      fc.asyncProperty(
        validArguments(operation).chain((sent) => fc.constantFrom(...violations(operation, sent))),
        async ({ kind, url, names }) => {
          const { status, body } = await get(url);
          expect([kind, url, status]).toEqual([kind, url, 400]);
          const { success, errors } = JSON.parse(body);
          expect({ success, code: errors.code }).toEqual({ success: false, code: 1100 });
          expect(errors.message).toMatch(/^Validation Error: /);
          expect([url, errors.message, names.some((name) => errors.message.includes(name))]).toEqual([
            url,
            errors.message,
            true,
          ]);
        },
      ),
      { numRuns: 80 },
    );
  });
});
