/** The settings of sources that send requests over HTTP. */
import type { BaseUrls, Exchange, SharedSettings } from "../../client/index.ts";

/** How requests are sent and sent again. */
export interface SendSettings extends SharedSettings {
  /** Attempts after a transient failure. */
  readonly retries: number;
  /** Milliseconds that one request may wait in total. */
  readonly maxWait: number;
  /** Returns a random number between 0 and 1, for the jitter of retries. */
  readonly random: () => number;
  /** The `user-agent` header. */
  readonly userAgent: string;
  /** Called after every attempt, also after failed ones. */
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
}

/** The settings of the API. */
export interface ApiSettings extends SendSettings {
  readonly key: string | undefined;
  readonly keyHeader: string;
  readonly baseUrls: BaseUrls;
  /** Whether the key is sent; recordings need none. */
  readonly sendsKey: boolean;
}
