/** The object of any endpoint: fields with units, nested values that fold, the JSON as it came. */
import type { ZodType } from "zod";
import type { Json } from "../../base/json.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { Region } from "../frame/context.ts";
import { line } from "../frame/line.ts";
import { Lines } from "../frame/lines.tsx";
import type { Parameters, Thing } from "../frame/place.ts";

export interface DetailPanelProps {
  readonly endpoint: Endpoint;
  readonly params: Parameters;
  readonly region: Region;
  readonly part: string;
  readonly own?: Thing | undefined;
  readonly active?: boolean | undefined;
}

export function DetailPanel({ endpoint, region }: DetailPanelProps) {
  return <Lines lines={[line(endpoint.summary)]} width={region.width} height={region.height} />;
}

export interface ValuePanelProps {
  /** What is shown, and its schema where there is one. */
  readonly value: Json;
  readonly entity?: ZodType | undefined;
  /** The request that it came from, for copying and the command line. */
  readonly request?: { readonly endpoint: Endpoint; readonly params: Parameters } | undefined;
  readonly region: Region;
  readonly part: string;
  readonly own?: Thing | undefined;
  readonly active?: boolean | undefined;
}

/** A value that is there already, such as a part of an answer. */
export function ValuePanel({ region }: ValuePanelProps) {
  return <Lines lines={[line("value")]} width={region.width} height={region.height} />;
}
