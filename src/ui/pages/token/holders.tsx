/** The holders of a token and their concentration. */
import { Box } from "ink";
import { useMemo } from "react";
import { type Decimal, isObject } from "../../../base/index.ts";
import { type Region, useExplorer } from "../../app/context.ts";
import { Lines } from "../../app/lines.tsx";
import { span, type TextLine } from "../../app/theme/text-line.ts";
import { useResource } from "../../data/hooks.ts";
import { endpointAt } from "../../widgets/cells.ts";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { concentrationLine, concentrationOf } from "./summary.ts";

const HOLDERS = endpointAt("/token/holders");
/** The number of holders that concentration is based on. */
const LARGEST = 20;

interface HoldersProps {
  readonly id: string;
  readonly supply: Decimal | undefined;
  readonly region: Region;
  readonly part: string;
}

/** Shows the holders of a token. */
export function Holders({ id, supply, region, part }: HoldersProps) {
  const { services } = useExplorer();
  const largest = useMemo(() => ({ address: id, page: 1, page_size: LARGEST }), [id]);
  const resource = useResource(HOLDERS, largest);
  const rows = resource.answer?.rows;
  const groups = useMemo(() => concentrationOf((rows ?? []).filter(isObject), supply), [rows, supply]);
  const { width, height, top } = region;
  const concentration: TextLine =
    groups.length > 0
      ? concentrationLine(groups, width, services.unicode)
      : [span(rows ? "Too few holders to compute the concentration." : "", "note")];
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Lines lines={[concentration]} width={width} height={1} />
      <ListPanel
        endpoint={HOLDERS}
        params={{ address: id }}
        region={{ width, height: height - 1, top: top + 1 }}
        part={part}
      />
    </Box>
  );
}
