/** The data of an account, as its owner program understands it. */

import { useMemo } from "react";
import { useOptionalResource } from "../../data/hooks.ts";
import { ResourceStatus } from "../../data/status.tsx";
import { type Region, useExplorer } from "../../navigation/context.ts";
import { answerObject, relativeClock } from "../../widgets/cells.ts";
import { TreePanel } from "../../widgets/tree/panel.tsx";
import { NODE_ACCOUNT } from "./record.ts";
import { stateRows } from "./state.ts";

/** Shows the decoded data of an account; amounts, links and lists by its kind. */
export function StatePanel({ id, region, part }: { id: string; region: Region; part: string }) {
  const { services } = useExplorer();
  const params = useMemo(() => ({ address: id }), [id]);
  const resource = useOptionalResource(NODE_ACCOUNT, params);
  const account = answerObject(resource);
  const rows = useMemo(() => (account ? stateRows(account, relativeClock(services)) : []), [account, services]);
  if (!account) return <ResourceStatus resource={resource} region={region} />;
  return <TreePanel rows={rows} region={region} part={part} request={resource.request} />;
}
