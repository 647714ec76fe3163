/** The layout of the pages of entities: a header and tabs. */
import { Box } from "ink";
import type { ReactNode } from "react";
import { type Resource, useNameOf, useOptionalResource } from "../../data/hooks.ts";
import { coverageLine, useResourceLine } from "../../data/status.tsx";
import { Lines } from "../../frame/lines.tsx";
import { type Region, useBindings, useExplorer, useViewState } from "../../navigation/context.ts";
import { bindAction, keyLabelsOf } from "../../navigation/keys/bindings.ts";
import { joinEnds, lineWidth, type TextLine } from "../../navigation/theme/text-line.ts";
import type { MouseEvent } from "../../terminal/mouse.ts";
import type { EntityRoute, PageProps, TabProps } from "../props.ts";
import { nextTab, summaryHeight, summaryLines, tabBar, tabRule } from "./header.ts";
import { EndpointPanel } from "./panels.tsx";
import {
  activeTabs,
  answersOf,
  type EntityRecord,
  type EntityView,
  entityView,
  type PageRequest,
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
  readonly header?: readonly TextLine[];
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
  return <TabbedPage route={route} region={region} header={header} tabs={tabs} status={status} />;
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
  readonly status?: readonly TextLine[];
}

/** From this height on a rule separates the tabs from their content. */
const MIN_RULE_HEIGHT = 18;

/** Shows lines above tabs, and the content of the open one. */
export function TabbedPage({ route, region, header, tabs, status = NO_LINES }: TabbedPageProps) {
  const explorer = useExplorer();
  const { services } = explorer;
  const [open, setOpen] = useViewState<string | undefined>("tab", route?.tab);
  const names = tabs.map(({ name }) => name);
  const at = Math.max(0, names.indexOf(open ?? ""));
  const step = (by: number) => () =>
    setOpen((before) => names[nextTab(names.length, Math.max(0, names.indexOf(before ?? "")), by)]);
  const hasTabs = names.length > 1;
  useBindings("screen", [
    bindAction("tab.next", "next tab", step(1), { hint: 30, active: hasTabs }),
    bindAction("tab.previous", "previous tab", step(-1), { active: hasTabs }),
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
  const tabLine = tabBar(names, at, width, keyLabelsOf(explorer)("tab.next") ?? "");
  const rule = hasSpace ? [tabRule(tabLine, width, services.unicode)] : [];
  const top = [...header.slice(0, summaryHeight(region.height)), withStatus(tabLine, status, width), ...rule];
  const tab = tabs[at];
  const onMouse = ({ type, hit }: MouseEvent) => {
    if (type === "click" && typeof hit === "number") setOpen(names[hit]);
  };
  const inner = { width, height: region.height - top.length, top: region.top + top.length };
  return (
    <Box flexDirection="column" width={width} height={region.height}>
      <Lines lines={top} width={width} height={Math.min(top.length, region.height)} onMouse={onMouse} />
      {tab && inner.height > 0 ? (
        <Box key={tab.name} width={width} height={inner.height}>
          {tab.render(inner)}
        </Box>
      ) : null}
    </Box>
  );
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
