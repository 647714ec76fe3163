/** Token: what it is, what it costs, who holds it, where it is traded. */

import { useMemo } from "react";
import { decimalOf } from "../../../base/decimal.ts";
import type { Endpoint } from "../../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../../catalogue/index.ts";
import { useBindings, useExplorer } from "../../app/context.ts";
import { actionBinding } from "../../app/keys/actions.ts";
import { type TextLine, textLine } from "../../app/theme/text-line.ts";
import { useResource } from "../../data/hooks.ts";
import { useResourceLine } from "../../data/status.tsx";
import { answerObject, endpointAt, relativeClock, titleLine } from "../../widgets/cells.ts";
import { DetailPanel } from "../../widgets/detail/panel.tsx";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { asAccount } from "../account/redirect.ts";
import { type Tab, ThingFrame } from "../entity/layout.tsx";
import { summaryHeight, summaryLines } from "../entity/summary.ts";
import type { ScreenProps, ThingPlace } from "../props.ts";
import { Holders } from "./holders.tsx";
import { PriceChart } from "./price-chart.tsx";
import { nameOf, nameWarning, tokenFacts } from "./summary.ts";

const META = endpointAt("/token/meta");

/** The lists of a token, by the name of the tab. */
const LISTS: readonly (readonly [name: string, endpoint: Endpoint, params: (id: string) => ParameterValues])[] = [
  ["markets", endpointAt("/token/markets"), (id) => ({ token: [id] })],
  ["transfers", endpointAt("/token/transfer"), (id) => ({ address: id })],
  ["defi", endpointAt("/token/defi/activities"), (id) => ({ address: id })],
];

export function TokenScreen({ place, region }: ScreenProps<ThingPlace>) {
  const { services, navigation } = useExplorer();
  const { id } = place;
  const params = useMemo(() => ({ address: id }), [id]);
  const resource = useResource(META, params);
  const state = useResourceLine(resource);
  const meta = answerObject(resource);
  const clock = relativeClock(services);
  useBindings("screen", [
    {
      ...actionBinding("account.as-account"),
      label: "as account",
      group: "go",
      hint: 60,
      run: () => navigation.open(asAccount(id)),
    },
  ]);
  const warning = meta && nameWarning(meta, clock);
  const notes: readonly TextLine[] = [
    titleLine(meta ? nameOf(meta, clock) : [], id, region.width),
    ...(state ? [state] : []),
    ...(warning === undefined ? [] : [textLine(`${warning}: compare the mint before you trust the name.`, "warning")]),
  ];
  const room = summaryHeight(region.height) - notes.length;
  const facts = meta ? tokenFacts(meta, clock, services.unicode) : [];
  const supply = useMemo(() => decimalOf(meta?.supply), [meta]);
  const tabs: readonly Tab[] = [
    { name: "price", render: (own, part) => <PriceChart id={id} region={own} part={part} /> },
    { name: "holders", render: (own, part) => <Holders id={id} supply={supply} region={own} part={part} /> },
    ...LISTS.map(
      ([name, endpoint, given]): Tab => ({
        name,
        render: (own, part) => <ListPanel endpoint={endpoint} params={given(id)} region={own} part={part} />,
      }),
    ),
    {
      name: "about",
      render: (own, part) => (
        <DetailPanel endpoint={META} params={params} region={own} part={part} addressEntity="token" />
      ),
    },
  ];
  return (
    <ThingFrame
      place={place}
      region={region}
      summary={[...notes, ...summaryLines(facts, region.width, room)]}
      tabs={tabs}
    />
  );
}
