/** The rows of any endpoint: the one list of the explorer. */
import type { Column, Endpoint } from "../../catalogue/endpoint.ts";
import type { Region } from "../frame/context.ts";
import { line } from "../frame/line.ts";
import { Lines } from "../frame/lines.tsx";
import type { Parameters, Thing } from "../frame/place.ts";

export interface ListPanelProps {
  readonly endpoint: Endpoint;
  /** What is asked; the user's filter and sort are added by the panel itself and kept with the visit. */
  readonly params: Parameters;
  readonly region: Region;
  /** Tells the panels of a screen apart. */
  readonly part: string;
  /** What an address in a field called `address` is of (default: an account). */
  readonly own?: Thing | undefined;
  /** Other columns than the catalogue's. */
  readonly columns?: readonly Column[] | undefined;
  /** Whether keys are for this panel (default): a screen may show several, of which one is active. */
  readonly active?: boolean | undefined;
}

export function ListPanel({ endpoint, region }: ListPanelProps) {
  return <Lines lines={[line(endpoint.summary)]} width={region.width} height={region.height} />;
}
