/** The page of an epoch: its slots, and its first and last block. */
import { type JsonObject, toNumber } from "../../../base/index.ts";
import { useBindings, useExplorer } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { EntityLayout, useEntity } from "../entity/layout.tsx";
import type { EntityRoute, PageProps } from "../props.ts";
import { EPOCH } from "./record.ts";

/** Seconds within which the latest block of the current epoch is. */
const RECENT_SECONDS = 600;

/** Returns whether an epoch has not ended: its latest block is new. */
function isCurrentEpoch(epoch: JsonObject | undefined, now: number): boolean {
  const latest = toNumber(epoch?.last_block_time);
  return latest !== undefined && now / 1000 - latest < RECENT_SECONDS;
}

/** Shows an epoch. */
export function EpochPage(props: PageProps<EntityRoute>) {
  const { services, navigation } = useExplorer();
  const page = useEntity(EPOCH, props);
  const number = Number(page.id);
  const show = (next: number) => () => navigation.replace({ kind: "entity", entity: "epoch", id: `${next}` });
  const neighbour = (name: "block.before" | "block.after", label: string, by: -1 | 1, active: boolean) =>
    bindAction(name, label, show(number + by), { hint: by < 0 ? 20 : 21, active });
  useBindings("screen", [
    neighbour("block.before", "previous epoch", -1, number > 0),
    neighbour("block.after", "next epoch", 1, !isCurrentEpoch(page.answers.epoch, services.now())),
  ]);
  return <EntityLayout page={page} />;
}
