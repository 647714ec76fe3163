/** The page of an NFT collection: its market, items and activity. */

import { NftCollection } from "../../../catalogue/schemas.ts";
import { ResourceStatus } from "../../data/status.tsx";
import { useBindings, useViewState } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { ValuePanel } from "../../widgets/detail/panel.tsx";
import { EntityLayout } from "../entity/layout.tsx";
import { useEntity } from "../entity/use-entity.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { COLLECTION, readCollection, UNKNOWN_COLLECTION } from "./record.ts";
import { nextDays, type VolumeDays } from "./summary.ts";

/** Shows an NFT collection. */
export function CollectionPage(props: PageProps<EntityRoute>) {
  const [days, setDays] = useViewState<VolumeDays>("days", 1);
  const page = useEntity(COLLECTION, props, { days });
  const { lists } = page.states;
  const collection = readCollection(lists);
  const range = (name: "chart.more" | "chart.less", label: string, by: 1 | -1) =>
    bindAction(name, label, () => setDays((before) => nextDays(before, by)), {
      hint: by > 0 ? 12 : 13,
      active: days !== nextDays(days, by),
    });
  useBindings("screen", [range("chart.more", "more days", 1), range("chart.less", "fewer days", -1)]);
  return (
    <EntityLayout
      page={page}
      tabs={{
        about: ({ region, part }) =>
          collection ? (
            <ValuePanel value={collection} entity={NftCollection} request={lists.request} region={region} part={part} />
          ) : (
            <ResourceStatus resource={lists} region={region} empty={UNKNOWN_COLLECTION} />
          ),
      }}
    />
  );
}
