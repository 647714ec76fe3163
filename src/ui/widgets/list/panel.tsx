/** The list of any endpoint. */

import { type Json, pluralize } from "../../../base/index.ts";
import type { Column, Endpoint, ParameterValues } from "../../../catalogue/index.ts";
import { type Region, type Subject, useBindings, useExplorer, useSubject } from "../../app/context.ts";
import type { EntityKind } from "../../app/entity-pages.ts";
import { keyLabelsOf } from "../../app/keys/key-hints.ts";
import { Lines } from "../../app/lines.tsx";
import { useAutoRefresh } from "../../data/auto-refresh.ts";
import type { Resource } from "../../data/hooks.ts";
import { ageText, isEmpty, ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { useListActions } from "./actions.tsx";
import { bodyLines } from "./body.ts";
import { listBindings } from "./keys.ts";
import type { ListLayout } from "./model.ts";
import { mouseHandler } from "./mouse.ts";
import { layOutPanel } from "./preview.ts";
import { describeSort } from "./sort.ts";
import { emptyListLines, listStatus, topLine } from "./status.ts";
import { valueOfColumn } from "./table.ts";
import { type List, useList } from "./use-list.ts";

/** Returns the row at the cursor. */
function selectedRowOf({ visible }: Pick<List, "visible">, { selected }: ListLayout): Json | undefined {
  return visible.rows[selected];
}

/** Returns the path of a column in a row, with dots. */
const pathOf = ({ sources }: List["table"]["columns"][number]) => sources[0]?.path.join(".") ?? "";

/** Returns what the list shows, for copying, exporting and the command line. */
export function subjectOf(list: List, layout: ListLayout): Subject {
  const { displayed, visible, state, table } = list;
  const row = selectedRowOf(list, layout);
  const value = row === undefined || !layout.column ? undefined : valueOfColumn(row, layout.column);
  return {
    request: displayed.request,
    rows: visible.rows,
    marked: [...state.marks.values()],
    columns: table.columns.map((column) => ({ head: column.head, path: pathOf(column) })),
    row,
    cell: value && { field: value.path.join("."), value: value.value ?? null, kind: value.meta?.kind },
    ...localChanges(list),
  };
}

/** Describes changes that are local and cannot be requested from the API. */
function localChanges({ state, table }: List): Pick<Subject, "local" | "sort"> {
  const { filter, sort } = state;
  const column = sort && sort.api === undefined ? table.columns.find(({ key }) => key === sort.column) : undefined;
  const filterText = filter === "" ? [] : [`filter ${filter}`];
  if (!sort || !column) return { local: filterText };
  const { isDescending } = sort;
  return {
    local: [...filterText, describeSort(column.head.toLowerCase(), isDescending)],
    sort: { path: pathOf(column), isDescending },
  };
}

/** Refreshes while it is on. Returns a text with the interval and the cost per hour. */
function useAutoRefreshText(resource: Resource, isOn: boolean): string | undefined {
  const { everyMs, costPerHour, isPaused } = useAutoRefresh(resource, isOn);
  if (!isOn) return undefined;
  if (isPaused) return "auto refresh paused: press any key";
  return `every ${ageText(everyMs)} · ${pluralize(costPerHour, "unit")}/h`;
}

interface ListPanelProps {
  readonly endpoint: Endpoint;
  /** The parameters; the filters and the order of the user are added by the panel and stored with the history entry. */
  readonly params: ParameterValues;
  readonly region: Region;
  /** Distinguishes the panels of a page. */
  readonly part: string;
  /** The entity of a field called `address` (default: according to the catalogue). */
  readonly addressEntity?: EntityKind | undefined;
  /** Columns that replace those of the catalogue. */
  readonly columns?: readonly Column[] | undefined;
  /** What the rows are called, in the plural (default: according to the summary of the endpoint). */
  readonly noun?: string | undefined;
  /** Whether keys are for this panel (default); a page may show several, of which one is active. */
  readonly active?: boolean | undefined;
}

/** Shows the rows of an endpoint as a list. */
export function ListPanel(props: ListPanelProps) {
  const { region, noun, active = true } = props;
  const explorer = useExplorer();
  const { services } = explorer;
  const keyOf = keyLabelsOf(explorer);
  const list = useList(props);
  const { state, resource, displayed, table } = list;
  const panel = layOutPanel(region, state);
  const layout = list.layOut(panel.rows);
  const { actions, flags } = useListActions(list, layout);
  useBindings(
    "panel",
    active ? listBindings(actions, flags) : [],
    active ? mouseHandler({ list, layout, region, actions }) : {},
  );
  useSubject(active ? subjectOf(list, layout) : undefined);
  const autoRefresh = useAutoRefreshText(resource, state.isAutoRefreshing);
  const resourceLine = useResourceLine(resource);
  if (!displayed.answer) return <ResourceStatus resource={resource} region={region} />;
  // Without rows the body says so, with the filters.
  const notice = resource.isLoading || resource.problem || !isEmpty(resource) ? resourceLine : undefined;
  const top = topLine(
    listStatus(list, layout, { unicode: services.unicode, keyOf, autoRefresh }),
    notice,
    region.width,
  );
  const rest =
    table.rows.length === 0
      ? emptyListLines(list, noun, region.width, keyOf)
      : bodyLines({ list, layout, panel, isActive: active, unicode: services.unicode, keyOf });
  return <Lines lines={[top, ...rest]} width={region.width} height={region.height} />;
}
