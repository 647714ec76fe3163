/** The layout of the pages of entities: a summary and tabs. */

import { Box } from "ink";
import type { ReactNode } from "react";
import type { Endpoint } from "../../../catalogue/index.ts";
import { Lines } from "../../frame/lines.tsx";
import { type Region, useBindings, useExplorer, useViewState } from "../../navigation/context.ts";
import { actionBinding } from "../../navigation/keys/actions.ts";
import { keyLabelsOf } from "../../navigation/keys/key-hints.ts";
import { joinEnds, lineWidth, type TextLine } from "../../navigation/theme/text-line.ts";
import type { MouseEvent } from "../../terminal/mouse.ts";
import type { EntityRoute } from "../props.ts";
import { summaryHeight } from "./summary.ts";
import { nextTab, tabLines, tabRule } from "./tabs.ts";

/** A tab of an entity. */
export interface Tab {
  readonly name: string;
  /** Renders the content. Called only while the tab is open, so that its requests are sent on first use. */
  readonly render: (region: Region, part: string) => ReactNode;
  /** Whether the tab is available (default). */
  readonly active?: boolean | undefined;
  /** The endpoint that the tab shows; without an answer to it, the tab is left out. */
  readonly endpoint?: Endpoint | undefined;
}

interface EntityLayoutProps {
  /** The route of the entity, which may name the tab to open first. */
  readonly route?: EntityRoute;
  readonly region: Region;
  /** At most `summaryHeight(region.height)` of them are visible. */
  readonly summary: readonly TextLine[];
  readonly tabs: readonly Tab[];
  /** What the page does by itself, at the right of the tabs: the longest form first. */
  readonly status?: readonly TextLine[] | undefined;
}

/** From this height on a rule separates the tabs from their content, or they have two lines. */
const MIN_RULE_HEIGHT = 18;

/** Shows the summary and the open tab of an entity. */
export function EntityLayout({ route, region, summary, tabs, status = [] }: EntityLayoutProps) {
  const explorer = useExplorer();
  const { services } = explorer;
  const [open, setOpen] = useViewState<string | undefined>("tab", route?.tab);
  const visible = tabs.filter(({ active = true, endpoint }) => active && (!endpoint || services.supports(endpoint)));
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
  const hasSpace = region.height >= MIN_RULE_HEIGHT;
  const lines = tabLines(names, at, width, hasSpace ? 2 : 1, keyLabelsOf(explorer)("tab.next") ?? "");
  const bar = withStatus(lines, status, width);
  // A second line of tabs takes the place of the rule.
  const rule = hasSpace && bar.length === 1 ? [tabRule(lines[0] ?? [], width, services.unicode)] : [];
  const header = [...summary.slice(0, summaryHeight(region.height)), ...bar, ...rule];
  const tab = visible[at];
  const onMouse = ({ type, hit }: MouseEvent) => {
    if (type === "click" && typeof hit === "number") setOpen(names[hit]);
  };
  const inner = { width, height: region.height - header.length, top: region.top + header.length };
  return (
    <Box flexDirection="column" width={width} height={region.height}>
      <Lines lines={header} width={width} height={Math.min(header.length, region.height)} onMouse={onMouse} />
      {tab && inner.height > 0 ? (
        <Box key={tab.name} width={width} height={inner.height}>
          {tab.render(inner, tab.name)}
        </Box>
      ) : null}
    </Box>
  );
}

/** Adds the longest form of a status that fits to the last line of the tabs; the shortest one always fits. */
function withStatus(bar: readonly TextLine[], status: readonly TextLine[], width: number): readonly TextLine[] {
  const last = bar.at(-1) ?? [];
  const form = status.find((line) => lineWidth(last) + lineWidth(line) < width) ?? status.at(-1);
  return form ? [...bar.slice(0, -1), joinEnds(last, form, width)] : bar;
}
