/** Foldable rows of text with links, with a cursor and a filter. */

import { Lines } from "../../frame/lines.tsx";
import { type TreeOptions, useTree } from "./use-tree.ts";

/** Shows rows that fold and link. */
export function TreePanel(props: TreeOptions) {
  const { lines, onMouse } = useTree(props);
  const { width, height } = props.region;
  return <Lines lines={lines} width={width} height={height} onMouse={onMouse} />;
}
