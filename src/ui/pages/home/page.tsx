/** The home page: the state of the chain and its latest and largest entities. */

import { Box } from "ink";
import { useMemo } from "react";
import { isObject, type JsonObject } from "../../../base/index.ts";
import { type Region, useBindings, useExplorer, useViewState } from "../../app/context.ts";
import { actionBinding } from "../../app/keys/actions.ts";
import { keyLabelsOf } from "../../app/keys/key-hints.ts";
import type { MouseEvent } from "../../app/keys/keymap.ts";
import { Lines } from "../../app/lines.tsx";
import { span, type TextLine } from "../../app/theme/text-line.ts";
import { useResource } from "../../data/hooks.ts";
import { useResourceLine } from "../../data/status.tsx";
import { clockForColumn, endpointAt, relativeClock } from "../../widgets/cells.ts";
import { TablePanel } from "../../widgets/table/panel.tsx";
import { summaryLines } from "../entity/summary.ts";
import { tabBar } from "../entity/tabs.ts";
import type { PageProps } from "../props.ts";
import { chainFacts } from "./chain.ts";
import { GAP, layOutHome, nextSection, sectionAt } from "./layout.ts";
import { cellOfRow, type HomeSection, objectsIn, routeOfRow, SECTIONS, withPrices } from "./sections.ts";

const CHAIN = endpointAt("/chaininfo", "public");
const TITLES = SECTIONS.map(({ title }) => title);
const [BLOCKS, , TOP] = SECTIONS;
const NO_PARAMS = {};

/** Shows the state of the chain and the sections. */
export function HomePage({ region }: PageProps) {
  const { navigation, data } = useExplorer();
  const [openSection, setOpenSection] = useViewState("section", 0);
  const layout = layOutHome(region, SECTIONS.length);
  const step = (by: number) => () => setOpenSection((at) => nextSection(at, by, SECTIONS.length));
  const section = SECTIONS[openSection];
  useBindings("screen", [
    { ...actionBinding("tab.next"), label: "next section", group: "view", hint: 20, run: step(1) },
    { ...actionBinding("tab.previous"), label: "previous section", group: "view", run: step(-1) },
    {
      keys: SECTIONS.map((_, at) => String(at + 1)),
      label: "section",
      group: "view",
      run: (key) => setOpenSection(Number(key) - 1),
    },
    {
      ...actionBinding("go.network"),
      label: "network",
      group: "go",
      hint: 25,
      run: () => navigation.open({ kind: "page", page: "network" }),
    },
    {
      ...actionBinding("home.list"),
      label: "full list",
      group: "go",
      hint: 30,
      run: () =>
        section &&
        navigation.open({ kind: "endpoint", endpointRoute: section.endpoint.route, params: section.listParams }),
    },
  ]);
  // A refresh retries other failed sections as well; the state of the chain is free.
  const retry = () => {
    data.refresh({ endpoint: CHAIN, params: NO_PARAMS });
    const others = SECTIONS.filter((one) => one !== section && data.read(one).problem !== undefined);
    for (const { endpoint, params } of others) data.refresh({ endpoint, params });
  };
  const selectSection = ({ x, y }: MouseEvent) => {
    const at = layout.mode === "tabs" ? undefined : sectionAt(layout, x, y);
    if (at !== undefined) setOpenSection(at);
  };
  const visible =
    layout.mode === "tabs" ? [SECTIONS.slice(openSection, openSection + 1)] : sectionRows(SECTIONS, layout.rows);
  return (
    <Box flexDirection="column" width={region.width} height={region.height}>
      <ChainSummary width={region.width} height={layout.summary} />
      {layout.mode === "tabs" ? (
        <Lines lines={[tabBar(TITLES, openSection, region.width)]} width={region.width} height={1} />
      ) : null}
      {visible.map((row, at) => (
        <Box key={row[0]?.title} columnGap={GAP} width={region.width} height={layout.rows[at]?.[0]?.height ?? 0}>
          {row.map((one, index) => {
            const sectionRegion = layout.rows[at]?.[index];
            return sectionRegion ? (
              <SectionPanel
                key={one.title}
                section={one}
                region={sectionRegion}
                left={index === 0 ? 0 : (layout.rows[at]?.[0]?.width ?? 0) + GAP}
                active={one === section}
                onRefresh={retry}
                onClickOutside={selectSection}
                hasTitle={layout.mode !== "tabs"}
              />
            ) : null;
          })}
        </Box>
      ))}
    </Box>
  );
}

/** Distributes the sections to the rows of a layout. */
function sectionRows(
  sections: readonly HomeSection[],
  rows: readonly (readonly Region[])[],
): readonly (readonly HomeSection[])[] {
  let at = 0;
  return rows.map((row) => {
    at += row.length;
    return sections.slice(at - row.length, at);
  });
}

/** The state of the chain and the search hint. */
function ChainSummary({ width, height }: { width: number; height: number }) {
  const explorer = useExplorer();
  const { services } = explorer;
  const chain = useResource(CHAIN, NO_PARAMS);
  const blocks = useResource((BLOCKS as HomeSection).endpoint, (BLOCKS as HomeSection).params);
  const state = useResourceLine(chain);
  const data = chain.answer?.data;
  const facts = chainFacts(
    isObject(data) ? data : undefined,
    objectsIn(blocks.answer?.rows),
    relativeClock(services),
    services.unicode,
  );
  const space = height - 1;
  const content = state ? [state, ...summaryLines(facts, width, space - 1)] : summaryLines(facts, width, space);
  const lines: readonly TextLine[] = [searchHintLine(width, keyLabelsOf(explorer)("go.search")), ...content];
  return <Lines lines={lines} width={width} height={height} />;
}

function searchHintLine(width: number, key: string | undefined): TextLine {
  const [search, paste] = width < 76 ? ["search", ""] : ["search and commands", " to open it"];
  if (key === undefined) return [span(`paste an address, signature, slot or link${paste}`, "note")];
  return [span(key, "hotkey"), span(` ${search} · paste an address, signature, slot or link${paste}`, "note")];
}

interface SectionPanelProps {
  readonly section: HomeSection;
  readonly region: Region;
  readonly left: number;
  readonly active: boolean;
  readonly onRefresh: () => void;
  /** Called for a click outside of the section. */
  readonly onClickOutside: (event: MouseEvent) => void;
  /** Whether it needs its own heading. */
  readonly hasTitle: boolean;
}

/** One section, which loads and fails independently. */
function SectionPanel({ section, region, left, active, onRefresh, onClickOutside, hasTitle }: SectionPanelProps) {
  const { services } = useExplorer();
  const resource = useResource(section.endpoint, section.params);
  const isTrending = section.title === "trending tokens";
  const top = useResource((TOP as HomeSection).endpoint, (TOP as HomeSection).params, isTrending);
  const answer = resource.answer;
  const topAnswer = top.answer;
  const rows = useMemo<readonly JsonObject[]>(() => {
    const sectionRegion = objectsIn(answer?.rows);
    return isTrending ? withPrices(sectionRegion, objectsIn(topAnswer?.rows)) : sectionRegion;
  }, [answer, topAnswer, isTrending]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: ages are updated with each answer.
  const columns = useMemo(() => {
    const times = rows.map((row) => row.block_time);
    return section.columns(clockForColumn(times, relativeClock(services)), services.unicode);
  }, [section, services, answer]);
  const state = useResourceLine(resource);
  const title = (at: number, visible: number): readonly TextLine[] =>
    hasTitle
      ? [
          titleLine(section.title, {
            position: visible === 0 ? "" : `${at + 1}/${visible}`,
            active,
            width: region.width,
            unicode: services.unicode,
          }),
        ]
      : [];
  return (
    <TablePanel
      resource={resource}
      rows={rows}
      columns={columns}
      region={region}
      part={section.title}
      left={left}
      active={active}
      onRefresh={onRefresh}
      onClickOutside={onClickOutside}
      top={(at, visible) => [...title(at, visible), ...(state ? [state] : [])]}
      empty={section.empty}
      target={(row) => routeOfRow(section, row)}
      cell={(row) => cellOfRow(section, row)}
    />
  );
}

interface TitleOptions {
  readonly position: string;
  readonly active: boolean;
  readonly width: number;
  readonly unicode: boolean;
}

/** Returns the heading of a section: its title, a rule, and the position of the cursor. */
function titleLine(text: string, { position, active, width, unicode }: TitleOptions): TextLine {
  const right = active && position !== "" ? ` ${position}` : "";
  const rule = (unicode ? "─" : "-").repeat(Math.max(0, width - text.length - 1 - right.length));
  return [span(`${text} `, active ? "active" : "title"), span(rule, "frame"), span(right, "note")];
}
