/** Any endpoint that answers with an object, as a screen. */
import { endpointOf, type Thing } from "../app/route.ts";
import { DetailPanel } from "../widgets/detail/panel.tsx";
import type { ScreenProps } from "./props.ts";

/** What an address in a field called `address` is of, by the group of the endpoint. */
const OWN: Readonly<Record<string, Thing>> = { token: "token", market: "market", nft: "token" };

/** The object that an endpoint answers with. */
export function DetailScreen({ place, region }: ScreenProps) {
  const endpoint = endpointOf(place);
  if (!endpoint || place.kind !== "endpoint") return null;
  return (
    <DetailPanel endpoint={endpoint} params={place.params} region={region} part="detail" own={OWN[endpoint.group]} />
  );
}
