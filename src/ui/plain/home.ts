/** The start page in plain lines: chain status, latest blocks, top tokens. */
import { isObject, objectsOf } from "../../base/index.ts";
import { statusLine } from "../data/status-text.ts";
import type { EndpointRequest, QueryState } from "../navigation/data-store.ts";
import { routeTitle } from "../navigation/route.ts";
import type { Services } from "../navigation/services.ts";
import { chainGauges, clusterGauges } from "../pages/home/gauges.ts";
import { type HomeSection, routeOfRow, sectionsFor } from "../pages/home/sections.ts";
import { endpointAt, relativeClock } from "../widgets/cells.ts";
import { type PlainContext, TYPED_COMMANDS, waitForAnswer } from "./answer.ts";
import type { NumberedLinks, PlainPage } from "./page.ts";

const CHAIN: EndpointRequest = { endpoint: endpointAt("/chaininfo", "public"), params: {} };
const CLUSTER: EndpointRequest = { endpoint: endpointAt("/node/status", "node"), params: {} };
const GAUGES = /^(cluster|epoch \d+|slot|TPS.*|SOL|stake|validators)$/;
/** The sections shown, and their number of rows. */
const HOME_SECTIONS: readonly (readonly [title: string, rows: number])[] = [
  ["latest blocks", 3],
  ["latest transactions", 3],
  ["top tokens", 5],
];

/** Requests and renders the start page. */
export async function homePage(context: PlainContext, onWait: (seconds?: number) => void): Promise<PlainPage> {
  const { services } = context;
  const all = sectionsFor(services);
  const sections = HOME_SECTIONS.flatMap(([title, most]) => {
    const section = all.find((one) => one.title === title);
    return section ? [{ section, most }] : [];
  });
  const requests = [
    services.supports(CLUSTER.endpoint) ? CLUSTER : CHAIN,
    ...sections.map(({ section: { endpoint, params } }) => ({ endpoint, params })),
  ];
  let isReported = false;
  const wait = (seconds?: number) => {
    if (!isReported) onWait(seconds);
    isReported = true;
  };
  const [chain, ...answers] = await Promise.all(requests.map((request) => waitForAnswer(request, context, wait)));
  const lines = chain ? chainSummary(chain, answers[0], services) : [];
  const choices: NumberedLinks[] = [];
  for (const [at, { section, most }] of sections.entries()) {
    const entry = answers[at];
    if (entry) lines.push(...sectionLines(section, most, entry, services, choices));
  }
  return { lines, choices };
}

/** Returns the status of the chain in a sentence. */
function chainSummary(chain: QueryState, blocks: QueryState | undefined, services: Services): string[] {
  const data = chain.answer?.data;
  if (!isObject(data)) return [`Chain status: ${problemText(chain, services)}`];
  const clock = relativeClock(services);
  const gauges = services.supports(CLUSTER.endpoint)
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

/** Returns why there is no answer, in one line. */
function problemText(entry: QueryState, { now, timeZone, source }: Services): string {
  const options = { now: now(), unicode: false, timeZone, keyOf: TYPED_COMMANDS, source: source.facts };
  const status = statusLine(entry, options);
  return status?.map(({ text }) => text).join("") ?? "No data.";
}
