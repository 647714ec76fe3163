/** The list of transfers that flows are the sums of. No React here. */
import type { ParameterValues } from "../../../catalogue/index.ts";
import type { Route } from "../../navigation/route.ts";
import { endpointAt } from "../../widgets/cells.ts";
import type { FlowNode } from "./tree.ts";

/** The transfers of an account. */
export const TRANSFERS = endpointAt("/account/transfer");

/** Returns the list of the transfers that an edge adds up; without a node, of all transfers of the wallet. */
export function transfersRoute(wallet: string, node: FlowNode | undefined, filters: ParameterValues): Route {
  const { parent = wallet, address, direction } = node ?? {};
  const other = address === undefined ? {} : { [direction === "in" ? "from" : "to"]: [address] };
  const params = { ...filters, address: parent, ...(direction && { flow: direction }), ...other };
  return { kind: "endpoint", endpointRoute: TRANSFERS.route, params };
}
