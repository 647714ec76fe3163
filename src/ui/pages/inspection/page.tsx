/** The page of a serialised transaction: decoded and simulated by the node before it is sent. */
import { useCallback, useEffect, useMemo, useState } from "react";
import {
  countOf,
  fieldOf,
  groupThousands,
  InterruptedError,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  numericText,
  type SolxError,
  textOf,
  toDecimal,
} from "../../../base/index.ts";
import { InspectedTransaction } from "../../../catalogue/schemas.ts";
import { type Clock, safeText } from "../../../output/index.ts";
import { toSolxError } from "../../data/query.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { useBindings, useExplorer } from "../../navigation/context.ts";
import { IDLE_QUERY } from "../../navigation/data-store.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { routeForValue, shortId } from "../../navigation/route.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { formatAs, relativeClock } from "../../widgets/cells.ts";
import { TreePanel } from "../../widgets/tree/panel.tsx";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import { fieldValues } from "../entity/fields.ts";
import { type Fact, summaryHeight, summaryLines } from "../entity/header.ts";
import { type Tab, TabbedPage } from "../entity/layout.tsx";
import { joinSections, noteRow, titledRows } from "../entity/rows.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { logDepths } from "../transaction/calls.ts";
import { withUnits } from "../transaction/instructions.ts";

interface Inspection {
  readonly result: JsonObject | undefined;
  readonly problem: SolxError | undefined;
}

const LOADING: Inspection = { result: undefined, problem: undefined };

/** Inspects a transaction with the node of this run; returns the result and how to repeat it. */
function useInspection(text: string): readonly [inspection: Inspection, repeat: () => void] {
  const { services } = useExplorer();
  const [inspection, setInspection] = useState(LOADING);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt repeats the inspection.
  useEffect(() => {
    const controller = new AbortController();
    setInspection(LOADING);
    services.inspect?.(text, controller.signal).then(
      (result) => setInspection({ result, problem: undefined }),
      (error: unknown) => {
        if (!controller.signal.aborted) setInspection({ result: undefined, problem: toSolxError(error) });
      },
    );
    return () => controller.abort(new InterruptedError());
  }, [services, text, attempt]);
  return [inspection, useCallback(() => setAttempt((count) => count + 1), [])];
}

/** Shows a serialised transaction. */
export function InspectionPage({ route, region }: PageProps<EntityRoute>) {
  const { services } = useExplorer();
  const [{ result, problem }, repeat] = useInspection(route.id);
  const resource = { ...IDLE_QUERY, isLoading: !result && !problem, problem };
  const state = useResourceLine(resource);
  useBindings("screen", [bindAction("view.refresh", "simulate again", repeat, { hint: 20 })]);
  const { unicode } = services;
  const tabs = useMemo(() => {
    const clock = relativeClock(services);
    return INSPECTION_TABS.map(({ name, rowsOf }) => ({ name, rows: result && rowsOf(result, clock, unicode) }));
  }, [result, services, unicode]);
  const notes = [
    [span("Transaction before it is sent", "title"), span(`  ${shortId(route.id)}`, "note")],
    ...(state ? [state] : []),
  ];
  const facts = result ? inspectionFacts(result, relativeClock(services), unicode) : [];
  const header = [...notes, ...summaryLines(facts, region.width, summaryHeight(region.height) - notes.length)];
  const panels = tabs.map(
    ({ name, rows }): Tab => ({
      name,
      render: (inner) =>
        rows ? (
          <TreePanel rows={rows} region={inner} part={name} />
        ) : (
          <ResourceStatus resource={resource} region={inner} />
        ),
    }),
  );
  return <TabbedPage route={route} region={region} header={header} tabs={panels} />;
}

interface InspectionTab {
  readonly name: string;
  readonly rowsOf: (result: JsonObject, clock: Clock, unicode: boolean) => readonly TreeRow[];
}

const INSPECTION_TABS: readonly InspectionTab[] = [
  { name: "outcome", rowsOf: outcomeRows },
  { name: "instructions", rowsOf: (result, _clock, unicode) => instructionRows(result, unicode) },
  { name: "accounts", rowsOf: accountRows },
  { name: "logs", rowsOf: logRows },
];

const link = (value: Json | undefined, text?: string): LinkSpan => {
  const id = textOf(value);
  if (id === undefined) return span("unknown", "missing");
  const target = routeForValue(id, "address", "account");
  return { text: safeText(text ?? id), role: "link", target, cell: { field: "address", value: id, kind: "address" } };
};

function inspectionFacts(result: JsonObject, clock: Clock, unicode: boolean): readonly Fact[] {
  const { line } = fieldValues(InspectedTransaction, result, clock);
  const { simulation } = result;
  const error = textOf(fieldOf(simulation, "error_text"));
  const failed = fieldOf(simulation, "status") === "failed";
  const [good, bad] = unicode ? ["✔ ", "✖ "] : ["", ""];
  const outcome = failed
    ? span(`${bad}would fail${error === undefined ? "" : `: ${safeText(error)}`}`, "bad")
    : span(`${good}would succeed`, "good");
  const [units, limit] = [fieldOf(simulation, "compute_units"), result.compute_unit_limit].map(countOf);
  const limitNote = span(limit === undefined ? "" : ` of ${groupThousands(limit)}`, "note");
  return [
    {
      label: "simulation",
      value: [isObject(simulation) ? outcome : span("none", "missing")],
      onOwnLine: failed,
    },
    { label: "fee", value: line("fee") },
    { label: "units", value: units === undefined ? [] : [span(groupThousands(units)), limitNote] },
    { label: "version", value: line("version") },
    { label: "size", value: [...line("size"), span(" of "), ...line("max_size"), span(" bytes")] },
    { label: "fee payer", value: line("fee_payer") },
  ];
}

const AMOUNT_WIDTH = 22;

function outcomeRows({ simulation, signatures, notes }: JsonObject, clock: Clock): readonly TreeRow[] {
  const amount = (text: string, isLoss: boolean) =>
    span(`${isLoss ? "" : "+"}${text}`.padStart(AMOUNT_WIDTH), isLoss ? "bad" : "good");
  const gap = span("  ");
  const sol = listOf(fieldOf(simulation, "sol_changes")).map((row, at): TreeRow => {
    const change = fieldOf(row, "change");
    const { text } = formatAs("lamports", change, clock);
    const line = [amount(text, toDecimal(change)?.negative ?? true), gap, link(fieldOf(row, "address"))];
    return { key: `sol ${at}`, row, line };
  });
  const tokens = listOf(fieldOf(simulation, "token_changes")).map((row, at): TreeRow => {
    const change = textOf(fieldOf(row, "change_ui")) ?? "";
    const mint = fieldOf(row, "mint");
    const token = { ...link(mint, textOf(fieldOf(row, "symbol"))), target: routeForValue(mint, "address", "mint") };
    const line = [amount(change, change.startsWith("-")), gap, token, gap, link(fieldOf(row, "owner"))];
    return { key: `token ${at}`, row, line };
  });
  const signers = listOf(signatures).map((row, at): TreeRow => {
    const status = textOf(fieldOf(row, "status")) ?? "unknown";
    const role = status === "valid" ? "good" : status === "invalid" ? "bad" : "note";
    return { key: `signer ${at}`, row, line: [span(status.padEnd(9), role), link(fieldOf(row, "signer"))] };
  });
  const changes = [...sol, ...tokens];
  return joinSections([
    titledRows(
      "Balance changes",
      changes.length > 0 ? changes : [noteRow("no changes", "The simulation changes no balance.")],
    ),
    titledRows("Signatures", signers),
    titledRows(
      "Notes",
      listOf(notes).map((text, at) => noteRow(`note ${at}`, safeText(textOf(text) ?? ""))),
    ),
  ]);
}

/** Returns the instructions as a tree with their compute units; their position says which called which. */
function instructionRows({ instructions }: JsonObject, unicode: boolean): readonly TreeRow[] {
  const rows = listOf(instructions);
  const limit = Math.max(0, ...rows.map((row) => countOf(fieldOf(row, "compute_units")) ?? 0));
  const below = (parent: string): readonly TreeRow[] =>
    rows.flatMap((row) => {
      const index = textOf(fieldOf(row, "index")) ?? "";
      if (index.split(".").slice(0, -1).join(".") !== parent) return [];
      const inner = below(index);
      return {
        key: index,
        row,
        line: (width: number) =>
          withUnits(instructionLine(row, index), countOf(fieldOf(row, "compute_units")), { limit, width, unicode }),
        children: [...infoRows(index, fieldOf(row, "info")), ...inner],
        isOpen: inner.length > 0,
      };
    });
  const all = below("");
  return all.length > 0 ? all : [noteRow("none", "No instructions.")];
}

function instructionLine(row: Json, index: string): readonly LinkSpan[] {
  const status = textOf(fieldOf(row, "status"));
  const type = textOf(fieldOf(row, "type"));
  return [
    span(`${index} `, "key"),
    link(fieldOf(row, "program"), textOf(fieldOf(row, "program_name"))),
    span(" "),
    type === undefined ? span("unnamed instruction", "missing") : span(safeText(type), "title"),
    ...(status === "failed" ? [span(" failed", "bad")] : status === "not run" ? [span(" not run", "note")] : []),
  ];
}

function infoRows(index: string, info: Json | undefined): readonly TreeRow[] {
  return Object.entries(isObject(info) ? info : {}).map(([name, value]) => {
    const isLink = typeof value === "string" && routeForValue(value, "address", name) !== undefined;
    const amount = textOf(fieldOf(value, "uiAmountString"));
    const plain = isNumeric(value) ? numericText(value) : typeof value === "string" ? value : JSON.stringify(value);
    const label = span(`${safeText(name)} `, "key");
    return {
      key: `${index} ${name}`,
      row: value,
      line: [label, isLink ? link(value) : span(safeText(amount ?? plain))],
    };
  });
}

function accountRows({ accounts }: JsonObject): readonly TreeRow[] {
  return listOf(accounts).map((row, at): TreeRow => {
    const roles = [
      fieldOf(row, "signer") === true ? "signer" : "",
      fieldOf(row, "writable") === true ? "writable" : "read only",
      fieldOf(row, "source") === "lookupTable" ? "lookup table" : "",
    ].filter(Boolean);
    const name = textOf(fieldOf(row, "name"));
    return {
      key: `${at}`,
      row,
      line: [
        span(`${String(at).padStart(2)}  `, "key"),
        link(fieldOf(row, "address")),
        span(`  ${roles.join(", ")}`, "note"),
        span(name === undefined ? "" : `  ${safeText(name)}`),
      ],
    };
  });
}

const INDENT = 2;

function logRows({ simulation }: JsonObject): readonly TreeRow[] {
  const lines = listOf(fieldOf(simulation, "logs")).map((line) => textOf(line) ?? "");
  if (lines.length === 0) return [noteRow("none", "The simulation has no logs.")];
  const depths = logDepths(lines);
  return lines.map((text, at) => ({
    key: `${at}`,
    line: [span(" ".repeat(INDENT * (depths[at] ?? 0))), span(safeText(text), / failed/.test(text) ? "bad" : "note")],
    cell: { field: "logs", value: text, kind: "text" },
  }));
}
