/** The pages of single endpoints: any list, any object, and the lists with a name. */
import { returnsList } from "../../catalogue/index.ts";
import { useExplorer } from "../navigation/context.ts";
import type { PageName } from "../navigation/entity-pages.ts";
import { formatKeyHints, keyLabelsOf } from "../navigation/keys/bindings.ts";
import { span } from "../navigation/theme/text-line.ts";
import { EndpointPanel, HeadedList } from "./entity/panels.tsx";
import type { PageProps } from "./props.ts";
import { requestForRoute } from "./records.ts";

const TITLES: Readonly<Partial<Record<PageName, string>>> = {
  leaderboard: "Richest accounts",
  validators: "Validators",
};

/** Shows the list of a named page below its title. */
export function NamedListPage({ route, region }: PageProps) {
  const hint = formatKeyHints(keyLabelsOf(useExplorer()), [["list.sort", "sort by column"]]);
  const request = requestForRoute(route);
  if (!request || route.kind !== "page") return null;
  const line = [span(TITLES[route.page] ?? route.page, "title"), span(hint === "" ? "" : ` · ${hint}`, "note")];
  return <HeadedList lines={[line]} {...request} region={region} part={route.page} />;
}

/** Shows the rows or the object of an endpoint. */
export function EndpointPage({ route, region }: PageProps) {
  const request = requestForRoute(route);
  if (!request) return null;
  const isList = returnsList(request.endpoint);
  return <EndpointPanel {...request} region={region} part={isList ? "list" : "detail"} />;
}
