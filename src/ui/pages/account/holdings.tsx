/** The portfolio of an account: values and shares, most valuable first. */

import { useMemo } from "react";
import { Portfolio } from "../../../catalogue/schemas.ts";
import { shapeOf } from "../../../output/index.ts";
import { type Region, useBindings, useExplorer } from "../../app/context.ts";
import { actionBinding } from "../../app/keys/actions.ts";
import { refreshBinding } from "../../app/keys/bindings.ts";
import { routeForValue } from "../../app/route-for.ts";
import { useResource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { answerObject, endpointAt, relativeClock } from "../../widgets/cells.ts";
import { TablePanel } from "../../widgets/table/panel.tsx";
import type { RowIdentity } from "../../widgets/table/tools.ts";
import { holdingColumns, holdingsOf, mintOf, portfolioLine } from "./portfolio.ts";

const PORTFOLIO = endpointAt("/account/portfolio");
const IDENTITY: RowIdentity = {
  shape: shapeOf(Portfolio).field("tokens"),
  idOf: ({ token_address: mint }) => String(mint ?? ""),
};

/** Shows the holdings of an account. */
export function Holdings({ id, region, part }: { id: string; region: Region; part: string }) {
  const { services, navigation } = useExplorer();
  const params = useMemo(() => ({ address: id }), [id]);
  const resource = useResource(PORTFOLIO, params);
  const state = useResourceLine(resource);
  const portfolio = answerObject(resource);
  const rows = useMemo(() => (portfolio ? holdingsOf(portfolio) : []), [portfolio]);
  const columns = useMemo(() => holdingColumns(relativeClock(services), services.unicode), [services]);
  useBindings("panel", [
    {
      ...actionBinding("account.objects"),
      label: "all fields",
      group: "view",
      hint: 50,
      active: portfolio !== undefined,
      run: () => navigation.open({ kind: "endpoint", endpointRoute: PORTFOLIO.route, params }),
    },
    refreshBinding(resource.refresh, !portfolio),
  ]);
  if (!portfolio) return <ResourceStatus resource={resource} region={region} />;
  return (
    <TablePanel
      resource={resource}
      rows={rows}
      columns={columns}
      region={region}
      part={part}
      active
      top={() => [portfolioLine(portfolio, rows.length), ...(state ? [state] : [])]}
      tools={IDENTITY}
      empty="No holdings."
      target={(row) => routeForValue(mintOf(row), "address", "token_address")}
      cell={(row) => {
        const value = mintOf(row);
        return value === undefined ? undefined : { field: "token_address", value, kind: "address" };
      }}
    />
  );
}
