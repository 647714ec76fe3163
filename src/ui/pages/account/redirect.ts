/** Mints and programs are accounts too: which screen an address has, unless its account is asked for. */
import { useEffect } from "react";
import { useExplorer, useMemory, useVisit } from "../../app/context.ts";
import type { Place } from "../../app/route.ts";
import type { ThingPlace } from "../props.ts";
import type { Other } from "./summary.ts";

/** The account of an address whatever else it is: a place with a tab is meant as it is. */
export function asAccount(id: string): Place {
  return { kind: "thing", thing: "account", id, tab: "portfolio" };
}

/** Puts the token or the program in the place of an account that is one, until a tab of the account was asked for. */
export function useRather({ id, tab }: ThingPlace, others: readonly Other[]): void {
  const { navigation } = useExplorer();
  const visit = useVisit().id;
  const [open] = useMemory<string | undefined>("tab", tab);
  const thing = others.find((other) => other !== "market");
  useEffect(() => {
    if (thing === undefined || open !== undefined || navigation.current().id !== visit) return;
    navigation.replace({ kind: "thing", thing, id });
  }, [thing, open, navigation, visit, id]);
}
