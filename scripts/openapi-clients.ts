/**
 * Code generators with programs that use their output, for `openapi-tools.ts`. The programs compile where that output
 * is, and validate answers: with schemas of the generator, or with those of the document where it generates types only.
 */

/** A value of a parameter. */
export type Input = string | number | boolean;

/** A request to an endpoint. */
export interface CallTarget {
  /** The operation id. */
  readonly id: string;
  /** The path with the names of its parameters. */
  readonly template: string;
  readonly path: Readonly<Record<string, Input>>;
  readonly query: Readonly<Record<string, Input | readonly Input[] | undefined>>;
}

/** The module of a program. */
export interface ClientProgram {
  /** Calls an endpoint, without its types. Rejects for an answer that does not match the document. */
  readonly call: (target: CallTarget) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** Returns signatures of transfers, and the symbol of a token: compiles only if the types of both are right. */
  readonly listTransfers: () => Promise<readonly (string | null | undefined)[]>;
}

/** A code generator. */
export interface Generator {
  /** Its packages with exact versions. */
  readonly packages: readonly string[];
  /** The program that generates, with its arguments. */
  readonly command: readonly [program: string, ...args: readonly string[]];
  /** Its settings, by the name of the file. */
  readonly files: Readonly<Record<string, string>>;
  /** The program that uses what it generates; `URL` and `KEY` are those of the sandbox. */
  readonly program: string;
}

const MINT = `{ address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" }`;
const QUERY = `{
  address: "ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk",
  "activity_type[]": ["ACTIVITY_SPL_TRANSFER" as const],
  token: ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "So11111111111111111111111111111111111111111"],
  page_size: 20 as const,
}`;

/** Reads a member of an answer that may be an empty object. */
const SYMBOL = `meta && "symbol" in meta ? meta.symbol : undefined`;

/** Writes lists with brackets as repeated parameters, and others with commas. */
const SEARCH = `(query: object) =>
  Object.entries(query)
    .flatMap(([name, value]) => (name.endsWith("[]") ? [value].flat() : [value]).map((one) => [name, String(one)]))
    .map((pair) => pair.map(encodeURIComponent).join("="))
    .join("&")`;

const KUBB = "4.39.3";

/** The generators by the names of their programs. */
export const GENERATORS: Readonly<Record<string, Generator>> = {
  "hey-api": {
    packages: ["@hey-api/openapi-ts@0.99.0"],
    command: ["openapi-ts", "-f", "hey-api.config.mjs"],
    files: {
      "hey-api.config.mjs": `export default {
  input: "./api.json",
  output: "./clients/hey-api-output",
  logs: { level: "warn", file: false },
  plugins: ["@hey-api/client-fetch", "zod", { name: "@hey-api/sdk", validator: true }],
};`,
    },
    program: `
import { client } from "./hey-api-output/client.gen.ts";
import * as sdk from "./hey-api-output/sdk.gen.ts";
client.setConfig({ baseUrl: process.env.URL!, auth: process.env.KEY! });
export const call = async ({ id, path, query }: any) => {
  const unlessEmpty = (inputs: object) => (Object.keys(inputs).length === 0 ? undefined : inputs);
  const { data, error, response } = await (sdk as any)[id]({ path: unlessEmpty(path), query: unlessEmpty(query) });
  if (response?.status === 200 && error !== undefined) throw error;
  return { status: response?.status, body: data ?? error };
};
export const listTransfers = async () => {
  const { data } = await sdk.getAccountTransfer({ query: ${QUERY} });
  const meta = (await sdk.getTokenMeta({ query: ${MINT} })).data?.data;
  return [...(data?.data.map((row) => row.trans_id) ?? []), ${SYMBOL}];
};
`,
  },
  "openapi-fetch": {
    packages: ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "ajv@8.20.0"],
    command: ["openapi-typescript", "api.json", "-o", "clients/openapi-typescript-output.d.ts"],
    files: {},
    program: `
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import createClient from "openapi-fetch";
import type { paths } from "./openapi-typescript-output.d.ts";
const client = createClient<paths>({
  baseUrl: process.env.URL!,
  headers: { token: process.env.KEY! },
  querySerializer: ${SEARCH},
});
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(JSON.parse(readFileSync("api.json", "utf8")), "api");
export const call = async ({ template, path, query }: any) => {
  const get: any = client.GET;
  const { data, error, response } = await get(template, { params: { path, query }, parseAs: "text" });
  if (data === undefined) return { status: response.status, body: error };
  const [media] = (response.headers.get("content-type") ?? "").split(";");
  const body = media === "application/json" ? JSON.parse(data) : data;
  const at = ["paths", template, "get", "responses", "200", "content", media, "schema"];
  const pointer = at.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
  if (!ajv.validate({ $ref: "api#/" + pointer }, body)) throw new Error(ajv.errorsText());
  return { status: response.status, body };
};
export const listTransfers = async () => {
  const { data } = await client.GET("/v2.0/account/transfer", { params: { query: ${QUERY} } });
  const meta = (await client.GET("/v2.0/token/meta", { params: { query: ${MINT} } })).data?.data;
  return [...(data?.data.map((row) => row.trans_id) ?? []), ${SYMBOL}];
};
`,
  },
  orval: {
    packages: ["orval@8.38.0"],
    command: ["orval", "--config", "orval.config.mjs"],
    files: {
      "orval.config.mjs": `export default {
  api: {
    input: "./api.json",
    output: {
      target: "./clients/orval-output/api.ts",
      schemas: { path: "./clients/orval-output/model", type: "zod" },
      client: "fetch",
      baseUrl: { runtime: "process.env.URL" },
      override: { fetch: { runtimeValidation: true } },
    },
  },
};`,
    },
    program: `
import * as api from "./orval-output/api.ts";
const options = { headers: { token: process.env.KEY! } };
export const call = async ({ id, path, query }: any) => {
  const send = (api as any)[id];
  const inputs = [...Object.values(path), query].slice(0, send.length - 1);
  const { status, data } = await send(...inputs, options);
  return { status, body: data };
};
export const listTransfers = async () => {
  const answer = await api.getAccountTransfer(${QUERY}, options);
  const token = await api.getTokenMeta(${MINT}, options);
  const meta = token.status === 200 ? token.data.data : undefined;
  const signatures = answer.status === 200 ? answer.data.data.map((row) => row.trans_id) : [];
  return [...signatures, ${SYMBOL}];
};
`,
  },
  kubb: {
    packages: ["cli", "core", "plugin-client", "plugin-oas", "plugin-ts", "plugin-zod"].map(
      (name) => `@kubb/${name}@${KUBB}`,
    ),
    command: ["kubb", "generate", "--config", "kubb.config.mjs", "--silent"],
    files: {
      "kubb.config.mjs": `import { defineConfig } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";
import { pluginZod } from "@kubb/plugin-zod";
export default defineConfig({
  root: ".",
  input: { path: "./api.json" },
  output: { path: "./clients/kubb-output", clean: true, format: false, lint: false },
  plugins: [
    pluginOas({ generators: [] }),
    pluginTs(),
    pluginZod({ version: "4" }),
    pluginClient({ client: "fetch", bundle: true, parser: "zod" }),
  ],
});`,
    },
    program: `
import type { Client } from "./kubb-output/.kubb/fetch.ts";
import * as api from "./kubb-output/index.ts";
const search = ${SEARCH};
let status = 0;
const client: Client = async ({ url, params }) => {
  const response = await fetch(process.env.URL! + url! + "?" + search(params ?? {}), { headers: { token: process.env.KEY! } });
  const isJson = response.headers.get("content-type")?.includes("json");
  const data = (await (isJson ? response.json() : response.text())) as never;
  ({ status } = response);
  if (!response.ok) throw new Error(JSON.stringify(data));
  return { data, status: response.status, statusText: "", headers: response.headers };
};
export const call = async ({ id, path, query }: any) => {
  const send = (api as any)[id];
  const inputs = [...Object.values(path), query].slice(0, send.length);
  const body = await send(...inputs, { client });
  return { status, body };
};
export const listTransfers = async () => {
  const { data } = await api.getAccountTransfer(${QUERY}, { client });
  const meta = (await api.getTokenMeta(${MINT}, { client })).data;
  return [...data.map((row) => row.trans_id), ${SYMBOL}];
};
`,
  },
};
