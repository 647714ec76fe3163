/** Mints and programs are accounts too: which screen an address has, unless its account is asked for. */
import { useEffect } from "react";
import { useExplorer, useHistoryEntry, useViewState } from "../../app/context.ts";
import type { Route } from "../../app/route.ts";
import type { EntityRoute } from "../props.ts";
import type { OtherEntity } from "./summary.ts";

/** The account of an address whatever else it is: a place with a tab is meant as it is. */
export function accountRoute(id: string): Route {
  return { kind: "entity", entity: "account", id, tab: "portfolio" };
}

/** Puts the token or the program in the place of an account that is one, until a tab of the account was asked for. */
export function useEntityRedirect({ id, tab }: EntityRoute, others: readonly OtherEntity[]): void {
  const { navigation } = useExplorer();
  const entry = useHistoryEntry().id;
  const [openTab] = useViewState<string | undefined>("tab", tab);
  const target = others.find((other) => other !== "market");
  useEffect(() => {
    if (target === undefined || openTab !== undefined || navigation.current().id !== entry) return;
    navigation.replace({ kind: "entity", entity: target, id });
  }, [target, openTab, navigation, entry, id]);
}
