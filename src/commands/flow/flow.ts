/** `solx account flow`: asks what is followed, states what it costs, and prints the flows. */
import {
  CheckError,
  type Decimal,
  decimalText,
  IncompleteError,
  type Json,
  type JsonObject,
  pluralize,
  toNumeric,
  toSentence,
  UsageError,
} from "../../base/index.ts";
import { type Endpoint, type ParameterValues, positionalOf } from "../../catalogue/index.ts";
import { type FlowEdge, type FlowRequest, loadFlow, type MoneyFlow, maxPageSize } from "../../client/index.ts";
import { endpointAt } from "../endpoint/answers.ts";
import { parameterValues } from "../endpoint/command.ts";
import { confirmCost } from "../endpoint/cost.ts";
import { missingIdentifierError, openIdentifiers } from "../endpoint/identifiers.ts";
import { resolveTokens } from "../names/resolve-names.ts";
import { openTableNames } from "../names/table-names.ts";
import { parseNumberOption } from "../number-option.ts";
import { failsOn } from "../options/global-options.ts";
import { GRAPH_FORMATS, takeFormat } from "../options/own-format.ts";
import { rowSchema } from "../row-schema.ts";
import type { Invocation } from "../run/command-definition.ts";
import type { DisplayOptions, RunContext } from "../run/context.ts";
import { answeredBy, sourceOf } from "../run/data-source.ts";
import { startProgress } from "../run/progress.ts";
import { type GraphFormat, graphText } from "./graph-text.ts";

/** Steps, accounts of a wallet, and transfers of a wallet at most; the last is the longest list of the API. */
const MAX = { depth: 5, breadth: 100, transfers: 10_000, value: 1e12 };
/** Wallets that are read at most, whatever the options say. */
const MAX_WALLETS = 1000;

/** Prints who sent what to whom. @throws IncompleteError, after that, when wallets could not be read */
export async function printFlow(context: RunContext, call: Invocation): Promise<void> {
  const format = takeFormat(context, GRAPH_FORMATS);
  const endpoint = endpointAt("/account/transfer");
  const request = await readRequest(context, endpoint, call);
  const settings = await context.session.settings();
  const { facts } = sourceOf(settings);
  if (request.minValue !== undefined && !facts.hasPrices) {
    throw new UsageError(`--min-value needs prices, and ${facts.noun} has none.`, {
      hint: "To limit amounts of a token: --token <mint> --amount 1000..",
    });
  }
  await stateCost(context, request);
  const { readMoneyFlow } = await loadFlow();
  const progress = startProgress(context, { title: "wallets" });
  const flow = await readMoneyFlow(await context.session.client(), request, {
    hasPrices: facts.hasPrices,
    supports: answeredBy(settings),
    signal: context.io.signal,
    onWallet: () => progress.add(1),
  }).finally(() => progress.end());
  if (format) await printGraph(context, flow, format);
  else {
    const labels = new Map(flow.accounts.map(({ address, label }) => [address, label]));
    const value = flow.edges.map((edge) => toRow(edge, labels));
    await context.printer.print({ kind: "object", value, metadata: flow.metadata }, DISPLAY);
  }
  await reportExtent(context, request, flow);
}

interface FlowFlags {
  readonly depth?: string;
  readonly breadth?: string;
  readonly transfers?: string;
  readonly minValue?: string;
}

/** @throws UsageError without a wallet, for invalid options, and for more wallets than are followed */
async function readRequest(
  context: RunContext,
  endpoint: Endpoint,
  { args, options }: Invocation,
): Promise<FlowRequest> {
  const [name = "", param] = positionalOf(endpoint) ?? [];
  const { depth = "2", breadth = "5", transfers = "500", minValue } = options as FlowFlags;
  const numbers = {
    depth: parseNumberOption("--depth", depth, { min: 1, max: MAX.depth }),
    breadth: parseNumberOption("--breadth", breadth, { min: 1, max: MAX.breadth }),
    transfers: parseNumberOption("--transfers", transfers, { min: 1, max: MAX.transfers }),
    ...(minValue !== undefined && {
      minValue: parseNumberOption("--min-value", minValue, { min: 0, max: MAX.value, isWhole: false }),
    }),
  };
  const typed = parameterValues(endpoint, options as Readonly<Record<string, unknown>>, context);
  const { [name]: fromOption = [], ...filters } = typed;
  const { identifiers, values } = await resolveTokens(context, endpoint, {
    name,
    identifiers: await openIdentifiers(context, [...args, ...(fromOption as string[])], param?.type ?? "address"),
    values: filters as ParameterValues,
  });
  const wallets: string[] = [];
  for await (const wallet of identifiers.read(context.io.signal)) {
    wallets.push(wallet);
    if (wallets.length > MAX_WALLETS) throw new UsageError(`account flow starts from up to ${MAX_WALLETS} wallets.`);
  }
  if (wallets.length === 0) throw missingIdentifierError(name);
  return { wallets, endpoint, filters: values, ...numbers };
}

/** Notes what the reading costs at most, and asks to confirm it where that is much. */
async function stateCost(
  context: RunContext,
  { wallets, endpoint, depth, breadth, transfers }: FlowRequest,
): Promise<void> {
  const perStep = Array.from({ length: depth }, (_, step) => wallets.length * breadth ** step);
  const count = perStep.reduce((sum, number) => sum + number, 0);
  if (count > MAX_WALLETS) {
    throw new UsageError(`That would read the transfers of up to ${count} wallets: more than ${MAX_WALLETS}.`, {
      hint: "Give a smaller --depth or --breadth.",
    });
  }
  const requests = count * Math.ceil(transfers / maxPageSize(endpoint));
  const { facts } = sourceOf(await context.session.settings());
  const label = `account flow of up to ${pluralize(count, "wallet")}`;
  const units = requests * endpoint.cost.units;
  if (facts.chargesUnits && !facts.isInProcess) {
    const cost = `${pluralize(requests, "request")}, ${pluralize(units, "compute unit")}`;
    await context.reporter.note(
      `Reads up to ${pluralize(count, "wallet")}: at most ${cost}, and a few for labels and prices.`,
    );
  }
  await confirmCost(context, { label, isEstimate: true, requests, units });
}

/** Says of which wallets not all transfers were read. @throws IncompleteError when some could not be read at all */
async function reportExtent(
  context: RunContext,
  { transfers, filters }: FlowRequest,
  { accounts, edges }: MoneyFlow,
): Promise<void> {
  const cut = accounts.filter(({ read }) => read === "newest");
  const all = accounts.filter(({ read }) => read !== "none");
  if (cut.length > 0) {
    const range = filters.from_time === undefined ? " To read a time range: --from-time." : "";
    const which = all.length === 1 ? "the wallet" : `${cut.length} of ${all.length} wallets`;
    const text = `Only the newest ${transfers} transfers of ${which} were read: --transfers reads more.${range}`;
    await context.reporter.note(text);
    if (failsOn(context.globals, "incomplete")) throw new IncompleteError(text, { code: "PARTIAL" });
  }
  const failed = accounts.flatMap(({ address, error }) => (error ? [{ address, error }] : []));
  for (const { address, error } of failed) await context.reporter.note(`${address} was not read: ${toSentence(error)}`);
  if (failed.length > 0)
    throw new IncompleteError(`${pluralize(failed.length, "wallet")} could not be read.`, { code: "PARTIAL" });
  if (edges.length === 0 && failsOn(context.globals, "empty")) throw new CheckError("no rows", { code: "EMPTY" });
}

const DISPLAY: DisplayOptions = {
  columns: [
    "depth",
    { path: "from_address", head: "from" },
    { path: "to_address", head: "to" },
    "accounts",
    "transfers",
    "amount",
    { path: "token_address", head: "token" },
    { path: "value_usd", head: "value" },
    { path: "last_time", head: "last" },
  ],
  identifier: "to_address",
  entity: rowSchema((f) => ({
    depth: f.count("Steps from the wallets to start from"),
    from_address: f.address("Sender; null where several accounts are meant").nullable(),
    from_label: f.text("Label of the sender").nullable(),
    to_address: f.address("Receiver; null where several accounts are meant").nullable(),
    to_label: f.text("Label of the receiver").nullable(),
    accounts: f.count("Accounts at the end that is null, else 1"),
    transfers: f.count("Number of transfers"),
    token_address: f.address("Token; null where several are meant").nullable(),
    token_decimals: f.count("Decimals of the token").nullable(),
    amount: f.tokenAmount("Sum in base units; null where several tokens are meant", "token_decimals").nullable(),
    value_usd: f.usd("Value at the latest prices; null where no price is known").nullable(),
    first_time: f.unixTime("Time of the first transfer"),
    last_time: f.unixTime("Time of the last transfer"),
  })),
};

function toRow(
  { depth, from, to, accounts, moved, transfers, value, first, last }: FlowEdge,
  labels: ReadonlyMap<string, string | undefined>,
): JsonObject {
  return {
    depth,
    from_address: from ?? null,
    from_label: labels.get(from ?? "") ?? null,
    to_address: to ?? null,
    to_label: labels.get(to ?? "") ?? null,
    accounts,
    transfers,
    token_address: moved?.token ?? null,
    token_decimals: moved?.decimals ?? null,
    amount: numberOf(moved?.amount),
    value_usd: numberOf(value),
    first_time: first,
    last_time: last,
  };
}

const numberOf = (decimal: Decimal | undefined): Json => (decimal ? toNumeric(decimalText(decimal)) : null);

async function printGraph(context: RunContext, flow: MoneyFlow, format: GraphFormat): Promise<void> {
  const names = await openTableNames(context, "known");
  const tokens = flow.edges.flatMap(({ moved }) => (moved ? [{ id: moved.token, role: "token" as const }] : []));
  const accounts = flow.accounts.map(({ address }) => ({ id: address, role: undefined }));
  await names.prepare([flow.metadata], [...accounts, ...tokens]);
  await context.printer.printText(graphText(format, flow, names.of));
}
