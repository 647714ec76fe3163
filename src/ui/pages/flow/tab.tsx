/** Loads the flow graph with its layout when it is first shown. */
import { type FC, lazy, Suspense } from "react";
import type { TabProps } from "../props.ts";

const FlowPanel = lazy<FC<TabProps>>(async () => ({ default: (await import("./panel.tsx")).FlowPanel }));

/** Shows the flows around a wallet. */
export function FlowTab(props: TabProps) {
  return (
    <Suspense fallback={null}>
      <FlowPanel {...props} />
    </Suspense>
  );
}
