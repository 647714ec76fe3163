/** Mints and programs are accounts too: which screen an address has, unless its account is asked for. */
import { useEffect } from "react";
import { useExplorer, useHistoryEntry, useViewState } from "../../app/context.ts";
import type { Route } from "../../app/route.ts";
import type { ThingPlace } from "../props.ts";
import type { Other } from "./summary.ts";

/** The account of an address whatever else it is: a place with a tab is meant as it is. */
export function asAccount(id: string): Route {
  return { kind: "entity", entity: "account", id, tab: "portfolio" };
}

/** Puts the token or the program in the place of an account that is one, until a tab of the account was asked for. */
export function useRather({ id, tab }: ThingPlace, others: readonly Other[]): void {
  const { navigation } = useExplorer();
  const visit = useHistoryEntry().id;
  const [open] = useViewState<string | undefined>("tab", tab);
  const thing = others.find((other) => other !== "market");
  useEffect(() => {
    if (thing === undefined || open !== undefined || navigation.current().id !== visit) return;
    navigation.replace({ kind: "entity", entity: thing, id });
  }, [thing, open, navigation, visit, id]);
}
