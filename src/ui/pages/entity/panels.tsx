/** Panels that tabs of several pages show. */
import { Box } from "ink";
import { useMemo } from "react";
import type { Json, JsonObject } from "../../../base/index.ts";
import { type Column, type Endpoint, type Kind, returnsList } from "../../../catalogue/index.ts";
import type { Clock } from "../../../output/index.ts";
import { type Resource, useOptionalResource } from "../../data/hooks.ts";
import { ResourceStatus } from "../../data/status.tsx";
import { Lines } from "../../frame/lines.tsx";
import { type Region, useExplorer } from "../../navigation/context.ts";
import type { EndpointRequest } from "../../navigation/data-store.ts";
import { routeForValue } from "../../navigation/route.ts";
import type { TextLine } from "../../navigation/theme/text-line.ts";
import { answerObject, relativeClock } from "../../widgets/cells.ts";
import { DetailPanel } from "../../widgets/detail/panel.tsx";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { TablePanel } from "../../widgets/table/panel.tsx";
import type { TableSource } from "../../widgets/table/use-table.ts";
import { TreePanel } from "../../widgets/tree/panel.tsx";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import type { TabProps } from "../props.ts";

interface EndpointPanelProps extends EndpointRequest {
  readonly region: Region;
  readonly part: string;
  readonly columns?: readonly Column[] | undefined;
}

/** Shows the list or the object of an endpoint. */
export function EndpointPanel({ columns, ...props }: EndpointPanelProps) {
  if (!returnsList(props.endpoint)) return <DetailPanel {...props} />;
  return <ListPanel {...props} {...(columns && { columns })} />;
}

interface HeadedListProps extends EndpointRequest {
  readonly lines: readonly TextLine[];
  readonly region: Region;
  readonly part: string;
}

/** Shows a list below lines about it. */
export function HeadedList({ lines, region, ...list }: HeadedListProps) {
  const { width, height, top } = region;
  const used = lines.length;
  return (
    <Box flexDirection="column" width={width} height={height}>
      {used > 0 ? <Lines lines={lines} width={width} height={used} /> : null}
      <ListPanel {...list} region={{ width, height: height - used, top: top + used }} />
    </Box>
  );
}

interface AnswerTableProps extends Omit<TabProps, "id"> {
  readonly source: Omit<TableSource, "target" | "cell">;
  /** The field whose value a row leads to, where `read` does not return another one. */
  readonly link: {
    readonly field: string;
    readonly kind: Kind;
    readonly read?: (row: JsonObject) => Json | undefined;
  };
  /** Returns the lines above the table. */
  readonly top?: () => readonly TextLine[];
}

/** Shows rows that are made from an answer as a short table. */
export function AnswerTable({ source, link, top = () => [], region, part }: AnswerTableProps) {
  const { resource, columns } = source;
  const { field, kind, read = (row: JsonObject) => row[field] ?? null } = link;
  if (!resource.answer) {
    return <ResourceStatus resource={resource} region={region} heads={columns.map(({ head }) => head)} />;
  }
  const cell = (row: JsonObject | undefined) => {
    const value = row && read(row);
    return value === undefined ? undefined : { field, value, kind };
  };
  const target = (row: JsonObject | undefined) => routeForValue(row && read(row), kind, field);
  return <TablePanel source={{ ...source, target, cell }} region={region} part={part} active top={top} />;
}

interface AnswerRowsProps extends TabProps {
  /** Takes an address, and is answered by some sources only. */
  readonly endpoint: Endpoint;
  readonly rowsOf: (answer: JsonObject, clock: Clock) => readonly TreeRow[];
}

/** Shows the object of an endpoint as rows. */
export function AnswerRows({ endpoint, rowsOf, id, region, part }: AnswerRowsProps) {
  const { services } = useExplorer();
  const resource = useOptionalResource(endpoint, { address: id });
  const answer = answerObject(resource);
  const rows = useMemo(() => (answer ? rowsOf(answer, relativeClock(services)) : []), [answer, rowsOf, services]);
  return <ResourceRows resource={resource} rows={rows} region={region} part={part} />;
}

interface ResourceRowsProps extends Omit<TabProps, "id"> {
  readonly resource: Resource;
  readonly rows: readonly TreeRow[];
}

/** Shows rows that are made from an answer. */
export function ResourceRows({ resource, rows, region, part }: ResourceRowsProps) {
  if (!resource.answer) return <ResourceStatus resource={resource} region={region} />;
  return <TreePanel rows={rows} region={region} part={part} request={resource.request} />;
}
