/** An inspected transaction as rows: what it would do, its instructions, accounts and logs. */
import {
  countOf,
  decimalOf,
  fieldOf,
  groupThousands,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  numericText,
  textOf,
} from "../../../base/index.ts";
import { InspectedTransaction } from "../../../catalogue/schemas.ts";
import { type Clock, safeText } from "../../../output/index.ts";
import { routeForValue } from "../../navigation/route-for.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { cellSpan, formatAs, formatField } from "../../widgets/cells.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import type { Fact } from "../entity/summary.ts";
import { logDepths } from "../transaction/logs.ts";
import { withUnits } from "../transaction/units.ts";

const INDENT = 2;

const link = (value: Json | undefined, text?: string): LinkSpan => {
  const id = textOf(value);
  if (id === undefined) return span("unknown", "missing");
  const target = routeForValue(id, "address", "account");
  return { text: safeText(text ?? id), role: "link", target, cell: { field: "address", value: id, kind: "address" } };
};

const note = (key: string, text: string): TreeRow => ({ key, line: [span(text, "note")] });
const heading = (text: string): TreeRow => ({ key: `heading ${text}`, line: [span(text, "heading")], isStatic: true });
const blank = (key: string): TreeRow => ({ key: `blank ${key}`, line: [], isStatic: true });

/** Returns the facts of an inspected transaction, the most important first. */
export function inspectionFacts(result: JsonObject, clock: Clock, unicode: boolean): readonly Fact[] {
  const value = (field: string) => {
    const cell = formatField(InspectedTransaction, result, field, clock);
    return cell.role === "missing" ? [] : [cellSpan(cell)];
  };
  const { simulation } = result;
  const error = textOf(fieldOf(simulation, "error_text"));
  const failed = fieldOf(simulation, "status") === "failed";
  const units = countOf(fieldOf(simulation, "compute_units"));
  const limit = countOf(result.compute_unit_limit);
  const [good, bad] = unicode ? ["✔ ", "✖ "] : ["", ""];
  return [
    {
      label: "simulation",
      value: !isObject(simulation)
        ? [span("none", "missing")]
        : failed
          ? [span(`${bad}would fail${error === undefined ? "" : `: ${safeText(error)}`}`, "bad")]
          : [span(`${good}would succeed`, "good")],
      onOwnLine: failed,
    },
    { label: "fee", value: value("fee") },
    {
      label: "units",
      value:
        units === undefined
          ? []
          : [span(groupThousands(units)), span(limit === undefined ? "" : ` of ${groupThousands(limit)}`, "note")],
    },
    { label: "version", value: value("version") },
    { label: "size", value: [...value("size"), span(" of "), ...value("max_size"), span(" bytes")] },
    { label: "fee payer", value: value("fee_payer") },
  ];
}

/** Returns what the simulation changes, and the signatures. */
export function outcomeRows(result: JsonObject, clock: Clock): readonly TreeRow[] {
  const { simulation } = result;
  const sol = listOf(fieldOf(simulation, "sol_changes"));
  const tokens = listOf(fieldOf(simulation, "token_changes"));
  const signed = (text: string, isLoss: boolean) => span(text.padStart(AMOUNT_WIDTH), isLoss ? "bad" : "good");
  const changes = [
    ...sol.map((row, at): TreeRow => {
      const change = decimalOf(fieldOf(row, "change"));
      const { text } = formatAs("lamports", fieldOf(row, "change"), clock);
      const sign = change && !change.negative ? "+" : "";
      return {
        key: `sol ${at}`,
        row,
        line: [signed(`${sign}${text}`, change?.negative === true), span("  "), link(fieldOf(row, "address"))],
      };
    }),
    ...tokens.map((row, at): TreeRow => {
      const change = textOf(fieldOf(row, "change_ui")) ?? "";
      const symbol = textOf(fieldOf(row, "symbol"));
      const isLoss = change.startsWith("-");
      return {
        key: `token ${at}`,
        row,
        line: [
          signed(`${isLoss ? "" : "+"}${change}`, isLoss),
          span("  "),
          {
            ...link(fieldOf(row, "mint"), symbol),
            target: routeForValue(fieldOf(row, "mint"), "address", "mint"),
          },
          span("  "),
          link(fieldOf(row, "owner")),
        ],
      };
    }),
  ];
  const signatures = listOf(result.signatures).map((row, at): TreeRow => {
    const status = textOf(fieldOf(row, "status")) ?? "unknown";
    const role = status === "valid" ? "good" : status === "invalid" ? "bad" : "note";
    return { key: `signer ${at}`, row, line: [span(status.padEnd(9), role), link(fieldOf(row, "signer"))] };
  });
  const notes = listOf(result.notes).flatMap((text, at) => note(`note ${at}`, safeText(textOf(text) ?? "")));
  return [
    heading("Balance changes"),
    ...(changes.length > 0 ? changes : [note("no changes", "The simulation changes no balance.")]),
    blank("signatures"),
    heading("Signatures"),
    ...signatures,
    ...(notes.length > 0 ? [blank("notes"), heading("Notes"), ...notes] : []),
  ];
}

const AMOUNT_WIDTH = 22;

/** Returns the instructions as a tree with their compute units; their position says which called which. */
export function inspectedInstructions(result: JsonObject, unicode: boolean): readonly TreeRow[] {
  const rows = listOf(result.instructions);
  const highest = Math.max(0, ...rows.map((row) => countOf(fieldOf(row, "compute_units")) ?? 0));
  const below = (parent: string): readonly TreeRow[] =>
    rows.flatMap((row): readonly TreeRow[] => {
      const index = textOf(fieldOf(row, "index")) ?? "";
      if (index.split(".").slice(0, -1).join(".") !== parent) return [];
      return [instructionRow(row, index, { highest, unicode, inner: below(index) })];
    });
  const all = below("");
  return all.length > 0 ? all : [note("none", "No instructions.")];
}

function instructionRow(
  row: Json,
  index: string,
  { highest, unicode, inner }: { highest: number; unicode: boolean; inner: readonly TreeRow[] },
): TreeRow {
  const status = textOf(fieldOf(row, "status"));
  const type = textOf(fieldOf(row, "type"));
  const line: readonly LinkSpan[] = [
    span(`${index} `, "key"),
    link(fieldOf(row, "program"), textOf(fieldOf(row, "program_name"))),
    span(" "),
    type === undefined ? span("unnamed instruction", "missing") : span(safeText(type), "title"),
    ...(status === "failed" ? [span(" failed", "bad")] : status === "not run" ? [span(" not run", "note")] : []),
  ];
  const info = fieldOf(row, "info");
  const fields = isObject(info)
    ? Object.entries(info).map(([name, value]): TreeRow => infoRow(`${index} ${name}`, name, value))
    : [];
  return {
    key: index,
    row,
    line: (width) => withUnits(line, countOf(fieldOf(row, "compute_units")), { limit: highest, width, unicode }),
    children: [...fields, ...inner],
    isOpen: inner.length > 0,
  };
}

function infoRow(key: string, name: string, value: Json): TreeRow {
  const label = span(`${safeText(name)} `, "key");
  const target = typeof value === "string" ? routeForValue(value, "address", name) : undefined;
  if (target) return { key, row: value, line: [label, link(value)] };
  const amount = textOf(fieldOf(value, "uiAmountString"));
  const text =
    amount ?? (isNumeric(value) ? numericText(value) : typeof value === "string" ? value : JSON.stringify(value));
  return { key, row: value, line: [label, span(safeText(text))] };
}

/** Returns the accounts with their roles. */
export function inspectedAccounts(result: JsonObject): readonly TreeRow[] {
  return listOf(result.accounts).map((row, at): TreeRow => {
    const is = (field: string) => fieldOf(row, field) === true;
    const roles = [
      is("signer") ? "signer" : "",
      is("writable") ? "writable" : "read only",
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

/** Returns the logs of the simulation, indented by call depth. */
export function inspectedLogs(result: JsonObject): readonly TreeRow[] {
  const lines = listOf(fieldOf(result.simulation, "logs")).map((line) => textOf(line) ?? "");
  if (lines.length === 0) return [note("none", "The simulation has no logs.")];
  const depths = logDepths(lines);
  return lines.map((text, at) => ({
    key: `${at}`,
    line: [span(" ".repeat(INDENT * (depths[at] ?? 0))), span(safeText(text), / failed/.test(text) ? "bad" : "note")],
    cell: { field: "logs", value: text, kind: "text" },
  }));
}
