/** The page of an NFT collection: its market, items and activity. */
import { NftCollection } from "../../../catalogue/schemas.ts";
import { ResourceStatus } from "../../data/status.tsx";
import { useBindings, useViewState } from "../../navigation/context.ts";
import { rangeBindings } from "../../widgets/chart/heading.ts";
import { ValuePanel } from "../../widgets/detail/panel.tsx";
import { EntityLayout, useEntity } from "../entity/layout.tsx";
import type { EntityRoute, PageProps } from "../props.ts";
import { COLLECTION, readCollection, UNKNOWN_COLLECTION } from "./record.ts";

/** The periods of the volume in days. */
const PERIODS = [1, 7, 30] as const;

/** Shows an NFT collection. */
export function CollectionPage(props: PageProps<EntityRoute>) {
  const [days, setDays] = useViewState<(typeof PERIODS)[number]>("days", 1);
  const page = useEntity(COLLECTION, props, { days });
  const { lists } = page.states;
  const collection = readCollection(lists);
  useBindings("screen", rangeBindings(PERIODS, days, setDays));
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
