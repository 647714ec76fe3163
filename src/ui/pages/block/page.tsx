/** The page of a block: summary, transactions and neighbours. */

import { useEffect, useMemo } from "react";
import { useBindings, useExplorer, useViewState } from "../../app/context.ts";
import { actionBinding } from "../../app/keys/actions.ts";
import { refreshBinding } from "../../app/keys/bindings.ts";
import { textLine } from "../../app/theme/text-line.ts";
import { type Resource, useNow, useResource } from "../../data/hooks.ts";
import { useResourceLine } from "../../data/status.tsx";
import { answerObject, endpointAt, relativeClock } from "../../widgets/cells.ts";
import { DetailPanel } from "../../widgets/detail/panel.tsx";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { EntityLayout, type Tab } from "../entity/layout.tsx";
import { summaryHeight, summaryLines } from "../entity/summary.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { type BlockSearch, blockFacts, continueSearch, MAX_EMPTY_SLOTS, previousSlot } from "./summary.ts";

const DETAIL = endpointAt("/block/detail");
const TRANSACTIONS = endpointAt("/block/transactions");

/** How often ages are updated. */
const AGE_MS = 15_000;

/** The next block by slot, as visited: slots in between may be empty. */
type NextSlots = Readonly<Record<string, string>>;

/** Adds the keys for the previous and the next block; the history entry stays the same. */
function useNeighbourKeys(slot: string, detail: Resource): void {
  const { navigation, toast } = useExplorer();
  const [search, setSearch] = useViewState<BlockSearch | undefined>("walk", undefined);
  const [nextSlots, setNextSlots] = useViewState<NextSlots>("followers", {});
  const show = (id: string) => navigation.replace({ kind: "entity", entity: "block", id });
  const previous = previousSlot(slot, answerObject(detail));
  const goToPrevious = () => {
    if (previous === undefined) return;
    setSearch(undefined);
    setNextSlots((known) => ({ ...known, [previous]: slot }));
    show(previous);
  };
  const goToNext = () => {
    const known = nextSlots[slot];
    setSearch(known === undefined ? { from: slot, empty: 0 } : undefined);
    show(known ?? `${Number(slot) + 1}`);
  };
  useBindings("screen", [
    {
      ...actionBinding("block.before"),
      label: "previous block",
      group: "go",
      hint: 20,
      active: previous !== undefined,
      run: goToPrevious,
    },
    { ...actionBinding("block.after"), label: "next block", group: "go", hint: 21, run: goToNext },
    refreshBinding(detail.refresh),
  ]);
  const { answer, problem } = detail;
  useEffect(() => {
    if (!search) return;
    if (answer) return setSearch(undefined);
    if (problem?.exit !== "notFound") return;
    const next = continueSearch(slot, search);
    setSearch(next.search);
    navigation.replace({ kind: "entity", entity: "block", id: next.slot });
    if (!next.search) toast(`The ${MAX_EMPTY_SLOTS} slots after ${next.slot} have no block, or none yet.`, "warning");
  }, [search, answer, problem, slot, setSearch, navigation, toast]);
}

/** Shows a block. */
export function BlockPage({ route, region }: PageProps<EntityRoute>) {
  const { services } = useExplorer();
  const { id } = route;
  const params = useMemo(() => ({ block: id }), [id]);
  const detail = useResource(DETAIL, params);
  const state = useResourceLine(detail);
  useNeighbourKeys(id, detail);
  const clock = { ...relativeClock(services), now: useNow(AGE_MS) };
  const facts = blockFacts(id, answerObject(detail), clock, region.width);
  const empty = detail.problem?.exit === "notFound" && !detail.answer;
  const notes = empty
    ? [textLine(`Slot ${id} has no block: it was skipped or does not exist yet.`, "warning")]
    : state
      ? [state]
      : [];
  const summary = [...notes, ...summaryLines(facts, region.width, summaryHeight(region.height) - notes.length)];
  const tabs: readonly Tab[] = [
    {
      name: "transactions",
      render: (inner, part) => (
        <ListPanel key={id} endpoint={TRANSACTIONS} params={params} region={inner} part={`${part} ${id}`} />
      ),
    },
    {
      name: "raw",
      render: (inner, part) => (
        <DetailPanel key={id} endpoint={DETAIL} params={params} region={inner} part={`${part} ${id}`} />
      ),
    },
  ];
  return <EntityLayout route={route} region={region} summary={summary} tabs={tabs} />;
}
