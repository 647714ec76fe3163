/** The object of any endpoint: fields with units, nested values that fold, the JSON as it came. */

import { useMemo } from "react";
import type { ZodType } from "zod";
import type { Json } from "../../../base/json.ts";
import type { Endpoint, EntityName } from "../../../catalogue/endpoint.ts";
import * as entities from "../../../catalogue/entities/index.ts";
import type { ParameterValues } from "../../../catalogue/index.ts";
import { shapeOf } from "../../../output/fields/schema.ts";
import { UNKNOWN_SHAPE } from "../../../output/fields/shape.ts";
import { type Region, useBindings, useExplorer, useSubject, useViewState } from "../../app/context.ts";
import { actionBinding } from "../../app/keys/actions.ts";
import { keyLabelsOf } from "../../app/keys/key-hints.ts";
import { Lines } from "../../app/lines.tsx";
import { type EntityKind, isSameRoute } from "../../app/route.ts";
import type { TextLine } from "../../app/theme/text-line.ts";
import { useNow, useResource } from "../../data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { itemAtLine, wheelMovement } from "../viewport.ts";
import { type Labels, labelsOf, placeOfNode } from "./format.ts";
import { typingBindings, viewBindings } from "./keys.ts";
import { detailLines, emptyLines } from "./lines.ts";
import { createScene } from "./model.ts";
import { type Action, type DetailState, FIRST_STATE, reduce, settled } from "./reducer.ts";
import { kindOf, soleOf } from "./value-tree.ts";

const ENTITIES: Readonly<Record<EntityName, ZodType>> = entities;

export interface DetailPanelProps {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly region: Region;
  readonly part: string;
  readonly own?: EntityKind | undefined;
  readonly active?: boolean | undefined;
}

/** What an endpoint answers, as a detail. */
export function DetailPanel({ endpoint, params, region, part, own, active = true }: DetailPanelProps) {
  const resource = useResource(endpoint, params);
  const notice = useResourceLine(resource);
  const value = resource.answer?.data;
  const metadata = resource.answer?.envelope?.metadata;
  const labels = useMemo(() => labelsOf(metadata), [metadata]);
  const isHere = value !== undefined;
  useBindings("panel", [
    {
      ...actionBinding("view.refresh"),
      label: "refresh",
      group: "data",
      hint: 30,
      active: active && !isHere,
      run: resource.refresh,
    },
    {
      ...actionBinding("view.cancel"),
      label: "stop loading",
      group: "data",
      hint: 4,
      active: active && resource.isLoading,
      run: resource.cancel,
    },
  ]);
  if (!isHere) return <ResourceStatus resource={resource} region={region} />;
  return (
    <ValuePanel
      value={value}
      entity={ENTITIES[endpoint.returns.entity]}
      request={resource.request}
      region={region}
      part={part}
      own={own}
      active={active}
      labels={labels}
      notice={notice}
      refresh={resource.refresh}
    />
  );
}

export interface ValuePanelProps {
  /** What is shown, and its schema where there is one. */
  readonly value: Json;
  readonly entity?: ZodType | undefined;
  /** The request that it came from, for copying and the command line. */
  readonly request?: { readonly endpoint: Endpoint; readonly params: ParameterValues } | undefined;
  readonly region: Region;
  readonly part: string;
  readonly own?: EntityKind | undefined;
  readonly active?: boolean | undefined;
  /** What identifiers in it are called. */
  readonly labels?: Labels | undefined;
  /** How it stands with the answer: a line at the foot while there is something to tell. */
  readonly notice?: TextLine | undefined;
  /** Asks anew. */
  readonly refresh?: (() => void) | undefined;
}

const NO_LABELS: Labels = new Map();
const AGE_MS = 15_000;

/** A value that is there already, such as a part of an answer. */
export function ValuePanel(props: ValuePanelProps) {
  const { value, entity, request, region, part, own, active = true, labels = NO_LABELS, notice, refresh } = props;
  const { width, height, top } = region;
  const explorer = useExplorer();
  const { services, navigation } = explorer;
  const { unicode, timeZone } = services;
  const now = useNow(AGE_MS);
  const [memory, remember] = useViewState<DetailState>(`${part}/detail`, FIRST_STATE);
  const hasNotice = notice !== undefined;
  const scene = useMemo(() => {
    const paper = { unicode, now: services.now(), timeZone, own, labels };
    return createScene({ value, shape: entity ? shapeOf(entity) : UNKNOWN_SHAPE, width, height, hasNotice, paper });
  }, [value, entity, width, height, hasNotice, unicode, timeZone, own, labels, services]);
  const state = settled(memory, scene);
  const act = (action: Action) => remember((before) => reduce(before, action, scene));
  const view = scene.view(state);
  const node = scene.nodeAt(state.cursor);
  const leadsTo = node && placeOfNode(node, own);
  const target = leadsTo && isSameRoute(leadsTo, navigation.current().route) ? undefined : leadsTo;
  const open = navigation.open;
  const typing = state.typing !== undefined;
  const hasParts = scene.tree.children(scene.tree.root).some(({ form }) => form !== "leaf");
  const hands = { state, node, target, count: view.count, hasParts, act, open, refresh };
  useBindings("panel", active ? viewBindings(hands) : [], {
    onMouse: ({ type: what, y }) => {
      if (!active) return;
      if (what !== "click") return act({ type: "move", ...wheelMovement(what) });
      const index = itemAtLine(view, { top: state.top, height: scene.height(state) }, y - top);
      if (index !== undefined) act({ type: "pick", index });
    },
  });
  useBindings("overlay", active && typing ? typingBindings(act) : [], {
    modal: active && typing,
    ...(active && typing && { onText: (text: string) => act({ type: "type", text }) }),
    ...(active && typing && { onPaste: (text: string) => act({ type: "type", text }) }),
  });
  useSubject(
    active
      ? {
          request,
          row: value,
          ...(node?.value !== undefined && {
            cell: { field: node.field, value: soleOf(node.value) ?? null, kind: kindOf(node) },
          }),
        }
      : undefined,
  );
  const empty = emptyLines(value);
  const picture = { scene, state, size: region, active, notice, now, keyOf: keyLabelsOf(explorer) };
  return <Lines lines={empty ?? detailLines(picture)} width={width} height={height} />;
}
