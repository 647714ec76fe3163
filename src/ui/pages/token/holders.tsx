/** The holders of a token and their concentration. */

import { Box } from "ink";
import { useMemo } from "react";
import { type Decimal, isObject } from "../../../base/index.ts";
import { useResource } from "../../data/hooks.ts";
import { Lines } from "../../frame/lines.tsx";
import type { Region } from "../../navigation/context.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { useChartStyle } from "../../widgets/chart/panel.tsx";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { HOLDERS } from "./record.ts";
import { concentrationLines, concentrationOf } from "./summary.ts";

/** The number of holders that concentration is based on. */
const LARGEST = 40;
/** Minimum height with the concentration as a bar. */
const MIN_BAR_HEIGHT = 12;

interface HoldersProps {
  readonly id: string;
  readonly supply: Decimal | undefined;
  readonly region: Region;
  readonly part: string;
}

/** Shows the holders of a token. */
export function Holders({ id, supply, region, part }: HoldersProps) {
  const largest = useMemo(() => ({ address: id, page: 1, page_size: LARGEST }), [id]);
  const resource = useResource(HOLDERS, largest);
  const rows = resource.answer?.rows;
  const groups = useMemo(() => concentrationOf((rows ?? []).filter(isObject), supply), [rows, supply]);
  const { width, height, top } = region;
  const style = useChartStyle();
  const lines = useMemo(
    () => concentrationLines(groups, { ...style, width }, height < MIN_BAR_HEIGHT ? 1 : 2),
    [groups, style, width, height],
  );
  const concentration: readonly TextLine[] =
    lines.length > 0 ? lines : [[span(rows ? "Too few holders to compute the concentration." : "", "note")]];
  const used = concentration.length;
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Lines lines={concentration} width={width} height={used} />
      <ListPanel
        endpoint={HOLDERS}
        params={{ address: id }}
        region={{ width, height: height - used, top: top + used }}
        part={part}
      />
    </Box>
  );
}
