/** What is said below a flow tree about the selected account, and what the next key costs. No React here. */
import { groupThousands, pluralize, toSentence } from "../../../base/index.ts";
import { maxPageSize, type ValueOfFlow } from "../../../client/index.ts";
import { formatUsd, pad, safeText, textWidth } from "../../../output/index.ts";
import type { ListLoad } from "../../navigation/data-store.ts";
import type { KeyLabels } from "../../navigation/keys/bindings.ts";
import { joinEnds, joinFitting, type Span, span, type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import { costText } from "../../widgets/list/status.ts";
import { type FlowTexts, WAYS } from "./texts.ts";
import { TRANSFERS } from "./transfers.ts";
import { BREADTH, type FlowNode, MAX_PRICED, sumSide } from "./tree.ts";
import type { FlowList } from "./use-flow.ts";

/** Pages of transfers that a key reads after the first one. */
export const MORE_PAGES = 5;

/** How reading transfers is charged. */
export interface FlowCharges {
  readonly chargesUnits: boolean;
  readonly isWalk: boolean;
  readonly hasPrices: boolean;
}

const PAGE = maxPageSize(TRANSFERS);

/**
 * Returns what reading pages of transfers costs at most, with the labels of the accounts that are shown then and the
 * prices of their tokens.
 * @param lists the number of lists
 */
export function readingCost(pages: number, lists: number, { chargesUnits, isWalk, hasPrices }: FlowCharges): string {
  const items = lists * (pages + BREADTH + (hasPrices ? MAX_PRICED : 0));
  if (isWalk || !chargesUnits) return costText({ requests: lists * pages, units: 0 }, { chargesUnits: false, isWalk });
  return `at most ${pluralize(items * TRANSFERS.cost.units, "unit")}`;
}

/** What accounts are, and whether they are followed. */
export const ROLE_TEXTS = {
  wallet: "a wallet",
  exchange: "an exchange: not followed",
  program: "an account of a program: not followed",
} as const;

/** From this width on, what an account is has space beside its address. */
const MIN_ABOUT = 84;

interface DetailOptions {
  readonly texts: FlowTexts;
  readonly flowValue: ValueOfFlow;
  readonly charges: FlowCharges;
  readonly keyOf: KeyLabels;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the lines about a node.
 * @param list its transfers, once they are read
 */
export function nodeDetails(node: FlowNode, list: FlowList | undefined, options: DetailOptions): readonly TextLine[] {
  const { texts, flowValue, width, height } = options;
  const { address, role, direction, repeats } = node;
  const warning = address === undefined ? undefined : texts.warningOf(address);
  const about =
    role === "others"
      ? `${pluralize(node.accounts, "other account")} with smaller flows`
      : repeats !== undefined
        ? "followed elsewhere"
        : width < MIN_ABOUT
          ? role
          : ROLE_TEXTS[role];
  const name: Span[] = address === undefined ? [] : [span(address, warning === undefined ? "account" : "warning")];
  const first = joinFitting(
    [name, warning === undefined ? [] : [span(warning, "warning")], [span(about, "note")]],
    width,
    span("  "),
  );
  const last = nodeHint(node, list, options);
  const space = height - 1 - (last ? 1 : 0);
  const flows = texts.flowTexts(node, (flow) => {
    const value = flowValue(flow);
    return value ? formatUsd(value) : "";
  });
  const way = WAYS[direction][1];
  return [first, ...flowLines(flows, way, space, width), ...(last ? [last] : [])];
}

/** Returns the flows of an edge in columns; the last line counts those without space. */
function flowLines(
  flows: readonly (readonly string[])[],
  way: string,
  space: number,
  width: number,
): readonly TextLine[] {
  const count = flows.length <= space ? flows.length : Math.max(0, space - 1);
  const shown = flows.slice(0, count);
  const widths = [0, 1, 2, 3].map((at) => Math.max(0, ...shown.map((one) => textWidth(one[at] ?? ""))));
  const lines = shown.map((one, row): TextLine => {
    const cells = one.map((text, at) => pad(text, widths[at] ?? 0, at < 2 ? "right" : "left"));
    const lead = row === 0 ? way : "";
    return joinFitting(
      [[span(pad(lead, way.length), "key")], ...cells.map((cell, at) => [span(cell, at > 1 ? "note" : undefined)])],
      width,
    );
  });
  const rest = flows.length - count;
  return rest > 0 && space > 0 ? [...lines, textLine(`and ${pluralize(rest, "more flow")}`, "note")] : lines;
}

/** Returns what the next key does and costs, or how far reading is. */
function nodeHint(node: FlowNode, list: FlowList | undefined, { charges, keyOf }: DetailOptions): TextLine | undefined {
  const { role, direction, isOpen, repeats } = node;
  const key = keyOf(direction === "in" ? "move.left" : "move.right");
  if (list && isOpen) return loadLine(list, charges, keyOf);
  if (key === undefined) return undefined;
  const hint = (text: string): TextLine => [span(`${key} `, "hotkey"), span(text, "note")];
  if (role === "others") return hint(`show ${Math.min(BREADTH, node.accounts)} more`);
  if (repeats !== undefined) return hint("go to where it is followed");
  if (role !== "wallet") return undefined;
  const [way] = WAYS[direction];
  return hint(`read its newest ${PAGE} ${way} transfers: ${readingCost(1, 1, charges)}`);
}

/** Returns how many transfers were read, and what more of them cost. */
export function loadLine({ load, request, direction }: FlowList, charges: FlowCharges, keyOf: KeyLabels): TextLine {
  // A list may have both directions.
  const transfers = request.params.flow === undefined ? "transfers" : `${WAYS[direction][0]} transfers`;
  const read = `${groupThousands(load.rows.length)} ${transfers}`;
  if (load.problem) return [span(`${safeText(toSentence(load.problem))}`, "warning"), ...retryHint(keyOf)];
  if (load.isLoading) return [span(load.rows.length === 0 ? `reading ${transfers} …` : `read ${read} …`, "note")];
  if (load.isComplete) return [span(`all ${read}`, "note")];
  const key = keyOf("list.load");
  // A page that is not full is the last one, unless the server leaves rows out.
  const isShort = load.rows.length === 0 || load.rows.length % PAGE > 0;
  const count = isShort ? "look for more" : `up to ${groupThousands(MORE_PAGES * PAGE)} more`;
  const more = `${count}: ${readingCost(MORE_PAGES, 1, charges)}`;
  return [
    span(load.rows.length === 0 ? `no ${transfers}` : `the newest ${read}${isShort ? ", probably all" : ""}`),
    ...(key === undefined ? [] : [span("  "), span(`${key} `, "hotkey"), span(more, "note")]),
  ];
}

function retryHint(keyOf: KeyLabels): TextLine {
  const key = keyOf("view.refresh");
  return key === undefined ? [] : [span("  "), span(`${key} `, "hotkey"), span("retry", "note")];
}

/** Returns the sums of both sides, for the line above the graph. */
export function sidesLine(nodes: readonly FlowNode[], lists: readonly FlowList[], width: number): TextLine {
  const side = (direction: FlowNode["direction"]): TextLine => {
    const { near, accounts, transfers } = sumSide(nodes, direction);
    const load = lists.find((list) => list.path === direction)?.load;
    if (!load) return [];
    if (near.length === 0) return [span(emptyText(load, direction), "note")];
    const count = `${load.isComplete ? "all" : "newest"} ${pluralize(transfers, "transfer")}`;
    const head: TextLine = [span(`${WAYS[direction][1]} ${pluralize(accounts, "account")}`, "title")];
    return joinFitting([head, [span(count, "note")]], Math.floor(width / 2) - 1);
  };
  return joinEnds(side("in"), side("out"), width);
}

function emptyText({ isLoading, problem }: ListLoad, direction: FlowNode["direction"]): string {
  if (problem) return "not read";
  return isLoading ? "reading …" : direction === "in" ? "received nothing" : "sent nothing";
}
