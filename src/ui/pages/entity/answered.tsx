/** What is shown of an answer: its content, with a line above where something is to be said; or its state alone. */
import { Box } from "ink";
import type { ReactNode } from "react";
import type { Region } from "../../app/context.ts";
import { Lines } from "../../app/lines.tsx";
import { ResourceState, useResourceLine } from "../../data/status.tsx";
import type { Entry } from "../../data/store.ts";

export interface AnsweredProps {
  readonly resource: Entry;
  readonly region: Region;
  /** What is shown where there is an answer; it fills the region that it is given. */
  readonly children: (region: Region) => ReactNode;
}

export function Answered({ resource, region, children }: AnsweredProps) {
  const state = useResourceLine(resource);
  if (!resource.answer) return <ResourceState resource={resource} region={region} />;
  if (!state) return children(region);
  const { width, height, top } = region;
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Lines lines={[state]} width={width} height={1} />
      {children({ width, height: height - 1, top: top + 1 })}
    </Box>
  );
}
