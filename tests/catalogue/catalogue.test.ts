import { describe, expect, it } from "vitest";
import type { Endpoint } from "../../src/catalogue/endpoint.ts";
import { listFields } from "../../src/catalogue/fields.ts";
import {
  endpointByPath,
  endpointByRoute,
  endpoints,
  familyOfPath,
  multiEndpointOf,
  pagedSourceOf,
  positionalOf,
} from "../../src/catalogue/index.ts";
import type { Param } from "../../src/catalogue/param.ts";
import { deriveShape } from "../../src/catalogue/schemas.ts";
import { validateParameter, validateRequest } from "../../src/catalogue/validate.ts";
import { shapeAt } from "../../src/output/fields/paths.ts";

const entities = await import("../../src/catalogue/entities/index.ts");

const of = (family: string, path: string): Endpoint => {
  const match = endpoints.find((endpoint) => endpoint.family === family && endpoint.path === path);
  if (!match) throw new Error(`${family} ${path} is missing`);
  return match;
};

const paramOf = (family: string, path: string, name: string): Param => {
  const param = of(family, path).query[name];
  if (!param) throw new Error(`${name} of ${family} ${path} is missing`);
  return param;
};

const fieldPaths = (name: Endpoint["returns"]["entity"]) =>
  new Set(listFields(entities[name]).map(({ path }) => path.replaceAll("[]", "")));

const all = endpoints.map((endpoint) => [endpoint.command, endpoint] as const);
const params = endpoints.flatMap((endpoint) =>
  Object.entries(endpoint.query).map(
    ([name, param]) => [`${endpoint.command} ${name}`, name, param, endpoint] as const,
  ),
);

describe("the catalogue", () => {
  it("has unique routes and commands", () => {
    expect(new Set(endpoints.map(({ route }) => route)).size).toBe(endpoints.length);
    expect(new Set(endpoints.map(({ command }) => command)).size).toBe(endpoints.length);
    expect(new Set(endpoints.map(({ route }) => route.replace(/[-_/]/g, "").toLowerCase())).size).toBe(
      endpoints.length,
    );
  });

  it("has unique command names and aliases within a group", () => {
    const groups = Map.groupBy(endpoints, ({ command }) => command.split(" ").slice(0, -1).join(" "));
    for (const [group, members] of groups) {
      const names = members.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
      expect(names.length, `${group}: ${names.join(" ")}`).toBe(new Set(names).size);
    }
  });

  it.each([
    ["public", "/chaininfo", "chaininfo", "chaininfo", "chaininfo"],
    ["legacy", "/block/last", "block-last", "legacy block last", "last"],
    ["legacy", "/block/{block}", "block-detail", "legacy block detail", "detail"],
    ["legacy", "/account/{account}", "account-detail", "legacy account detail", "detail"],
    ["legacy", "/account/tokens", "account-tokens", "legacy account tokens", "tokens"],
    ["legacy", "/account/stakeAccounts", "account-stake-accounts", "legacy account stake-accounts", "stakeAccounts"],
    ["legacy", "/token/holders", "token-holders", "legacy token holders", "holders"],
    ["legacy", "/market/token/{tokenAddress}", "market-token-detail", "legacy market token-detail", "tokenDetail"],
    ["v2", "/account/detail", "v2-account-detail", "account detail", "detail"],
    ["v2", "/account/balance_change", "v2-account-balance-change", "account balance-change", "balanceChange"],
    ["v2", "/account/data-decoded", "v2-account-data-decoded", "account data-decoded", "dataDecoded"],
    [
      "v2",
      "/account/defi/activities/export",
      "v2-account-defi-activities-export",
      "account defi-activities-export",
      "defiActivitiesExport",
    ],
    ["v2", "/token/price/multi", "v2-token-price-multi", "token price-multi", "priceMulti"],
    ["v2", "/nft/collection/lists", "v2-nft-collection-lists", "nft collection-lists", "collectionLists"],
    ["v2", "/transaction/detail/multi", "v2-transaction-detail-multi", "transaction detail-multi", "detailMulti"],
    [
      "v2",
      "/program/popular/platforms",
      "v2-program-popular-platforms",
      "program popular-platforms",
      "popularPlatforms",
    ],
    ["v2", "/monitor/usage", "v2-monitor-usage", "monitor usage", "usage"],
  ])("derives the documented names of %s %s", (family, path, route, command, call) => {
    expect(of(family, path)).toMatchObject({ route, command, call });
  });

  it("has the compute units of the price list", () => {
    const legacy = endpoints.filter(({ family }) => family === "legacy");
    const costs = Object.fromEntries(legacy.map(({ path, cost }) => [path, cost.units]));
    expect(costs).toEqual({
      "/block/last": 10,
      "/block/transactions": 10,
      "/block/{block}": 10,
      "/transaction/last": 70,
      "/transaction/{signature}": 70,
      "/account/tokens": 70,
      "/account/transactions": 100,
      "/account/stakeAccounts": 10,
      "/account/splTransfers": 70,
      "/account/solTransfers": 70,
      "/account/exportTransactions": 70,
      "/account/exportRewards": 100,
      "/account/{account}": 100,
      "/token/holders": 70,
      "/token/meta": 70,
      "/token/transfer": 70,
      "/token/list": 100,
      "/market/token/{tokenAddress}": 10,
    });
    expect(of("public", "/chaininfo").cost.units).toBe(0);
    for (const { family, cost, isMulti } of endpoints) {
      if (family === "v2") expect(cost).toEqual({ units: 100, per: isMulti ? "item" : "request" });
    }
  });

  it("has 403 for rate limiting at chaininfo only", () => {
    expect(endpoints.filter(({ statuses }) => statuses).map(({ path, statuses }) => [path, statuses])).toEqual([
      ["/chaininfo", { 403: "rateLimited" }],
    ]);
  });
});

describe.each(all)("%s", (_command, endpoint) => {
  const { query, returns } = endpoint;

  it("has a one-line summary", () => {
    expect(endpoint.summary).toMatch(/^[A-Z].{8,90}[^.\s]$/);
  });

  it("has columns, echo, identity and cursor fields of its entity", () => {
    const known = fieldPaths(returns.entity);
    const columns = endpoint.columns.map((column) => (typeof column === "string" ? column : column.path));
    const paths = [
      ...columns.flatMap((path) => path.split("|")),
      ...(endpoint.identity ?? []),
      endpoint.echo,
      endpoint.cursorField,
    ];
    expect(columns.length).toBeGreaterThan(0);
    expect(new Set(columns).size).toBe(columns.length);
    for (const path of paths) if (path !== undefined) expect(known).toContain(path);
  });

  it("has valid examples", () => {
    expect(endpoint.examples.length).toBeGreaterThan(0);
    for (const { about, params: values } of endpoint.examples) {
      expect(about).toMatch(/\w/);
      // The client sends the default of a required parameter.
      const defaults = Object.entries(query).flatMap(([name, param]) =>
        param.required && param.default !== undefined ? [[name, param.default] as const] : [],
      );
      const sent = [...defaults, ...Object.entries(values)];
      const wire = sent.map(([name, value]) => [name, wireOf(query[name], value)] as const);
      expect(validateRequest(query, new Map(wire)), JSON.stringify(values)).toBeUndefined();
    }
  });

  it("has the parameters that its paging needs", () => {
    const roles = Object.values(query).flatMap(({ role }) => role ?? []);
    expect(new Set(roles).size).toBe(roles.length);
    if (roles.includes("page") || roles.includes("offset") || roles.includes("cursor")) expect(roles).toContain("size");
    if (endpoint.paging === "cursor") expect(endpoint.cursorField ?? endpoint.cursorAt).toBeDefined();
    if (endpoint.paging === "page") expect(endpoint.identity).toBeDefined();
  });

  it("has a paged source with the columns of its entity, if any", () => {
    const source = pagedSourceOf(endpoint);
    expect(source === undefined).toBe(endpoint.pagedSource === undefined);
    if (!source) return;
    expect(source.returns.shape).toBe("rows");
    expect(source.paging).not.toBe("none");
    expect(Object.keys(endpoint.pagedSource?.columns ?? {})).toEqual([...fieldPaths(returns.entity)]);
  });

  it("has exactly the path parameters of its path", () => {
    const inPath = Object.entries(query).filter(([, param]) => param.in === "path");
    expect(inPath.map(([name]) => name)).toEqual([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    for (const [, param] of inPath) expect(param.required).toBe(true);
  });

  it("has at most one positional argument", () => {
    const positional = Object.entries(query).filter(([, param]) => param.positional);
    expect(positional.length).toBeLessThanOrEqual(1);
    expect(positionalOf(endpoint)).toEqual(positional[0]);
  });
});

/** Wire values of an example, with any valid time for times in human form. */
function wireOf(param: Param | undefined, value: unknown): string[] {
  const human = (text: string) => {
    if (/^\d+$/.test(text)) return text;
    return param?.type === "time" ? "1720000000" : param?.type === "date" ? "20240703" : text;
  };
  return (Array.isArray(value) ? value : [value]).map((entry) => human(String(entry)));
}

describe("parameters", () => {
  it.each(params)("%s has a description and a valid default", (_path, name, param, { query }) => {
    expect(param.description).toMatch(/^[A-Z].*[^.]$/);
    if (param.type === "enum") expect(param.values?.length).toBeGreaterThan(0);
    if (param.default !== undefined) expect(validateParameter(name, param, String(param.default))).toBeUndefined();
    if (param.needs !== undefined) expect(query).toHaveProperty(param.needs);
  });

  it("accept at most 5 values in filters, 20 in multi endpoints and 50 in newer ones", () => {
    for (const [path, , param, { isMulti, since }] of params) {
      if (param.arity !== "list" || param.type === "enum" || param.type === "text") continue;
      const limit = !(isMulti && param.positional) ? 5 : since === "newer" ? 50 : 20;
      expect(param.maxItems, path).toBe(limit);
    }
  });

  it("have the page sizes of the specification", () => {
    const standard = [10, 20, 30, 40, 60, 100];
    const small = [10, 20, 30, 40];
    const expected: Record<string, readonly number[]> = {
      "/account/token-accounts": small,
      "/account/stake": small,
      "/token/holders": small,
      "/token/search": small,
      "/program/list": small,
      "/market/positions": small,
      "/nft/news": [12, 24, 36],
      "/nft/collection/items": [12, 24, 36],
      "/nft/collection/lists": [10, 18, 20, 30, 40],
    };
    for (const [path, name, param, { family, path: template }] of params) {
      if (family !== "v2" || name !== "page_size") continue;
      expect(param.values, path).toEqual(expected[template] ?? standard);
      expect(param.default, path).toBe(param.values?.[0]);
    }
    for (const path of ["/transaction/last", "/block/last"]) {
      expect(paramOf("v2", path, "limit")).toMatchObject({ values: standard, default: 10 });
    }
    expect(paramOf("v2", "/account/transactions", "limit").values).toEqual(small);
  });

  it("have the legacy limits of the specification", () => {
    for (const [path, name, param, { family, path: template }] of params) {
      if (family !== "legacy") continue;
      if (name === "limit") {
        const max = template.endsWith("/last") ? 20 : 50;
        expect(param, path).toMatchObject({ min: 1, max, default: 10, role: "size" });
      }
      if (name === "offset") expect(param, path).toMatchObject({ min: 0, default: 0, role: "offset" });
    }
  });

  it.each([
    ["v2", "/nft/collection/lists", "range", 1],
    ["v2", "/nft/collection/lists", "sort_by", "volumes"],
    ["v2", "/nft/collection/lists", "sort_order", "desc"],
    ["v2", "/nft/news", "filter", "created_time"],
    ["v2", "/transaction/last", "filter", "exceptVote"],
    ["v2", "/block/transactions", "exclude_vote", false],
    ["v2", "/market/list", "sort_by", "volumes_24h"],
    ["v2", "/program/list", "sort_by", "num_txs"],
    ["v2", "/account/leaderboard", "sort_by", "total_values"],
    ["v2", "/account/stake", "sort_by", "active_stake"],
    ["v2", "/account/transfer", "sort_by", "block_time"],
    ["v2", "/account/transfer", "page", 1],
  ])("of %s %s: %s defaults to %j", (family, path, name, value) => {
    expect(paramOf(family, path, name).default).toBe(value);
  });

  it("depend on each other as in the specification", () => {
    expect(paramOf("v2", "/account/transfer", "amount").needs).toBe("token");
    expect(paramOf("v2", "/nft/activities", "price").needs).toBe("currency_token");
  });

  it("are deprecated as in the specification", () => {
    expect(paramOf("v2", "/nft/activities", "block_time").deprecated).toBeDefined();
    expect(paramOf("v2", "/token/defi/activities/export", "block_time").deprecated).toBeDefined();
    expect(paramOf("v2", "/market/volume", "time").deprecated).toBeUndefined();
  });

  it.each([
    ["v2", "/transaction/detail", {}, 'Validation Error: "tx" is required'],
    ["v2", "/transaction/detail", { tx: ["x"] }, "Validation Error: Transaction Signature [x] is invalid"],
    ["v2", "/block/detail", { block: ["x"] }, "Validation Error: block must be a number"],
    ["v2", "/block/last", { block: ["1"] }, "Validation Error: block is not allowed"],
    ["v2", "/block/last", { tx: ["1"] }, "Validation Error: tx is not allowed"],
    ["v2", "/market/list", { sort_order: ["up"] }, 'Validation Error: "sort_order" must be one of [asc, desc]'],
    [
      "v2",
      "/market/list",
      { page_size: ["7"] },
      'Validation Error: "page_size" must be one of [10, 20, 30, 40, 60, 100]',
    ],
    ["legacy", "/block/last", { limit: ["0"] }, 'Validation Error: "limit" must be greater than or equal to 1'],
    [
      "public",
      "/analytics/transactions",
      { filter: ["votes"] },
      'Validation Error: "filter" must be one of [total, vote, nonvote_success, nonvote_fail, all]',
    ],
    ["public", "/analytics/slots", { range: ["7"] }, 'Validation Error: "range" must be one of [30, 90, 180, 365]'],
    ["legacy", "/account/exportTransactions", {}, 'Validation Error: "account" is required'],
    ["v2", "/nft/news", {}, 'Validation Error: "filter" is required'],
    ["v2", "/nft/news", { filter: ["created_time"] }, undefined],
    ["v2", "/monitor/usage", {}, undefined],
  ])("of %s %s: %j gets the message of the error catalogue", (family, path, values, message) => {
    expect(validateRequest(of(family, path).query, new Map(Object.entries(values)))?.message).toBe(message);
  });
});

describe("lookups", () => {
  it.each([
    ["v2-account-balance-change", "account balance-change"],
    ["/v2-account-balance_change", "account balance-change"],
    ["V2-Account-BalanceChange", "account balance-change"],
    ["account-stakeAccounts", "legacy account stake-accounts"],
    ["account-detail", "legacy account detail"],
    ["/chaininfo", "chaininfo"],
  ])("find the route %s", (route, command) => {
    expect(endpointByRoute(route)?.command).toBe(command);
  });

  it("find every endpoint by its route and path, and nothing else", () => {
    for (const endpoint of endpoints) {
      expect(endpointByRoute(endpoint.route)).toBe(endpoint);
      expect(endpointByPath(endpoint.family, endpoint.path)).toBe(endpoint);
    }
    for (const route of ["", "/", "v2", "v2-token"]) expect(endpointByRoute(route)).toBeUndefined();
  });

  it.each([
    ["legacy", "/account/tokens", "/account/tokens"],
    ["legacy", "/account/5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1", "/account/{account}"],
    ["legacy", "/block/last", "/block/last"],
    ["legacy", "/block/281844070", "/block/{block}"],
    ["legacy", "/market/token/So11111111111111111111111111111111111111112", "/market/token/{tokenAddress}"],
    ["legacy", "/account/", undefined],
    ["legacy", "/account/a/b", undefined],
    ["v2", "/block/281844070", undefined],
    ["public", "/block/last", undefined],
  ] as const)("find %s %s", (family, path, template) => {
    expect(endpointByPath(family, path)?.path).toBe(template);
  });

  it("find the multi endpoint", () => {
    const pairs = endpoints.flatMap((endpoint) => multiEndpointOf(endpoint)?.path ?? []);
    expect(pairs.toSorted()).toEqual(endpoints.flatMap(({ path }) => (path.endsWith("/multi") ? path : [])).toSorted());
    expect(multiEndpointOf(of("v2", "/transaction/detail"))?.command).toBe("transaction detail-multi");
    expect(multiEndpointOf(of("legacy", "/token/meta"))).toBeUndefined();
  });

  it.each([
    ["/chaininfo", "public"],
    ["/node/status", "node"],
    ["/node/block/rewards", "node"],
    ["/analytics/fees", "public"],
    ["/block/last", "v2"],
    ["/account/detail", "v2"],
    ["/account/funded-by", "v2"],
    ["/account/tokens", "legacy"],
    ["/account/5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1", "legacy"],
    ["/block/281844070", "legacy"],
    ["/some/thing/new", "v2"],
  ])("find the family of %s", (path, family) => {
    expect(familyOfPath(path)).toBe(family);
  });

  it("find the positional argument of a command", () => {
    expect(positionalOf(of("v2", "/transaction/detail/multi"))?.[0]).toBe("tx");
    expect(positionalOf(of("legacy", "/block/{block}"))?.[0]).toBe("block");
    expect(positionalOf(of("v2", "/monitor/usage"))).toBeUndefined();
  });
});

describe("entities", () => {
  const named = Object.entries(entities);

  it.each(named)("%s: every field has a kind and a description", (_name, entity) => {
    const fields = listFields(entity);
    expect(fields.length).toBeGreaterThan(0);
    for (const { path, description } of fields) expect(description, path).toMatch(/^[A-Z-]/);
  });

  it.each(named)("%s: every token amount has a field with its decimals or its mint", (_name, entity) => {
    const fields = listFields(entity);
    const paths = new Set(fields.map(({ path }) => path));
    const tokenOf = (path: string) => shapeAt(path.replaceAll("[]", "").split("."), deriveShape(entity)).meta?.token;
    for (const { path, kind, decimals } of fields) {
      if (kind !== "tokenAmount") continue;
      const source = decimals ?? tokenOf(path);
      expect(source, path).toBeDefined();
      if (typeof source === "string") expect(paths).toContain(path.replace(/[^.]+$/, "") + source);
    }
  });

  it.each([
    ["ChainInfo", "blockHeight currentEpoch absoluteSlot transactionCount"],
    ["AccountDetail", "account lamports type executable owner_program rent_epoch is_oncurve"],
    [
      "AccountTransaction",
      "slot fee status signer block_time tx_hash parsed_instructions.type parsed_instructions.program parsed_instructions.program_id program_ids time",
    ],
    [
      "Nft",
      "info.address info.collection info.collectionId info.collectionKey info.createdTime info.data.name info.data.symbol info.data.uri info.data.sellerFeeBasisPoints info.data.creators.address info.data.creators.verified info.data.creators.share info.data.id info.meta.image info.meta.tokenId info.meta.name info.meta.symbol info.meta.description info.meta.seller_fee_basis_points info.meta.edition info.meta.attributes.trait_type info.meta.attributes.value info.meta.properties.files.uri info.meta.properties.files.type info.meta.properties.category info.retried info.mintTx",
    ],
    [
      "NftActivity",
      "block_id trans_id block_time time activity_type from_address to_address token_address marketplace_address collection_address amount price currency_token currency_decimals",
    ],
    ["NftCollection", "collection_id name symbol floor_price items marketplaces volumes total_vol_prev_24h"],
    [
      "NftCollectionItem",
      "tradeInfo.trade_time tradeInfo.signature tradeInfo.market_id tradeInfo.type tradeInfo.price tradeInfo.currency_token tradeInfo.currency_decimals tradeInfo.seller tradeInfo.buyer info.address info.token_name info.token_symbol info.collection_id info.data info.meta info.mint_tx info.created_time",
    ],
    [
      "TransactionDetail",
      "tx_hash block_id block_time fee priority_fee reward sol_bal_change.address sol_bal_change.pre_balance sol_bal_change.post_balance sol_bal_change.change_amount token_bal_change.address token_bal_change.change_type token_bal_change.change_amount token_bal_change.decimals token_bal_change.pre_balance token_bal_change.post_balance token_bal_change.token_address token_bal_change.owner token_bal_change.pre_owner token_bal_change.post_owner tokens_involved programs_involved signer list_signer status account_keys.pubkey account_keys.signer account_keys.source account_keys.writable compute_units_consumed confirmations version transfers activities log_message recent_block_hash tx_status address_table_lookup",
    ],
    [
      "Instruction",
      "ins_index parsed_type type program_id program outer_program_id outer_ins_index data_raw accounts activities transfers inner_instructions program_invoke_level idl_data",
    ],
    ["TokenLabel", "token_address token_name token_symbol token_icon"],
    ["TransactionActions", "tx_hash block_id block_time time fee priority_fee summaries transfers activities"],
    [
      "Block",
      "fee_rewards transactions_count current_slot block_height block_time time blockhash parent_slot previous_block_hash",
    ],
    [
      "MarketListItem",
      "pool_address program_id token1 token1_account token2 token2_account created_time total_trades_24h total_volume_24h",
    ],
    [
      "MarketInfo",
      "pool_address program_id token_infos.token token_infos.token_account token_infos.amount create_tx_hash create_block_time creator lp_token",
    ],
    [
      "MarketVolume",
      "pool_address program_id total_volume_24h total_volume_change_24h total_trades_24h total_trades_change_24h tvl days.day days.value",
    ],
    [
      "Program",
      "program number_transactions number_transactions_success success_rate last_24h_active_users number_interaction_volume",
    ],
    ["Platform", "platform_id platform_name program_ids website description"],
    [
      "Usage",
      "email renew_date end_date last_cu_reset_date remaining_cus usage_cus total_requests_24h success_rate_24h total_cu_24h",
    ],
  ] as const)("%s has the fields of the specification", (name, expected) => {
    const known = fieldPaths(name as Endpoint["returns"]["entity"]);
    for (const path of expected.split(" ")) expect(known).toContain(path);
  });
});
