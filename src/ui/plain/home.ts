/** The start page in plain lines: chain status, latest blocks, top tokens. */
import { isObject } from "../../base/index.ts";
import { routeTitle } from "../app/route.ts";
import type { Services } from "../app/services.ts";
import { statusLine } from "../data/status-text.ts";
import type { EndpointRequest, QueryState } from "../data/store.ts";
import { chainFacts } from "../pages/home/chain.ts";
import { type HomeSection, objectsIn, routeOfRow, SECTIONS } from "../pages/home/sections.ts";
import { endpointAt, relativeClock } from "../widgets/cells.ts";
import { type PlainContext, TYPED_COMMANDS, waitForAnswer } from "./answer.ts";
import type { NumberedLinks, PlainPage } from "./page.ts";

const CHAIN: EndpointRequest = { endpoint: endpointAt("/chaininfo", "public"), params: {} };
const FACTS = ["epoch", "slot", "progress", "speed"];
/** The sections shown, and their number of rows. */
const HOME_SECTIONS: readonly (readonly [title: string, rows: number])[] = [
  ["latest blocks", 3],
  ["top tokens", 5],
];

/** Requests and renders the start page. */
export async function homePage(context: PlainContext, onWait: (seconds?: number) => void): Promise<PlainPage> {
  const { services } = context;
  const sections = HOME_SECTIONS.flatMap(([title, most]) => {
    const section = SECTIONS.find((one) => one.title === title);
    return section ? [{ section, most }] : [];
  });
  const requests = [CHAIN, ...sections.map(({ section: { endpoint, params } }) => ({ endpoint, params }))];
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
  const facts = chainFacts(data, objectsIn(blocks?.answer?.rows), relativeClock(services), false);
  const words = facts.flatMap(({ label, value }) => {
    // Bars and charts are skipped.
    const text = value.filter((one) => /\p{L}|\p{N}/u.test(one.text)).map((one) => one.text);
    return FACTS.includes(label) && text.length > 0 ? [`${label}: ${text.join("").trim()}`] : [];
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
  const rows = objectsIn(entry.answer.rows).slice(0, most);
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
function problemText(entry: QueryState, { now, timeZone }: Services): string {
  const status = statusLine(entry, { now: now(), unicode: false, timeZone, keyOf: TYPED_COMMANDS });
  return status?.map(({ text }) => text).join("") ?? "No data.";
}
