/** What an account holds: the portfolio with values and shares, most valuable first, and NFTs by their names. */

import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { Column } from "../../../catalogue/index.ts";
import { Portfolio } from "../../../catalogue/schemas.ts";
import { shapeOf } from "../../../output/index.ts";
import { useResource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { type Region, useBindings, useExplorer, useViewState } from "../../navigation/context.ts";
import { bindAction, refreshBinding } from "../../navigation/keys/bindings.ts";
import { formatKeyHints, keyLabelsOf } from "../../navigation/keys/key-hints.ts";
import { routeForValue } from "../../navigation/route-for.ts";
import { answerObject, relativeClock } from "../../widgets/cells.ts";
import { useChartStyle } from "../../widgets/chart/panel.tsx";
import { stackedBar } from "../../widgets/chart/stacked-bar.ts";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { filledColumns } from "../../widgets/table/layout.ts";
import { TablePanel } from "../../widgets/table/panel.tsx";
import type { RowIdentity } from "../../widgets/table/rows.ts";
import { holdingColumns, holdingShares, holdingsOf, isValueless, mintOf, portfolioLine } from "./portfolio.ts";
import { PORTFOLIO, TOKEN_ACCOUNTS } from "./record.ts";

const IDENTITY: RowIdentity = {
  shape: shapeOf(Portfolio).field("tokens"),
  idOf: ({ token_address: mint }) => String(mint ?? ""),
};

/** Minimum height with the shares of the tokens as a bar. */
const MIN_BAR_HEIGHT = 12;

/** Shows the holdings of an account. */
export function Holdings({ id, region, part }: { id: string; region: Region; part: string }) {
  const explorer = useExplorer();
  const { services, navigation } = explorer;
  const params = useMemo(() => ({ address: id }), [id]);
  const resource = useResource(PORTFOLIO, params);
  const state = useResourceLine(resource);
  const portfolio = answerObject(resource);
  const all = useMemo(() => (portfolio ? holdingsOf(portfolio) : []), [portfolio]);
  const [showsAll, setShowsAll] = useViewState(`${part} valueless`, false);
  // Without prices nothing has a value.
  const hasValues = !services.source.facts.omitsUnknown;
  const valued = useMemo(() => (hasValues ? all.filter((row) => !isValueless(row)) : all), [all, hasValues]);
  const canHide = valued.length > 0 && valued.length < all.length;
  const rows = canHide && !showsAll ? valued : all;
  const columns = useMemo(
    () => filledColumns(holdingColumns(relativeClock(services), services.unicode), rows),
    [services, rows],
  );
  const style = useChartStyle();
  const shares = useMemo(
    () => stackedBar(holdingShares(rows), { ...style, width: region.width }),
    [rows, style, region.width],
  );
  useBindings("panel", [
    bindAction(
      "account.objects",
      "all fields",
      () => navigation.open({ kind: "endpoint", endpointRoute: PORTFOLIO.route, params }),
      { hint: 50, active: portfolio !== undefined },
    ),
    bindAction(
      "account.valueless",
      showsAll ? "hide tokens without value" : "show tokens without value",
      () => setShowsAll((before) => !before),
      { hint: 35, active: canHide },
    ),
    refreshBinding(resource.refresh, !portfolio),
  ]);
  if (!portfolio) {
    return <ResourceStatus resource={resource} region={region} heads={columns.map(({ head }) => head)} />;
  }
  return (
    <TablePanel
      source={{
        resource,
        rows,
        columns,
        identity: IDENTITY,
        empty: "No holdings.",
        target: (row) => routeForValue(mintOf(row), "address", "token_address"),
        cell: (row) => {
          const value = mintOf(row);
          return value === undefined ? undefined : { field: "token_address", value, kind: "address" };
        },
      }}
      region={region}
      part={part}
      active
      top={() => [
        portfolioLine(portfolio, all.length, {
          count: all.length - rows.length,
          hint: canHide
            ? formatKeyHints(keyLabelsOf(explorer), [["account.valueless", showsAll ? "hide" : "show"]])
            : "",
        }),
        ...(region.height >= MIN_BAR_HEIGHT ? shares : []),
        ...(state ? [state] : []),
      ]}
    />
  );
}

const NFT_COLUMNS: readonly Column[] = [{ path: "token_address", head: "NFT" }, "token_account"];

/** Shows the NFTs of an account. The rows of the API have only mints: names are requested for those on the screen. */
export function Nfts({ id, region, part }: { readonly id: string; readonly region: Region; readonly part: string }) {
  const { data, pointer } = useExplorer();
  const params = useMemo(() => ({ address: id, type: "nft", hide_zero: true }), [id]);
  const unnamed = useSyncExternalStore(pointer.subscribe, pointer.identifiers);
  useEffect(() => data.nameLoads.show(unnamed.filter(({ role }) => role === "token")), [data, unnamed]);
  return (
    <ListPanel
      endpoint={TOKEN_ACCOUNTS}
      params={params}
      columns={NFT_COLUMNS}
      noun="NFTs"
      region={region}
      part={part}
    />
  );
}
