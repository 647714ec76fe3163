/** Collection. */
import { line } from "../frame/line.ts";
import { Lines } from "../frame/lines.tsx";
import type { ScreenProps, ThingPlace } from "./props.ts";

export function CollectionScreen({ place, region }: ScreenProps<ThingPlace>) {
  return <Lines lines={[line(`collection ${place.id}`)]} width={region.width} height={region.height} />;
}
