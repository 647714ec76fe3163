/** The settings of a node as a source. */
import type { BaseUrls, CacheOptions } from "../../client/index.ts";
import type { SendSettings } from "../api/index.ts";
import type { NodeAddress } from "./connection/address.ts";

/** The settings of a node. */
export interface NodeSettings extends SendSettings {
  readonly node: NodeAddress;
  readonly baseUrls: BaseUrls;
  /** Where results that never change are stored. */
  readonly cache: CacheOptions | undefined;
}
