/** The flows next to a wallet as plain mode prints them. No React here. */
import { type Json, pluralize } from "../../../base/index.ts";
import { FlowFacts, FlowGraph, listHops, maxPageSize } from "../../../client/index.ts";
import type { Route } from "../../navigation/route.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { relativeClock } from "../../widgets/cells.ts";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import type { RowsContext } from "../entity/record.ts";
import { createFlowTexts, WAYS } from "./texts.ts";
import { TRANSFERS, transfersRoute } from "./transfers.ts";
import { buildFlowTree, DIRECTIONS, type FlowNode, pricedTokens, sumSide } from "./tree.ts";

/**
 * Reads the newest transfers of a wallet in each direction. Returns with whom it dealt, with links to the account, to the
 * transfers, and to the flows of the account.
 * @throws SolxError when the transfers cannot be read
 */
export async function readFlowRows(
  wallet: string,
  { services, data, signal }: RowsContext,
): Promise<readonly TreeRow[]> {
  const { source, supports, client } = services;
  const graph = new FlowGraph(TRANSFERS.identity ?? []);
  const { isWalk } = source.supports(TRANSFERS);
  const lists: Json[][] = [];
  for (const flow of isWalk ? [undefined] : DIRECTIONS) {
    const list: Json[] = [];
    const options = { limit: maxPageSize(TRANSFERS), signal };
    for await (const { rows } of (await client()).pages(TRANSFERS, { address: wallet, flow }, options))
      list.push(...rows);
    graph.openList()(list);
    lists.push(list);
  }
  const flows = graph.flows();
  const facts = new FlowFacts(client, { hasPrices: source.facts.hasPrices, supports, signal });
  await facts.loadPrices(pricedTokens(lists));
  const nodes = buildFlowTree({
    ...{ wallet, directions: DIRECTIONS, open: {}, flowValue: facts.valueOf },
    hopsOf: (address, direction) => listHops(flows, [address], facts.valueOf, direction).get(address) ?? [],
    roleOf: (address) => facts.roleOf(address),
  });
  const addresses = nodes.flatMap(({ address }) => address ?? []);
  await facts.loadLabels(addresses);
  const texts = createFlowTexts(addresses, {
    ...{ clock: relativeClock(services), nameOf: data.names.of, unicode: false },
    labelOf: (address) => facts.labelOf(address),
  });
  const toRow = (node: FlowNode): TreeRow => {
    const { path, address, role } = node;
    const [label, note] = texts.edgeTexts(node, "full");
    const warning = address === undefined ? undefined : texts.warningOf(address);
    const about = [role === "others" ? "" : facts.roleOf(address ?? ""), warning ?? ""].filter(Boolean).join(", ");
    const target: Route | undefined =
      address === undefined ? undefined : { kind: "entity", entity: "account", id: address };
    return {
      key: path,
      line: [
        { ...texts.nodeSpan(node), target },
        span(about === "" ? ": " : ` (${about}): `),
        { ...span([label, note].join(", ").replaceAll(" · ", ", ")), target: transfersRoute(wallet, node, {}) },
        ...(target && role === "wallet" ? [{ ...span(", its flow"), target: { ...target, tab: "flow" } }] : []),
      ],
    };
  };
  return DIRECTIONS.flatMap((direction): readonly TreeRow[] => {
    const { near, accounts, transfers } = sumSide(nodes, direction);
    const head = `${WAYS[direction][1]} ${pluralize(accounts, "account")} in the newest ${pluralize(transfers, "transfer")}`;
    return [{ key: direction, line: [span(head)], children: near.map(toRow), isOpen: true }];
  });
}
