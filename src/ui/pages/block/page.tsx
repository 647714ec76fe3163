/** The page of a block: summary, transactions and neighbours. */

import { useMemo } from "react";
import { useAgeTime, useResource } from "../../data/hooks.ts";
import { useResourceLine } from "../../data/status.tsx";
import { useExplorer } from "../../navigation/context.ts";
import { textLine } from "../../navigation/theme/text-line.ts";
import { answerObject, endpointAt, relativeClock } from "../../widgets/cells.ts";
import { DetailPanel } from "../../widgets/detail/panel.tsx";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { EntityLayout, type Tab } from "../entity/layout.tsx";
import { summaryHeight, summaryLines } from "../entity/summary.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { Distribution, TRANSACTIONS } from "./distribution.tsx";
import { BLOCK_DETAIL, useBlockSteps } from "./stepping.tsx";
import { blockFacts } from "./summary.ts";

/** What only a node knows of a block. */
const NODE_TABS = [
  ["programs", endpointAt("/node/block/programs", "node")],
  ["accounts", endpointAt("/node/block/accounts", "node")],
  ["rewards", endpointAt("/node/block/rewards", "node")],
] as const;

/** Shows a block. */
export function BlockPage({ route, region }: PageProps<EntityRoute>) {
  const { services } = useExplorer();
  const { id } = route;
  const params = useMemo(() => ({ block: id }), [id]);
  const detail = useResource(BLOCK_DETAIL, params);
  const state = useResourceLine(detail);
  const step = useBlockSteps(id, detail);
  const clock = { ...relativeClock(services), now: useAgeTime(detail.answer) };
  const facts = blockFacts(id, answerObject(detail), clock, region.width);
  const empty = detail.problem?.exit === "notFound" && !detail.answer;
  const notes = [
    ...(step ? [step] : []),
    ...(empty
      ? [textLine(`Slot ${id} has no block: it was skipped or does not exist yet.`, "warning")]
      : state
        ? [state]
        : []),
  ];
  const summary = [...notes, ...summaryLines(facts, region.width, summaryHeight(region.height) - notes.length)];
  const tabs: readonly Tab[] = [
    {
      name: "transactions",
      render: (inner, part) => (
        <ListPanel key={id} endpoint={TRANSACTIONS} params={params} region={inner} part={`${part} ${id}`} />
      ),
    },
    ...NODE_TABS.map(
      ([name, endpoint]): Tab => ({
        name,
        endpoint,
        render: (inner, part) => (
          <ListPanel key={id} endpoint={endpoint} params={params} region={inner} part={`${part} ${id}`} />
        ),
      }),
    ),
    {
      name: "raw",
      render: (inner, part) => (
        <DetailPanel key={id} endpoint={BLOCK_DETAIL} params={params} region={inner} part={`${part} ${id}`} />
      ),
    },
    {
      name: "distribution",
      render: (inner, part) => <Distribution key={id} slot={id} region={inner} part={`${part} ${id}`} />,
    },
  ];
  return <EntityLayout route={route} region={region} summary={summary} tabs={tabs} />;
}
