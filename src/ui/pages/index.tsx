/** The screen of each place: one list, which the compiler holds to all places. */
import type { FC } from "react";
import type { Region } from "../app/context.ts";
import { type EntityKind, endpointOfRoute, type PageName, type Route } from "../app/route.ts";
import { AccountScreen } from "./account/page.tsx";
import { BlockScreen } from "./block/page.tsx";
import { BookmarksScreen } from "./bookmarks/page.tsx";
import { CollectionScreen } from "./collection/page.tsx";
import { DetailScreen, LeaderboardScreen, ListScreen } from "./endpoint.tsx";

import { HomeScreen } from "./home/page.tsx";

import { MarketScreen } from "./market/page.tsx";
import { ProgramScreen } from "./program/page.tsx";
import type { ScreenProps, ThingPlace } from "./props.ts";
import { TokenScreen } from "./token/page.tsx";
import { TransactionScreen } from "./transaction/page.tsx";
import { UsageScreen } from "./usage.tsx";

const HALLS: Readonly<Record<PageName, FC<ScreenProps>>> = {
  home: HomeScreen,
  leaderboard: LeaderboardScreen,
  usage: UsageScreen,
  bookmarks: BookmarksScreen,
};

const THINGS: Readonly<Record<EntityKind, FC<ScreenProps<ThingPlace>>>> = {
  account: AccountScreen,
  token: TokenScreen,
  transaction: TransactionScreen,
  block: BlockScreen,
  market: MarketScreen,
  program: ProgramScreen,
  collection: CollectionScreen,
};

/** The screen of a place. */
export function Screen({ place, region }: { place: Route; region: Region }) {
  if (place.kind === "page") {
    const Hall = HALLS[place.page];
    return <Hall place={place} region={region} />;
  }
  if (place.kind === "entity") {
    const Thing = THINGS[place.entity];
    return <Thing place={place} region={region} />;
  }
  const isList = endpointOfRoute(place)?.returns.shape !== "object";
  return isList ? <ListScreen place={place} region={region} /> : <DetailScreen place={place} region={region} />;
}
