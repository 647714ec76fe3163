/** Runs the built program as an MCP server, connected to the client of the MCP SDK. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Json, type JsonObject, parseJson } from "../../src/base/json.ts";
import { BIN, cleanEnv, type RunOptions } from "./solx.ts";

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
  readonly transport: StdioClientTransport;
  /** Returns the standard error output so far. */
  stderr(): string;
  /** All messages of the server so far; the client drops those that arrive together with a result. */
  readonly messages: readonly unknown[];
  call(name: string, args?: Record<string, unknown>, options?: Parameters<Client["callTool"]>[1]): Promise<ToolResult>;
}

/** Starts a server and connects to it. */
export async function startMcp(
  args: readonly string[],
  env: RunOptions["env"] = {},
  modern = false,
): Promise<McpConnection> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, "mcp", ...args],
    env: cleanEnv(env),
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const info = { name: "test", version: "1" };
  const client = new Client(info, modern ? { versionNegotiation: { mode: "auto" } } : {});
  await client.connect(transport);
  const messages: unknown[] = [];
  const forward = transport.onmessage;
  transport.onmessage = (message) => {
    messages.push(message);
    forward?.(message);
  };
  return {
    client,
    messages,
    transport,
    stderr: () => stderr,
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
