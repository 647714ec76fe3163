/** The layout of the pages of entities: a header and tabs. */
import { Box } from "ink";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { groupThousands, pluralize } from "../../../base/index.ts";
import { type Resource, useNameOf, useOptionalResource, useSessionUsage } from "../../data/hooks.ts";
import { coverageLine, useResourceLine } from "../../data/status.tsx";
import { Lines } from "../../frame/lines.tsx";
import { layOutPanes } from "../../frame/pane-layout.ts";
import {
  type Region,
  type Size,
  useBindings,
  useExplorer,
  useHistoryEntry,
  useViewState,
} from "../../navigation/context.ts";
import { bindAction, keyLabelsOf } from "../../navigation/keys/bindings.ts";
import { joinEnds, lineWidth, span, type TextLine } from "../../navigation/theme/text-line.ts";
import type { MouseEvent } from "../../terminal/mouse.ts";
import type { EntityRoute, PageProps, TabProps } from "../props.ts";
import { nextTab, summaryHeight, summaryLines, tabBar, tabRule } from "./header.ts";
import { PaneGrid } from "./pane-grid.tsx";
import { EndpointPanel } from "./panels.tsx";
import {
  activeTabs,
  answersOf,
  type EntityRecord,
  type EntityView,
  entityView,
  type PageRequest,
  type PaneRecord,
  pageRequest,
  type TabRecord,
  tabRequest,
} from "./record.ts";

/** Renders the content of a tab. Called only while the tab is open, so that its requests are sent on first use. */
type TabComponent = (props: TabProps) => ReactNode;

interface EntityLayoutProps<N extends string, T extends string> {
  readonly page: EntityPage<N, T>;
  /** The components of tabs that are more than the answer of their endpoint. */
  readonly tabs?: Readonly<Partial<Record<T, TabComponent>>>;
  /** Lines between the title and the problem of a request. */
  readonly above?: readonly TextLine[];
  /** The lines of the header, in place of those of the record. */
  readonly header?: readonly TextLine[] | undefined;
  /** What the page does by itself, at the right of the tabs: the longest form first. */
  readonly status?: readonly TextLine[];
}

const NO_LINES: readonly TextLine[] = [];

/** Shows the header and the open tab of an entity. */
export function EntityLayout<N extends string, T extends string>(props: EntityLayoutProps<N, T>) {
  const { page, tabs: components, above = NO_LINES, status = NO_LINES } = props;
  const { services } = useExplorer();
  const { record, id, answers, route, region } = page;
  const problem = useProblemLine(page);
  const notes = record.notes?.(page) ?? NO_LINES;
  const title = record.title?.(page);
  const [main] = Object.values<Resource>(page.states);
  // Notes about an entity that does not exist say it better than the problem.
  const isExplained = notes.length > 0 && main?.answer === undefined;
  const lines = [...(title ? [title] : []), ...above, ...(problem && !isExplained ? [problem] : []), ...notes];
  const space = summaryHeight(region.height) - lines.length;
  // A header of the page's own has no problem of its requests.
  const coverage = main && coverageLine(main);
  const own = props.header && [...(coverage ? [coverage] : []), ...props.header];
  const header = own ?? [...lines, ...summaryLines(record.facts(page), region.width, space)];
  const tabs = activeTabs(record, answers, services.supports).map((tab) => ({
    name: tab.name,
    render: (inner: Region) => {
      const part = record.hasNeighbours ? `${tab.name} ${id}` : tab.name;
      const component: TabComponent | undefined = components?.[tab.name];
      if (component) return component({ id, region: inner, part });
      const request = tabRequest(tab as TabRecord, id, answers);
      return <EndpointPanel key={id} {...request} columns={tab.columns} region={inner} part={part} />;
    },
  }));
  const spent = useSpentLine();
  // A page about nothing has one place to say so.
  const isMissing = main?.problem !== undefined && main.answer === undefined;
  // A walk through transactions starts only when its tab is opened.
  const isCheap = (name: string) => {
    const tab = record.tabs.find((one) => one.name === name);
    return tab !== undefined && services.source.supports(tab.endpoint).isWalk !== true;
  };
  return (
    <TabbedPage
      route={route}
      region={region}
      header={header}
      tabs={tabs}
      panes={isMissing ? undefined : record.panes?.filter(({ tab }) => isCheap(tab))}
      isKnown={main?.answer !== undefined}
      status={status.length > 0 ? status : spent}
    />
  );
}

/** Returns what the open page has cost so far; nothing where it is free or cached. */
function useSpentLine(): readonly TextLine[] {
  const { requests, units } = useSessionUsage();
  const { id } = useHistoryEntry();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page counts from its beginning.
  const before = useMemo(() => ({ requests, units }), [id]);
  const spent = units - before.units;
  if (spent <= 0) return NO_LINES;
  const text = `${groupThousands(spent)} units`;
  return [[span(`${pluralize(requests - before.requests, "request")}, ${text}`, "note")], [span(text, "note")]];
}

/** Returns the problem of the first request that has one. What a plan lacks is reported of the entity itself only. */
function useProblemLine<N extends string>({ record, states }: EntityPage<N, string>): TextLine | undefined {
  const names = Object.keys(record.requests) as N[];
  const reported = names.filter((name, at) => at === 0 || record.requests[name].isReported);
  const lines = reported.map((name, at) => {
    // biome-ignore lint/correctness/useHookAtTopLevel: a record has always the same requests.
    const line = useResourceLine(states[name]);
    return at > 0 && states[name].problem?.exit === "permission" ? undefined : line;
  });
  return lines.find((line) => line !== undefined);
}

/** A tab on the screen. */
export interface Tab {
  readonly name: string;
  readonly render: (region: Region) => ReactNode;
}

interface TabbedPageProps {
  /** The route of the entity, which may name the tab to open first. */
  readonly route?: EntityRoute;
  readonly region: Region;
  /** At most `summaryHeight(region.height)` of them are visible. */
  readonly header: readonly TextLine[];
  readonly tabs: readonly Tab[];
  /** The tabs that are panes while none is open. */
  readonly panes?: readonly PaneRecord[] | undefined;
  /** Whether the entity is known to exist: panes other than the first one wait for it. */
  readonly isKnown?: boolean;
  readonly status?: readonly TextLine[];
  /** From this width on it shows several panes (default: 110). */
  readonly minPanesWidth?: number;
}

/** From this height on a rule separates the tabs from their content. */
const MIN_RULE_HEIGHT = 18;
const NO_PANES: readonly PaneRecord[] = [];

/** Shows lines above tabs, and the content of the open one or, while none is open, of several as panes. */
export function TabbedPage({ panes = NO_PANES, isKnown = false, status = NO_LINES, ...props }: TabbedPageProps) {
  const { route, region, header, tabs, minPanesWidth = 110 } = props;
  const explorer = useExplorer();
  const { width } = region;
  const [open, setOpen] = useViewState<string | undefined>("tab", route?.tab);
  const names = tabs.map(({ name }) => name);
  const hasRule = region.height >= MIN_RULE_HEIGHT;
  const headed = header.slice(0, summaryHeight(region.height));
  const used = headed.length + (hasRule ? 2 : 1);
  const inner = { width, height: region.height - used, top: region.top + used };
  const { placed, setFocus, ...grid } = usePaneLayout(width < minPanesWidth ? NO_PANES : panes, names, inner);
  const isDivided = placed.length > 0 && open === undefined;
  const at = Math.max(0, names.indexOf((isDivided ? grid.focused : open) ?? ""));
  useTabBindings({ names, at, setOpen, setFocus, panes: placed, isDivided });
  const reserved = lineWidth(status.at(-1) ?? []) + 1;
  const tabLine = tabBar(names, at, width - reserved, keyLabelsOf(explorer)("tab.next") ?? "");
  const rule = hasRule ? [tabRule(tabLine, width, explorer.services.unicode)] : [];
  const lines = [...headed, withStatus(tabLine, status, width), ...rule];
  const tab = tabs[at];
  const onMouse = ({ type, hit }: MouseEvent) => {
    if (type === "click" && typeof hit === "number") setOpen(names[hit]);
  };
  const content = () => {
    if (isDivided) return <PaneGrid {...grid} {...{ tabs, setFocus, isKnown }} region={inner} />;
    return tab && inner.height > 0 ? (
      <Box key={tab.name} width={width} height={inner.height}>
        {tab.render(inner)}
      </Box>
    ) : null;
  };
  return (
    <Box flexDirection="column" width={width} height={region.height}>
      <Lines lines={lines} width={width} height={Math.min(lines.length, region.height)} onMouse={onMouse} />
      {content()}
    </Box>
  );
}

/** Returns the panes that fit, in reading order, and the one that keys are for; no pane where only one fits. */
function usePaneLayout(panes: readonly PaneRecord[], names: readonly string[], { width, height }: Size) {
  const [focus, setFocus] = useViewState<string | undefined>("pane", undefined);
  const [heights, setHeights] = useState<Readonly<Record<string, number>>>({});
  const reportHeight = useCallback(
    (tab: string, lines: number) =>
      setHeights((before) => (before[tab] === lines ? before : { ...before, [tab]: lines })),
    [],
  );
  const present = panes.filter(({ tab }) => names.includes(tab));
  const known = present.map(({ tab }) => tab).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: panes are compared by name.
  const layout = useMemo(() => {
    const needs = present.map((pane) => ({ ...pane, enough: heights[pane.tab] }));
    const columns = layOutPanes(needs, { width, height });
    return columns.flat().length > 1 ? columns : [];
  }, [known, width, height, heights]);
  const placed = layout.flat().map(({ pane }) => pane.tab);
  return { layout, placed, focused: placed.find((name) => name === focus) ?? placed[0], setFocus, reportHeight };
}

interface TabKeys {
  readonly names: readonly string[];
  /** The index of the open tab, or that of the focused pane. */
  readonly at: number;
  readonly setOpen: (next: (before: string | undefined) => string | undefined) => void;
  readonly setFocus: (tab: string | undefined) => void;
  readonly panes: readonly string[];
  readonly isDivided: boolean;
}

/** Registers the keys of tabs: a digit opens one, and the digit of the open one shows the panes again. */
function useTabBindings({ names, at, setOpen, setFocus, panes, isDivided }: TabKeys): void {
  const hasPanes = panes.length > 0;
  const step = (by: number) => () => {
    const next = (list: readonly string[], before: string | undefined) =>
      list[nextTab(list.length, Math.max(0, list.indexOf(before ?? "")), by)];
    if (isDivided) setFocus(next(panes, names[at]));
    else setOpen((before) => next(names, before));
  };
  const active = names.length > 1;
  const digits = names.slice(0, 9).map((_, index) => String(index + 1));
  const kind = isDivided ? "pane" : "tab";
  useBindings("screen", [
    bindAction("tab.next", `next ${kind}`, step(1), { hint: 30, active }),
    bindAction("tab.previous", `previous ${kind}`, step(-1), { active }),
    {
      // The hint is about the key of the current tab.
      keys: [...digits.slice(at, at + 1), ...digits.toSpliced(at, 1)],
      label: isDivided ? "zoom" : hasPanes ? "all panes" : "open the tab",
      group: "view",
      active,
      ...(hasPanes && at < digits.length && { hint: 29 }),
      run: (key) => {
        const name = names[Number(key) - 1];
        setOpen((before) => (before === name && hasPanes ? undefined : name));
      },
    },
  ]);
}

/** Adds the longest form of a status that fits to the line of the tabs; the shortest one always fits. */
function withStatus(bar: TextLine, status: readonly TextLine[], width: number): TextLine {
  const form = status.find((line) => lineWidth(bar) + lineWidth(line) < width) ?? status.at(-1);
  return form ? joinEnds(bar, form, width) : bar;
}

/** What the page of an entity shows. */
export interface EntityPage<N extends string, T extends string> extends EntityView<N> {
  readonly record: EntityRecord<N, T>;
  readonly route: EntityRoute;
  readonly region: Region;
  readonly states: Readonly<Record<N, Resource>>;
}

interface EntityOptions<N extends string> {
  readonly days?: number;
  /** A request that the open tab makes no use of. */
  readonly unneeded?: N | undefined;
}

/** Requests the answers of a record. The page of a record is mounted once for each kind of entity. */
export function useEntity<N extends string, T extends string>(
  record: EntityRecord<N, T>,
  { route, region }: PageProps<EntityRoute>,
  { days = record.days ?? 1, unneeded }: EntityOptions<N> = {},
): EntityPage<N, T> {
  const { services } = useExplorer();
  const nameOf = useNameOf();
  const { id } = route;
  const states: Partial<Record<N, Resource>> = {};
  for (const [name, request] of Object.entries(record.requests) as [N, PageRequest<N>][]) {
    const answers = answersOf(states as Record<N, Resource>);
    const { endpoint, params } = pageRequest(request as PageRequest, id, days, answers);
    const isNeeded = request.isNeeded?.(answers) ?? true;
    // biome-ignore lint/correctness/useHookAtTopLevel: a record has always the same requests.
    states[name] = useOptionalResource(endpoint, params, isNeeded && name !== unneeded);
  }
  const all = states as Readonly<Record<N, Resource>>;
  const view = entityView(id, all, services, { nameOf, width: region.width, days });
  return { ...view, states: all, record, route, region };
}
