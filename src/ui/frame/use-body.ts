/** The body region as a hook, apart from the layout itself, which is used without Ink. */
import { useWindowSize } from "ink";
import type { Region } from "../navigation/context.ts";
import { bodyRegion } from "./layout.ts";

/** Returns the region between header and footer of the current window. */
export function useBody(): Region {
  const { columns, rows } = useWindowSize();
  return bodyRegion({ width: columns, height: rows });
}
