/** Block: what it is, its transactions, the blocks before and after it. */

import { useEffect, useMemo } from "react";
import { useBindings, useExplorer, useViewState } from "../../app/context.ts";
import { actionBinding } from "../../app/keys/actions.ts";
import { textLine } from "../../app/theme/text-line.ts";
import { type Resource, useNow, useResource } from "../../data/hooks.ts";
import { useResourceLine } from "../../data/status.tsx";
import { answerObject, endpointAt, relativeClock } from "../../widgets/cells.ts";
import { DetailPanel } from "../../widgets/detail/panel.tsx";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { type Tab, ThingFrame } from "../entity/layout.tsx";
import { summaryHeight, summaryLines } from "../entity/summary.ts";
import type { ScreenProps, ThingPlace } from "../props.ts";
import { blockFacts, MOST_EMPTY, slotBefore, type Walk, walkOn } from "./summary.ts";

const DETAIL = endpointAt("/block/detail");
const TRANSACTIONS = endpointAt("/block/transactions");

/** How often ages are told anew. */
const AGE_MS = 15_000;

/** Which block followed where one came from: slots in between may hold none. */
type Followers = Readonly<Record<string, string>>;

/** Goes to the block before and after; the visit stays one step of the history. */
function useNeighbours(slot: string, detail: Resource): void {
  const { navigation, toast } = useExplorer();
  const [walk, setWalk] = useViewState<Walk | undefined>("walk", undefined);
  const [followers, setFollowers] = useViewState<Followers>("followers", {});
  const show = (id: string) => navigation.replace({ kind: "entity", entity: "block", id });
  const before = slotBefore(slot, answerObject(detail));
  const back = () => {
    if (before === undefined) return;
    setWalk(undefined);
    setFollowers((known) => ({ ...known, [before]: slot }));
    show(before);
  };
  const forward = () => {
    const known = followers[slot];
    setWalk(known === undefined ? { from: slot, empty: 0 } : undefined);
    show(known ?? `${Number(slot) + 1}`);
  };
  useBindings("screen", [
    {
      ...actionBinding("block.before"),
      label: "block before",
      group: "go",
      hint: 20,
      active: before !== undefined,
      run: back,
    },
    { ...actionBinding("block.after"), label: "block after", group: "go", hint: 21, run: forward },
    { ...actionBinding("view.refresh"), label: "refresh", group: "data", hint: 40, run: detail.refresh },
  ]);
  const { answer, problem } = detail;
  useEffect(() => {
    if (!walk) return;
    if (answer) return setWalk(undefined);
    if (problem?.exit !== "notFound") return;
    const next = walkOn(slot, walk);
    setWalk(next.walk);
    navigation.replace({ kind: "entity", entity: "block", id: next.slot });
    if (!next.walk) toast(`The ${MOST_EMPTY} slots after ${next.slot} hold no block, or none yet.`, "warning");
  }, [walk, answer, problem, slot, setWalk, navigation, toast]);
}

export function BlockScreen({ place, region }: ScreenProps<ThingPlace>) {
  const { services } = useExplorer();
  const { id } = place;
  const params = useMemo(() => ({ block: id }), [id]);
  const detail = useResource(DETAIL, params);
  const state = useResourceLine(detail);
  useNeighbours(id, detail);
  const clock = { ...relativeClock(services), now: useNow(AGE_MS) };
  const facts = blockFacts(id, answerObject(detail), clock, region.width);
  const empty = detail.problem?.exit === "notFound" && !detail.answer;
  const notes = empty
    ? [textLine(`Slot ${id} holds no block: it was skipped, or is not there yet.`, "warning")]
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
  return <ThingFrame place={place} region={region} summary={summary} tabs={tabs} />;
}
