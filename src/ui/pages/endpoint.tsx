/** The pages of single endpoints: any list, any object, and the leaderboard. */

import { Box } from "ink";
import { useExplorer } from "../app/context.ts";
import type { EntityKind } from "../app/entity-pages.ts";
import { formatKeyHints, keyLabelsOf } from "../app/keys/key-hints.ts";
import { Lines } from "../app/lines.tsx";
import { endpointOfRoute } from "../app/route.ts";
import { span } from "../app/theme/text-line.ts";
import { endpointAt } from "../widgets/cells.ts";
import { DetailPanel } from "../widgets/detail/panel.tsx";
import { ListPanel } from "../widgets/list/panel.tsx";
import type { PageProps } from "./props.ts";

const LEADERBOARD = endpointAt("/account/leaderboard");
const PARAMS = {};

/** Shows the richest accounts. */
export function LeaderboardPage({ region }: PageProps) {
  const { width, height, top } = region;
  const hint = formatKeyHints(keyLabelsOf(useExplorer()), [["list.sort", "sort by column"]]);
  const title = [span("Richest accounts", "title"), span(hint === "" ? "" : ` · ${hint}`, "note")];
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

/** Shows the rows of an endpoint. */
export function ListPage({ route, region }: PageProps) {
  const endpoint = endpointOfRoute(route);
  if (!endpoint || route.kind !== "endpoint") return null;
  return <ListPanel endpoint={endpoint} params={route.params} region={region} part="list" />;
}

/** The entity of a field called `address`, by the group of the endpoint. */
const ADDRESS_ENTITIES: Readonly<Record<string, EntityKind>> = { token: "token", market: "market", nft: "token" };

/** Shows the object of an endpoint. */
export function DetailPage({ route, region }: PageProps) {
  const endpoint = endpointOfRoute(route);
  if (!endpoint || route.kind !== "endpoint") return null;
  return (
    <DetailPanel
      endpoint={endpoint}
      params={route.params}
      region={region}
      part="detail"
      addressEntity={ADDRESS_ENTITIES[endpoint.group]}
    />
  );
}
