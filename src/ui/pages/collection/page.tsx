/** The page of an NFT collection: its market, items and activity. */

import { useMemo } from "react";
import { isObject } from "../../../base/index.ts";
import { NftCollection } from "../../../catalogue/schemas.ts";
import { useResource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { rowsOf } from "../../data/store.ts";
import { useBindings, useExplorer, useViewState } from "../../navigation/context.ts";
import { actionBinding } from "../../navigation/keys/actions.ts";
import { textLine } from "../../navigation/theme/text-line.ts";
import { endpointAt, relativeClock, titleLine } from "../../widgets/cells.ts";
import { ValuePanel } from "../../widgets/detail/panel.tsx";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { EntityLayout, type Tab } from "../entity/layout.tsx";
import { summaryHeight, summaryLines } from "../entity/summary.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { collectionFacts, collectionName, DAYS, nextDays, type VolumeDays, withCurrency } from "./summary.ts";

const LISTS = endpointAt("/nft/collection/lists");
const ITEMS = endpointAt("/nft/collection/items");
const ACTIVITIES = endpointAt("/nft/activities");
const [ITEM_COLUMNS, ACTIVITY_COLUMNS] = [withCurrency(ITEMS.columns), withCurrency(ACTIVITIES.columns)];

/** Shows an NFT collection. */
export function CollectionPage({ route, region }: PageProps<EntityRoute>) {
  const { services } = useExplorer();
  const { id } = route;
  const [days, setDays] = useViewState<VolumeDays>("days", 1);
  const params = useMemo(() => ({ collection: id }), [id]);
  const listParams = useMemo(() => ({ collection: id, range: days }), [id, days]);
  const lists = useResource(LISTS, listParams);
  const state = useResourceLine(lists);
  const range = (by: number) => () => setDays((before) => nextDays(before, by));
  useBindings("screen", [
    {
      ...actionBinding("chart.more"),
      label: "more days",
      group: "view",
      hint: 12,
      active: days !== DAYS.at(-1),
      run: range(1),
    },
    {
      ...actionBinding("chart.less"),
      label: "fewer days",
      group: "view",
      hint: 13,
      active: days !== DAYS[0],
      run: range(-1),
    },
  ]);
  const rows = rowsOf(lists);
  const collection = rows?.find(isObject);
  const clock = relativeClock(services);
  const isUnknown = rows !== undefined && !collection;
  const notes = [
    titleLine(collectionName(collection, clock), id, region.width),
    ...(state ? [state] : isUnknown ? [textLine("The API lists no collection with this identifier.", "note")] : []),
  ];
  const facts = collectionFacts(collection, days, { clock, unicode: services.unicode });
  const summary = [...notes, ...summaryLines(facts, region.width, summaryHeight(region.height) - notes.length)];
  const tabs: readonly Tab[] = [
    {
      name: "items",
      render: (inner, part) => (
        <ListPanel
          endpoint={ITEMS}
          params={params}
          region={inner}
          part={part}
          addressEntity="token"
          columns={ITEM_COLUMNS}
        />
      ),
    },
    {
      name: "activity",
      render: (inner, part) => (
        <ListPanel
          endpoint={ACTIVITIES}
          params={params}
          region={inner}
          part={part}
          addressEntity="token"
          columns={ACTIVITY_COLUMNS}
        />
      ),
    },
    {
      name: "about",
      render: (inner, part) =>
        collection ? (
          <ValuePanel value={collection} entity={NftCollection} request={lists.request} region={inner} part={part} />
        ) : (
          <ResourceStatus resource={lists} region={inner} empty="The API lists no collection with this identifier." />
        ),
    },
  ];
  return <EntityLayout route={route} region={region} summary={summary} tabs={tabs} />;
}
