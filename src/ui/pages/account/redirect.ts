/** Redirects the page of an account that is a mint or a program, unless the account itself was requested. */
import { useEffect } from "react";
import { useExplorer, useHistoryEntry, useViewState } from "../../navigation/context.ts";
import type { Route } from "../../navigation/route.ts";
import type { EntityRoute } from "../props.ts";
import type { OtherEntity } from "./summary.ts";

/** Returns the route of the account of an address; a route with a tab is not redirected. */
export function accountRoute(id: string): Route {
  return { kind: "entity", entity: "account", id, tab: "portfolio" };
}

/** Replaces the page of an account by that of its token or program, unless a tab of the account was requested. */
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
