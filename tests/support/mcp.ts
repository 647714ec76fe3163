/** Runs the built program as an MCP server, connected to the client of the MCP SDK. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Json, type JsonObject, parseJson } from "../../src/base/json.ts";
import { BIN, cleanEnv, type RunOptions, splitAssignments, startSolx } from "./solx.ts";

/** The result of a tool call. */
export interface ToolResult {
  readonly isError: boolean;
  /** The text blocks. */
  readonly texts: readonly string[];
  /** The first text, parsed as JSON with exact numbers. */
  readonly value: JsonObject;
  /** The structured content. */
  readonly structured: JsonObject;
}

/** A server and its client. */
export interface McpConnection {
  readonly client: Client;
  /** Returns the standard error output so far. */
  stderr(): string;
  /** All messages of the server so far; the client drops those that arrive together with a result. */
  readonly messages: readonly unknown[];
  call(name: string, args?: Record<string, unknown>, options?: Parameters<Client["callTool"]>[1]): Promise<ToolResult>;
}

/** Starts a server and connects to it over stdin and stdout. */
export async function startMcp(
  args: readonly string[],
  env: RunOptions["env"] = {},
  modern = false,
): Promise<McpConnection> {
  const split = splitAssignments(args, env);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, "mcp", ...split.args],
    env: cleanEnv(split.env),
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  return { ...(await connect(transport, modern)), stderr: () => stderr };
}

/** A server over HTTP. */
export interface McpHttpServer {
  readonly url: string;
  /** The token that it generated. */
  readonly token: string;
  readonly child: ChildProcess;
  /** Stops it; returns its exit code. */
  stop(): Promise<number | null>;
  connect(modern?: boolean): Promise<Omit<McpConnection, "stderr">>;
}

/** Starts a server over HTTP on a free port. */
export async function startMcpHttp(args: readonly string[], env: RunOptions["env"] = {}): Promise<McpHttpServer> {
  const child = startSolx(["mcp", "--http", "--port", "0", ...args], { env });
  const ended = once(child, "close");
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { url, token = env.SOLX_MCP_TOKEN } = JSON.parse(line) as { url: string; token?: string };
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  return {
    url,
    token: String(token),
    child,
    async stop() {
      child.kill();
      const [code] = await ended;
      return code as number | null;
    },
    connect: (modern = false) => connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }), modern),
  };
}

async function connect(transport: Transport, modern: boolean): Promise<Omit<McpConnection, "stderr">> {
  const info = { name: "test", version: "1" };
  const client = new Client(info, modern ? { versionNegotiation: { mode: "auto" } } : {});
  await client.connect(transport);
  const messages: unknown[] = [];
  const forward = transport.onmessage;
  transport.onmessage = (message, extra) => {
    messages.push(message);
    forward?.(message, extra);
  };
  return {
    client,
    messages,
    async call(name, result = {}, options) {
      const { content, isError, structuredContent } = await client.callTool({ name, arguments: result }, options);
      const texts = content.map((block) => (block.type === "text" ? block.text : ""));
      return {
        isError: isError === true,
        texts,
        value: parseJson(texts[0] ?? "null") as JsonObject,
        structured: structuredContent as JsonObject,
      };
    },
  };
}

/** Reads all rows of a list by following its cursors. */
export async function allRows(
  server: McpConnection,
  args: Record<string, unknown>,
  rows: number,
): Promise<readonly Json[]> {
  const all: Json[] = [];
  let result = await server.call("call_endpoint", { ...args, rows });
  for (;;) {
    all.push(...((result.value.rows ?? []) as readonly Json[]));
    const { cursor } = result.value;
    if (typeof cursor !== "string") return all;
    result = await server.call("more", { cursor, rows });
  }
}
