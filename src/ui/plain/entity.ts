/** The pages of entities in plain lines, from the same records as on the screen: the header and links to the tabs. */
import { IDLE_QUERY, type QueryState } from "../navigation/data-store.ts";
import { entityPage } from "../navigation/entity-pages.ts";
import { type Route, shortId } from "../navigation/route.ts";
import type { TextLine } from "../navigation/theme/text-line.ts";
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
import type { EntityRoute } from "../pages/props.ts";
import { recordOfEntity } from "../pages/records.ts";
import { answerObject } from "../widgets/cells.ts";
import { listRowLinks, type TreeRow, visibleRows } from "../widgets/tree/rows.ts";
import { type PlainContext, problemLines, waitForAnswer } from "./answer.ts";
import { joinPages, menuPage, type NumberedLinks, type PlainLink, type PlainPage } from "./page.ts";

/** Cells of a line: the terminal wraps. */
const WIDTH = 1000;

/** Requests and renders the page of an entity, or the tab that the route names. */
export async function entityLines(
  { entity, id, tab: name }: EntityRoute,
  context: PlainContext,
  onWait: (seconds?: number) => void,
): Promise<PlainPage> {
  const { services, data } = context;
  const record = recordOfEntity(entity);
  if (!record) {
    const command = services.command(entityPage(entity).command(id));
    return { lines: [`Not available in plain mode. In a shell: ${command}`], choices: [] };
  }
  const states = await requestStates(record, id, context, onWait);
  const about = { nameOf: data.names.of, width: WIDTH, days: record.days ?? 1 };
  const view = { ...entityView(id, states, services, about), unicode: false };
  const tab = record.tabs.find((one) => one.name === name && one.rows);
  if (tab) return treePage(await tabRows(tab, view, context, onWait));
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

/** Returns the link of a tab: its rows, or the answer of its endpoint. */
function tabLink(tab: TabRecord, entity: EntityRoute["entity"], { id, answers }: EntityView): PlainLink {
  const { name: label } = tab;
  if (tab.rows) return { label, route: { kind: "entity", entity, id, tab: label } };
  const { endpoint, params } = tabRequest(tab, id, answers);
  return { label, route: { kind: "endpoint", endpointRoute: endpoint.route, params } };
}

/** Waits for the answers of a page: those that depend on no other one first. */
async function requestStates(
  { requests, days = 1 }: EntityRecord,
  id: string,
  context: PlainContext,
  onWait: (seconds?: number) => void,
): Promise<Readonly<Record<string, QueryState>>> {
  let states: Readonly<Record<string, QueryState>> = {};
  const all = Object.entries(requests);
  for (const group of [all.filter(([, one]) => !one.isNeeded), all.filter(([, one]) => one.isNeeded)]) {
    const answers = answersOf(states);
    const request = async ([name, one]: readonly [string, PageRequest]) => {
      const isNeeded = context.services.supports(one.endpoint) && (one.isNeeded?.(answers) ?? true);
      const state = isNeeded ? await waitForAnswer(pageRequest(one, id, days, answers), context, onWait) : IDLE_QUERY;
      return [name, state] as const;
    };
    states = { ...states, ...Object.fromEntries(await Promise.all(group.map(request))) };
  }
  return Object.fromEntries(all.map(([name]) => [name, states[name] ?? IDLE_QUERY]));
}

async function tabRows(
  tab: TabRecord,
  view: EntityView,
  context: PlainContext,
  onWait: (seconds?: number) => void,
): Promise<readonly TreeRow[]> {
  return (
    tab.rows?.(view, answerObject(await waitForAnswer(tabRequest(tab, view.id, view.answers), context, onWait))) ?? []
  );
}

const lineText = (line: TextLine): string =>
  line
    .map(({ text }) => text)
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Renders the rows that are open on the screen, each with the number of its links. */
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
