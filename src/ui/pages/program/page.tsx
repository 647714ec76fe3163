/** The page of a program: what it is, how much it is used and what calls it. */

import { useBindings, useExplorer } from "../../navigation/context.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { accountRoute } from "../account/redirect.ts";
import { EntityLayout } from "../entity/layout.tsx";
import { useEntity } from "../entity/use-entity.ts";
import type { EntityRoute, PageProps } from "../props.ts";
import { ProgramActivity } from "./activity.tsx";
import { ProgramCode } from "./code.tsx";
import { PROGRAM_PAGE } from "./record.ts";

/** Shows a program. */
export function ProgramPage(props: PageProps<EntityRoute>) {
  const { navigation } = useExplorer();
  const page = useEntity(PROGRAM_PAGE, props);
  const toAccount = () => navigation.open(accountRoute(page.id));
  useBindings("screen", [bindAction("account.as-account", "open as account", toAccount, { hint: 15 })]);
  return (
    <EntityLayout
      page={page}
      tabs={{ code: (tab) => <ProgramCode {...tab} />, activity: (tab) => <ProgramActivity {...tab} /> }}
    />
  );
}
