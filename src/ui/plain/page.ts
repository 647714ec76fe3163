/** Plain pages: lines without a layout, with numbered links. */
import { type Json, pluralize } from "../../base/index.ts";
import { type Endpoint, type ParameterValues, positionalOf, recordOf, type Shape } from "../../catalogue/index.ts";
import { type Cell, type CellName, type Shorten, safeText } from "../../output/index.ts";
import { statusLines } from "../data/status-text.ts";
import type { Subject } from "../navigation/context.ts";
import type { DataStore, EndpointRequest, QueryState } from "../navigation/data-store.ts";
import { DEFAULT_KEY_LABELS, type KeyLabels } from "../navigation/keys/bindings.ts";
import type { ListSort } from "../navigation/list-settings.ts";
import { isSameRoute, type Route, routeTitle } from "../navigation/route.ts";
import type { Services } from "../navigation/services.ts";
import { answerShape } from "../widgets/cells.ts";
import { formatLeaf, routeOfNode } from "../widgets/detail/format.ts";
import {
  createValueTree,
  INITIAL_FOLDS,
  type ValueNode,
  type ValueTree,
  visibleNodes,
} from "../widgets/detail/value-tree.ts";
import { listColumns } from "../widgets/list/columns.ts";
import { chipText, requestChips } from "../widgets/list/filters.ts";
import { createLinkFinder, linkFieldLabel } from "../widgets/list/links.ts";
import { createQueryParams } from "../widgets/list/model.ts";
import { countRowsBefore, FIRST_PAGE, type PageRef, pageSizeParam, totalRows } from "../widgets/list/paging.ts";
import { selectVisibleRows } from "../widgets/list/rows.ts";
import { buildTable, type CellTable, searchTexts } from "../widgets/list/table.ts";

/** A link: to a route, or to an endpoint that needs an identifier first. */
export type PlainLink =
  | { readonly label: string; readonly route: Route; readonly endpoint?: undefined }
  | { readonly label: string; readonly endpoint: Endpoint; readonly route?: undefined };

/** What a number stands for: one link, or several to choose from. */
export type NumberedLinks = readonly PlainLink[];

/** A plain page. */
export interface PlainPage {
  readonly lines: readonly string[];
  readonly choices: readonly NumberedLinks[];
  readonly subject?: Subject | undefined;
}

/** Renders rows, a line each: `3. time: 5m ago; from: Whale 5Q54…e4j1; token: wSOL; amount: 5`. */
function rowsPage(
  rows: readonly Json[],
  request: EndpointRequest,
  entry: QueryState,
  { filter, sort, page }: PlainView,
  { services: { now, timeZone }, data }: PlainContext,
): PlainPage {
  const { endpoint, params } = request;
  const shape = answerShape(endpoint);
  const clock = { style: "relative", now: now(), timeZone } as const;
  const about = params[positionalOf(endpoint)?.[0] ?? ""];
  const columns = listColumns({ endpoint, shape, rows, subjectId: typeof about === "string" ? about : undefined });
  const table = buildTable(rows, columns, endpoint.identity, clock, data.names.of);
  const chosen = selectVisibleRows(table, { filter, sort, cellFilters: [] }, () => searchTexts(table, clock));
  const links = createLinkFinder(table, { shape });
  const before = countRowsBefore(endpoint, params, page);
  const total = totalRows(endpoint, entry, before);
  const of = total === undefined ? "" : ` of ${total}`;
  const range = rows.length === 0 ? "No rows" : `Rows ${before + 1} to ${before + rows.length}${of}`;
  const column = table.columns.find(({ key }) => key === sort?.column);
  const order = sort && column ? [describeSort(column.head, sort)] : [];
  const filters = requestChips(request, [positionalOf(endpoint)?.[0] ?? ""], data.nameOf)
    .map(chipText)
    .join(", ");
  const head = `${[range, ...order, ...(filters === "" ? [] : [`filters: ${filters}`])].join("; ")}.`;
  const left = filter === "" ? [] : [`${chosen.matches.length} match ${safeText(filter)}.`];
  const problem = chosen.problem === undefined ? [] : [chosen.problem];
  return {
    lines: [head, ...left, ...problem, ...chosen.matches.map((row, at) => `${at + 1}. ${rowText(table, row)}`)],
    choices: chosen.matches.map((row) =>
      links.row(row).map((link) => ({
        label: `${linkFieldLabel(link)}: ${routeTitle(link.route, data.nameOf)}`,
        route: link.route,
      })),
    ),
    subject: { rows: chosen.rows, columns: table.columns.map(({ head: name, key }) => ({ head: name, path: key })) },
  };
}

function describeSort(head: string, { isDescending, api }: ListSort): string {
  const way = isDescending ? "in descending order" : "in ascending order";
  return `sorted by ${head.toLowerCase()} ${way}, ${api === undefined ? "this page only" : "by the API"}`;
}

/** Returns the lines of a page that contain a text, ignoring case. */
export function findLines({ lines }: PlainPage, text: string): readonly string[] {
  const query = text.toLowerCase();
  const matches = lines.filter((one) => one.toLowerCase().includes(query)).map((one) => one.trim());
  return matches.length === 0
    ? [`No lines match ${safeText(text)}.`]
    : [`${matches.length} matching lines:`, ...matches];
}

function rowText({ columns, cellsOf, shorten, lookalikes: twins }: CellTable, row: number): string {
  const cells = cellsOf(row);
  return columns
    .map(({ head }, at) => {
      const { text, ids, names, role, warning }: Cell = cells[at] ?? { text: "" };
      if (text === "" || role === "missing") return undefined;
      const value = ids ? ids.map((id, index) => nameAndId(id, names?.[index], shorten)).join(", ") : text;
      const notes = [
        ...(ids?.some((id, index) => twins.has(id) && !names?.[index]?.isTrusted)
          ? ["similar to another address on this page"]
          : []),
        ...(warning === undefined ? [] : [warning]),
      ];
      return `${head.toLowerCase()}: ${value}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
    })
    .filter((words) => words !== undefined)
    .join("; ");
}

/** Returns an identifier in short form after its name; a built-in name says enough. */
function nameAndId(id: string, name: CellName | undefined, shorten: Shorten): string {
  if (name?.isTrusted && !name.isAmbiguous) return name.text;
  return name === undefined ? shorten(id) : `${name.text} ${shorten(id)}`;
}

interface FieldsPageOptions {
  readonly value: Json;
  readonly shape: Shape;
  readonly now: number;
  readonly timeZone: string | undefined;
  /** The current route, to which no link is shown. */
  readonly here?: Route | undefined;
}

const ALL_OPEN = { ...INITIAL_FOLDS, all: true };

/** Renders an object, a field per line: `owner: 5Q54… [2]`, with the number of its link. */
export function fieldsPage({ value, shape, now, timeZone, here }: FieldsPageOptions): PlainPage {
  const choices: NumberedLinks[] = [];
  const tree = createValueTree(value, shape);
  const leafText = (node: ValueNode, text = formatLeaf(node, { now, timeZone }).text) => {
    const target = routeOfNode(node);
    const route = target && here && isSameRoute(target, here) ? undefined : target;
    if (route) choices.push([{ label: node.label, route }]);
    return `${node.label}: ${text}${route ? ` [${choices.length}]` : ""}`;
  };
  const lines = visibleNodes(tree, ALL_OPEN).flatMap((node) => {
    const margin = "  ".repeat(Math.max(0, node.depth));
    if (node.parent && isSentence(tree, node.parent)) return [];
    if (node.form === "leaf") return [`${margin}${leafText(node)}`];
    if (isSentence(tree, node)) {
      const options = tree.children(node).flatMap((child) => {
        const { text, role } = formatLeaf(child, { now, timeZone });
        return text === "" || role === "missing" || URL.canParse(text) ? [] : [leafText(child, text)];
      });
      return [`${margin}entry ${Number(node.name) + 1}: ${options.join("; ")}`];
    }
    const items = Array.isArray(node.value) ? `: ${pluralize(node.value.length, "entry", "entries")}` : ":";
    return [`${margin}${node.label}${items}`];
  });
  return { lines, choices, subject: { row: value } };
}

/** Returns whether a node is a list item with scalar fields only, which is rendered as one sentence. */
function isSentence(tree: ValueTree, node: ValueNode): boolean {
  if (node.form !== "object" || node.parent?.form !== "list") return false;
  return tree.children(node).every(({ form }) => form === "leaf");
}

/** Renders links, a line each. */
export function menuPage(head: string, steps: readonly PlainLink[]): PlainPage {
  return {
    lines: [head, ...steps.map(({ label }, at) => `${at + 1}. ${label}`)],
    choices: steps.map((step) => [step]),
  };
}

/** Appends a page to another one and renumbers its links. */
export function joinPages(first: PlainPage, second: PlainPage): PlainPage {
  const from = first.choices.length;
  const moved = second.lines.map((text) =>
    text.replace(/^(\d+)\. /, (_all, number: string) => `${Number(number) + from}. `),
  );
  return { ...first, lines: [...first.lines, ...moved], choices: [...first.choices, ...second.choices] };
}

/** What the plain explorer works with. */
export interface PlainContext {
  readonly services: Services;
  readonly data: DataStore;
  readonly signal: AbortSignal;
  /** Called when an answer takes long, and with the seconds of a rate-limit wait. */
  readonly onWait: (seconds?: number) => void;
}

/** The view state of a history entry. */
export interface PlainView {
  readonly filter: string;
  readonly sort: ListSort | undefined;
  readonly params: ParameterValues | undefined;
  readonly page: PageRef;
  readonly trail: readonly PageRef[];
}

/** The initial view state. */
export const INITIAL_VIEW: PlainView = { filter: "", sort: undefined, params: undefined, page: FIRST_PAGE, trail: [] };

/** Rows of a page, few enough to listen to. */
const DEFAULT_ROWS = 10;

/** Returns the request of a view with its filters, order, page and page size. */
export function requestForView(
  { endpoint, params }: EndpointRequest,
  { params: formParams, sort, page }: PlainView,
): EndpointRequest {
  const fixed = positionalOf(endpoint)?.[0];
  const base = createQueryParams(endpoint, params, fixed === undefined ? [] : [fixed], {
    formParams,
    sort,
    loaded: undefined,
  });
  return { endpoint, params: { ...pageSizeParam(endpoint, base, 0, DEFAULT_ROWS), ...base, ...page.params } };
}

/** The actions that can be typed, with their letters. */
export const TYPED_COMMANDS: KeyLabels = (name) =>
  name === "view.refresh" || name === "list.form" || name === "go.usage" ? DEFAULT_KEY_LABELS(name) : undefined;

/** Returns why there is no answer. */
export function problemLines(entry: QueryState, { now, timeZone, source }: Services): readonly string[] {
  const options = { now: now(), unicode: false, timeZone, keyOf: TYPED_COMMANDS, source: source.facts };
  const status = statusLines(entry, options, NO_WRAP_WIDTH);
  const words = status.map((line) => line.map(({ text }) => text).join(""));
  const loginHint = entry.problem?.exit === "auth" ? ["To store a key, quit with q and run: solx auth login"] : [];
  return [...words.filter((text) => text !== ""), ...loginHint];
}

/** Renders an answer, or why there is none. */
export function renderAnswer(
  request: EndpointRequest,
  entry: QueryState,
  view: PlainView,
  context: PlainContext & { readonly here: Route },
): PlainPage {
  const { services, here } = context;
  if (!entry.answer) return { lines: problemLines(entry, services), choices: [] };
  const { rows, data, coverage } = entry.answer;
  const missing = { lines: coverage?.incomplete === undefined ? [] : [safeText(coverage.incomplete)], choices: [] };
  if (rows) return joinPages(rowsPage(rows, request, entry, view, context), missing);
  const { endpoint } = request;
  const { now, timeZone } = services;
  const fields = fieldsPage({
    value: recordOf(endpoint, data),
    shape: answerShape(endpoint),
    now: now(),
    timeZone,
    here,
  });
  return joinPages(fields, missing);
}

/** Width of status lines: the terminal wraps them. */
const NO_WRAP_WIDTH = 10_000;

/** Milliseconds until a pending request is reported. */
const SLOW_MS = 2000;

/** Waits for an answer. */
export function waitForAnswer(
  request: EndpointRequest,
  { data, services, signal, onWait }: PlainContext,
): Promise<QueryState> {
  return new Promise((resolve) => {
    let stopWatching: (() => void) | undefined;
    let waiting: number | undefined;
    const check = () => {
      const entry = data.read(request);
      const { retryAt, isLoading, answer, problem } = entry;
      if (retryAt !== undefined && retryAt !== waiting)
        onWait(Math.max(1, Math.ceil((retryAt - services.now()) / 1000)));
      waiting = retryAt;
      const isSettled = retryAt === undefined && !isLoading && (answer !== undefined || problem !== undefined);
      if (!stopWatching || !(isSettled || signal.aborted)) return;
      stopWatching();
      clearTimeout(timer);
      signal.removeEventListener("abort", check);
      resolve(entry);
    };
    const timer = setTimeout(() => onWait(), SLOW_MS);
    timer.unref();
    stopWatching = data.watch(request, check);
    signal.addEventListener("abort", check);
    check();
  });
}
