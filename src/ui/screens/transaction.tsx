/** Transaction. */
import { line } from "../frame/line.ts";
import { Lines } from "../frame/lines.tsx";
import type { ScreenProps, ThingPlace } from "./props.ts";

export function TransactionScreen({ place, region }: ScreenProps<ThingPlace>) {
  return <Lines lines={[line(`transaction ${place.id}`)]} width={region.width} height={region.height} />;
}
