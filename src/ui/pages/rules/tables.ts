/**
 * What rules watch and have found, as tables. A row makes its cells when it is drawn, so that hundreds of subjects cost
 * as much as those on the screen. No React here.
 */
import { groupThousands, HOUR_MS, isObject, pluralize, scalarText, toDecimal } from "../../../base/index.ts";
import { endpointByRoute } from "../../../catalogue/index.ts";
import { type Cell, formatCell, MISSING, safeText } from "../../../output/index.ts";
import { ageText } from "../../data/status-text.ts";
import { type Route, shortId } from "../../navigation/route.ts";
import type { FoundEvent, ParkedEvent, RulesState, RuleWatch, WatchedSubject } from "../../navigation/rule-watch.ts";
import { type Span, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { type Look, type ViewSummary, viewTitle } from "../../navigation/view.ts";
import { answerShape, changeSpan } from "../../widgets/cells.ts";
import { listColumns } from "../../widgets/list/columns.ts";
import { rowLinks } from "../../widgets/list/links.ts";
import { isTimeColumn } from "../../widgets/list/rows.ts";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import { changeSince, nextLook } from "../bookmarks/looks.ts";
import { pageOfRoute } from "../records.ts";

/** How tables are formatted. */
export interface RulesFormat extends Pick<RuleWatch, "now" | "nextPoll"> {
  readonly unicode: boolean;
  readonly timeZone: string | undefined;
  readonly nameOf: (address: string) => string | undefined;
}

/** A row of a table. */
export interface RulesRow extends TreeRow {
  /** Returns a cell for each heading, with ages of the present. */
  readonly cells: () => readonly Cell[];
  /** Returns the course of its number, drawn in place of the cell that is empty. */
  readonly points?: () => readonly number[];
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
  const eventRow = (
    one: FoundEvent,
    row: Pick<RulesRow, "key" | "parked">,
    cells: (subject: Cell) => readonly Cell[],
  ) => {
    const { rule, event, input } = one;
    const subject = subjects.get(one.subject);
    const name = lazily(() => plain(subject ? titleOf(subject, format) : (input ?? "")));
    return lazyRow({ ...row, rule, row: event, cells: () => cells(name()) }, () => targetOf(one, subject));
  };
  const parked: RulesTable = {
    name: "parked",
    heads: ["since", "action", "error", "subject", "tried"],
    rows: state.parked
      .toReversed()
      .map((one) =>
        eventRow(one, { key: `parked ${one.id}`, parked: one.id }, (subject) => [
          ...[age(one.found, format), plain(actionOf(one)), plain(one.error, "bad"), subject, number(one.attempts)],
        ]),
      ),
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
      rows: state.events.toReversed().map((one) => {
        const text = lazily(() => eventCell(one, subjects.get(one.subject), format));
        return eventRow(one, { key: `event ${one.id}` }, (subject) => [
          ...[age(one.found, format), plain(one.rule), subject, text()],
        ]);
      }),
      empty: "No events yet.",
    },
    ...(parked.rows.length > 0 ? [parked] : []),
    {
      name: "rules",
      heads: ["rule", "what", "every", "when", "then"],
      rows: state.rules.map(({ name, texts, actions }) => {
        const what = [name, texts.what, texts.every ?? "60s", texts.when ?? texts.changes, actions.join(", ")];
        const cells = () => what.map((text) => plain(text ?? ""));
        return lazyRow({ key: `rule ${name}`, rule: name, cells }, () => undefined);
      }),
      empty: "No rules.",
    },
  ];
}

const plain = (text: string, role?: Cell["role"]): Cell =>
  text === "" ? MISSING : { text: safeText(text), elastic: true, ...(role && { role }) };
const number = (count: number): Cell => ({ text: groupThousands(Math.round(count)), numeric: true });
const age = (at: number, { now }: RulesFormat): Cell => ({ text: `${ageText(now() - at)} ago`, role: "note" });
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
  const { name, rule, route, seen, cost, problem, isFeed } = subject;
  const title = lazily(() => ({ ...plain(titleOf(subject, format)), role: "link" }) as const);
  const points = () => (isFeed ? eventsPerHour(events, format.now()) : [...(seen?.points ?? []), ...subject.points]);
  const cells = () => {
    const now = format.now();
    const summary = summaryOf(subject, events, now);
    const [last, next] = [events.at(-1), format.nextPoll(name)];
    return [
      title(),
      problem === undefined ? plain(summary?.text ?? "") : plain(problem, "bad"),
      cellOf(changeSince(summary, seen, now, format.unicode)),
      { text: "" },
      last ? age(last.found, format) : MISSING,
      next === undefined ? MISSING : { text: next <= now ? "now" : `in ${ageText(next - now + 999)}` },
      number(cost.units),
    ];
  };
  return lazyRow({ key: name, rule, points, cells }, () => pageOfRoute(route));
}

/** Returns a function that makes a value at its first call, and returns it from then on. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Counts events in each of the last hours, the oldest hour first. */
function eventsPerHour(events: readonly FoundEvent[], now: number): readonly number[] {
  const hours = new Array<number>(DAY_HOURS).fill(0);
  for (const { found } of events) {
    const at = DAY_HOURS - 1 - Math.floor((now - found) / HOUR_MS);
    if (hours[at] !== undefined) hours[at] += 1;
  }
  return hours;
}

/** Returns a row whose target and text, for filters and copies, are found when they are needed. */
function lazyRow(row: Omit<RulesRow, "line" | "target">, target: () => Route | undefined): RulesRow {
  return {
    ...row,
    get target() {
      return target();
    },
    get line() {
      return [
        span(
          row
            .cells()
            .flatMap(({ text }) => (text === "" ? [] : [text]))
            .join("  "),
        ),
      ];
    },
  };
}

/** Returns where an event leads: to its transaction or another link of its row, or else to its subject. */
function targetOf({ event }: FoundEvent, subject: WatchedSubject | undefined): Route | undefined {
  const endpoint = subject && endpointByRoute(subject.route.endpointRoute);
  const links = endpoint && subject.isFeed ? rowLinks(event, { shape: answerShape(endpoint) }) : [];
  const link = links.find(({ route }) => route.kind === "entity" && route.entity === "transaction") ?? links[0];
  return link?.route ?? (subject && pageOfRoute(subject.route));
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
  const clock = { style: "relative", now: format.now(), timeZone: format.timeZone, numbers: "brief" } as const;
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
