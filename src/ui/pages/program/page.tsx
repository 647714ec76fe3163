/** The page of a program: what it is, how much it is used and what calls it. */

import { useMemo } from "react";
import { fieldOf, isObject, type JsonObject, listOf, textOf, toDecimal, toNumber } from "../../../base/index.ts";
import { NodeProgram, ProgramAnalytics } from "../../../catalogue/schemas.ts";
import { type Clock, safeText } from "../../../output/index.ts";
import { useResource } from "../../data/hooks.ts";
import { isEmpty, ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { Lines } from "../../frame/lines.tsx";
import { shareBar } from "../../frame/share-bar.ts";
import { useBindings, useExplorer, useSubject, useViewState } from "../../navigation/context.ts";
import { bindAction, refreshBinding, valuesBinding } from "../../navigation/keys/bindings.ts";
import { routeForValue } from "../../navigation/route.ts";
import {
  fitLine,
  fitLines,
  joinEnds,
  joinFitting,
  lineWidth,
  type Role,
  span,
  type TextLine,
} from "../../navigation/theme/text-line.ts";
import { answerObject, cellSpan, changeSpan, formatField, relativeClock } from "../../widgets/cells.ts";
import { type BarPart, barsPlot, partSign } from "../../widgets/chart/bars.ts";
import { drawChart } from "../../widgets/chart/frame.ts";
import { rangeBindings } from "../../widgets/chart/heading.ts";
import { useChartStyle } from "../../widgets/chart/panel.tsx";
import type { ChartStyle } from "../../widgets/chart/plot.ts";
import { dailySeries } from "../../widgets/chart/series.ts";
import { DetailPanel } from "../../widgets/detail/panel.tsx";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import { accountRoute } from "../account/record.ts";
import { shortNumber } from "../entity/fields.ts";
import { EntityLayout, useEntity } from "../entity/layout.tsx";
import { AnswerRows } from "../entity/panels.tsx";
import { blankRow, headingRow, noteRow } from "../entity/rows.ts";
import type { EntityRoute, PageProps, TabProps } from "../props.ts";
import { ANALYTICS, NODE_PROGRAM, PROGRAM_PAGE } from "./record.ts";

/** Shows a program. */
export function ProgramPage(props: PageProps<EntityRoute>) {
  const { navigation } = useExplorer();
  const page = useEntity(PROGRAM_PAGE, props);
  const toAccount = () => navigation.open(accountRoute(page.id));
  useBindings("screen", [bindAction("account.as-account", "open as account", toAccount, { hint: 15 })]);
  return (
    <EntityLayout
      page={page}
      tabs={{
        code: (tab) => <AnswerRows endpoint={NODE_PROGRAM} rowsOf={programRows} {...tab} />,
        activity: (tab) => <ProgramActivity {...tab} />,
      }}
    />
  );
}

const LABEL_WIDTH = 20;

/** Fields in their order, with what they are called. */
const CODE_FIELDS: readonly (readonly [field: string, label: string])[] = [
  ["name", "name"],
  ["loader", "loader"],
  ["upgradeable", "upgradeable"],
  ["upgrade_authority", "upgrade authority"],
  ["program_data", "program data"],
  ["last_deployed_slot", "last deployed"],
  ["size", "bytes of code"],
  ["security_contact", "security contact"],
];
const IDL_FIELDS: readonly (readonly [field: string, label: string])[] = [
  ["idl_name", "name"],
  ["idl_version", "version"],
  ["idl_source", "published by"],
];

function programRows(program: JsonObject, clock: Clock): readonly TreeRow[] {
  const fieldRows = (fields: typeof CODE_FIELDS) =>
    fields.flatMap(([field, label]) => {
      const value = valueSpan(program, field, clock);
      return value ? [{ key: field, line: [span(label.padEnd(LABEL_WIDTH), "key"), value] }] : [];
    });
  const nameRows = (field: "instructions" | "accounts"): readonly TreeRow[] => {
    const names = listOf(program[field]).flatMap((name) => textOf(name) ?? []);
    const children = names.map((name, at): TreeRow => ({ key: `${field} ${at}`, line: [span(safeText(name))] }));
    const line = [span(field, "key"), span(` ${names.length}`, "note")];
    return names.length === 0 ? [] : [{ key: field, line, isOpen: true, children }];
  };
  const idl = [...fieldRows(IDL_FIELDS), ...nameRows("instructions"), ...nameRows("accounts")];
  return [
    headingRow("Program"),
    ...fieldRows(CODE_FIELDS),
    blankRow("interface"),
    headingRow("Interface"),
    ...(idl.length > 0 ? idl : [noteRow("no idl", "The program publishes none on the chain.")]),
  ];
}

function valueSpan(program: JsonObject, field: string, clock: Clock): LinkSpan | undefined {
  const value = program[field];
  if (field === "upgrade_authority" && value === null) return span("none: the code cannot be replaced", "good");
  const cell = formatField(NodeProgram, program, field, clock);
  if (value === undefined || value === null || cell.role === "missing") return undefined;
  if (field === "last_deployed_slot") {
    return { ...cellSpan(cell), role: "link", target: routeForValue(value, "slot", field) };
  }
  const target = typeof value === "string" ? routeForValue(value, "address", "account") : undefined;
  return target && typeof value === "string" && field !== "name"
    ? { text: value, role: "link", target, cell: { field, value, kind: "address" } }
    : cellSpan(cell);
}

/** The ranges of the endpoint in days. */
const DAYS = [7, 30] as const;
type ProgramDays = (typeof DAYS)[number];

const INITIAL_STATE: { readonly days: ProgramDays; readonly isTable: boolean } = { days: 30, isTable: false };

function ProgramActivity({ id, region, part }: TabProps) {
  const { services } = useExplorer();
  const style = useChartStyle();
  const [{ days, isTable }, set] = useViewState(part, INITIAL_STATE);
  const params = useMemo(() => ({ address: id, range: days }), [id, days]);
  const resource = useResource(ANALYTICS, params);
  const status = useResourceLine(resource);
  useBindings("screen", [
    ...rangeBindings(DAYS, days, (change) => set((before) => ({ ...before, days: change(before.days) }))),
    valuesBinding(isTable ? "chart" : "fields", () => set((before) => ({ ...before, isTable: !before.isTable }))),
    refreshBinding(resource.refresh, !isTable),
  ]);
  const answer = answerObject(resource);
  useSubject(isTable ? undefined : { request: resource.request, row: answer });
  if (isTable) return <DetailPanel endpoint={ANALYTICS} params={params} region={region} part={`${part} fields`} />;
  if (!answer || isEmpty(resource)) return <ResourceStatus resource={resource} region={region} />;
  const { width, height } = region;
  const clock = relativeClock(services);
  const header = [totalsLine(answer, clock, { width, unicode: services.unicode }), ...(status ? [status] : [])];
  const body = activityLines(answer, { ...style, clock, width, height: height - header.length });
  return <Lines lines={[...header, ...body]} width={width} height={height} />;
}

/** Returns the totals of the range, and the users of the last 24 hours, as many as fit. */
function totalsLine(answer: JsonObject, clock: Clock, { width, unicode }: Pick<ActivityOptions, "width" | "unicode">) {
  const format = (field: string) => shortNumber(formatField(ProgramAnalytics, answer, field, clock).text);
  const [all, succeeded] = [toNumber(answer.num_trans) ?? 0, toNumber(answer.num_trans_success) ?? 0];
  const change = toDecimal(answer.active_users_change_24);
  const part = (name: string, value: string): TextLine => [span(`${name} `, "key"), span(value)];
  const parts: readonly TextLine[] = [
    [span(`${format("days")} days`, "title")],
    part("transactions", format("num_trans")),
    part("successful", all === 0 ? "-" : `${Math.round((succeeded / all) * 1000) / 10}%`),
    part("volume", format("interaction_volume")),
    part("users 24h", format("last_24h_active_users")),
    change ? [changeSpan(change, unicode)] : [],
  ];
  return joinFitting(parts, width);
}

interface ActivityOptions extends ChartStyle {
  readonly width: number;
  readonly height: number;
  readonly clock: Clock;
}

/** Minimum width of charts with the instructions beside them, and maximum width of the instructions. */
const MIN_WIDE = 72;
/** Lines of instructions that are below the charts in any window. */
const FEW_INSTRUCTIONS = 4;
const MAX_INSTRUCTIONS_WIDTH = 56;
/** Minimum height of a chart with its title. */
const MIN_CHART_HEIGHT = 7;
const GAP = 3;

/** Returns the charts with the instructions beside them, or below where these are few or the window is narrow. */
function activityLines(answer: JsonObject, options: ActivityOptions): readonly TextLine[] {
  const { width, height } = options;
  const all = instructionLines(answer, options);
  if (width < MIN_WIDE || all.length <= FEW_INSTRUCTIONS) {
    const list = all.slice(0, Math.max(0, Math.floor(height / 2) - 1));
    return [...chartLines(answer, { ...options, height: height - list.length }), ...list];
  }
  const side = Math.min(MAX_INSTRUCTIONS_WIDTH, Math.floor(width * 0.4));
  const charts = chartLines(answer, { ...options, width: width - side - GAP });
  const list = fitLines(instructionLines(answer, { ...options, width: side }), side, height);
  return charts.map((line, at) => [...line, span(" ".repeat(GAP)), ...(list[at] ?? [])]);
}

function chartLines(answer: JsonObject, options: ActivityOptions): readonly TextLine[] {
  const { width, height, clock } = options;
  const days = listOf(answer.data)
    .filter(isObject)
    .map(
      (row): JsonObject => ({
        ...row,
        failed: (toNumber(row.num_trans) ?? 0) - (toNumber(row.num_trans_success) ?? 0),
      }),
    );
  const part = (role: Role, field: string): BarPart => ({ role, points: dailySeries(days, "day", [field]) });
  const legend = OUTCOMES.flatMap(({ name, role }, at) => [
    span(`  ${partSign(at, options)} `, role),
    span(name, "key"),
  ]);
  const charts = [
    {
      title: "transactions",
      field: "num_trans",
      legend,
      parts: OUTCOMES.map(({ role, field }) => part(role, field)),
    },
    { title: "users", field: "active_users", parts: [part("bar", "active_users")] },
    { title: "volume", field: "interaction_volume", parts: [part("bar", "interaction_volume")], unit: "$" },
  ].slice(0, Math.max(1, Math.floor(height / MIN_CHART_HEIGHT)));
  return charts.flatMap(({ title, field, legend: names = [], parts, unit }, at) => {
    const value = { value: days.at(-1)?.[field] ?? null };
    const latest = formatField(unit === "$" ? VOLUME_FIELD : COUNT_FIELD, value, "value", clock).text;
    const lines = Math.floor((height * (at + 1)) / charts.length) - Math.floor((height * at) / charts.length);
    const chart = drawChart(barsPlot(parts), { ...options, height: lines - 1, unit, empty: "No days in this range." });
    const heading = joinEnds([span(title, "title"), ...names], [span(shortNumber(latest))], width);
    return [heading, ...chart.lines()];
  });
}

const OUTCOMES = [
  { name: "successful", role: "good", field: "num_trans_success" },
  { name: "failed", role: "bad", field: "failed" },
] as const;

/** A count and a value in dollars, as formatted by the fields of the entity. */
const COUNT_FIELD = { shape: { value: ProgramAnalytics.shape.num_trans } };
const VOLUME_FIELD = { shape: { value: ProgramAnalytics.shape.interaction_volume } };

/** Returns the instructions of all days and how often each was executed, the most frequent first. */
export function countInstructions(answer: JsonObject): readonly { readonly name: string; readonly count: number }[] {
  const totals = new Map<string, number>();
  for (const day of listOf(answer.data)) {
    const instructions = fieldOf(day, "insts");
    for (const [name, value] of Object.entries(isObject(instructions) ? instructions : {})) {
      const count = toNumber(value);
      if (count !== undefined) totals.set(name, (totals.get(name) ?? 0) + count);
    }
  }
  return [...totals]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

/** Minimum width of the instructions with bars, of a bar, and the width of a share. */
const MIN_WIDTH_WITH_BARS = 40;
const MIN_BAR = 6;
const SHARE_WIDTH = 9;

function instructionLines(answer: JsonObject, { width, unicode, clock }: ActivityOptions): readonly TextLine[] {
  const counted = countInstructions(answer);
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  const rows = counted.map(({ name, count }) => ({
    name: safeText(name),
    share: total === 0 ? 0 : count / total,
    text: shortNumber(formatField(COUNT_FIELD, { value: count }, "value", clock).text),
  }));
  const countWidth = Math.max(0, ...rows.map(({ text }) => text.length));
  const bar = width < MIN_WIDTH_WITH_BARS ? 0 : MIN_BAR;
  const longest = Math.max(8, ...rows.map(({ name }) => lineWidth([span(name)])));
  const nameWidth = Math.min(longest, Math.max(8, width - countWidth - SHARE_WIDTH - bar));
  const barWidth = bar === 0 ? 0 : Math.max(0, width - nameWidth - countWidth - SHARE_WIDTH);
  return [
    [span("instructions", "title"), ...(total === 0 ? [span("  none", "note")] : [])],
    ...rows.map(({ name, share, text }) => [
      ...fitLine([span(name)], nameWidth),
      span(` ${text.padStart(countWidth)} `),
      span(`${(share * 100).toFixed(1).padStart(5)}% `, "note"),
      ...shareBar(share, barWidth, unicode),
    ]),
  ];
}
