/** The pages of single endpoints: any list, any object, and the leaderboard. */

import type { Endpoint } from "../../catalogue/index.ts";
import { type Region, useExplorer } from "../navigation/context.ts";
import type { EntityKind } from "../navigation/entity-pages.ts";
import { formatKeyHints, keyLabelsOf } from "../navigation/keys/key-hints.ts";
import { endpointOfRoute } from "../navigation/route.ts";
import { span } from "../navigation/theme/text-line.ts";
import { endpointAt } from "../widgets/cells.ts";
import { DetailPanel } from "../widgets/detail/panel.tsx";
import { ListPanel } from "../widgets/list/panel.tsx";
import { HeadedList } from "./entity/panels.tsx";
import type { PageProps } from "./props.ts";

const LEADERBOARD = endpointAt("/account/leaderboard");
const VALIDATORS = endpointAt("/node/validators", "node");
const PARAMS = {};

/** Shows the richest accounts. */
export function LeaderboardPage({ region }: PageProps) {
  return <TitledList title="Richest accounts" endpoint={LEADERBOARD} region={region} part="leaderboard" />;
}

/** Shows the validators of the cluster. */
export function ValidatorsPage({ region }: PageProps) {
  return <TitledList title="Validators" endpoint={VALIDATORS} region={region} part="validators" />;
}

interface TitledListProps {
  readonly title: string;
  readonly endpoint: Endpoint;
  readonly region: Region;
  readonly part: string;
}

function TitledList({ title, endpoint, region, part }: TitledListProps) {
  const hint = formatKeyHints(keyLabelsOf(useExplorer()), [["list.sort", "sort by column"]]);
  const line = [span(title, "title"), span(hint === "" ? "" : ` · ${hint}`, "note")];
  return <HeadedList lines={[line]} endpoint={endpoint} params={PARAMS} region={region} part={part} />;
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
