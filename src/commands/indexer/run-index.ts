/** `solx index`: indexes the blocks of a node until it is stopped, or to the end of a range. */
import { InterruptedError, UsageError } from "../../base/index.ts";
import { quoteForShell } from "../../catalogue/index.ts";
import {
  type BlockCommitment,
  type IndexFilter,
  loadIndexer,
  type StartSlot,
  webSocketUrlOf,
} from "../../chain/indexer/index.ts";
import { isLoopback, recognise } from "../../client/index.ts";
import { type NodeAddress, quoteText, type Settings } from "../../config/index.ts";
import { runNameResolver } from "../names/resolve-names.ts";
import type { RunContext } from "../run/context.ts";
import { maskArguments } from "../run/mask-arguments.ts";
import { indexFile } from "./files.ts";
import { createIndexReporter } from "./progress.ts";

/** Options as typed. */
export interface IndexFlags {
  readonly from?: string;
  readonly to?: string;
  readonly program?: readonly string[];
  readonly account?: readonly string[];
  readonly mint?: readonly string[];
}

/**
 * Indexes until the end of the range, or until SIGINT or SIGTERM, which is a normal end.
 * @throws UsageError without a node and for invalid options
 */
export async function runIndex(context: RunContext, flags: IndexFlags): Promise<void> {
  const settings = await context.session.settings({ source: "rpc" });
  const node = settings.node();
  if (node === undefined) {
    throw new UsageError("solx index needs a Solana node.", {
      code: "NO_NODE",
      hint: "Add --rpc localnet, devnet, testnet, mainnet or a URL, or set SOLX_RPC_URL.",
    });
  }
  const name = indexName(settings, node);
  const path = indexFile(settings.paths, name);
  const options = {
    ...rangeOptions(flags, isLoopback(new URL(node.url).hostname)),
    filter: await filterOptions(context, flags),
    commitment: blockCommitment(settings),
  };
  const closed = new AbortController();
  const signal = AbortSignal.any([context.io.signal, closed.signal]);
  const [{ indexInto }, client] = await Promise.all([loadIndexer(), context.session.client()]);
  const reporter = await createIndexReporter(context, path, () => closed.abort());
  try {
    const webSocketUrl = webSocketUrlOf(node.url);
    const { onEvent } = reporter;
    await indexInto(client.node(), { path, ...options, webSocketUrl, signal, onEvent });
  } catch (error) {
    if (!(error instanceof InterruptedError) || !signal.aborted) throw error;
    context.outcome.runsUntilStopped = true;
  } finally {
    await reporter.end();
  }
  if (context.outcome.runsUntilStopped || flags.to !== undefined) {
    const again = ["solx", ...maskArguments(context.io.argv)].map(quoteForShell).join(" ");
    const query = `solx token holders <mint> --index ${name}`;
    await context.reporter.note(`Saved in the index ${name}. To query it: ${query}. To continue: ${again}`);
  }
}

/** Returns the name of `--index`, else that of the cluster or the host. */
function indexName(settings: Settings, { name }: NodeAddress): string {
  const typed = settings.get("index");
  return typed === undefined || typed === "off" ? name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-/, "") : typed;
}

/**
 * Returns the range of slots. A new index of a node on this machine starts with its first block: local validators keep
 * all of their blocks, which are few.
 */
function rangeOptions({ from: typed, to }: IndexFlags, isLocal: boolean) {
  const from = typed ?? (isLocal ? "earliest" : undefined);
  const range: { from?: StartSlot; to?: number; follow?: boolean } = {
    ...(from === undefined ? {} : { from: parseStart(from) }),
    ...(to === undefined ? {} : isNow(to) ? { follow: false } : { to: parseSlot("--to", to, "a slot or now") }),
  };
  if (typeof range.from === "number" && range.to !== undefined && range.to < range.from) {
    throw new UsageError(`--to ${range.to} is before --from ${range.from}`);
  }
  return range;
}

const isNow = (text: string) => text.trim().toLowerCase() === "now";

function parseStart(text: string): StartSlot {
  const word = text.trim().toLowerCase();
  return word === "earliest" || word === "now" ? word : parseSlot("--from", text, "a slot, earliest or now");
}

function parseSlot(flag: string, text: string, expected: string): number {
  const digits = text.trim().replace(/[_,](?=\d{3}\b)/g, "");
  if (/^\d{1,15}$/.test(digits)) return Number(digits);
  throw new UsageError(`invalid value ${quoteText(text)} for ${flag}: expected ${expected}`);
}

async function filterOptions(
  context: RunContext,
  { program = [], account = [], mint = [] }: IndexFlags,
): Promise<IndexFilter> {
  const names = runNameResolver(context);
  const addresses = (flag: string, texts: readonly string[]) =>
    Promise.all(texts.map(async (text) => parseAddress(flag, (await names.resolve(text)) ?? text)));
  return {
    programs: await addresses("--program", program),
    accounts: await addresses("--account", account),
    mints: await addresses("--mint", mint),
  };
}

function parseAddress(flag: string, text: string): string {
  const { kind, value } = recognise(text);
  if (kind === "address") return value;
  throw new UsageError(`invalid value ${quoteText(text)} for ${flag}: expected a base58 address`);
}

/** Returns the commitment of blocks: finalized unless another one is set. */
function blockCommitment(settings: Settings): BlockCommitment {
  const { level } = settings.resolve("commitment");
  const commitment = level === "default" ? "finalized" : settings.get("commitment");
  if (commitment !== "processed") return commitment;
  throw new UsageError("blocks cannot be indexed with the commitment processed", {
    hint: "Set SOLX_COMMITMENT=confirmed, or finalized (default).",
  });
}
