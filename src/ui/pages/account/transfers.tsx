/** The transfers of an account, with their number. */

import { Box } from "ink";
import { useMemo } from "react";
import { groupThousands, toNumber } from "../../../base/index.ts";
import { useResource } from "../../data/hooks.ts";
import { Lines } from "../../frame/lines.tsx";
import { type Region, useExplorer } from "../../navigation/context.ts";
import type { QueryState } from "../../navigation/data-store.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { endpointAt } from "../../widgets/cells.ts";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { TRANSFERS } from "./record.ts";

const TOTAL = endpointAt("/account/transfer/total");
/** The API does not count further. */
const MAX_TOTAL = 10_000_000;

/** Returns the line with the number of transfers; undefined where the server does not count them. */
function totalLine({ answer, problem }: QueryState): TextLine | undefined {
  const total = answer && toNumber(answer.data);
  if (total === undefined) return answer || problem ? undefined : [span("counting transfers …", "note")];
  if (total === 0) return [span("no transfers in the last three weeks", "note")];
  const count = `${total >= MAX_TOTAL ? "at least " : ""}${groupThousands(total)}`;
  return [span(count), span(` ${total === 1 ? "transfer" : "transfers"} in the last three weeks`, "note")];
}

/** Shows the transfers of an account. */
export function Transfers({ id, region, part }: { id: string; region: Region; part: string }) {
  const params = useMemo(() => ({ address: id }), [id]);
  const { services } = useExplorer();
  // Counting a walk would read every transaction of the account.
  const isCounted = !services.source.supports(TRANSFERS).isWalk;
  const total = useResource(TOTAL, params, isCounted);
  const line = isCounted ? totalLine(total) : undefined;
  const { width, height, top } = region;
  const used = line ? 1 : 0;
  return (
    <Box flexDirection="column" width={width} height={height}>
      {line ? <Lines lines={[line]} width={width} height={1} /> : null}
      <ListPanel
        endpoint={TRANSFERS}
        params={params}
        region={{ width, height: height - used, top: top + used }}
        part={part}
      />
    </Box>
  );
}
