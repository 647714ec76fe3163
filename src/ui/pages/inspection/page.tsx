/** The page of a serialised transaction: decoded and simulated by the node before it is sent. */
import { useCallback, useEffect, useMemo, useState } from "react";
import { InterruptedError, type JsonObject, type SolxError } from "../../../base/index.ts";
import { toSolxError } from "../../data/query.ts";
import { ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { type Region, useBindings, useExplorer } from "../../navigation/context.ts";
import { IDLE_QUERY } from "../../navigation/data-store.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { shortId } from "../../navigation/route.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { relativeClock } from "../../widgets/cells.ts";
import { TreePanel } from "../../widgets/tree/panel.tsx";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import { type Tab, TabbedPage } from "../entity/layout.tsx";
import { summaryHeight, summaryLines } from "../entity/summary.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { inspectedAccounts, inspectedInstructions, inspectedLogs, inspectionFacts, outcomeRows } from "./rows.ts";

/** The result of an inspection, or why there is none. */
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
    const { inspect } = services;
    const controller = new AbortController();
    setInspection(LOADING);
    inspect?.(text, controller.signal).then(
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
  const rows = useMemo(() => {
    if (!result) return undefined;
    return {
      outcome: outcomeRows(result, relativeClock(services)),
      instructions: inspectedInstructions(result, services.unicode),
      accounts: inspectedAccounts(result),
      logs: inspectedLogs(result),
    };
  }, [result, services]);
  const notes = [
    [span("Transaction before it is sent", "title"), span(`  ${shortId(route.id)}`, "note")],
    ...(state ? [state] : []),
  ];
  const facts = result ? inspectionFacts(result, relativeClock(services), unicode) : [];
  const summary = [...notes, ...summaryLines(facts, region.width, summaryHeight(region.height) - notes.length)];
  const panel = (name: keyof NonNullable<typeof rows>): Tab => ({
    name,
    render: (inner: Region) =>
      rows ? (
        <TreePanel rows={rows[name] as readonly TreeRow[]} region={inner} part={name} />
      ) : (
        <ResourceStatus resource={resource} region={inner} />
      ),
  });
  const tabs = (["outcome", "instructions", "accounts", "logs"] as const).map(panel);
  return <TabbedPage route={route} region={region} header={summary} tabs={tabs} />;
}
