/** What rules watch and have found, as tables. No React here. */
import { groupThousands, HOUR_MS, isObject, type Json, pluralize, scalarText, toDecimal } from "../../../base/index.ts";
import { endpointByRoute } from "../../../catalogue/index.ts";
import { type Cell, formatCell, MISSING, safeText } from "../../../output/index.ts";
import { ageText } from "../../data/status-text.ts";
import { type Route, shortId } from "../../navigation/route.ts";
import type { FoundEvent, ParkedEvent, RulesState, WatchedSubject } from "../../navigation/rule-watch.ts";
import type { Span, TextLine } from "../../navigation/theme/text-line.ts";
import { type Look, type ViewSummary, viewTitle } from "../../navigation/view.ts";
import { answerShape, changeSpan } from "../../widgets/cells.ts";
import { listColumns } from "../../widgets/list/columns.ts";
import { rowLinks } from "../../widgets/list/links.ts";
import { isTimeColumn } from "../../widgets/list/rows.ts";
import { changeSince, nextLook } from "../bookmarks/looks.ts";
import { pageOfRoute } from "../records.ts";

/** How tables are formatted. */
export interface RulesFormat {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly unicode: boolean;
  readonly timeZone: string | undefined;
  readonly nameOf: (address: string) => string | undefined;
}

/** A row of a table. */
export interface RulesRow {
  readonly key: string;
  /** A cell for each heading. */
  readonly cells: readonly Cell[];
  /** The course of its number, drawn in place of the cell that is empty. */
  readonly points?: readonly number[] | undefined;
  readonly target?: Route | undefined;
  /** What is copied. */
  readonly row?: Json | undefined;
  readonly rule: string;
  /** The parked event that it is. */
  readonly parked?: number | undefined;
}

/** A table of the dashboard. */
export interface RulesTable {
  readonly name: "subjects" | "events" | "parked" | "rules";
  readonly heads: readonly string[];
  readonly rows: readonly RulesRow[];
  /** What is said in place of rows. */
  readonly empty: string;
}

const COURSE = "course";
/** The heading below which rows draw their points. */
export const isCourse = (head: string): boolean => head === COURSE;

/** Returns the tables, the most important one first; that of parked events only where there are some. */
export function rulesTables(state: RulesState, format: RulesFormat): readonly RulesTable[] {
  const bySubject = Map.groupBy(state.events, ({ subject }) => subject);
  const subjects = new Map(state.subjects.map((one) => [one.name, one]));
  const nameOf = ({ subject, input }: FoundEvent) => {
    const known = subjects.get(subject);
    return plain(known ? titleOf(known, format) : (input ?? ""));
  };
  const parked: RulesTable = {
    name: "parked",
    heads: ["since", "action", "error", "subject", "tried"],
    rows: state.parked.toReversed().map((one) => ({
      ...rowOfEvent(one, subjects.get(one.subject)),
      ...{ key: `parked ${one.id}`, parked: one.id },
      cells: [age(one.found, format), plain(actionOf(one)), plain(one.error, "bad"), nameOf(one), number(one.attempts)],
    })),
    empty: "",
  };
  return [
    {
      name: "subjects",
      heads: ["subject", "now", "change", COURSE, "last event", "next poll", "units/h"],
      rows: state.subjects.map((one) => subjectRow(one, bySubject.get(one.name) ?? [], format)),
      empty: state.mode === "opening" ? "Reading the rules." : "No rules are watched.",
    },
    {
      name: "events",
      heads: ["found", "rule", "subject", "event"],
      rows: state.events.toReversed().map((one) => ({
        ...rowOfEvent(one, subjects.get(one.subject)),
        cells: [
          age(one.found, format),
          plain(one.rule),
          nameOf(one),
          eventCell(one, subjects.get(one.subject), format),
        ],
      })),
      empty: "No events yet.",
    },
    ...(parked.rows.length > 0 ? [parked] : []),
    {
      name: "rules",
      heads: ["rule", "what", "every", "when", "then"],
      rows: state.rules.map(({ name, texts, actions }) => ({
        ...{ key: `rule ${name}`, rule: name },
        cells: [
          ...[name, texts.what, texts.every ?? "60s", texts.when ?? texts.changes].map((text) => plain(text ?? "")),
          plain(actions.join(", ")),
        ],
      })),
      empty: "No rules.",
    },
  ];
}

const plain = (text: string, role?: Cell["role"]): Cell =>
  text === "" ? MISSING : { text: safeText(text), elastic: true, ...(role && { role }) };
const number = (count: number): Cell => ({ text: groupThousands(Math.round(count)), numeric: true });
const age = (at: number, { now }: RulesFormat): Cell => ({ text: `${ageText(now - at)} ago`, role: "note" });
const cellOf = ([first, ...rest]: TextLine): Cell =>
  first
    ? { text: [first, ...rest].map(({ text }) => text).join(""), ...(first.role && { role: first.role }) }
    : MISSING;

const titleOf = ({ route }: WatchedSubject, { nameOf }: RulesFormat) =>
  viewTitle({ route: pageOfRoute(route) }, nameOf);
/** An action without what tells it from others of its kind. */
const actionOf = ({ action }: ParkedEvent) => action.split(" ").slice(0, 2).join(" ");

const DAY_HOURS = 24;

/** Returns what a subject amounts to: of a list with new rows, its events of the last day. */
function summaryOf(
  { summary, isFeed }: WatchedSubject,
  events: readonly FoundEvent[],
  now: number,
): ViewSummary | undefined {
  if (!isFeed) return summary;
  const count = events.filter(({ found }) => found > now - DAY_HOURS * HOUR_MS).length;
  return { text: `${pluralize(count, "event")} in 24h`, value: count, keys: events.toReversed().map(({ key }) => key) };
}

/** Returns what is remembered of a look at all subjects. */
export function looksOf({ subjects, events }: RulesState, now: number): ReadonlyMap<string, Look> {
  const bySubject = Map.groupBy(events, ({ subject }) => subject);
  return new Map(
    subjects.flatMap((one) => {
      const summary = summaryOf(one, bySubject.get(one.name) ?? [], now);
      return summary ? [[one.name, nextLook(summary, one.seen, now)] as const] : [];
    }),
  );
}

function subjectRow(subject: WatchedSubject, events: readonly FoundEvent[], format: RulesFormat): RulesRow {
  const { name, rule, route, seen, nextPoll, cost, problem, isFeed } = subject;
  const { now, unicode } = format;
  const summary = summaryOf(subject, events, now);
  const last = events.at(-1);
  const hourly = Array.from({ length: DAY_HOURS }, (_, hour) => {
    const from = now - (DAY_HOURS - hour) * HOUR_MS;
    return events.filter(({ found }) => found > from && found <= from + HOUR_MS).length;
  });
  const value = problem === undefined ? plain(summary?.text ?? "") : plain(problem, "bad");
  return {
    ...{ key: name, rule, target: pageOfRoute(route) },
    points: isFeed ? hourly : [...(seen?.points ?? []), ...subject.points],
    cells: [
      { ...plain(titleOf(subject, format)), role: "link" },
      value,
      cellOf(changeSince(summary, seen, now, unicode)),
      { text: "" },
      last ? age(last.found, format) : MISSING,
      nextPoll === undefined ? MISSING : { text: nextPoll <= now ? "now" : `in ${ageText(nextPoll - now + 999)}` },
      number(cost.units),
    ],
  };
}

function rowOfEvent(one: FoundEvent, subject: WatchedSubject | undefined): RulesRow {
  const { id, rule, event } = one;
  const endpoint = subject && endpointByRoute(subject.route.endpointRoute);
  const links = endpoint && subject.isFeed ? rowLinks(event, { shape: answerShape(endpoint) }) : [];
  const link = links.find(({ route }) => route.kind === "entity" && route.entity === "transaction") ?? links[0];
  const target = link?.route ?? (subject && pageOfRoute(subject.route));
  return { key: `event ${id}`, cells: [], rule, row: event, target };
}

/** Fields of a row that an event shows. */
const EVENT_FIELDS = 5;

/** Returns an event as text: the first fields of a row, or the values before and after a change. */
function eventCell({ event }: FoundEvent, subject: WatchedSubject | undefined, format: RulesFormat): Cell {
  if (!isObject(event)) return MISSING;
  const endpoint = subject && endpointByRoute(subject.route.endpointRoute);
  if (!endpoint || !subject.isFeed) {
    const { field = null, change = null, old = null, new: value = null, change_pct: percent = null } = event;
    if (field === null) return plain(scalarText(change) ?? "");
    const share = toDecimal(percent);
    const end: Span | undefined = share && changeSpan(share, format.unicode);
    const [before, after] = [old, value].map((one) => scalarText(one) ?? JSON.stringify(one));
    const arrow = format.unicode ? "→" : "->";
    return plain(`${scalarText(field)} ${before} ${arrow} ${after}${end ? `  ${end.text}` : ""}`, end?.role);
  }
  const columns = listColumns({ endpoint, shape: answerShape(endpoint), rows: [event] });
  const clock = { style: "relative", now: format.now, timeZone: format.timeZone, numbers: "brief" } as const;
  const parts = columns
    .filter((column) => !isTimeColumn(column))
    .flatMap((column) => {
      const { text, role, ids } = formatCell(event, column, { clock });
      const [id] = ids ?? [];
      return role === "missing" || text === ""
        ? []
        : [`${column.head} ${id ? (format.nameOf(id) ?? shortId(id)) : text}`];
    });
  return plain(parts.slice(0, EVENT_FIELDS).join("  "));
}
