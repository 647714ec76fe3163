/** Requests what the page of an entity is made from. */
import { type Resource, useNameOf, useOptionalResource } from "../../data/hooks.ts";
import { type Region, useExplorer } from "../../navigation/context.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { answersOf, type EntityRecord, type EntityView, entityView, type PageRequest, pageRequest } from "./record.ts";

/** What the page of an entity shows. */
export interface EntityPage<N extends string, T extends string> extends EntityView<N> {
  readonly record: EntityRecord<N, T>;
  readonly route: EntityRoute;
  readonly region: Region;
  readonly states: Readonly<Record<N, Resource>>;
}

/** What a page changes of its requests. */
interface EntityOptions<N extends string> {
  readonly days?: number;
  /** A request that the open tab makes no use of. */
  readonly unneeded?: N | undefined;
}

/** Requests the answers of a record. The page of a record is mounted once for each kind of entity. */
export function useEntity<N extends string, T extends string>(
  record: EntityRecord<N, T>,
  { route, region }: PageProps<EntityRoute>,
  { days = record.days ?? 1, unneeded }: EntityOptions<N> = {},
): EntityPage<N, T> {
  const { services } = useExplorer();
  const nameOf = useNameOf();
  const { id } = route;
  const states: Partial<Record<N, Resource>> = {};
  for (const [name, request] of Object.entries(record.requests) as [N, PageRequest<N>][]) {
    const answers = answersOf(states as Record<N, Resource>);
    const { endpoint, params } = pageRequest(request as PageRequest, id, days, answers);
    const isNeeded = request.isNeeded?.(answers) ?? true;
    // biome-ignore lint/correctness/useHookAtTopLevel: a record has always the same requests.
    states[name] = useOptionalResource(endpoint, params, isNeeded && name !== unneeded);
  }
  const all = states as Readonly<Record<N, Resource>>;
  const view = entityView(id, all, services, { nameOf, width: region.width, days });
  return { ...view, states: all, record, route, region };
}
