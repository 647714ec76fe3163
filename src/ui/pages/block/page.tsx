/** The page of a block: summary, transactions and neighbours. */

import { useAgeTime } from "../../data/hooks.ts";
import { EntityLayout } from "../entity/layout.tsx";
import { useEntity } from "../entity/use-entity.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { Distribution } from "./distribution.tsx";
import { BLOCK } from "./record.ts";
import { useBlockSteps } from "./stepping.tsx";

/** Shows a block. */
export function BlockPage(props: PageProps<EntityRoute>) {
  const page = useEntity(BLOCK, props);
  const { id, states, clock } = page;
  const step = useBlockSteps(id, states.detail);
  const now = useAgeTime(states.detail.answer);
  return (
    <EntityLayout
      page={{ ...page, clock: { ...clock, now } }}
      above={step ? [step] : []}
      tabs={{ distribution: (tab) => <Distribution key={id} slot={id} {...tab} /> }}
    />
  );
}
