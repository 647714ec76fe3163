/** The head of the screen: where one is, who asks whom, what is left of the budget. */
import { useSyncExternalStore } from "react";
import { useExplorer } from "./context.ts";
import { between, type Line, line, span } from "./line.ts";
import { Lines } from "./lines.tsx";
import { titleOf } from "./place.ts";

/** The lines that the head takes. */
export function headHeight(_width: number): number {
  return 1;
}

export function Head({ width }: { width: number }) {
  const { services, navigation, data } = useExplorer();
  useSyncExternalStore(navigation.subscribe, navigation.current);
  const gauge = useSyncExternalStore(data.subscribe, data.gauge);
  const crumbs = navigation
    .trail()
    .slice(-3)
    .map(({ place }) => titleOf(place));
  const left: Line = [span("solx ", "brand"), span(crumbs.join(" › "))];
  const right: Line = [
    span(gauge.requests ? `${gauge.requests.left}/${gauge.requests.of} requests ` : "", "note"),
    services.identity.sandbox ? span(" SANDBOX ", "sandbox") : span(services.identity.profile ?? "", "note"),
  ];
  return <Lines lines={[between(left, right, width), line("")]} width={width} height={headHeight(width)} />;
}
