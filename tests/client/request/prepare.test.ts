import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../src/base/errors.ts";
import { endpoints } from "../../../src/catalogue/index.ts";
import { someOf } from "../../../src/catalogue/param.ts";
import { type PreparedRequest, prepare, requestPath } from "../../../src/client/index.ts";
import { createRequestPreparer } from "../../../src/client/request/prepare.ts";
import { curlCommand } from "../../../src/client/request/url.ts";
import { NOW, SIGNATURE, USDC, WALLET } from "../servers.ts";

const byRoute = (route: string) => {
  const match = endpoints.find((endpoint) => endpoint.route === route);
  if (!match) throw new Error(`No endpoint ${route}.`);
  return match;
};
const context = { now: () => NOW };
const request = (params: Record<string, unknown>, route = "v2-account-transfer"): PreparedRequest =>
  prepare(byRoute(route), params, context);
const transfer = (params: Record<string, unknown>) => request({ address: WALLET, ...params });
const valuesOf = ({ query }: PreparedRequest, name: string) =>
  query.filter(([key]) => key === name || key === `${name}[]`).map(([, value]) => value);

function refusal(run: () => unknown): UsageError {
  try {
    run();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error("It was accepted.");
}

describe("a request", () => {
  it("has its parameters in the order of the catalogue, and no defaults", () => {
    const made = request({ page_size: 20, flow: "in", address: WALLET });
    expect(made.query).toEqual([
      ["address", WALLET],
      ["flow", "in"],
      ["page_size", "20"],
    ]);
    expect(made).toMatchObject({ family: "v2", path: "/account/transfer", cost: 100, notes: [] });
  });

  it("has the default of a parameter that the endpoint requires", () => {
    expect(request({}, "v2-nft-news").query).toEqual([["filter", "created_time"]]);
  });

  it("has lists and ranges in the form of each parameter", () => {
    const made = transfer({ activity_type: "transfer,burn", token: [USDC, WALLET], amount: "1..2.50" });
    expect(valuesOf(made, "activity_type")).toEqual(["ACTIVITY_SPL_TRANSFER", "ACTIVITY_SPL_BURN"]);
    expect(valuesOf(made, "token")).toEqual([`${USDC},${WALLET}`]);
    expect(made.query.filter(([name]) => name === "amount[]").map(([, value]) => value)).toEqual(["1", "2.50"]);
  });

  it("has path parameters filled in", () => {
    expect(request({ block: "281844070" }, "block-detail").path).toBe("/block/281844070");
    expect(request({ block: 281844070n }, "block-detail").query).toEqual([]);
  });

  it("counts the items of multi endpoints", () => {
    expect(request({ address: [USDC, WALLET] }, "v2-token-meta-multi").cost).toBe(200);
  });

  it("is encoded so that a shell, a proxy and a server read the same", () => {
    expect(
      requestPath({
        path: "/x",
        query: [
          ["a[]", "1 2&3"],
          ["b", "x,y"],
        ],
      }),
    ).toBe("/x?a%5B%5D=1%202%263&b=x,y");
    expect(curlCommand(transfer({ flow: "in" }), { baseUrl: "https://api", keyHeader: "token" })).toBe(
      `curl --compressed -H "token: $SOLX_API_KEY" 'https://api/account/transfer?address=${WALLET}&flow=in'`,
    );
  });
});

describe("identifiers", () => {
  it("are stripped of harmless surroundings, with a note", () => {
    const made = request({ address: `\uFEFF  "${WALLET}"\u200B\r\n` });
    expect(valuesOf(made, "address")).toEqual([WALLET]);
    expect(made.notes.join()).toMatch(/address: removed around .*U\+FEFF.*U\+200B/);
  });

  it("are taken from explorer links", () => {
    for (const link of [
      `https://solscan.io/account/${WALLET}?cluster=x#tokens`,
      `solscan.io/token/${WALLET}`,
      `https://explorer.solana.com/address/${WALLET}`,
    ]) {
      const made = request({ address: link });
      expect(valuesOf(made, "address")).toEqual([WALLET]);
      expect(made.notes.join()).toContain("taken from the link");
    }
    expect(request({ block: "https://solscan.io/block/42" }, "v2-block-detail").query).toEqual([["block", "42"]]);
  });

  it.each([
    ["5O544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1", /Character 2, "O" \(capital o\)/],
    [`${WALLET.slice(0, 10)}0${WALLET.slice(11)}`, /Character 11, "0" \(zero\)/],
    [`${WALLET.slice(0, 10)}l${WALLET.slice(11)}`, /Character 11, "l" \(small L\)/],
    [`${WALLET.slice(0, 10)}А${WALLET.slice(11)}`, /Character 11, "А" \(U\+0410, a Cyrillic letter\)/],
    [`${WALLET.slice(0, 10)}１${WALLET.slice(11)}`, /Character 11, .*U\+FF11, the full-width form of 1/],
    [`${WALLET.slice(0, 10)}\u200B${WALLET.slice(10)}`, /Character 11, U\+200B/],
    [WALLET.slice(2), /decodes to 31 bytes .*an address has 32 bytes/],
    ["x".repeat(400), /It has 400 characters/],
    [SIGNATURE, /This is a transaction signature. To see it: solx transaction detail/],
    [`0x${"aB".repeat(20)}`, /EVM chain/],
    ["toly.sol", /Domain names are not resolved/],
    ["https://example.com/somewhere", /The link contains no address/],
    [`https://solscan.io/tx/${SIGNATURE}`, /This is a transaction signature/],
  ])("say why %s is not one", (address, hint) => {
    const error = refusal(() => request({ address }));
    expect(error.message).toMatch(/^Validation Error: Address \[.+\] is invalid$/);
    expect(error.message.length).toBeLessThan(130);
    expect(error).toMatchObject({ code: 1100, exitCode: 2 });
    expect(error.hint).toMatch(hint);
  });

  it("are distinguished the other way round, too", () => {
    expect(refusal(() => request({ tx: WALLET }, "v2-transaction-detail")).hint).toContain(
      `solx account detail ${WALLET}`,
    );
    expect(refusal(() => request({ block: WALLET }, "v2-block-detail")).hint).toContain("This is an address");
  });

  it("never print terminal controls in a message", () => {
    const error = refusal(() => request({ address: "\u001b]52;c;x\u0007\u202e" }));
    expect(error.message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(error.message).toContain("‹U+001B›");
  });
});

describe("values that the API would refuse", () => {
  it.each([
    [{ page_size: 7 }, 'Validation Error: "page_size" must be one of [10, 20, 30, 40, 60, 100]'],
    [{ page: "abc" }, "Validation Error: page must be a number"],
    [{ page: Number.NaN }, "Validation Error: page must be a number"],
    [{ page: "1e9" }, "Validation Error: page must be a number"],
    [{ page: 10.5 }, 'Validation Error: "page" must be an integer'],
    [{ page: 0 }, 'Validation Error: "page" must be greater than or equal to 1'],
    [{ page: "-1" }, 'Validation Error: "page" must be greater than or equal to 1'],
    [{ page: "" }, 'Validation Error: "page" is not allowed to be empty'],
    [{ sort_order: "down" }, 'Validation Error: "sort_order" must be one of [asc, desc]'],
    [{ flow: {} }, 'Validation Error: "flow" must be a string'],
    [{ amount: [1, 2] }, 'Validation Error: "amount" needs "token"'],
    [{ amount: "1,2,3", token: USDC }, 'Validation Error: "amount" must contain 2 items'],
    [{ amount: [2, 1], token: USDC }, 'Validation Error: "amount" must be given from the smaller to the greater'],
    [{ amount: "", token: USDC }, 'Validation Error: "amount" is not allowed to be empty'],
    [{ amount: "  ", token: USDC }, 'Validation Error: "amount" is not allowed to be empty'],
    [{ amount: ",", token: USDC }, 'Validation Error: "amount" is not allowed to be empty'],
    [{ amount: "..", token: USDC }, 'Validation Error: "amount" is not allowed to be empty'],
    [{ activity_type: "" }, 'Validation Error: "activity_type" is not allowed to be empty'],
    [{ token: new Array(6).fill(USDC) }, 'Validation Error: "token" must contain less than or equal to 5 items'],
    [{ from_time: "7d", to_time: "8d" }, 'Validation Error: "to_time" must be greater than or equal to 1719576000'],
    [{ no_such: 1 }, "Validation Error: no_such is not allowed"],
  ])("%j: %s", (params, message) => {
    expect(refusal(() => transfer(params))).toMatchObject({ message, code: 1100 });
  });

  it("have a suggestion where one is near", () => {
    expect(refusal(() => transfer({ flw: "in" })).hint).toBe("Did you mean flow?");
    expect(refusal(() => transfer({ flow: "inn" })).hint).toBe("Did you mean in?");
    expect(refusal(() => transfer({ amount: "1,2,3", token: USDC })).hint).toMatch(/A range has two ends/);
    expect(refusal(() => transfer({ from_time: "2024-02-30" })).hint).toBe("2024-02-30 is not a valid time.");
    expect(refusal(() => transfer({ from_time: "soon" })).hint).toMatch(/Unix seconds, ISO 8601/);
    expect(refusal(() => transfer({ from_time: "1720137600000000" }))).toMatchObject({
      message: 'Validation Error: "from_time" must be less than or equal to 9999999999',
      hint: "1720137600000000 looks like microseconds: use seconds, 1720137600.",
    });
    expect(refusal(() => transfer({ to_time: 1720137600000000000n })).hint).toBe(
      "1720137600000000000 looks like nanoseconds: use seconds, 1720137600.",
    );
    expect(refusal(() => transfer({ from_time: "17828640000" }))).toMatchObject({
      message: 'Validation Error: "from_time" must be less than or equal to 9999999999',
      hint: "As Unix seconds, 17828640000 is in the year 2534. Did you mean 1782864000 (2026-07-01T00:00:00Z)?",
    });
    expect(refusal(() => transfer({ from_time: 17828640000000 })).hint).toMatch(/Did you mean 1782864000 /);
    expect(refusal(() => transfer({ from_time: "50000000000" })).hint).toBe(
      "As Unix seconds, 50000000000 is in the year 3554.",
    );
    expect(refusal(() => transfer({ to_time: "20240705123000" })).hint).toBe(
      "20240705123000 looks like a date and a time: use 2024-07-05T12:30:00Z.",
    );
    for (const block of ["1e5", "0x10", "-5", "abc"]) {
      expect(refusal(() => request({ block }, "v2-block-detail")).hint).toMatch(/^A slot is a whole number/);
    }
    expect(refusal(() => request({})).message).toBe('Validation Error: "address" is required');
  });

  it("are never sent as numbers when they are not", () => {
    const names = ["page", "page_size", "from_time", "to_time", "amount", "value"] as const;
    const odd = fc.oneof(
      fc.double(),
      fc.string(),
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0, 1e21, null, {}, [], [Number.NaN]),
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), odd, (name, value) => {
        try {
          const made = transfer({ [name]: value, token: USDC });
          for (const text of valuesOf(made, name)) expect(text).toMatch(/^\d+(\.\d+)?$/);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
    );
  });
});

describe("consecutive requests", () => {
  it("are the same as single ones", () => {
    const page = fc.oneof(fc.integer({ min: -1, max: 50 }), fc.constantFrom(Number.NaN, -0, 1.5, "3", undefined));
    const params = fc.record(
      {
        page,
        page_size: fc.constantFrom(10, 100),
        to_time: fc.constantFrom(NOW / 1000, "1d"),
        address: fc.constant(WALLET),
      },
      { requiredKeys: ["address"] },
    );
    fc.assert(
      fc.property(fc.array(params, { minLength: 2, maxLength: 8 }), (list) => {
        const next = createRequestPreparer(byRoute("v2-account-transfer"), context);
        const outcome = (
          make: (params: Record<string, unknown>) => PreparedRequest,
          params: Record<string, unknown>,
        ) => {
          try {
            return make(params);
          } catch (error) {
            return String(error);
          }
        };
        for (const params of list) expect(outcome(next, params)).toEqual(outcome(request, params));
      }),
    );
  });
});

describe("words for values", () => {
  it.each([
    ["v2-account-transfer", "transfer", "ACTIVITY_SPL_TRANSFER"],
    ["v2-account-transfer", "create-account", "ACTIVITY_SPL_CREATE_ACCOUNT"],
    ["v2-account-transfer", "Vote Withdraw", "ACTIVITY_SPL_VOTE_WITHDRAW"],
    ["v2-account-transfer", "activity_spl_burn", "ACTIVITY_SPL_BURN"],
    ["v2-account-defi-activities", "swap", "ACTIVITY_TOKEN_SWAP"],
    ["v2-account-defi-activities", "agg-swap", "ACTIVITY_AGG_TOKEN_SWAP"],
    ["v2-account-defi-activities", "lst-stake", "ACTIVITY_LST_STAKE"],
    ["v2-nft-activities", "sold", "ACTIVITY_NFT_SOLD"],
    ["v2-nft-activities", "cancel bid", "ACTIVITY_NFT_CANCEL_BID"],
  ])("%s: %s is %s", (route, word, value) => {
    const needed = route === "v2-nft-activities" ? {} : { address: WALLET };
    expect(valuesOf(request({ ...needed, activity_type: word }, route), "activity_type")).toEqual([value]);
  });

  it("accept every value of every enum, in any case and with any dashes", () => {
    for (const endpoint of endpoints) {
      for (const [name, param] of Object.entries(endpoint.query)) {
        if (param.type !== "enum") continue;
        for (const value of [...(param.values ?? []), ...(param.newer ?? [])]) {
          const alone = { ...endpoint, query: { [name]: param } };
          const word = String(value).toUpperCase().replaceAll("_", "-");
          // 1m is a minute and 1M a month: a value as it is wins over another in other case.
          const exact = param.values?.find((other) => other === word) ?? value;
          expect(prepare(alone, { [name]: word }, context).query[0]?.[1]).toBe(String(exact));
        }
      }
    }
  });

  it("are refused when they match more than one value", () => {
    const alike = someOf(["ACTIVITY_SPL_MOVE", "ACTIVITY_NFT_MOVE", "ACTIVITY_TOKEN_STAY"], "Kinds");
    const endpoint = { ...byRoute("v2-account-transfer"), query: { kind: alike } };
    expect(refusal(() => prepare(endpoint, { kind: "move" }, context)).message).toContain('"kind" must be one of');
    expect(prepare(endpoint, { kind: "stay" }, context).query).toEqual([["kind[]", "ACTIVITY_TOKEN_STAY"]]);
  });

  it("accept yes and no for booleans", () => {
    expect(valuesOf(transfer({ exclude_amount_zero: "yes" }), "exclude_amount_zero")).toEqual(["true"]);
    expect(valuesOf(transfer({ exclude_amount_zero: false }), "exclude_amount_zero")).toEqual(["false"]);
    expect(refusal(() => transfer({ exclude_amount_zero: "constructor" })).message).toContain("must be a boolean");
  });

  it("preserve every digit of numbers", () => {
    const made = transfer({ token: USDC, amount: [9007199254740993n, "123456789012345678901234.000000001"] });
    expect(valuesOf(made, "amount")).toEqual(["9007199254740993", "123456789012345678901234.000000001"]);
    expect(valuesOf(transfer({ token: USDC, amount: "1e3..1e21" }), "amount")).toEqual(["1000", `1${"0".repeat(21)}`]);
    expect(valuesOf(transfer({ token: USDC, amount: "..5" }), "amount")).toEqual(["0", "5"]);
    for (const least of ["5..", "5"]) {
      const made = transfer({ token: USDC, amount: least });
      expect(valuesOf(made, "amount")).toEqual(["5", "18446744073709551615"]);
    }
  });
});

describe("examples of the catalogue", () => {
  it.each(
    endpoints.flatMap((endpoint) =>
      endpoint.examples.map((example) => [endpoint.route, example.about, example.params] as const),
    ),
  )("%s: %s", (route, _about, params) => {
    expect(prepare(byRoute(route), params, context).path).toMatch(/^\/[\w/.%-]+$/);
  });
});
