/** Token. */
import { line } from "../frame/line.ts";
import { Lines } from "../frame/lines.tsx";
import type { ScreenProps, ThingPlace } from "./props.ts";

export function TokenScreen({ place, region }: ScreenProps<ThingPlace>) {
  return <Lines lines={[line(`token ${place.id}`)]} width={region.width} height={region.height} />;
}
