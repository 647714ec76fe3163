/** Any endpoint that answers with rows, as a screen. */
import { endpointOf } from "../app/route.ts";
import { ListPanel } from "../widgets/list/panel.tsx";
import type { ScreenProps } from "./props.ts";

export function ListScreen({ place, region }: ScreenProps) {
  const endpoint = endpointOf(place);
  if (!endpoint || place.kind !== "endpoint") return null;
  return <ListPanel endpoint={endpoint} params={place.params} region={region} part="list" />;
}
