/** Home: the chain at a glance, and the first things to look at. */

import { Box } from "ink";
import { useMemo } from "react";
import { isObject, type JsonObject } from "../../../base/json.ts";
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
import type { ScreenProps } from "../props.ts";
import { chainFacts } from "./chain.ts";
import { GAP, homeLayout, sectionAfter, sectionAt } from "./layout.ts";
import { cellOfRow, objectsIn, placeOfRow, SECTIONS, type Section, withPrices } from "./sections.ts";

const CHAIN = endpointAt("/chaininfo", "public");
const TITLES = SECTIONS.map(({ title }) => title);
const [BLOCKS, , TOP] = SECTIONS;
const NO_PARAMS = {};

export function HomeScreen({ region }: ScreenProps) {
  const { navigation, data } = useExplorer();
  const [open, setOpen] = useViewState("section", 0);
  const layout = homeLayout(region, SECTIONS.length);
  const step = (by: number) => () => setOpen((at) => sectionAfter(at, by, SECTIONS.length));
  const section = SECTIONS[open];
  useBindings("screen", [
    { ...actionBinding("tab.next"), label: "next section", group: "view", hint: 20, run: step(1) },
    { ...actionBinding("tab.previous"), label: "previous section", group: "view", run: step(-1) },
    {
      keys: SECTIONS.map((_, at) => String(at + 1)),
      label: "section",
      group: "view",
      run: (key) => setOpen(Number(key) - 1),
    },
    {
      ...actionBinding("home.list"),
      label: "whole list",
      group: "go",
      hint: 30,
      run: () =>
        section && navigation.open({ kind: "endpoint", endpointRoute: section.endpoint.route, params: section.whole }),
    },
  ]);
  // What failed beside the section of the cursor is tried again with it; the state of the chain costs nothing.
  const retry = () => {
    data.refresh({ endpoint: CHAIN, params: NO_PARAMS });
    const others = SECTIONS.filter((one) => one !== section && data.read(one).problem !== undefined);
    for (const { endpoint, params } of others) data.refresh({ endpoint, params });
  };
  const choose = ({ x, y }: MouseEvent) => {
    const at = layout.mode === "tabs" ? undefined : sectionAt(layout, x, y);
    if (at !== undefined) setOpen(at);
  };
  const shown = layout.mode === "tabs" ? [SECTIONS.slice(open, open + 1)] : inRows(SECTIONS, layout.rows);
  return (
    <Box flexDirection="column" width={region.width} height={region.height}>
      <Chain width={region.width} height={layout.summary} />
      {layout.mode === "tabs" ? (
        <Lines lines={[tabBar(TITLES, open, region.width)]} width={region.width} height={1} />
      ) : null}
      {shown.map((row, at) => (
        <Box key={row[0]?.title} columnGap={GAP} width={region.width} height={layout.rows[at]?.[0]?.height ?? 0}>
          {row.map((one, index) => {
            const own = layout.rows[at]?.[index];
            return own ? (
              <SectionView
                key={one.title}
                section={one}
                region={own}
                left={index === 0 ? 0 : (layout.rows[at]?.[0]?.width ?? 0) + GAP}
                active={one === section}
                onRefresh={retry}
                onOutside={choose}
                titled={layout.mode !== "tabs"}
              />
            ) : null;
          })}
        </Box>
      ))}
    </Box>
  );
}

/** Sections in the rows of a layout. */
function inRows(sections: readonly Section[], rows: readonly (readonly Region[])[]): readonly (readonly Section[])[] {
  let at = 0;
  return rows.map((row) => {
    at += row.length;
    return sections.slice(at - row.length, at);
  });
}

/** The state of the chain, and how to find anything. */
function Chain({ width, height }: { width: number; height: number }) {
  const explorer = useExplorer();
  const { services } = explorer;
  const chain = useResource(CHAIN, NO_PARAMS);
  const blocks = useResource((BLOCKS as Section).endpoint, (BLOCKS as Section).params);
  const state = useResourceLine(chain);
  const data = chain.answer?.data;
  const facts = chainFacts(
    isObject(data) ? data : undefined,
    objectsIn(blocks.answer?.rows),
    relativeClock(services),
    services.unicode,
  );
  const room = height - 1;
  const told = state ? [state, ...summaryLines(facts, width, room - 1)] : summaryLines(facts, width, room);
  const lines: readonly TextLine[] = [searchLine(width, keyLabelsOf(explorer)("go.search")), ...told];
  return <Lines lines={lines} width={width} height={height} />;
}

function searchLine(width: number, key: string | undefined): TextLine {
  const [search, paste] = width < 76 ? ["search", ""] : ["search and commands", " to open it"];
  if (key === undefined) return [span(`paste an address, signature, slot or link${paste}`, "note")];
  return [span(key, "hotkey"), span(` ${search} · paste an address, signature, slot or link${paste}`, "note")];
}

interface SectionProps {
  readonly section: Section;
  readonly region: Region;
  readonly left: number;
  readonly active: boolean;
  readonly onRefresh: () => void;
  /** A click elsewhere. */
  readonly onOutside: (event: MouseEvent) => void;
  /** Whether it needs a heading of its own. */
  readonly titled: boolean;
}

/** One list, which loads and fails alone. */
function SectionView({ section, region, left, active, onRefresh, onOutside, titled }: SectionProps) {
  const { services } = useExplorer();
  const resource = useResource(section.endpoint, section.params);
  const isTrending = section.title === "trending tokens";
  const top = useResource((TOP as Section).endpoint, (TOP as Section).params, isTrending);
  const answer = resource.answer;
  const known = top.answer;
  const rows = useMemo<readonly JsonObject[]>(() => {
    const own = objectsIn(answer?.rows);
    return isTrending ? withPrices(own, objectsIn(known?.rows)) : own;
  }, [answer, known, isTrending]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: ages are told anew with each answer.
  const columns = useMemo(() => {
    const times = rows.map((row) => row.block_time);
    return section.columns(clockForColumn(times, relativeClock(services)), services.unicode);
  }, [section, services, answer]);
  const state = useResourceLine(resource);
  const title = (at: number, shown: number): readonly TextLine[] =>
    titled
      ? [
          titleLine(section.title, {
            position: shown === 0 ? "" : `${at + 1}/${shown}`,
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
      onClickOutside={onOutside}
      top={(at, shown) => [...title(at, shown), ...(state ? [state] : [])]}
      empty={section.empty}
      target={(row) => placeOfRow(section, row)}
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

/** The heading of a section: its name, a rule, and which row the cursor is on. */
function titleLine(text: string, { position, active, width, unicode }: TitleOptions): TextLine {
  const right = active && position !== "" ? ` ${position}` : "";
  const rule = (unicode ? "─" : "-").repeat(Math.max(0, width - text.length - 1 - right.length));
  return [span(`${text} `, active ? "active" : "title"), span(rule, "frame"), span(right, "note")];
}
