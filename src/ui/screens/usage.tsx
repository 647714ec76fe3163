/** Usage. */
import { line } from "../frame/line.ts";
import { Lines } from "../frame/lines.tsx";
import type { ScreenProps } from "./props.ts";

export function UsageScreen({ region }: ScreenProps) {
  return <Lines lines={[line("usage")]} width={region.width} height={region.height} />;
}
