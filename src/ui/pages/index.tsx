/** The screen of each place: one list, which the compiler holds to all places. */
import type { FC } from "react";
import type { Region } from "../app/context.ts";
import type { EntityKind, PageName } from "../app/entity-pages.ts";
import { endpointOfRoute, type Route } from "../app/route.ts";
import { AccountPage } from "./account/page.tsx";
import { BlockPage } from "./block/page.tsx";
import { BookmarksPage } from "./bookmarks/page.tsx";
import { CollectionPage } from "./collection/page.tsx";
import { DetailPage, LeaderboardPage, ListPage } from "./endpoint.tsx";

import { HomePage } from "./home/page.tsx";

import { MarketPage } from "./market/page.tsx";
import { ProgramPage } from "./program/page.tsx";
import type { PageProps, ThingPlace } from "./props.ts";
import { TokenPage } from "./token/page.tsx";
import { TransactionPage } from "./transaction/page.tsx";
import { UsagePage } from "./usage.tsx";

const HALLS: Readonly<Record<PageName, FC<PageProps>>> = {
  home: HomePage,
  leaderboard: LeaderboardPage,
  usage: UsagePage,
  bookmarks: BookmarksPage,
};

const THINGS: Readonly<Record<EntityKind, FC<PageProps<ThingPlace>>>> = {
  account: AccountPage,
  token: TokenPage,
  transaction: TransactionPage,
  block: BlockPage,
  market: MarketPage,
  program: ProgramPage,
  collection: CollectionPage,
};

/** The screen of a place. */
export function Page({ place, region }: { place: Route; region: Region }) {
  if (place.kind === "page") {
    const Hall = HALLS[place.page];
    return <Hall place={place} region={region} />;
  }
  if (place.kind === "entity") {
    const Thing = THINGS[place.entity];
    return <Thing place={place} region={region} />;
  }
  const isList = endpointOfRoute(place)?.returns.shape !== "object";
  return isList ? <ListPage place={place} region={region} /> : <DetailPage place={place} region={region} />;
}
