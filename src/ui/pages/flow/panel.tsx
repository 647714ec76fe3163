/** Follows the money of a wallet: who sent to it, whom it sent to, and on from there. */
import { useEffect, useMemo, useState } from "react";
import { groupThousands, isObject, type Json } from "../../../base/index.ts";
import { commandArguments } from "../../../catalogue/index.ts";
import { clip, safeText, textWidth } from "../../../output/index.ts";
import { useNameOf, useQuota } from "../../data/hooks.ts";
import { Lines } from "../../frame/lines.tsx";
import { useBindings, useExplorer, useSubject, useViewState } from "../../navigation/context.ts";
import { NO_LOAD } from "../../navigation/data-store.ts";
import { bindAction, keyLabelsOf } from "../../navigation/keys/bindings.ts";
import { span, type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import type { StateFormat } from "../../navigation/view.ts";
import type { MouseEvent } from "../../terminal/mouse.ts";
import { relativeClock } from "../../widgets/cells.ts";
import { chipLine, requestChips } from "../../widgets/list/filters.ts";
import { parseParams, toPlainJson } from "../../widgets/list/kept.ts";
import { fillLines, wheelMovement } from "../../widgets/viewport.ts";
import type { TabProps } from "../props.ts";
import { type FlowCharges, loadLine, nodeDetails, readingCost, sidesLine } from "./details.ts";
import { drawFlow } from "./drawing.ts";
import { layoutFlow } from "./layout.ts";
import { createFlowTexts } from "./texts.ts";
import { TRANSFERS } from "./transfers.ts";
import { buildFlowTree, type FlowNode, listNodes } from "./tree.ts";
import { directionsOf, type FlowList, type FlowScope, useFlowData, useFlowLists } from "./use-flow.ts";
import { type FlowState, INITIAL_FLOW, useFlowKeys } from "./use-flow-keys.ts";

/** Views keep filters and not what is open: another session would have to read it again. */
const FORMAT: StateFormat<FlowState> = {
  toJson: ({ params }) => (Object.keys(params).length === 0 ? undefined : toPlainJson({ params })),
  fromJson: (json: Json) => (isObject(json) ? { ...INITIAL_FLOW, params: parseParams(json.params) ?? {} } : undefined),
};

/** Shows the flows around a wallet; where reading them costs units, it says so before. */
export function FlowPanel(props: TabProps) {
  const { id, region, part } = props;
  const explorer = useExplorer();
  const { source } = explorer.services;
  const [state, setState] = useViewState<FlowState>(part, INITIAL_FLOW, FORMAT);
  const { chargesUnits, hasPrices, isInProcess } = source.facts;
  const charges = { chargesUnits, hasPrices, isWalk: source.supports(TRANSFERS).isWalk };
  const [isConfirmed, setConfirmed] = useState(!chargesUnits || isInProcess);
  const lists = useFlowLists({ wallet: id, open: state.open, params: state.params }, isConfirmed);
  const isOn = isConfirmed || lists.some(({ load }) => load !== NO_LOAD);
  const { remaining } = useQuota().units ?? {};
  const args = ["account", "flow", ...commandArguments(TRANSFERS, { ...state.params, address: id }).slice(2)];
  useBindings("panel", isOn ? [] : [bindAction("go.open", "read", () => setConfirmed(true), { hint: 1 })]);
  useSubject(isOn ? undefined : { args, cell: { field: "address", value: id, kind: "address" } });
  if (isOn) return <FlowGraphPanel {...props} {...{ state, setState, lists, charges, args }} />;
  const key = keyLabelsOf(explorer)("go.open");
  const lines: readonly TextLine[] = [
    [],
    textLine("  Who sent to this account, and whom it sent to", "title"),
    [],
    [span(`  Reads its newest transfers in each direction: ${readingCost(1, lists.length, charges)}`)],
    ...(remaining === undefined ? [] : [textLine(`  ${groupThousands(remaining)} units left`, "note")]),
    [],
    ...(key === undefined ? [] : [[span(`  ${key} `, "hotkey"), span("read")]]),
  ];
  return <Lines lines={lines} width={region.width} height={region.height} />;
}

interface FlowGraphProps extends TabProps {
  readonly state: FlowState;
  readonly setState: (change: (before: FlowState) => FlowState) => void;
  readonly lists: readonly FlowList[];
  readonly charges: FlowCharges;
  /** The arguments of the command that prints the same. */
  readonly args: readonly string[];
}

/** Lines of the details in a region, above which the rest is the graph. */
const detailHeight = (height: number): number => Math.max(3, Math.min(7, Math.floor(height / 3)));

function FlowGraphPanel({ id, region, state, setState, lists, charges, args }: FlowGraphProps) {
  const explorer = useExplorer();
  const { services, data } = explorer;
  const { unicode } = services;
  const { params } = state;
  const { width, height } = region;
  const chips = requestChips({ endpoint: TRANSFERS, params }, ["address"], data.nameOf);
  const chipLines = chips.length === 0 ? [] : [chipLine(chips, width, { unicode, scope: "", hint: "" })];
  const below = detailHeight(height);
  const size = { width, height: Math.max(1, height - below - chipLines.length - 2) };
  const { nodes, layout, hasNotes, texts, flowValue, status } = useFlowGraph(
    { wallet: id, ...state },
    lists,
    size.height,
  );
  const { node, move, select, goOut } = useFlowKeys({ wallet: id, state, setState, layout, texts, lists, region });
  useSubject({
    args,
    cell: { field: "address", value: node?.address ?? id, kind: "address" },
    ...(node && { row: rowOfNode(node) }),
  });
  const keyOf = keyLabelsOf(explorer);
  const start = texts.nameSpan(id);
  const graph = drawFlow({ layout, texts, start, selected: node?.path ?? "", hasNotes, unicode }, size);
  const list = lists.find(({ path }) => path === node?.path);
  const details = node
    ? nodeDetails(node, list, { texts, flowValue, charges, keyOf, width, height: below })
    : [
        [span(id, "account")],
        ...lists
          .filter(({ path, load }, at) => !path.includes("/") && (at === 0 || load !== lists[0]?.load))
          .map((one) => loadLine(one, charges, keyOf)),
      ];
  const onMouse = (event: MouseEvent) => {
    const wheel = wheelMovement(event);
    if (wheel) return move(wheel);
    const { type, hit } = event;
    if (type !== "click" || typeof hit !== "string") return;
    if (hit === node?.path) goOut(node);
    else select(hit);
  };
  const note = status === "" ? "" : ` ${clip(safeText(status), width - 2)} `;
  const rule = [span(note, "note"), span((unicode ? "─" : "-").repeat(width - textWidth(note)), "frame")];
  const lines = [...chipLines, sidesLine(nodes, lists, width), ...fillLines(graph, size.height), rule, ...details];
  return <Lines lines={lines} width={width} height={height} onMouse={onMouse} />;
}

/** Returns the tree of what is open, laid out in a height: with notes below the nodes where there is space. */
function useFlowGraph({ wallet, open, params }: FlowScope, lists: readonly FlowList[], height: number) {
  const { services } = useExplorer();
  const nameOf = useNameOf();
  const { facts, status, hopsOf, flowValue, showAccounts } = useFlowData(lists);
  const near = useMemo(
    () =>
      buildFlowTree({
        ...{ wallet, directions: directionsOf(params), open, hopsOf },
        ...{ roleOf: (address) => facts.roleOf(address), flowValue },
      }),
    [wallet, params, open, hopsOf, facts, flowValue],
  );
  const nodes = useMemo(() => listNodes(near), [near]);
  const shown = nodes.flatMap(({ address }) => address ?? []).join();
  useEffect(() => showAccounts(shown.split(",").filter(Boolean)), [shown, showAccounts]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: labels arrive with the values.
  const texts = useMemo(() => {
    const labelOf = (address: string) => facts.labelOf(address);
    const { unicode } = services;
    return createFlowTexts([wallet, ...shown.split(",")], { clock: relativeClock(services), nameOf, labelOf, unicode });
  }, [wallet, shown, facts, flowValue, nameOf, services]);
  const placed = useMemo(() => {
    const spacious = layoutFlow(near, 2);
    return spacious.height <= height
      ? { layout: spacious, hasNotes: true }
      : { layout: layoutFlow(near), hasNotes: false };
  }, [near, height]);
  return { nodes, ...placed, texts, flowValue, status };
}

/** Returns a node as a row, for copying it. */
const rowOfNode = ({ parent, address: other, direction, accounts, sum }: FlowNode): Json => ({
  from_address: (direction === "in" ? other : parent) ?? null,
  to_address: (direction === "in" ? parent : other) ?? null,
  accounts,
  transfers: sum.transfers,
  first_time: sum.first,
  last_time: sum.last,
});
