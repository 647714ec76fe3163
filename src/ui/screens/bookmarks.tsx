/** Bookmarks. */
import { line } from "../frame/line.ts";
import { Lines } from "../frame/lines.tsx";
import type { ScreenProps } from "./props.ts";

export function BookmarksScreen({ region }: ScreenProps) {
  return <Lines lines={[line("bookmarks")]} width={region.width} height={region.height} />;
}
