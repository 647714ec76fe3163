/** The component of each page; the compiler requires one for every kind of entity and every named page. */
import type { FC } from "react";
import type { Region } from "../navigation/context.ts";
import type { EntityKind, PageName } from "../navigation/entity-pages.ts";
import type { Route } from "../navigation/route.ts";
import { AccountPage } from "./account/page.tsx";
import { BlockPage } from "./block/page.tsx";
import { BookmarksPage } from "./bookmarks/page.tsx";
import { CollectionPage } from "./collection/page.tsx";
import { ComparisonPage } from "./comparison/page.tsx";
import { EndpointPage, NamedListPage } from "./endpoint.tsx";
import { EpochPage } from "./epoch/page.tsx";
import { HomePage } from "./home/page.tsx";
import { InspectionPage } from "./inspection/page.tsx";
import { MarketPage } from "./market/page.tsx";
import { NetworkPage } from "./network/page.tsx";
import { ProgramPage } from "./program/page.tsx";
import type { EntityRoute, PageProps } from "./props.ts";
import { RulesPage } from "./rules/page.tsx";
import { TokenPage } from "./token/page.tsx";
import { TransactionPage } from "./transaction/page.tsx";
import { UsagePage } from "./usage.tsx";

const PAGE_COMPONENTS: Readonly<Record<PageName, FC<PageProps>>> = {
  home: HomePage,
  network: NetworkPage,
  leaderboard: NamedListPage,
  usage: UsagePage,
  validators: NamedListPage,
  watch: RulesPage,
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
    const Component = route.others ? ComparisonPage : ENTITY_COMPONENTS[route.entity];
    return <Component route={route} region={region} />;
  }
  return <EndpointPage route={route} region={region} />;
}
