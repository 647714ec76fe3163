/** Programs that use the output of code generators, for `openapi-tools.ts`. They compile where that output is. */

/** A request to an endpoint. */
export interface CallTarget {
  /** The operation id. */
  readonly id: string;
  /** The path with the names of its parameters. */
  readonly template: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The module of a program. */
export interface ClientProgram {
  /** Calls an endpoint, without its types. */
  readonly call: (target: CallTarget) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** Returns signatures of transfers; compiles only if the types of parameters and rows are right. */
  readonly listTransfers: () => Promise<readonly string[]>;
}

const QUERY = `{
  address: "ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk",
  "activity_type[]": ["ACTIVITY_SPL_TRANSFER" as const],
  token: ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "So11111111111111111111111111111111111111111"],
  page_size: 20 as const,
}`;

/** The program of each generator; `URL` and `KEY` are those of the sandbox. */
export const CLIENTS: Readonly<Record<string, string>> = {
  "hey-api": `
import { client } from "./hey-api-output/client.gen.ts";
import * as sdk from "./hey-api-output/sdk.gen.ts";
client.setConfig({ baseUrl: process.env.URL!, auth: process.env.KEY! });
export const call = async ({ id, path, query }: any) => {
  const { data, error, response } = await (sdk as any)[id]({ path, query });
  return { status: response.status, body: data ?? error };
};
export const listTransfers = async (): Promise<string[]> => {
  const { data } = await sdk.accountTransfer({ query: ${QUERY} });
  return data?.data.map((row) => row.trans_id) ?? [];
};
`,
  "openapi-fetch": `
import createClient from "openapi-fetch";
import type { paths } from "./openapi-typescript-output.d.ts";
const client = createClient<paths>({
  baseUrl: process.env.URL!,
  headers: { token: process.env.KEY! },
  querySerializer: (query) =>
    Object.entries(query)
      .flatMap(([name, value]) => (name.endsWith("[]") ? [value].flat() : [value]).map((one) => [name, String(one)]))
      .map((pair) => pair.map(encodeURIComponent).join("="))
      .join("&"),
});
export const call = async ({ template, path, query }: any) => {
  const { data, error, response } = await client.GET(template, { params: { path, query }, parseAs: "text" } as never);
  return { status: response.status, body: data ?? error };
};
export const listTransfers = async (): Promise<string[]> => {
  const { data } = await client.GET("/v2.0/account/transfer", { params: { query: ${QUERY} } });
  return data?.data.map((row) => row.trans_id) ?? [];
};
`,
  orval: `
import * as api from "./orval-output.ts";
const options = { headers: { token: process.env.KEY! } };
export const call = async ({ id, path, query }: any) => {
  const send = (api as any)[id];
  const inputs = [...Object.values(path), query].slice(0, send.length - 1);
  const { status, data } = await send(...inputs, options);
  return { status, body: data };
};
export const listTransfers = async (): Promise<string[]> => {
  const answer = await api.accountTransfer(${QUERY}, options);
  return answer.status === 200 ? answer.data.data.map((row) => row.trans_id) : [];
};
`,
};
