/** The common frame of the screens of things: what it is, and tabs of which one is open. */

import { Box } from "ink";
import type { ReactNode } from "react";
import { type Region, useBindings, useExplorer, useViewState } from "../../app/context.ts";
import { actionBinding } from "../../app/keys/actions.ts";
import { Lines } from "../../app/lines.tsx";
import { type TextLine, textLine } from "../../app/theme/text-line.ts";
import type { ThingPlace } from "../props.ts";
import { summaryHeight } from "./summary.ts";
import { tabAfter, tabBar } from "./tabs.ts";

/** A tab of a thing. */
export interface Tab {
  readonly name: string;
  /** What it shows. It is rendered while it is open only, so its answers are asked for on first sight. */
  readonly render: (region: Region, part: string) => ReactNode;
  /** Whether it is offered (default). */
  readonly active?: boolean | undefined;
}

export interface ThingFrameProps {
  readonly place: ThingPlace;
  readonly region: Region;
  /** At most `summaryHeight(region.height)` of them are shown. */
  readonly summary: readonly TextLine[];
  readonly tabs: readonly Tab[];
}

/** From this height on a rule sets the tabs apart from what they show. */
const HEIGHT_OF_RULE = 18;

export function ThingFrame({ place, region, summary, tabs }: ThingFrameProps) {
  const { services } = useExplorer();
  const [open, setOpen] = useViewState<string | undefined>("tab", place.tab);
  const offered = tabs.filter(({ active = true }) => active);
  const names = offered.map(({ name }) => name);
  const at = Math.max(0, names.indexOf(open ?? ""));
  const step = (by: number) => () =>
    setOpen((before) => names[tabAfter(names.length, Math.max(0, names.indexOf(before ?? "")), by)]);
  const several = names.length > 1;
  useBindings("screen", [
    { ...actionBinding("tab.next"), label: "next tab", group: "view", hint: 30, active: several, run: step(1) },
    { ...actionBinding("tab.previous"), label: "previous tab", group: "view", active: several, run: step(-1) },
    {
      keys: names.slice(0, 9).map((_, index) => String(index + 1)),
      label: "open the tab",
      group: "view",
      active: several,
      run: (key) => setOpen(names[Number(key) - 1]),
    },
  ]);
  const { width } = region;
  const rule = region.height >= HEIGHT_OF_RULE ? [textLine((services.unicode ? "─" : "-").repeat(width), "frame")] : [];
  const head = [...summary.slice(0, summaryHeight(region.height)), tabBar(names, at, width), ...rule];
  const tab = offered[at];
  const inner = { width, height: region.height - head.length, top: region.top + head.length };
  return (
    <Box flexDirection="column" width={width} height={region.height}>
      <Lines lines={head} width={width} height={Math.min(head.length, region.height)} />
      {tab && inner.height > 0 ? (
        <Box key={tab.name} width={width} height={inner.height}>
          {tab.render(inner, tab.name)}
        </Box>
      ) : null}
    </Box>
  );
}
