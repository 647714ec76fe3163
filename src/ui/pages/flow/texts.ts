/** What nodes and edges of a flow tree are called. No React here. */
import { groupThousands, pluralize, scaleDown, sumDecimals } from "../../../base/index.ts";
import type { Flow } from "../../../client/index.ts";
import {
  type Clock,
  clip,
  createShortener,
  formatAmount,
  formatUnix,
  formatUsd,
  NAME_ROLES,
  type NameOf,
  safeText,
} from "../../../output/index.ts";
import { shortId } from "../../navigation/route.ts";
import { type Span, span } from "../../navigation/theme/text-line.ts";
import type { FlowNode } from "./tree.ts";

/** What directions are called: their transfers, and the accounts at the other end. */
export const WAYS = { in: ["incoming", "received from"], out: ["outgoing", "sent to"] } as const;

/** How much an edge says: everything, no number of transfers, no value beside the amount, or the value in its place. */
export type EdgeForm = "full" | "dated" | "amount" | "value";

/** Names accounts and tokens, and describes flows, of one tree. */
export type FlowTexts = ReturnType<typeof createFlowTexts>;

interface FlowTextOptions {
  readonly clock: Clock;
  readonly nameOf: NameOf;
  readonly labelOf: (address: string) => string | undefined;
  readonly unicode: boolean;
}

/** Signs before names. A wallet has the sign of what its key does. */
const SIGNS = {
  unicode: { in: "◂", out: "▸", open: "▾", exchange: "◆", program: "■", others: "+", repeats: "↺", twin: "≈" },
  ascii: { in: "<", out: ">", open: "v", exchange: "E", program: "P", others: "+", repeats: "^", twin: "~" },
} as const;

/** Returns the signs before names. */
const flowSigns = (unicode: boolean) => (unicode ? SIGNS.unicode : SIGNS.ascii);

/** @param addresses all accounts of the tree: those that look alike get longer forms */
export function createFlowTexts(addresses: readonly string[], { clock, nameOf, labelOf, unicode }: FlowTextOptions) {
  const shorten = createShortener();
  for (const address of addresses) shorten(address);
  const signs = flowSigns(unicode);
  const isTwin = (address: string) => shorten(address).length > shortId(address).length;
  const tokenText = (mint: string) => clip(safeText(nameOf(mint)?.name ?? shortId(mint)), MAX_TOKEN);
  const warningOf = (address: string) => {
    const known = nameOf(address);
    if (known?.warning !== undefined) return `"${known.name}" ${known.warning}`;
    return isTwin(address) && known?.source !== "own" && known?.source !== "built-in"
      ? "has the same ends as another address here"
      : undefined;
  };
  const nameSpan = (address: string): Span => {
    const known = nameOf(address);
    const role = warningOf(address) === undefined ? NAME_ROLES[known?.kind ?? "account"] : "warning";
    const name = known?.name ?? labelOf(address);
    return name === undefined
      ? { ...span(shorten(address), role), identifier: { id: address, role: "account" } }
      : span(safeText(name), role);
  };
  const amountText = (flows: readonly Flow[], style: "brief" | "full") => {
    const [first] = flows;
    if (!first) return "";
    const sum = sumDecimals(flows.map(({ amount }) => amount));
    return `${formatAmount(scaleDown(sum, first.decimals), style)} ${tokenText(first.token)}`;
  };
  return {
    nameSpan,
    warningOf,
    signOf({ address, role, repeats, isOpen, direction }: FlowNode): Span {
      if (address !== undefined && warningOf(address) !== undefined) return span(signs.twin, "warning");
      if (repeats !== undefined) return span(signs.repeats, "note");
      if (role === "wallet") return span(isOpen ? signs.open : signs[direction], "hotkey");
      return span(signs[role], role === "exchange" ? "token" : role === "program" ? "program" : "note");
    },
    nodeSpan: (node: FlowNode): Span =>
      node.address === undefined ? span(`${groupThousands(node.accounts)} others`, "note") : nameSpan(node.address),
    /** Returns the flows of an edge by token, the largest first, as amount, value, transfers and times. */
    flowTexts({ flows }: FlowNode, valueText: (flow: Flow) => string): readonly (readonly string[])[] {
      return flows.map((flow) => [
        amountText([flow], "full"),
        valueText(flow),
        pluralize(flow.transfers, "transfer"),
        periodText(flow, clock),
      ]);
    },
    /** Returns what an edge says: what is most important, and the rest. */
    edgeTexts({ flows, sum }: FlowNode, form: EdgeForm): readonly [label: string, note: string] {
      const tokens = new Set(flows.map(({ token }) => token)).size;
      const value = sum.value && formatUsd(sum.value, "brief");
      const several = value === undefined ? `${tokens} tokens` : `${value} in ${tokens} tokens`;
      const amount = tokens === 1 ? amountText(flows, "brief") : several;
      const label = form === "value" ? (value ?? amountText(flows.slice(0, 1), "brief")) : amount;
      const rest = [
        tokens === 1 && (form === "full" || form === "dated") ? value : undefined,
        form === "full" ? pluralize(sum.transfers, "transfer") : undefined,
        formatUnix(sum.last, clock),
      ];
      return [label, rest.filter((part) => part !== undefined).join(" · ")];
    },
  };
}

const MAX_TOKEN = 10;

/** Returns the times of the first and the last transfer; one of them where they read alike. */
function periodText({ first, last }: Pick<Flow, "first" | "last">, clock: Clock): string {
  const [from, to] = [first, last].map((time) => formatUnix(time, clock) ?? "");
  return from === to ? (to ?? "") : `${from} to ${to}`;
}
