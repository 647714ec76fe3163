/** The richest accounts. */
import { Box } from "ink";
import { useExplorer } from "../app/context.ts";
import { keyNamesOf, keyWords } from "../app/keys/key-hints.ts";
import { Lines } from "../app/lines.tsx";
import { span } from "../app/theme/text-line.ts";
import { endpointAt } from "../widgets/cells.ts";
import { ListPanel } from "../widgets/list/panel.tsx";
import type { ScreenProps } from "./props.ts";

const LEADERBOARD = endpointAt("/account/leaderboard");
const PARAMS = {};

export function LeaderboardScreen({ region }: ScreenProps) {
  const { width, height, top } = region;
  const way = keyWords(keyNamesOf(useExplorer()), [["list.sort", "sorts by the column"]]);
  const title = [span("The richest accounts", "title"), span(way === "" ? "" : ` · ${way}`, "note")];
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Lines lines={[title]} width={width} height={1} />
      <ListPanel
        endpoint={LEADERBOARD}
        params={PARAMS}
        region={{ width, height: height - 1, top: top + 1 }}
        part="leaderboard"
      />
    </Box>
  );
}
