/** Any endpoint that answers with rows, as a screen. */
import { endpointOf } from "../app/route.ts";
import type { ScreenProps } from "../screens/props.ts";
import { ListPanel } from "./panel.tsx";

export function ListScreen({ place, region }: ScreenProps) {
  const endpoint = endpointOf(place);
  if (!endpoint || place.kind !== "endpoint") return null;
  return <ListPanel endpoint={endpoint} params={place.params} region={region} part="list" />;
}
