/** The statistics of a token: a table of time windows, or all values. */

import { Box } from "ink";
import { useMemo } from "react";
import { useResource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { Lines } from "../../frame/lines.tsx";
import { type Region, useBindings, useExplorer, useSubject, useViewState } from "../../navigation/context.ts";
import { refreshBinding, valuesBinding } from "../../navigation/keys/bindings.ts";
import { textLine } from "../../navigation/theme/text-line.ts";
import { answerObject, relativeClock } from "../../widgets/cells.ts";
import { DetailPanel } from "../../widgets/detail/panel.tsx";
import { STATISTICS } from "./record.ts";
import { statisticsLines } from "./statistics-lines.ts";

const NONE = "No statistics: not a listed token, or too new.";

/** Shows the statistics of a token. */
export function Statistics({ id, region, part }: { id: string; region: Region; part: string }) {
  const { services } = useExplorer();
  const [isTable, setTable] = useViewState(part, false);
  const params = useMemo(() => ({ address: id }), [id]);
  const resource = useResource(STATISTICS, params);
  const status = useResourceLine(resource);
  const statistics = answerObject(resource);
  useBindings("screen", [
    valuesBinding(isTable ? "windows" : "all values", () => setTable((before) => !before)),
    refreshBinding(resource.refresh, !isTable),
  ]);
  useSubject(isTable ? undefined : { request: resource.request, row: statistics });
  if (isTable) return <DetailPanel endpoint={STATISTICS} params={params} region={region} part={`${part} values`} />;
  if (!statistics) return <ResourceStatus resource={resource} region={region} />;
  const { width, height } = region;
  const options = { width, unicode: services.unicode, clock: relativeClock(services) };
  const isKnown = statistics.token_address !== undefined;
  const lines = [
    ...(status ? [status] : []),
    ...(isKnown ? statisticsLines(statistics, options) : [textLine(NONE, "note")]),
  ];
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Lines lines={lines.slice(0, height)} width={width} height={height} />
    </Box>
  );
}
