/** Prints calls of a node that are not sent. */
import { type JsonObject, stringifyJson } from "../../base/index.ts";
import { quoteForShell } from "../../catalogue/index.ts";
import type { RpcCall } from "../../chain/solana/index.ts";
import type { Settings } from "../../config/index.ts";
import type { RunContext } from "../run/context.ts";
import { maskNode } from "../run/mask-arguments.ts";

const HEADERS = { "content-type": "application/json" } as const;

/** Prints calls as requests, or as curl commands. A URL with a key is printed as a variable. */
export async function printCalls(context: RunContext, calls: readonly RpcCall[]): Promise<void> {
  const url = printedUrl(await context.session.settings());
  const bodies = calls.map(({ method, params }, at): JsonObject => ({ jsonrpc: "2.0", id: at + 1, method, params }));
  if (context.globals.curl) {
    const target = url.startsWith("$") ? `"${url}"` : quoteForShell(url);
    const header = quoteForShell(`content-type: ${HEADERS["content-type"]}`);
    const lines = bodies.map(
      (body) => `curl --compressed -H ${header} -d ${quoteForShell(stringifyJson(body))} ${target}`,
    );
    return context.printer.printText(`${lines.join("\n")}\n`);
  }
  const rows = bodies.map((body): JsonObject => ({ method: "POST", url, headers: { ...HEADERS }, body, cost: 0 }));
  const [only] = rows;
  await (rows.length === 1 && only ? context.printer.printObject(only) : context.printer.printRows(rows));
}

function printedUrl(settings: Settings): string {
  const url = settings.node()?.url ?? "";
  return maskNode(url) === url ? url : "$SOLX_RPC_URL";
}
