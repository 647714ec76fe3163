/** Panels that tabs of several pages show. */
import { Box } from "ink";
import { useMemo } from "react";
import type { JsonObject } from "../../../base/index.ts";
import { type Column, type Endpoint, returnsList } from "../../../catalogue/index.ts";
import type { Clock } from "../../../output/index.ts";
import { type Resource, useOptionalResource } from "../../data/hooks.ts";
import { ResourceStatus } from "../../data/status.tsx";
import { Lines } from "../../frame/lines.tsx";
import { type Region, useExplorer } from "../../navigation/context.ts";
import type { EndpointRequest } from "../../navigation/data-store.ts";
import type { TextLine } from "../../navigation/theme/text-line.ts";
import { answerObject, relativeClock } from "../../widgets/cells.ts";
import { DetailPanel } from "../../widgets/detail/panel.tsx";
import { ListPanel } from "../../widgets/list/panel.tsx";
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
