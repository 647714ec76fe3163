/** The page of a program: what it is, how much it is used and what calls it. */

import { useMemo } from "react";
import { withRole } from "../../../output/index.ts";
import { useOptionalResource, useResource } from "../../data/hooks.ts";
import { useResourceLine } from "../../data/status.tsx";
import { rowsOf } from "../../data/store.ts";
import { useBindings, useExplorer } from "../../navigation/context.ts";
import { actionBinding } from "../../navigation/keys/actions.ts";
import { answerObject, cellSpan, endpointAt, formatAs, relativeClock, titleLine } from "../../widgets/cells.ts";
import { DetailPanel } from "../../widgets/detail/panel.tsx";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { accountRoute } from "../account/redirect.ts";
import { fieldOf, textOf } from "../entity/json-fields.ts";
import { EntityLayout, type Tab } from "../entity/layout.tsx";
import { summaryHeight, summaryLines } from "../entity/summary.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { ANALYTICS, ProgramActivity } from "./activity.tsx";
import { NODE_PROGRAM, ProgramCode } from "./code.tsx";
import { activityOf, platformOf, programFacts } from "./summary.ts";

const DETAIL = endpointAt("/account/detail");
const METADATA = endpointAt("/account/metadata");
const TRANSACTIONS = endpointAt("/account/transactions");
const TRANSFERS = endpointAt("/account/transfer");
const PROGRAMS = endpointAt("/program/list");
const PLATFORMS = endpointAt("/program/popular/platforms");

/** The request for the busiest programs, as many as one page holds. */
const BUSIEST = { sort_by: "num_txs", sort_order: "desc", page_size: 40 } as const;
const NO_PARAMS = {} as const;

/** Shows a program. */
export function ProgramPage({ route, region }: PageProps<EntityRoute>) {
  const { services, navigation } = useExplorer();
  const { id } = route;
  const params = useMemo(() => ({ address: id }), [id]);
  const [account, metadata] = [useResource(DETAIL, params), useResource(METADATA, params)];
  const [programs, platforms] = [useOptionalResource(PROGRAMS, BUSIEST), useOptionalResource(PLATFORMS, NO_PARAMS)];
  const state = useResourceLine(account);
  const toAccount = () => navigation.open(accountRoute(id));
  useBindings("screen", [
    { ...actionBinding("account.as-account"), label: "open as account", group: "go", hint: 15, run: toAccount },
  ]);
  const clock = relativeClock(services);
  const program = {
    account: answerObject(account),
    metadata: answerObject(metadata),
    platform: platformOf(rowsOf(platforms), id),
    activity: activityOf(rowsOf(programs), id),
  };
  const label = fieldOf(program.metadata, "account_label");
  const name = textOf(label) === undefined ? [] : [cellSpan(withRole(formatAs("text", label, clock), "program"))];
  const notes = [titleLine(name, id, region.width), ...(state ? [state] : [])];
  const facts = programFacts(program, rowsOf(programs)?.length ?? 0, clock).filter((fact) => fact.label !== "name");
  const summary = [...notes, ...summaryLines(facts, region.width, summaryHeight(region.height) - notes.length)];
  const tabs: readonly Tab[] = [
    {
      name: "code",
      endpoint: NODE_PROGRAM,
      render: (inner, part) => <ProgramCode id={id} region={inner} part={part} />,
    },
    {
      name: "activity",
      endpoint: ANALYTICS,
      render: (inner, part) => <ProgramActivity id={id} region={inner} part={part} />,
    },
    {
      name: "transactions",
      render: (inner, part) => <ListPanel endpoint={TRANSACTIONS} params={params} region={inner} part={part} />,
    },
    {
      name: "transfers",
      endpoint: TRANSFERS,
      render: (inner, part) => <ListPanel endpoint={TRANSFERS} params={params} region={inner} part={part} />,
    },
    {
      name: "busiest programs",
      endpoint: PROGRAMS,
      render: (inner, part) => <ListPanel endpoint={PROGRAMS} params={NO_PARAMS} region={inner} part={part} />,
    },
    {
      name: "labels",
      render: (inner, part) => <DetailPanel endpoint={METADATA} params={params} region={inner} part={part} />,
    },
    {
      name: "raw",
      render: (inner, part) => <DetailPanel endpoint={DETAIL} params={params} region={inner} part={part} />,
    },
  ];
  return <EntityLayout route={route} region={region} summary={summary} tabs={tabs} />;
}
