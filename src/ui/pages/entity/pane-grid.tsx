/** Several tabs of a page beside each other, as panes. */
import { Box } from "ink";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { canPrefetch } from "../../data/quota.ts";
import { Lines } from "../../frame/lines.tsx";
import { insidePane, PANE_BORDER, Pane, type PaneFrame } from "../../frame/pane.tsx";
import type { layOutPanes } from "../../frame/pane-layout.ts";
import { PaneContext, type PaneScope, type Region, useExplorer } from "../../navigation/context.ts";
import { textLine } from "../../navigation/theme/text-line.ts";
import type { PaneRecord } from "./record.ts";

interface PaneGridProps {
  readonly layout: ReturnType<typeof layOutPanes<PaneRecord>>;
  readonly region: Region;
  /** All tabs of the page, of which some are panes. */
  readonly tabs: readonly { readonly name: string; readonly render: (region: Region) => ReactNode }[];
  readonly focused: string | undefined;
  readonly setFocus: (tab: string) => void;
  /** Called with the lines that show the whole content of a pane, its border included. */
  readonly reportHeight: (tab: string, height: number) => void;
  /** Whether the entity is known to exist; until then, only the first pane requests something. */
  readonly isKnown: boolean;
}

/** Cells between the border and the content. */
const PADDING = 1;

/** Returns the region of the content of a pane. */
export function contentRegion(place: Region): Region {
  const inside = insidePane(place);
  return { ...inside, width: inside.width - 2 * PADDING };
}

/** Shows panes, of which one has the focus. While little is left of the quota, the others wait for their key. */
export function PaneGrid({ layout, region, tabs, focused, setFocus, reportHeight, isKnown }: PaneGridProps) {
  const { data } = useExplorer();
  const [isAmple] = useState(() => canPrefetch(data.quota()));
  const first = layout[0]?.[0]?.pane.tab;
  const numberOf = (tab: string) => tabs.findIndex(({ name }) => name === tab) + 1;
  const contentIn = (tab: string, inside: Region): ReactNode => {
    if (tab === first || (isKnown && isAmple)) return tabs[numberOf(tab) - 1]?.render(inside);
    const waiting = isKnown ? `${numberOf(tab)} loads it: little is left of the quota.` : "";
    return <Lines lines={[textLine(waiting, "note")]} width={inside.width} height={inside.height} />;
  };
  return (
    <Box width={region.width} height={region.height}>
      {layout.map((column) => (
        <Box key={column[0]?.pane.tab} flexDirection="column">
          {column.map(({ pane: { tab }, top, width, height }) => {
            const place = { width, height, top: region.top + top };
            const number = numberOf(tab) < 10 ? numberOf(tab) : undefined;
            const frame = { title: tab, focused: tab === focused, number };
            const scope = { isFocused: frame.focused, fullHeight: region.height };
            return (
              <ScopedPane key={tab} {...{ tab, frame, place, setFocus, reportHeight }} {...scope}>
                {contentIn(tab, contentRegion(place))}
              </ScopedPane>
            );
          })}
        </Box>
      ))}
    </Box>
  );
}

interface ScopedPaneProps
  extends Pick<PaneGridProps, "setFocus" | "reportHeight">,
    Pick<PaneScope, "isFocused" | "fullHeight"> {
  readonly tab: string;
  readonly frame: PaneFrame;
  readonly place: Region;
  readonly children: ReactNode;
}

/** Shows what is in a pane, without keys unless it has the focus. */
export function ScopedPane({
  tab,
  frame,
  place,
  setFocus,
  reportHeight,
  isFocused,
  fullHeight,
  children,
}: ScopedPaneProps) {
  const report = useCallback((lines: number) => reportHeight(tab, lines + 2 * PANE_BORDER), [reportHeight, tab]);
  const scope = useMemo(
    () => ({ isFocused, focus: () => setFocus(tab), fullHeight, reportLines: report }),
    [isFocused, setFocus, tab, fullHeight, report],
  );
  return (
    <PaneContext value={scope}>
      <Pane frame={frame} region={place}>
        <Box marginLeft={PADDING}>{children}</Box>
      </Pane>
    </PaneContext>
  );
}
