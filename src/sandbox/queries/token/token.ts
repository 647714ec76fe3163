/** Queries about tokens. */
import { defiRecords, defiRows } from "../defi.ts";
import type { Queries } from "../query.ts";
import { transferRows } from "../transfers.ts";
import { holders } from "./holders.ts";
import { latest, list, top, trending } from "./lists.ts";
import { markets } from "./markets.ts";
import { meta, metaMulti } from "./meta.ts";
import { price, priceMulti } from "./prices.ts";
import { needToken } from "./rows.ts";

/** The token that a request is about. */
const subjectOf = ({ db, params }: Parameters<typeof meta>[0]) => ({ token: needToken(db, params.need("address")) });

/** Queries of `/token/…`. */
export const tokenQueries: Queries = {
  "v2-token-transfer": (context) => ({ data: transferRows(context, subjectOf(context)) }),
  "v2-token-defi-activities": (context) => ({ data: defiRows(context, subjectOf(context)) }),
  "v2-token-markets": markets,
  "v2-token-meta": meta,
  "v2-token-meta-multi": metaMulti,
  "v2-token-price": price,
  "v2-token-price-multi": priceMulti,
  "v2-token-holders": holders,
  "v2-token-list": list,
  "v2-token-top": top,
  "v2-token-trending": trending,
  "v2-token-latest": latest,
  "v2-token-defi-activities-export": (context) => ({ csv: defiRecords(context, subjectOf(context)) }),
};
