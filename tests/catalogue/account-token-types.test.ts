import { describe, expectTypeOf, it } from "vitest";
import type { Numeric } from "../../src/base/json.ts";
import type { ArgumentsOf, DataOf, RowOf } from "../../src/catalogue/endpoint.ts";
import type { RouterRow } from "../../src/catalogue/entities/market.ts";
import type { WithNumbers } from "../../src/catalogue/kinds.ts";
import type { catalogue } from "../../src/catalogue/registry.ts";

type At<P extends string> = Extract<(typeof catalogue)[number], { family: "v2"; path: P }>;

describe("types", () => {
  it("rows have the types of their fields", () => {
    expectTypeOf<RowOf<At<"/account/transfer">>["amount"]>().toEqualTypeOf<number>();
    expectTypeOf<RowOf<At<"/account/stake">>["total_reward"]>().toEqualTypeOf<string>();
    expectTypeOf<RowOf<At<"/account/transfer/export">>["Block Time"]>().toEqualTypeOf<string>();
    expectTypeOf<RowOf<At<"/token/meta">>["mint_authority"]>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<RowOf<At<"/account/transactions">>["signer"]>().toEqualTypeOf<string[]>();
    expectTypeOf<RowOf<At<"/token/defi/activities">>["platform"]>().toEqualTypeOf<string | string[]>();
    type Info = NonNullable<RowOf<At<"/account/defi/activities">>["amount_info"]>;
    expectTypeOf<Info["amount1"]>().toEqualTypeOf<number | string | undefined>();
    expectTypeOf<Info["child_routers"]>().toEqualTypeOf<readonly WithNumbers<RouterRow, "number">[] | undefined>();
    expectTypeOf<RowOf<At<"/account/portfolio">>["tokens"][number]["balance"]>().toEqualTypeOf<number>();
  });

  it("large fields follow the number mode, all numbers the exact one", () => {
    type Transfer = At<"/account/transfer">;
    expectTypeOf<RowOf<Transfer, "bigint">["amount"]>().toEqualTypeOf<bigint>();
    expectTypeOf<RowOf<Transfer, "string">["amount"]>().toEqualTypeOf<string>();
    expectTypeOf<RowOf<Transfer, "exact">["amount"]>().toEqualTypeOf<Numeric>();
    expectTypeOf<RowOf<Transfer, "bigint">["block_id"]>().toEqualTypeOf<number>();
    expectTypeOf<RowOf<Transfer, "exact">["block_id"]>().toEqualTypeOf<Numeric>();
  });

  it("data has the structure of the answer", () => {
    expectTypeOf<DataOf<At<"/token/holders">>["total"]>().toEqualTypeOf<number>();
    expectTypeOf<DataOf<At<"/token/holders">>["items"][number]["rank"]>().toEqualTypeOf<number>();
    expectTypeOf<DataOf<At<"/token/price">>[number]["date"]>().toEqualTypeOf<number>();
    expectTypeOf<DataOf<At<"/account/detail">>["is_oncurve"]>().toEqualTypeOf<boolean>();
  });

  it("arguments are type-checked", () => {
    expectTypeOf<{ address: string; flow: "in" }>().toExtend<ArgumentsOf<At<"/account/transfer">>>();
    expectTypeOf<{ flow: "in" }>().not.toExtend<ArgumentsOf<At<"/account/transfer">>>();
    expectTypeOf<{ address: string; flow: "up" }>().not.toExtend<ArgumentsOf<At<"/account/transfer">>>();
    expectTypeOf<{ address: string[] }>().toExtend<ArgumentsOf<At<"/token/meta/multi">>>();
    expectTypeOf<{ platform_id: "stonkfun_launchpad" }>().toExtend<ArgumentsOf<At<"/token/latest">>>();
  });
});
