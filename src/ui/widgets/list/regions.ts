/** How a panel is shared out: the status above, headings and rows, the preview, the line that is typed into. */
import type { Size } from "../../app/context.ts";
import { type PreviewPlace, previewPlace } from "./preview.ts";
import type { ListState } from "./reducer.ts";

/** The parts of a panel. */
export interface ListPlace {
  /** The room for the lines of rows; the headings are one line above. */
  readonly rows: Size;
  readonly preview: PreviewPlace | undefined;
  readonly width: number;
}

/** Lines above headings and rows, and for headings. */
const STATUS = 1;
const HEADINGS = 1;
/** Lines that a preview leaves to the rows at least, with their headings. */
const LEAST_ROWS = 4;

/** Shares out a region. */
export function placeOfList(
  { width, height }: Size,
  { hasPreview, prompt }: Pick<ListState, "hasPreview" | "prompt">,
): ListPlace {
  const body = { width, height: Math.max(1 + HEADINGS, height - STATUS - (prompt ? 1 : 0)) };
  const preview = hasPreview ? previewPlace(body) : undefined;
  const hasRoom = preview !== undefined && preview.list.height >= LEAST_ROWS;
  const list = hasRoom ? preview.list : body;
  return {
    rows: { width: list.width, height: Math.max(1, list.height - HEADINGS) },
    preview: hasRoom ? preview : undefined,
    width,
  };
}
