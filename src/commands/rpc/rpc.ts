/** `solx rpc <method>`: calls of a Solana node as they are typed. */
import {
  IncompleteError,
  type Json,
  type JsonObject,
  parseJson,
  pluralize,
  SolxError,
  UsageError,
} from "../../base/index.ts";
import type { NodeConnection, RpcCall } from "../../chain/solana/index.ts";
import { isIdentifierSource, openIdentifiers } from "../endpoint/identifiers.ts";
import { printCalls } from "../endpoint/preview.ts";
import type { RunContext } from "../run/context.ts";

const MAX_CALLS = 100;

/**
 * Calls a method and prints its result; with a source of identifiers, once for each of them.
 * @throws UsageError without a node, and for parameters that look like JSON and are not
 */
export async function rpc(context: RunContext, method: string, params: readonly string[]): Promise<void> {
  const settings = await context.session.settings();
  if (!settings.node()) {
    throw new UsageError("solx rpc needs a Solana node.", {
      code: "NO_NODE",
      hint: "Add --rpc mainnet, devnet, testnet, localnet or a URL, or set SOLX_RPC_URL.",
    });
  }
  const isPreview = context.globals.dryRun === true || context.globals.curl === true;
  const at = params.findIndex(isIdentifierSource);
  if (at < 0) {
    const call = { method, params: params.map(parseParameter) };
    if (isPreview) return printCalls(context, [call]);
    const node = (await context.session.client()).node();
    const result = await node.call(call.method, call.params, { signal: context.io.signal });
    return context.printer.printObject(context.globals.envelope ? { jsonrpc: "2.0", result, id: 1 } : result);
  }
  if (params.slice(at + 1).some(isIdentifierSource)) {
    throw new UsageError("only one parameter can be read from a file or from standard input");
  }
  const { read } = await openIdentifiers(context, [params[at] ?? ""], "address");
  const toCall = (input: string): RpcCall => ({ method, params: params.with(at, input).map(parseParameter) });
  if (isPreview) {
    const calls: RpcCall[] = [];
    for await (const input of read(context.io.signal)) calls.push(toCall(input));
    return printCalls(context, calls);
  }
  await printResults(context, read(context.io.signal), toCall);
}

/** Prints one row for each input; failed calls are reported on standard error. */
async function printResults(
  context: RunContext,
  inputs: AsyncIterable<string>,
  toCall: (input: string) => RpcCall,
): Promise<void> {
  const node = (await context.session.client()).node();
  let failed = 0;
  const pages = (async function* () {
    for await (const chunk of chunksOf(inputs)) {
      const outcomes = await callAll(context, node, chunk.map(toCall));
      const rows: JsonObject[] = [];
      for (const [at, outcome] of outcomes.entries()) {
        const input = chunk[at] ?? "";
        if (!(outcome instanceof SolxError)) rows.push({ input, result: outcome });
        else {
          failed += 1;
          await context.reporter.itemError(input, outcome);
        }
      }
      yield rows;
    }
  })();
  await context.printer.print({ kind: "rows", pages });
  if (failed > 0) throw new IncompleteError(`${pluralize(failed, "call")} failed.`, { code: "PARTIAL" });
}

const callAll = (context: RunContext, node: NodeConnection, calls: readonly RpcCall[]) =>
  node.callMany(calls, { signal: context.io.signal, priority: "background" });

async function* chunksOf(inputs: AsyncIterable<string>): AsyncGenerator<string[], void> {
  let chunk: string[] = [];
  for await (const input of inputs) {
    chunk.push(input);
    if (chunk.length < MAX_CALLS) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** Words and numbers that are JSON. More digits than those of a slot or an amount are an address. */
const JSON_WORD = /^(true|false|null|-?\d{1,20}(\.\d+)?)$/;

/** Returns a parameter as JSON: what starts like a list, an object or a quoted text has to be one. */
function parseParameter(text: string): Json {
  if (!JSON_WORD.test(text) && !/^\s*[[{"]/.test(text)) return text;
  try {
    return parseJson(text);
  } catch (cause) {
    throw new UsageError(`invalid JSON in the parameter ${JSON.stringify(text.slice(0, 60))}`, {
      hint: 'Quote it for the shell, for example: \'{"encoding":"base64"}\'',
      cause,
    });
  }
}
