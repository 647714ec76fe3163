/** The request of a view that is kept, from the state of its list. No React here. */
import { positionalOf, type Shape } from "../../catalogue/index.ts";
import type { EndpointRequest } from "../navigation/data-store.ts";
import type { View } from "../navigation/view.ts";
import { answerShape } from "../widgets/cells.ts";
import { listFormat } from "../widgets/list/kept.ts";
import { createQueryParams } from "../widgets/list/model.ts";
import { INITIAL_LIST_STATE, type ListState } from "../widgets/list/reducer.ts";
import { requestForRoute } from "./records.ts";

/** Returns the request of a view with its filters and its order, and the state of its list; undefined where it has none. */
export function requestOfKept(view: View): (EndpointRequest & { readonly list: ListState }) | undefined {
  const request = requestForRoute(view.route);
  if (!request) return undefined;
  const { endpoint, params } = request;
  const list = keptList(view, answerShape(endpoint));
  const [identifier = ""] = positionalOf(endpoint) ?? [];
  const query = { ...list.query, sort: list.rows.sort };
  return { endpoint, params: createQueryParams(endpoint, params, [identifier], query), list };
}

/** Returns the list of a view: of an endpoint, of a page with a name, or of a tab. */
function keptList({ route, state = {} }: View, shape: Shape): ListState {
  const tab = route.kind === "entity" ? route.tab : undefined;
  const parts = route.kind === "entity" ? [tab, `${tab} ${route.id}`] : [route.kind === "page" ? route.page : "list"];
  const kept = parts.map((part) => state[part ?? ""]).find((one) => one !== undefined);
  return (kept === undefined ? undefined : listFormat(shape).fromJson(kept)) ?? INITIAL_LIST_STATE;
}
