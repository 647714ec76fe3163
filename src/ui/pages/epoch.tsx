/** The page of an epoch: its slots, and its first and last block. */
import { useMemo } from "react";
import { type JsonObject, toNumber } from "../../base/index.ts";
import { EpochInfo } from "../../catalogue/schemas.ts";
import type { Clock } from "../../output/index.ts";
import { useOptionalResource } from "../data/hooks.ts";
import { useResourceLine } from "../data/status.tsx";
import { useBindings, useExplorer } from "../navigation/context.ts";
import { actionBinding } from "../navigation/keys/actions.ts";
import { span, type TextLine } from "../navigation/theme/text-line.ts";
import { answerObject, cellSpan, endpointAt, formatField, relativeClock } from "../widgets/cells.ts";
import { DetailPanel } from "../widgets/detail/panel.tsx";
import { EntityLayout, type Tab } from "./entity/layout.tsx";
import { type Fact, summaryHeight, summaryLines } from "./entity/summary.ts";
import { durationText } from "./home/chain.ts";
import type { EntityRoute, PageProps } from "./props.ts";

const EPOCH = endpointAt("/node/epoch", "node");

/** Returns the facts of an epoch. */
function epochFacts(epoch: JsonObject | undefined, clock: Clock): readonly Fact[] {
  const value = (field: string): TextLine => {
    const cell = formatField(EpochInfo, epoch, field, clock);
    return cell.role === "missing" ? [] : [cellSpan(cell)];
  };
  const [from, to] = [toNumber(epoch?.first_block_time), toNumber(epoch?.last_block_time)];
  return [
    { label: "first slot", value: value("first_slot") },
    { label: "last slot", value: value("last_slot") },
    { label: "began", value: value("first_block_time") },
    { label: "latest block", value: value("last_block_time") },
    { label: "lasted", value: from === undefined || to === undefined ? [] : [span(durationText(to - from))] },
  ];
}

/** Seconds within which the latest block of the current epoch is. */
const RECENT_SECONDS = 600;

/** Returns whether an epoch has not ended: its latest block is new. */
function isCurrentEpoch(epoch: JsonObject | undefined, now: number): boolean {
  const latest = toNumber(epoch?.last_block_time);
  return latest !== undefined && now / 1000 - latest < RECENT_SECONDS;
}

/** Shows an epoch. */
export function EpochPage({ route, region }: PageProps<EntityRoute>) {
  const { services, navigation } = useExplorer();
  const { id } = route;
  const params = useMemo(() => ({ epoch: id }), [id]);
  const epoch = useOptionalResource(EPOCH, params);
  const state = useResourceLine(epoch);
  const number = Number(id);
  const show = (next: number) => () => navigation.replace({ kind: "entity", entity: "epoch", id: `${next}` });
  useBindings("screen", [
    {
      ...actionBinding("block.before"),
      label: "previous epoch",
      group: "go",
      hint: 20,
      active: number > 0,
      run: show(number - 1),
    },
    {
      ...actionBinding("block.after"),
      label: "next epoch",
      group: "go",
      hint: 21,
      active: !isCurrentEpoch(answerObject(epoch), services.now()),
      run: show(number + 1),
    },
  ]);
  const facts = epochFacts(answerObject(epoch), relativeClock(services));
  const notes = [[span(`Epoch ${id}`, "title")], ...(state ? [state] : [])];
  const summary = [...notes, ...summaryLines(facts, region.width, summaryHeight(region.height) - notes.length)];
  const tabs: readonly Tab[] = [
    {
      name: "about",
      render: (inner, part) => (
        <DetailPanel key={id} endpoint={EPOCH} params={params} region={inner} part={`${part} ${id}`} />
      ),
    },
  ];
  return <EntityLayout route={route} region={region} summary={summary} tabs={tabs} />;
}
