/** The page of a serialised transaction: decoded and simulated by the node before it is sent. */
import { useCallback, useEffect, useMemo, useState } from "react";
import { InterruptedError, type JsonObject, type SolxError } from "../../../base/index.ts";
import { toSolxError } from "../../data/query.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { useBindings, useExplorer } from "../../navigation/context.ts";
import { IDLE_QUERY } from "../../navigation/data-store.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { shortId } from "../../navigation/route.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { relativeClock } from "../../widgets/cells.ts";
import { TreePanel } from "../../widgets/tree/panel.tsx";
import { summaryHeight, summaryLines } from "../entity/header.ts";
import { type Tab, TabbedPage } from "../entity/layout.tsx";
import type { EntityRoute, PageProps } from "../props.ts";
import { INSPECTION_TABS, inspectionFacts } from "./rows.ts";

interface Inspection {
  readonly result: JsonObject | undefined;
  readonly problem: SolxError | undefined;
}

const LOADING: Inspection = { result: undefined, problem: undefined };

/** Inspects a transaction with the node of this run; returns the result and how to repeat it. */
function useInspection(text: string): readonly [inspection: Inspection, repeat: () => void] {
  const { services } = useExplorer();
  const [inspection, setInspection] = useState(LOADING);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt repeats the inspection.
  useEffect(() => {
    const controller = new AbortController();
    setInspection(LOADING);
    services.inspect?.(text, controller.signal).then(
      (result) => setInspection({ result, problem: undefined }),
      (error: unknown) => {
        if (!controller.signal.aborted) setInspection({ result: undefined, problem: toSolxError(error) });
      },
    );
    return () => controller.abort(new InterruptedError());
  }, [services, text, attempt]);
  return [inspection, useCallback(() => setAttempt((count) => count + 1), [])];
}

/** Shows a serialised transaction. */
export function InspectionPage({ route, region }: PageProps<EntityRoute>) {
  const { services } = useExplorer();
  const [{ result, problem }, repeat] = useInspection(route.id);
  const resource = { ...IDLE_QUERY, isLoading: !result && !problem, problem };
  const state = useResourceLine(resource);
  useBindings("screen", [bindAction("view.refresh", "simulate again", repeat, { hint: 20 })]);
  const { unicode } = services;
  const tabs = useMemo(() => {
    const clock = relativeClock(services);
    return INSPECTION_TABS.map(({ name, rowsOf }) => ({ name, rows: result && rowsOf(result, clock, unicode) }));
  }, [result, services, unicode]);
  const notes = [
    [span("Transaction before it is sent", "title"), span(`  ${shortId(route.id)}`, "note")],
    ...(state ? [state] : []),
  ];
  const facts = result ? inspectionFacts(result, relativeClock(services), unicode) : [];
  const header = [...notes, ...summaryLines(facts, region.width, summaryHeight(region.height) - notes.length)];
  const panels = tabs.map(
    ({ name, rows }): Tab => ({
      name,
      render: (inner) =>
        rows ? (
          <TreePanel rows={rows} region={inner} part={name} />
        ) : (
          <ResourceStatus resource={resource} region={inner} />
        ),
    }),
  );
  return <TabbedPage route={route} region={region} header={header} tabs={panels} />;
}
