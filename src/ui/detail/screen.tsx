/** Any endpoint that answers with an object, as a screen. */
import { endpointOf } from "../frame/place.ts";
import type { ScreenProps } from "../screens/props.ts";
import { DetailPanel } from "./panel.tsx";

export function DetailScreen({ place, region }: ScreenProps) {
  const endpoint = endpointOf(place);
  if (!endpoint || place.kind !== "endpoint") return null;
  return <DetailPanel endpoint={endpoint} params={place.params} region={region} part="detail" />;
}
