/** The layout of the pages of entities: a summary and tabs. */

import { Box } from "ink";
import type { ReactNode } from "react";
import { type Region, useBindings, useExplorer, useViewState } from "../../app/context.ts";
import { actionBinding } from "../../app/keys/actions.ts";
import { Lines } from "../../app/lines.tsx";
import { type TextLine, textLine } from "../../app/theme/text-line.ts";
import type { EntityRoute } from "../props.ts";
import { summaryHeight } from "./summary.ts";
import { nextTab, tabBar } from "./tabs.ts";

/** A tab of an entity. */
export interface Tab {
  readonly name: string;
  /** Renders the content. Called only while the tab is open, so that its requests are sent on first use. */
  readonly render: (region: Region, part: string) => ReactNode;
  /** Whether the tab is available (default). */
  readonly active?: boolean | undefined;
}

interface EntityLayoutProps {
  /** The route of the entity, which may name the tab to open first. */
  readonly route?: EntityRoute;
  readonly region: Region;
  /** At most `summaryHeight(region.height)` of them are visible. */
  readonly summary: readonly TextLine[];
  readonly tabs: readonly Tab[];
}

/** From this height on a rule separates the tabs from their content. */
const MIN_RULE_HEIGHT = 18;

/** Shows the summary and the open tab of an entity. */
export function EntityLayout({ route, region, summary, tabs }: EntityLayoutProps) {
  const { services } = useExplorer();
  const [open, setOpen] = useViewState<string | undefined>("tab", route?.tab);
  const visible = tabs.filter(({ active = true }) => active);
  const names = visible.map(({ name }) => name);
  const at = Math.max(0, names.indexOf(open ?? ""));
  const step = (by: number) => () =>
    setOpen((before) => names[nextTab(names.length, Math.max(0, names.indexOf(before ?? "")), by)]);
  const hasTabs = names.length > 1;
  useBindings("screen", [
    { ...actionBinding("tab.next"), label: "next tab", group: "view", hint: 30, active: hasTabs, run: step(1) },
    { ...actionBinding("tab.previous"), label: "previous tab", group: "view", active: hasTabs, run: step(-1) },
    {
      keys: names.slice(0, 9).map((_, index) => String(index + 1)),
      label: "open the tab",
      group: "view",
      active: hasTabs,
      run: (key) => setOpen(names[Number(key) - 1]),
    },
  ]);
  const { width } = region;
  const rule =
    region.height >= MIN_RULE_HEIGHT ? [textLine((services.unicode ? "─" : "-").repeat(width), "frame")] : [];
  const header = [...summary.slice(0, summaryHeight(region.height)), tabBar(names, at, width), ...rule];
  const tab = visible[at];
  const inner = { width, height: region.height - header.length, top: region.top + header.length };
  return (
    <Box flexDirection="column" width={width} height={region.height}>
      <Lines lines={header} width={width} height={Math.min(header.length, region.height)} />
      {tab && inner.height > 0 ? (
        <Box key={tab.name} width={width} height={inner.height}>
          {tab.render(inner, tab.name)}
        </Box>
      ) : null}
    </Box>
  );
}
