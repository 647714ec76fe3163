/** Home. */
import { line } from "../frame/line.ts";
import { Lines } from "../frame/lines.tsx";
import type { ScreenProps } from "./props.ts";

export function HomeScreen({ region }: ScreenProps) {
  return <Lines lines={[line("home")]} width={region.width} height={region.height} />;
}
