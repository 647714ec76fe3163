/** The built program as a server of the Model Context Protocol, with the protocol's own client at the other end. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Json, type JsonObject, parseJson } from "../../src/base/json.ts";
import { BIN, cleanEnv, type RunOptions } from "./solx.ts";

/** What a tool gave. */
export interface ToolResult {
  readonly isError: boolean;
  /** The text blocks. */
  readonly texts: readonly string[];
  /** The first text, which is JSON, with every digit. */
  readonly value: JsonObject;
  /** The same for programs. */
  readonly structured: JsonObject;
}

/** A server and its client. */
export interface McpConnection {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  /** What the server wrote to standard error until now. */
  stderr(): string;
  /** Every message of the server until now, as it came: its client drops what comes together with a result. */
  readonly messages: readonly unknown[];
  call(name: string, args?: Record<string, unknown>, options?: Parameters<Client["callTool"]>[1]): Promise<ToolResult>;
}

/** Starts the server and connects to it. */
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

/** The rows of a list, read through its cursors to the end. */
export async function allRows(
  server: McpConnection,
  args: Record<string, unknown>,
  rows: number,
): Promise<readonly Json[]> {
  const found: Json[] = [];
  let result = await server.call("call_endpoint", { ...args, rows });
  for (;;) {
    found.push(...((result.value.rows ?? []) as readonly Json[]));
    const { cursor } = result.value;
    if (typeof cursor !== "string") return found;
    result = await server.call("more", { cursor, rows });
  }
}
