/** The screen of each place: one list, which the compiler holds to all places. */
import type { FC } from "react";
import type { Region } from "../app/context.ts";
import { endpointOf, type Hall, type Place, type Thing } from "../app/route.ts";
import { DetailScreen } from "../detail/screen.tsx";
import { ListScreen } from "../list/screen.tsx";
import { AccountScreen } from "./account.tsx";
import { BlockScreen } from "./block.tsx";
import { BookmarksScreen } from "./bookmarks.tsx";
import { CollectionScreen } from "./collection.tsx";
import { HomeScreen } from "./home.tsx";
import { LeaderboardScreen } from "./leaderboard.tsx";
import { MarketScreen } from "./market.tsx";
import { ProgramScreen } from "./program.tsx";
import type { ScreenProps, ThingPlace } from "./props.ts";
import { TokenScreen } from "./token.tsx";
import { TransactionScreen } from "./transaction.tsx";
import { UsageScreen } from "./usage.tsx";

const HALLS: Readonly<Record<Hall, FC<ScreenProps>>> = {
  home: HomeScreen,
  leaderboard: LeaderboardScreen,
  usage: UsageScreen,
  bookmarks: BookmarksScreen,
};

const THINGS: Readonly<Record<Thing, FC<ScreenProps<ThingPlace>>>> = {
  account: AccountScreen,
  token: TokenScreen,
  transaction: TransactionScreen,
  block: BlockScreen,
  market: MarketScreen,
  program: ProgramScreen,
  collection: CollectionScreen,
};

/** The screen of a place. */
export function Screen({ place, region }: { place: Place; region: Region }) {
  if (place.kind === "hall") {
    const Hall = HALLS[place.hall];
    return <Hall place={place} region={region} />;
  }
  if (place.kind === "thing") {
    const Thing = THINGS[place.thing];
    return <Thing place={place} region={region} />;
  }
  const isList = endpointOf(place)?.returns.shape !== "object";
  return isList ? <ListScreen place={place} region={region} /> : <DetailScreen place={place} region={region} />;
}
