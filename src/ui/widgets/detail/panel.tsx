/** The object of any endpoint: fields with units, nested values that fold, and the raw JSON. */

import { useMemo } from "react";
import type { ZodType } from "zod";
import type { Json } from "../../../base/index.ts";
import { type Endpoint, type ParameterValues, recordOf } from "../../../catalogue/index.ts";
import { ENTITIES } from "../../../catalogue/schemas.ts";
import { createNamer, shapeOf, UNKNOWN_SHAPE } from "../../../output/index.ts";
import { DETAIL_AGE_MS, useNameOf, useNow, useResource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { Lines } from "../../frame/lines.tsx";
import { type Region, useBindings, useExplorer, useSubject, useViewState } from "../../navigation/context.ts";
import type { EntityKind } from "../../navigation/entity-pages.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { keyLabelsOf } from "../../navigation/keys/key-hints.ts";
import { isSameRoute } from "../../navigation/route.ts";
import type { TextLine } from "../../navigation/theme/text-line.ts";
import type { MouseEvent } from "../../terminal/mouse.ts";
import { itemAtLine, wheelMovement } from "../viewport.ts";
import { routeOfNode } from "./format.ts";
import { detailBindings, searchInputBindings } from "./keys.ts";
import { detailLines, emptyValueLines } from "./lines.ts";
import { createDetailModel } from "./model.ts";
import { type DetailAction, type DetailState, INITIAL_DETAIL_STATE, normalizeState, reduce } from "./reducer.ts";
import { nodeKind, singleValue } from "./value-tree.ts";

interface DetailPanelProps {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly region: Region;
  readonly part: string;
  readonly addressEntity?: EntityKind | undefined;
  readonly active?: boolean | undefined;
}

/** Shows the answer of an endpoint as a detail view. */
export function DetailPanel({ endpoint, params, region, part, addressEntity, active = true }: DetailPanelProps) {
  const resource = useResource(endpoint, params);
  const notice = useResourceLine(resource);
  const data = resource.answer?.data;
  const value = useMemo(() => (data === undefined ? undefined : recordOf(endpoint, data)), [endpoint, data]);
  const hasValue = value !== undefined;
  useBindings("panel", [
    bindAction("view.refresh", "refresh", resource.refresh, { hint: 30, active: active && !hasValue }),
    bindAction("view.cancel", "stop loading", resource.cancel, { hint: 4, active: active && resource.isLoading }),
  ]);
  if (!hasValue) return <ResourceStatus resource={resource} region={region} />;
  return (
    <ValuePanel
      value={value}
      entity={ENTITIES[endpoint.returns.entity]}
      request={resource.request}
      region={region}
      part={part}
      addressEntity={addressEntity}
      active={active}
      notice={notice}
      refresh={resource.refresh}
    />
  );
}

interface ValuePanelProps {
  /** The value, and its schema if there is one. */
  readonly value: Json;
  readonly entity?: ZodType | undefined;
  /** The request of the value, for copying and the command line. */
  readonly request?: { readonly endpoint: Endpoint; readonly params: ParameterValues } | undefined;
  readonly region: Region;
  readonly part: string;
  readonly addressEntity?: EntityKind | undefined;
  readonly active?: boolean | undefined;
  /** The state of the answer, displayed at the bottom. */
  readonly notice?: TextLine | undefined;
  /** Requests the value again. */
  readonly refresh?: (() => void) | undefined;
}

/** Shows a value that is already available, such as a part of an answer. */
export function ValuePanel(props: ValuePanelProps) {
  const { value, entity, request, region, part, addressEntity, active = true, notice, refresh } = props;
  const { width, height } = region;
  const explorer = useExplorer();
  const { services, navigation } = explorer;
  const { unicode, timeZone } = services;
  const now = useNow(DETAIL_AGE_MS);
  const [stored, setState] = useViewState<DetailState>(`${part}/detail`, INITIAL_DETAIL_STATE);
  const hasNotice = notice !== undefined;
  const nameOf = useNameOf();
  const model = useMemo(() => {
    const options = { unicode, now: services.now(), timeZone, addressEntity, namer: createNamer(nameOf) };
    return createDetailModel({
      value,
      shape: entity ? shapeOf(entity) : UNKNOWN_SHAPE,
      width,
      height,
      hasNotice,
      options,
    });
  }, [value, entity, width, height, hasNotice, unicode, timeZone, addressEntity, nameOf, services]);
  const state = normalizeState(stored, model);
  const dispatch = (action: DetailAction) => setState((before) => reduce(before, action, model));
  const rows = model.rows(state);
  const node = model.nodeAt(state.cursor);
  const linkedRoute = node && routeOfNode(node, addressEntity);
  const target = linkedRoute && isSameRoute(linkedRoute, navigation.current().route) ? undefined : linkedRoute;
  const open = navigation.open;
  const isSearching = state.searchInput !== undefined;
  const hasFolds = model.tree.children(model.tree.root).some(({ form }) => form !== "leaf");
  const context = { state, node, target, rowCount: rows.count, hasFolds, dispatch, open, refresh };
  useBindings("panel", active ? detailBindings(context) : []);
  const onMouse = (event: MouseEvent) => {
    const wheel = wheelMovement(event);
    if (wheel) return dispatch({ type: "move", ...wheel });
    const index = itemAtLine(rows, { top: state.top, height: model.height(state) }, event.y);
    if (event.type === "click" && index !== undefined) dispatch({ type: "pick", index });
  };
  useBindings("overlay", active && isSearching ? searchInputBindings(dispatch) : [], {
    modal: active && isSearching,
    ...(active && isSearching && { onText: (text: string) => dispatch({ type: "type", text }) }),
    ...(active && isSearching && { onPaste: (text: string) => dispatch({ type: "type", text }) }),
  });
  useSubject(
    active
      ? {
          request,
          row: value,
          ...(node?.value !== undefined && {
            cell: { field: node.field, value: singleValue(node.value) ?? null, kind: nodeKind(node) },
          }),
        }
      : undefined,
  );
  const emptyLines = emptyValueLines(value);
  const detailView = { model, state, size: region, active, notice, now, keyOf: keyLabelsOf(explorer) };
  return <Lines lines={emptyLines ?? detailLines(detailView)} width={width} height={height} onMouse={onMouse} />;
}
