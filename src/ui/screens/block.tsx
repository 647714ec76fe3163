/** Block. */
import { line } from "../frame/line.ts";
import { Lines } from "../frame/lines.tsx";
import type { ScreenProps, ThingPlace } from "./props.ts";

export function BlockScreen({ place, region }: ScreenProps<ThingPlace>) {
  return <Lines lines={[line(`block ${place.id}`)]} width={region.width} height={region.height} />;
}
