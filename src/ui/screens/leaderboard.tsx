/** Leaderboard. */
import { line } from "../frame/line.ts";
import { Lines } from "../frame/lines.tsx";
import type { ScreenProps } from "./props.ts";

export function LeaderboardScreen({ region }: ScreenProps) {
  return <Lines lines={[line("leaderboard")]} width={region.width} height={region.height} />;
}
