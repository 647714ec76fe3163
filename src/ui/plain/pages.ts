/** The pages of the explorer in plain lines, from the same records as on the screen. */

import { isObject, objectsOf, toSentence } from "../../base/index.ts";
import { safeText } from "../../output/index.ts";
import { toSolxError } from "../data/query.ts";
import { statusLine } from "../data/status-text.ts";
import { availableEndpoints, availablePages } from "../navigation/availability.ts";
import { IDLE_QUERY, type QueryState } from "../navigation/data-store.ts";
import { entityPage, namedPage } from "../navigation/entity-pages.ts";
import { identifiersOf, type Route, routeTitle, shortId } from "../navigation/route.ts";
import type { Services } from "../navigation/services.ts";
import type { TextLine } from "../navigation/theme/text-line.ts";
import { bookmarkRows } from "../pages/bookmarks/rows.ts";
import { fieldRows } from "../pages/comparison/fields.ts";
import {
  activeTabs,
  answersOf,
  type EntityRecord,
  type EntityView,
  entityView,
  type PageRequest,
  pageRequest,
  type TabRecord,
  tabRequest,
} from "../pages/entity/record.ts";
import { chainGauges, clusterGauges } from "../pages/home/gauges.ts";
import { CHAIN, type HomeSection, routeOfRow, STATUS, sectionsFor } from "../pages/home/sections.ts";
import type { EntityRoute } from "../pages/props.ts";
import { recordOfEntity } from "../pages/records.ts";
import { NO_RULES_FOLDER, rulesStatus } from "../pages/rules/status.ts";
import { rulesTables } from "../pages/rules/tables.ts";
import { answerObject, answerShape, relativeClock } from "../widgets/cells.ts";
import { listRowLinks, type TreeRow, visibleRows } from "../widgets/tree/rows.ts";
import {
  joinPages,
  menuPage,
  type NumberedLinks,
  type PlainContext,
  type PlainLink,
  type PlainPage,
  problemLines,
  TYPED_COMMANDS,
  waitForAnswer,
} from "./page.ts";

const WIDTH = 1000;

/** Requests and renders the page of an entity, the tab that the route names, or several entities side by side. */
export async function entityLines(route: EntityRoute, context: PlainContext): Promise<PlainPage> {
  const { entity, id, tab: name, others } = route;
  const { services, data } = context;
  const record = recordOfEntity(entity);
  if (!record) {
    const command = services.command(entityPage(entity).command(id));
    return { lines: [`Not available in plain mode. In a shell: ${command}`], choices: [] };
  }
  if (others) return comparePage(record, route, context);
  const read = record.tabs.find((one) => one.name === name)?.readRows;
  if (read) return readPage(read(id, context));
  const states = await requestStates(record, id, context);
  const about = { nameOf: data.names.of, width: WIDTH, days: record.days ?? 1 };
  const view = { ...entityView(id, states, services, about), unicode: false };
  const tab = record.tabs.find((one) => one.name === name && one.rows);
  if (tab) {
    const answer = await waitForAnswer(tabRequest(tab, view.id, view.answers), context);
    return treePage(tab.rows?.(view, answerObject(answer)) ?? []);
  }
  const [main] = Object.values(states);
  if (main && !main.answer && !record.notes?.(view).length) return { lines: problemLines(main, services), choices: [] };
  const facts = record.facts(view).map(({ label, value }) => [label, lineText(value)] as const);
  const lines = [
    record.title ? lineText(record.title(view)) : id,
    ...(record.notes?.(view) ?? []).map(lineText),
    ...facts.flatMap(([label, text]) => (text === "" ? [] : [`${label}: ${text}`])),
  ];
  const links = activeTabs(record, view.answers, services.supports).map((one) => tabLink(one, entity, view));
  return joinPages({ lines, choices: [] }, menuPage("Tabs:", links));
}

/** Renders the fields in which entities differ, a line each. */
async function comparePage(record: EntityRecord, route: EntityRoute, context: PlainContext): Promise<PlainPage> {
  const { services, data } = context;
  const ids = identifiersOf(route);
  const all = await Promise.all(ids.map((id) => requestStates(record, id, context)));
  const groups = Object.entries(record.requests).map(([name, { endpoint }]) =>
    all.map((states) => ({ value: states[name]?.answer?.data, shape: answerShape(endpoint) })),
  );
  const { now, timeZone } = services;
  const rows = groups.flatMap((group) => fieldRows(group, { now: now(), timeZone }));
  const differing = rows.filter(({ isSame }) => !isSame);
  const lines = differing.map(({ label, cells }) => `${label}: ${cells.map((cell) => cell?.text ?? "-").join("; ")}`);
  const head = `${routeTitle(route, data.nameOf)}: ${differing.length} of ${rows.length} fields differ.`;
  const links = ids.map((id): PlainLink => {
    const one: EntityRoute = { kind: "entity", entity: route.entity, id };
    return { label: routeTitle(one, data.nameOf), route: one };
  });
  return joinPages({ lines: [head, ...lines], choices: [] }, menuPage("Pages:", links));
}

/** Renders rows, or why they could not be read. */
async function readPage(rows: Promise<readonly TreeRow[]>): Promise<PlainPage> {
  try {
    return treePage(await rows);
  } catch (error) {
    return { lines: [safeText(toSentence(toSolxError(error)))], choices: [] };
  }
}

function tabLink(tab: TabRecord, entity: EntityRoute["entity"], { id, answers }: EntityView): PlainLink {
  const { name: label } = tab;
  if (tab.rows || tab.readRows) return { label, route: { kind: "entity", entity, id, tab: label } };
  const { endpoint, params } = tabRequest(tab, id, answers);
  return { label, route: { kind: "endpoint", endpointRoute: endpoint.route, params } };
}

/** Waits for the answers of a page: those that depend on no other one first. */
async function requestStates(
  { requests, days = 1 }: EntityRecord,
  id: string,
  context: PlainContext,
): Promise<Readonly<Record<string, QueryState>>> {
  let states: Readonly<Record<string, QueryState>> = {};
  const all = Object.entries(requests);
  for (const group of [all.filter(([, one]) => !one.isNeeded), all.filter(([, one]) => one.isNeeded)]) {
    const answers = answersOf(states);
    const request = async ([name, one]: readonly [string, PageRequest]) => {
      const isNeeded = context.services.supports(one.endpoint) && (one.isNeeded?.(answers) ?? true);
      const state = isNeeded ? await waitForAnswer(pageRequest(one, id, days, answers), context) : IDLE_QUERY;
      return [name, state] as const;
    };
    states = { ...states, ...Object.fromEntries(await Promise.all(group.map(request))) };
  }
  return Object.fromEntries(all.map(([name]) => [name, states[name] ?? IDLE_QUERY]));
}

const lineText = (line: TextLine): string =>
  line
    .map(({ text }) => text)
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();

function treePage(rows: readonly TreeRow[]): PlainPage {
  const choices: NumberedLinks[] = [];
  const lines = visibleRows(rows, {}).flatMap(({ row, depth }) => {
    const text = lineText(typeof row.line === "function" ? row.line(WIDTH) : row.line);
    if (text === "") return [];
    const links = listRowLinks(row);
    if (links.length > 0) choices.push(links.map(({ field, route }) => ({ label: linkLabel(field, route), route })));
    return [`${"  ".repeat(depth)}${text}${links.length > 0 ? ` [${choices.length}]` : ""}`];
  });
  return { lines, choices };
}

const linkLabel = (field: string, route: Route): string =>
  [field, route.kind === "entity" ? `${route.entity} ${shortId(route.id)}` : ""].filter(Boolean).join(": ");

/** Starts the rules, and renders them once they are read. */
export async function rulesPage({ services, data, signal }: PlainContext): Promise<PlainPage> {
  const watch = await services.rules?.();
  if (!watch) return { lines: [NO_RULES_FOLDER], choices: [] };
  watch.start();
  const isOpen = Promise.withResolvers<void>();
  const check = () => {
    if (watch.state().mode !== "opening" || signal.aborted) isOpen.resolve();
  };
  const stop = watch.subscribe(check);
  signal.addEventListener("abort", check, { once: true });
  check();
  await isOpen.promise;
  stop();
  const { now, nextPoll } = watch;
  const format = { now, nextPoll, unicode: false, timeZone: services.timeZone, nameOf: data.nameOf };
  const choices: NumberedLinks[] = [];
  const lines = rulesTables(watch.state(), format).flatMap(({ name, heads, rows, empty }) => [
    `${name}:`,
    ...(rows.length === 0 ? [empty] : []),
    ...rows.map(({ cells, target }) => {
      const words = cells().flatMap(({ text, role }, at) =>
        text === "" || role === "missing" ? [] : [`${heads[at]}: ${text}`],
      );
      if (!target) return words.join("; ");
      choices.push([{ label: routeTitle(target, data.nameOf), route: target }]);
      return `${choices.length}. ${words.join("; ")}`;
    }),
  ]);
  const status = rulesStatus(watch.state(), watch.file, TYPED_COMMANDS, WIDTH);
  return { lines: [...status.map(lineText), ...lines], choices };
}

const GAUGES = /^(cluster|epoch \d+|slot|TPS.*|SOL|stake|validators)$/;
/** The sections shown, and their number of rows. */
const HOME_SECTIONS: readonly (readonly [title: string, rows: number])[] = [
  ["latest blocks", 3],
  ["latest transactions", 3],
  ["top tokens", 5],
];

/** Requests and renders the start page. */
export async function homePage(context: PlainContext): Promise<PlainPage> {
  const { services } = context;
  const all = sectionsFor(services);
  const sections = HOME_SECTIONS.flatMap(([title, most]) => {
    const section = all.find((one) => one.title === title);
    return section ? [{ section, most }] : [];
  });
  const requests = [
    services.supports(STATUS.endpoint) ? STATUS : CHAIN,
    ...sections.map(({ section: { endpoint, params } }) => ({ endpoint, params })),
  ];
  let isReported = false;
  const onWait = (seconds?: number) => {
    if (!isReported) context.onWait(seconds);
    isReported = true;
  };
  const [chain, ...answers] = await Promise.all(
    requests.map((request) => waitForAnswer(request, { ...context, onWait })),
  );
  const lines = chain ? chainSummary(chain, answers[0], services) : [];
  const choices: NumberedLinks[] = [];
  for (const [at, { section, most }] of sections.entries()) {
    const entry = answers[at];
    if (entry) lines.push(...sectionLines(section, most, entry, services, choices));
  }
  return { lines, choices };
}

function chainSummary(chain: QueryState, blocks: QueryState | undefined, services: Services): string[] {
  const data = chain.answer?.data;
  if (!isObject(data)) return [`Chain status: ${problemText(chain, services)}`];
  const clock = relativeClock(services);
  const gauges = services.supports(STATUS.endpoint)
    ? clusterGauges({ status: data, samples: [] }, clock, false)
    : chainGauges({ chain: data, blocks: objectsOf(blocks?.answer?.rows) }, clock, false);
  const words = gauges.flatMap(({ title, value }) => {
    const text = value.map((one) => one.text).join("");
    return GAUGES.test(title) && text !== "" ? [`${title}: ${text}`] : [];
  });
  return [`${words.join("; ")}.`];
}

function sectionLines(
  section: HomeSection,
  most: number,
  entry: QueryState,
  services: Services,
  choices: NumberedLinks[],
): readonly string[] {
  const { title, columns, empty } = section;
  if (!entry.answer) return [`${title}: ${problemText(entry, services)}`];
  const rows = objectsOf(entry.answer.rows).slice(0, most);
  if (rows.length === 0) return [empty];
  const cells = columns(relativeClock(services), false);
  const lines = rows.map((row) => {
    const words = cells.flatMap(({ head, cell }) => {
      const { text, ids, role } = cell(row);
      return text === "" || ids || role === "missing" ? [] : [`${head}: ${text}`];
    });
    const place = routeOfRow(section, row);
    if (!place) return words.join("; ");
    choices.push([{ label: routeTitle(place), route: place }]);
    return `${choices.length}. ${words.join("; ")}`;
  });
  return [`${title}:`, ...lines];
}

function problemText(entry: QueryState, { now, timeZone, source }: Services): string {
  const options = { now: now(), unicode: false, timeZone, keyOf: TYPED_COMMANDS, source: source.facts };
  const status = statusLine(entry, options);
  return status?.map(({ text }) => text).join("") ?? "No data.";
}

/** Returns links to the statistics of the network, apart from the one that the page shows. */
function networkLinks(main: string | undefined, supports: Services["supports"]): readonly PlainLink[] {
  return availableEndpoints(supports)
    .filter(({ group, path }) => group === "analytics" && path !== main)
    .map(({ summary, route }) => ({ label: summary, route: { kind: "endpoint", endpointRoute: route, params: {} } }));
}

/** Returns the links of a page. */
export function linksFrom(route: Route, services: Services): readonly PlainLink[] {
  const { memory, supports } = services;
  if (route.kind !== "page") return [];
  if (route.page === "bookmarks")
    return bookmarkRows(memory.bookmarks(), memory.recent()).map((row) => ({
      label: `${row.bookmark ? "bookmark" : "recent"}: ${safeText(row.name)}`,
      route: row.route,
    }));
  if (route.page === "network") return networkLinks(namedPage(route.page).path, supports);
  if (route.page !== "home") return [];
  const pages = availablePages(supports).filter((page) => page !== "home");
  return [
    ...sectionsFor(services).map(
      ({ title, endpoint, listParams: whole }): PlainLink => ({
        label: title,
        route: { kind: "endpoint", endpointRoute: endpoint.route, params: whole },
      }),
    ),
    ...pages.map((page): PlainLink => ({ label: page, route: { kind: "page", page } })),
  ];
}
