/** What a program is: its loader and authority, and the interface that it publishes. */

import { useMemo } from "react";
import { type JsonObject, listOf, textOf } from "../../../base/index.ts";
import { NodeProgram } from "../../../catalogue/schemas.ts";
import { type Clock, safeText } from "../../../output/index.ts";
import { useOptionalResource } from "../../data/hooks.ts";
import { ResourceStatus } from "../../data/status.tsx";
import { type Region, useExplorer } from "../../navigation/context.ts";
import { routeForValue } from "../../navigation/route-for.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { answerObject, cellSpan, formatField, relativeClock } from "../../widgets/cells.ts";
import { TreePanel } from "../../widgets/tree/panel.tsx";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import { NODE_PROGRAM } from "./record.ts";

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

/** Returns the rows of a program. */
function programRows(program: JsonObject, clock: Clock): readonly TreeRow[] {
  const fieldRows = (fields: typeof CODE_FIELDS) =>
    fields.flatMap(([field, label]) => {
      const value = valueSpan(program, field, clock);
      return value ? [{ key: field, line: [span(label.padEnd(LABEL_WIDTH), "key"), value] }] : [];
    });
  const names = (field: string, title: string): readonly TreeRow[] => {
    const items = listOf(program[field])
      .map(textOf)
      .filter((name) => name !== undefined);
    if (items.length === 0) return [];
    const children = items.map((name, at): TreeRow => ({ key: `${field} ${at}`, line: [span(safeText(name))] }));
    return [
      {
        key: field,
        line: [span(title, "key"), span(` ${items.length}`, "note")],
        isOpen: true,
        children,
      },
    ];
  };
  const idl = [...fieldRows(IDL_FIELDS), ...names("instructions", "instructions"), ...names("accounts", "accounts")];
  return [
    heading("Program"),
    ...fieldRows(CODE_FIELDS),
    { key: "gap", line: [], isStatic: true },
    heading("Interface"),
    ...(idl.length > 0 ? idl : [{ key: "no idl", line: [span("The program publishes none on the chain.", "note")] }]),
  ];
}

const heading = (text: string): TreeRow => ({ key: `heading ${text}`, line: [span(text, "heading")], isStatic: true });

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

/** Shows the code and the interface of a program. */
export function ProgramCode({ id, region, part }: { id: string; region: Region; part: string }) {
  const { services } = useExplorer();
  const params = useMemo(() => ({ address: id }), [id]);
  const resource = useOptionalResource(NODE_PROGRAM, params);
  const program = answerObject(resource);
  const rows = useMemo(() => (program ? programRows(program, relativeClock(services)) : []), [program, services]);
  if (!program) return <ResourceStatus resource={resource} region={region} />;
  return <TreePanel rows={rows} region={region} part={part} request={resource.request} />;
}
