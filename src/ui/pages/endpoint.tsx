/** The pages of single endpoints: any list, any object, and the leaderboard. */
import { useExplorer } from "../navigation/context.ts";
import type { EntityKind } from "../navigation/entity-pages.ts";
import { formatKeyHints, keyLabelsOf } from "../navigation/keys/key-hints.ts";
import { endpointOfRoute } from "../navigation/route.ts";
import { span } from "../navigation/theme/text-line.ts";
import { endpointAt } from "../widgets/cells.ts";
import { DetailPanel } from "../widgets/detail/panel.tsx";
import { ListPanel } from "../widgets/list/panel.tsx";
import { HeadedList } from "./entity/panels.tsx";
import type { PageProps } from "./props.ts";

/** The pages that are a list below its title. */
const LISTS = {
  leaderboard: { title: "Richest accounts", endpoint: endpointAt("/account/leaderboard") },
  validators: { title: "Validators", endpoint: endpointAt("/node/validators", "node") },
} as const;
const NO_PARAMS = {};

const titledList = (part: keyof typeof LISTS) =>
  function TitledList({ region }: PageProps) {
    const { title, endpoint } = LISTS[part];
    const hint = formatKeyHints(keyLabelsOf(useExplorer()), [["list.sort", "sort by column"]]);
    const line = [span(title, "title"), span(hint === "" ? "" : ` · ${hint}`, "note")];
    return <HeadedList lines={[line]} endpoint={endpoint} params={NO_PARAMS} region={region} part={part} />;
  };

/** Shows the richest accounts. */
export const LeaderboardPage = titledList("leaderboard");
/** Shows the validators of the cluster. */
export const ValidatorsPage = titledList("validators");

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
