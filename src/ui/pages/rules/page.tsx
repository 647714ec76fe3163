/** The dashboard of rules: what they watch, their events, and what could not be delivered. */
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { JsonObject } from "../../../base/index.ts";
import type { Cell } from "../../../output/index.ts";
import { useNameOf, useNow } from "../../data/hooks.ts";
import { errorText } from "../../data/query.ts";
import { Lines } from "../../frame/lines.tsx";
import { type Region, useBindings, useExplorer, usePaneFit } from "../../navigation/context.ts";
import { bindAction, formatKeyHints, keyLabelsOf } from "../../navigation/keys/bindings.ts";
import type { RuleWatch } from "../../navigation/rule-watch.ts";
import { span, textLine } from "../../navigation/theme/text-line.ts";
import { dottedLine } from "../../widgets/chart/one-line.ts";
import { layOutTable, type ShortTableColumn, type TableLines } from "../../widgets/table/layout.ts";
import { useTree } from "../../widgets/tree/panel.tsx";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import { type Tab, TabbedPage } from "../entity/layout.tsx";
import type { PaneRecord } from "../entity/record.ts";
import { noteRow } from "../entity/rows.ts";
import type { PageProps } from "../props.ts";
import { NO_RULES_FOLDER, rulesStatus } from "./status.ts";
import { isCourse, looksOf, type RulesRow, type RulesTable, rulesTables } from "./tables.ts";

/** Shows the dashboard of the rules of this run. */
export function RulesPage({ region }: PageProps) {
  const { services, toast } = useExplorer();
  const [watch, setWatch] = useState<RuleWatch>();
  const open = services.rules;
  useEffect(() => {
    let isLeft = false;
    open?.().then(
      (opened) => isLeft || setWatch(() => opened),
      (error: unknown) => toast(errorText(error), "bad"),
    );
    return () => {
      isLeft = true;
    };
  }, [open, toast]);
  if (watch) return <Dashboard watch={watch} region={region} />;
  const text = open ? "" : NO_RULES_FOLDER;
  return <Lines lines={[textLine(text, "note")]} width={region.width} height={region.height} />;
}

const PANES: readonly PaneRecord[] = [
  { tab: "subjects", minimum: { width: 70, height: 6 }, weight: 3 },
  { tab: "events", minimum: { width: 70, height: 5 }, weight: 2 },
  { tab: "parked", minimum: { width: 70, height: 4 }, weight: 1 },
];

function Dashboard({ watch, region }: { readonly watch: RuleWatch; readonly region: Region }) {
  const explorer = useExplorer();
  const { services, openPopup } = explorer;
  const state = useSyncExternalStore(watch.subscribe, watch.state);
  const nameOf = useNameOf();
  useEffect(() => {
    watch.start();
    return () => watch.remember(looksOf(watch.state(), watch.now()));
  }, [watch]);
  const tables = useMemo(() => {
    const { unicode, timeZone } = services;
    const title = (address: string) => nameOf(address)?.name;
    const { now, nextPoll } = watch;
    return rulesTables(state, { now, nextPoll, unicode, timeZone, nameOf: title });
  }, [state, services, nameOf, watch]);
  const canChange = state.mode !== "elsewhere" && state.mode !== "opening";
  useBindings("screen", [
    bindAction("watch.add", "new rule", () => openPopup({ kind: "rule", watch, rule: undefined }), {
      hint: 12,
      active: canChange,
    }),
    bindAction("view.refresh", "read the file again", () => watch.start(true), { hint: 40 }),
  ]);
  const header = rulesStatus(state, watch.file, keyLabelsOf(explorer), region.width);
  const tabs = tables.map(
    (table): Tab => ({
      name: table.name,
      render: (inner) => <TablePane table={table} watch={watch} canChange={canChange} region={inner} />,
    }),
  );
  return <TabbedPage region={region} header={header} tabs={tabs} panes={PANES} minPanesWidth={70} isKnown />;
}

interface TablePaneProps {
  readonly table: RulesTable;
  readonly watch: RuleWatch;
  readonly canChange: boolean;
  readonly region: Region;
}

function TablePane({ table, watch, canChange, region }: TablePaneProps) {
  const explorer = useExplorer();
  const { services, openPopup, toast } = explorer;
  const { unicode } = services;
  const [undo, setUndo] = useState<() => Promise<void>>();
  const rows = useMemo(() => (table.rows.length > 0 ? table.rows : [noteRow("empty", table.empty)]), [table]);
  const byKey = useMemo(() => new Map(table.rows.map((row) => [row.key, row])), [table]);
  const drawn = useRef<{ readonly key: string; readonly table: RulesTable; readonly lines: TableLines }>(undefined);
  // Redraws ages and countdowns.
  useNow(1000);
  const layOut = (visible: readonly TreeRow[]) => {
    const shown = visible.flatMap(({ key }) => byKey.get(key) ?? []);
    const cells = shown.map((row) => row.cells());
    // Most ticks change no cell of most tables.
    const key = JSON.stringify([region.width, cells]);
    if (drawn.current?.key !== key || drawn.current.table !== table)
      drawn.current = { key, table, lines: layOutRows(table.heads, shown, cells, { width: region.width, unicode }) };
    return drawn.current.lines;
  };
  const tree = useTree({ rows, region, part: table.name, layOut: table.rows.length > 0 ? layOut : undefined });
  const selected = byKey.get(tree.selected?.key ?? "");
  const rule = watch.state().rules.find(({ name }) => name === selected?.rule);
  const { parked } = selected ?? {};
  const attempt = (work: () => Promise<unknown>) => void work().catch((error) => toast(errorText(error), "bad"));
  const remove = (text: string, takeBack: () => Promise<void>) => {
    setUndo(() => takeBack);
    const hint = formatKeyHints(keyLabelsOf(explorer), [["watch.undo", "undo"]]);
    toast([text, hint].filter(Boolean).join(" · "));
  };
  const drop = async (id: number) => {
    await watch.settle(id, "dropped");
    remove("Dropped: it is not delivered.", () => watch.settle(id, "parked"));
  };
  const takeBack = () => {
    if (undo) attempt(undo);
    setUndo(undefined);
  };
  const deleteRule = async (name: string) => remove(`Deleted rule ${name}`, await watch.saveRule(name, undefined));
  const isParked = parked !== undefined && watch.state().mode === "watching";
  useBindings("panel", [
    bindAction("watch.change", "change the rule", () => rule && openPopup({ kind: "rule", watch, rule }), {
      hint: 13,
      active: canChange && rule !== undefined,
    }),
    bindAction("watch.retry", "deliver again", () => parked !== undefined && void watch.settle(parked, "due"), {
      hint: 14,
      active: isParked,
    }),
    bindAction("watch.drop", "drop", () => parked !== undefined && attempt(() => drop(parked)), {
      hint: 15,
      active: isParked,
    }),
    bindAction("watch.delete", "delete the rule", () => rule && attempt(() => deleteRule(rule.name)), {
      hint: 15,
      active: canChange && rule !== undefined && table.name === "rules",
    }),
    bindAction("watch.undo", "undo", takeBack, { hint: 16, active: undo !== undefined }),
  ]);
  usePaneFit(1 + rows.length);
  return <Lines lines={tree.lines} width={region.width} height={region.height} onMouse={tree.onMouse} />;
}

const COURSE_WIDTH = 12;

/** Lays out some rows of a table. */
function layOutRows(
  heads: readonly string[],
  rows: readonly RulesRow[],
  cells: readonly (readonly Cell[])[],
  { width, unicode }: { readonly width: number; readonly unicode: boolean },
): TableLines {
  const objects = rows.map((_, at): JsonObject => ({ at }));
  const columns = heads.map((head, index): ShortTableColumn => {
    const column: ShortTableColumn = {
      ...{ head, path: head, minWidth: index < 2 ? 16 : 8, maxWidth: MAX_CELL },
      cell: ({ at }) => cells[Number(at)]?.[index] ?? { text: "" },
    };
    if (!isCourse(head)) return column;
    const line = ({ at }: JsonObject) => {
      const points = rows[Number(at)]?.points?.() ?? [];
      return points.length < 2 ? [] : [span(dottedLine(points, COURSE_WIDTH, unicode), "bar" as const)];
    };
    return { ...column, drawing: { width: COURSE_WIDTH, line, quantity: () => 0 } };
  });
  return layOutTable(objects, columns, width);
}

/** The widest text of a cell. */
const MAX_CELL = 120;
