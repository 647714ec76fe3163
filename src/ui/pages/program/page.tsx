/** The page of a program: what it is, how much it is used and what calls it. */
import { type JsonObject, listOf, textOf } from "../../../base/index.ts";
import { NodeProgram } from "../../../catalogue/schemas.ts";
import { type Clock, safeText } from "../../../output/index.ts";
import { useBindings, useExplorer } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { routeForValue } from "../../navigation/route-for.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { cellSpan, formatField } from "../../widgets/cells.ts";
import type { LinkSpan, TreeRow } from "../../widgets/tree/rows.ts";
import { accountRoute } from "../account/record.ts";
import { EntityLayout, useEntity } from "../entity/layout.tsx";
import { AnswerRows } from "../entity/panels.tsx";
import { blankRow, headingRow, noteRow } from "../entity/rows.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { ProgramActivity } from "./activity.tsx";
import { NODE_PROGRAM, PROGRAM_PAGE } from "./record.ts";

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
