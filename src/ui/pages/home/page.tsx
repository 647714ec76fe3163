/** The home page: the state of the chain and its latest and largest entities, refreshed while it is open. */
import { Box } from "ink";
import { useMemo } from "react";
import { DETAIL_AGE_MS, useTrendBinding } from "../../data/hooks.ts";
import { type LiveRequest, useLive } from "../../data/live.ts";
import { AGE_MS } from "../../data/timers.ts";
import { hasPage } from "../../navigation/availability.ts";
import { useBindings, useExplorer, useViewState } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import type { TextLine } from "../../navigation/theme/text-line.ts";
import { nextTab, tabBar } from "../entity/header.ts";
import type { PageProps } from "../props.ts";
import { SectionPanel, useMissingPrices } from "./section-panel.tsx";
import {
  CHAIN,
  type HomeSection,
  LATEST_BLOCKS,
  LIVE_MS,
  PERFORMANCE,
  STATUS,
  sectionsFor,
  TOP_TOKENS,
  TRENDING_TOKENS,
} from "./sections.ts";
import { ChainSummary, ClusterSummary, layOutHome } from "./summary.tsx";

/** Shows the state of the chain and the sections. */
export function HomePage({ region }: PageProps) {
  const { navigation, data, services } = useExplorer();
  const [openSection, setOpenSection] = useViewState("section", 0);
  const [choice, setChoice] = useViewState<boolean | undefined>("live", undefined);
  const sections = useMemo(() => sectionsFor(services), [services]);
  const section = sections[openSection];
  const { width, height } = region;
  const layout = useMemo(() => layOutHome({ width, height }, sections, section), [width, height, sections, section]);
  const visible = useMemo(() => layout.columns.flat().map(({ pane }) => pane.section), [layout]);
  const isSingle = visible.length < sections.length;
  const prices = useMissingPrices(visible.some(({ endpoint }) => endpoint === TRENDING_TOKENS.endpoint));
  const requests = useMemo(
    () => [
      ...liveRequests(visible, services.supports(STATUS.endpoint)),
      ...(prices ? [{ ...prices, everyMs: LIVE_MS.totals }] : []),
    ],
    [visible, prices, services],
  );
  const live = useLive(requests, choice);
  const isOn = live.status === "on" || live.status === "paused";
  const step = (by: number) => () => setOpenSection((at) => nextTab(sections.length, at, by));
  const openList = () => {
    if (!section) return;
    const { endpoint, listParams: params } = section;
    navigation.open({ kind: "endpoint", endpointRoute: endpoint.route, params });
  };
  useBindings("screen", [
    bindAction("tab.next", "next section", step(1), { hint: 20 }),
    bindAction("tab.previous", "previous section", step(-1)),
    {
      keys: sections.map((_, at) => String(at + 1)),
      label: "section",
      group: "view",
      run: (key) => setOpenSection(Number(key) - 1),
    },
    bindAction("list.auto", isOn ? "pause" : "live", () => setChoice(!isOn), { hint: 28 }),
    ...(["network", "usage"] as const).map((page) =>
      bindAction(`go.${page}`, page, () => navigation.open({ kind: "page", page }), {
        hint: 25,
        active: hasPage(page, services.supports),
      }),
    ),
    bindAction("home.list", "full list", openList, { hint: 30 }),
    ...useTrendBinding(sections.some(({ id }) => id.entity === "token")),
  ]);
  // A refresh retries other failed sections as well; the state of the chain is free.
  const retry = () => {
    data.refresh(services.supports(STATUS.endpoint) ? STATUS : CHAIN);
    const others = sections.filter((one) => one !== section && data.read(one).problem !== undefined);
    for (const other of others) data.refresh(other);
  };
  const Summary = services.supports(STATUS.endpoint) ? ClusterSummary : ChainSummary;
  return (
    <Box flexDirection="column" width={region.width} height={region.height}>
      <Summary width={region.width} layout={layout} live={live} />
      <Box>
        {layout.columns.map((column) => (
          <Box key={column[0]?.pane.section.title} flexDirection="column">
            {column.map(({ pane: { section: one }, top, ...size }) => {
              const at = sections.indexOf(one);
              const title = isSingle
                ? { title: sectionTabs(sections, at, size.width) }
                : { title: one.title, number: at + 1 };
              return (
                <SectionPanel
                  key={one.title}
                  section={one}
                  region={{ ...size, top: region.top + layout.summary + top }}
                  active={one === section}
                  title={title}
                  // Each age that changes draws its row again: nobody may be looking.
                  ageMs={live.isLeft ? DETAIL_AGE_MS : AGE_MS}
                  onRefresh={retry}
                  onActivate={() => setOpenSection(at)}
                />
              );
            })}
          </Box>
        ))}
      </Box>
    </Box>
  );
}

/** Cells of the border beside the tabs. */
const TAB_SIDES = 8;

function sectionTabs(sections: readonly HomeSection[], openSection: number, width: number): TextLine {
  const titles = sections.map(({ title }) => title);
  return tabBar(titles, openSection, width - TAB_SIDES).map((one) =>
    typeof one.hit === "number" ? { ...one, press: String(one.hit + 1) } : one,
  );
}

/** Returns what is refreshed: the visible sections and what the summary is made from. */
function liveRequests(visible: readonly HomeSection[], hasStatus: boolean): readonly LiveRequest[] {
  const summary: readonly LiveRequest[] = hasStatus
    ? [
        { ...STATUS, everyMs: LIVE_MS.node },
        { ...PERFORMANCE, everyMs: LIVE_MS.ranks },
      ]
    : [{ ...CHAIN, everyMs: LIVE_MS.chain }, { ...TOP_TOKENS, everyMs: LIVE_MS.prices }, LATEST_BLOCKS];
  const own = visible.filter(({ endpoint }) => !summary.some((one) => one.endpoint === endpoint));
  return [...summary, ...own];
}
