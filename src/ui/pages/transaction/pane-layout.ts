/** Where the panes of a transaction are. Pure. */
import type { Region } from "../../navigation/context.ts";

/** A pane. */
export type PaneName = "story" | "instructions" | "detail";

/** The regions of the visible panes. */
export interface PaneRegions extends Readonly<Partial<Record<PaneName, Region>>> {
  /** Whether the details are below the instructions instead of beside them. */
  readonly isStacked: boolean;
  /** Whether panes have borders; without these, only the pane with the focus is visible. */
  readonly isFramed: boolean;
}

/** From this width on the story is beside the instructions. */
export const MIN_PANES_WIDTH = 110;
/** Lines of panes below each other, borders included. */
const MIN_STACKED_HEIGHT = 14;
const MIN_DETAIL_HEIGHT = 7;
/** The share of the width or the height of the first pane, and the maximum width of a story. */
const STORY_SHARE = 0.48;
const MAX_STORY_WIDTH = 96;
const TREE_SHARE = 0.6;
const BORDERS = 2;

/** Lays out the panes: story, instructions, and the details of one of `count` instructions. */
export function paneRegions(
  region: Region,
  { hasStory, count, focus }: { readonly hasStory: boolean; readonly count: number; readonly focus: PaneName },
): PaneRegions {
  const { width, height, top } = region;
  if (height < MIN_STACKED_HEIGHT && (hasStory || width < MIN_PANES_WIDTH)) {
    return { [focus]: region, isStacked: true, isFramed: false };
  }
  if (!hasStory && width >= MIN_PANES_WIDTH) {
    const treeWidth = Math.floor(width * TREE_SHARE);
    return {
      instructions: { width: treeWidth, height, top },
      detail: { width: width - treeWidth, height, top },
      isStacked: false,
      isFramed: true,
    };
  }
  const storyWidth = hasStory ? Math.min(MAX_STORY_WIDTH, Math.floor(width * STORY_SHARE)) : 0;
  const most = Math.max(Math.floor(height * TREE_SHARE), height - 2 * MIN_DETAIL_HEIGHT);
  const treeHeight = Math.min(count + BORDERS, most, height - MIN_DETAIL_HEIGHT);
  const right = { width: width - storyWidth, height: treeHeight, top };
  return {
    ...(hasStory && { story: { width: storyWidth, height, top } }),
    instructions: right,
    detail: { ...right, height: height - treeHeight, top: top + treeHeight },
    isStacked: true,
    isFramed: true,
  };
}
