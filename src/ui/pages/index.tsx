/** The component of each page; the compiler requires one for every kind of entity and every named page. */
import type { FC } from "react";
import { returnsList } from "../../catalogue/index.ts";
import type { Region } from "../navigation/context.ts";
import type { EntityKind, PageName } from "../navigation/entity-pages.ts";
import { endpointOfRoute, type Route } from "../navigation/route.ts";
import { AccountPage } from "./account/page.tsx";
import { BlockPage } from "./block/page.tsx";
import { BookmarksPage } from "./bookmarks/page.tsx";
import { CollectionPage } from "./collection/page.tsx";
import { DetailPage, LeaderboardPage, ListPage, ValidatorsPage } from "./endpoint.tsx";
import { EpochPage } from "./epoch/page.tsx";
import { HomePage } from "./home/page.tsx";
import { InspectionPage } from "./inspection/page.tsx";
import { MarketPage } from "./market/page.tsx";
import { NetworkPage } from "./network/page.tsx";
import { ProgramPage } from "./program/page.tsx";
import type { EntityRoute, PageProps } from "./props.ts";
import { TokenPage } from "./token/page.tsx";
import { TransactionPage } from "./transaction/page.tsx";
import { UsagePage } from "./usage.tsx";

const PAGE_COMPONENTS: Readonly<Record<PageName, FC<PageProps>>> = {
  home: HomePage,
  network: NetworkPage,
  leaderboard: LeaderboardPage,
  usage: UsagePage,
  validators: ValidatorsPage,
  bookmarks: BookmarksPage,
};

const ENTITY_COMPONENTS: Readonly<Record<EntityKind, FC<PageProps<EntityRoute>>>> = {
  account: AccountPage,
  token: TokenPage,
  transaction: TransactionPage,
  block: BlockPage,
  market: MarketPage,
  program: ProgramPage,
  collection: CollectionPage,
  epoch: EpochPage,
  inspection: InspectionPage,
};

/** Renders the page of a route. */
export function Page({ route, region }: { route: Route; region: Region }) {
  if (route.kind === "page") {
    const Component = PAGE_COMPONENTS[route.page];
    return <Component route={route} region={region} />;
  }
  if (route.kind === "entity") {
    const Component = ENTITY_COMPONENTS[route.entity];
    return <Component route={route} region={region} />;
  }
  const endpoint = endpointOfRoute(route);
  return !endpoint || returnsList(endpoint) ? (
    <ListPage route={route} region={region} />
  ) : (
    <DetailPage route={route} region={region} />
  );
}
