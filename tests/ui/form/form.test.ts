import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../../src/catalogue/endpoint.ts";
import { endpointByRoute, endpoints } from "../../../src/catalogue/index.ts";
import type { Param } from "../../../src/catalogue/param.ts";
import { USDC, WALLET } from "../../../src/catalogue/samples.ts";
import { prepare } from "../../../src/client/request/prepare.ts";
import { type FormField, listFormFields, paramNames, unsetLabel } from "../../../src/ui/form/form-fields.ts";
import { formLines } from "../../../src/ui/form/form-lines.ts";
import { checkForm, resolveNames, resolveTimes } from "../../../src/ui/form/form-problems.ts";
import {
  createFormState,
  type FormAction,
  type FormState,
  findCompletion,
  formReducer,
  inputParams,
} from "../../../src/ui/form/form-state.ts";
import { lineWidth } from "../../../src/ui/navigation/theme/text-line.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const SIGNATURE = "5".repeat(87);

const endpoint = (route: string): Endpoint => {
  const problem = endpointByRoute(route);
  if (!problem) throw new Error(route);
  return problem;
};
const TRANSFER = endpoint("v2-account-transfer");
/** Another token with the same symbol. */
const FAKE = `${"4".repeat(43)}4`;
const addressesOf = (name: string) =>
  ({ usdc: [USDC], binance: [WALLET], bonk: [USDC, FAKE] })[name.toLowerCase()] ?? [];
const FIXED = { address: WALLET };

const form = (params = {}, of = TRANSFER, fixed: readonly string[] = ["address"]) =>
  createFormState(listFormFields(of, fixed, params), params);
const play = (state: FormState, ...steps: readonly FormAction[]) => steps.reduce(formReducer, state);
const at = (name: string): FormAction => ({ type: "goto", name });
const key = (name: string): FormAction => ({ type: "key", key: name });
const text = (typed: string): FormAction => ({ type: "text", text: typed });
const problems = (state: FormState) => checkForm(TRANSFER, state, FIXED, NOW, addressesOf);

/** Returns the required parameters of an endpoint from its examples. */
const neededOf = ({ query, examples }: Endpoint) =>
  Object.fromEntries(
    Object.entries(query)
      .filter(([, param]) => param.required && param.default === undefined)
      .map(([name]) => [name, examples[0]?.params[name]]),
  );

/** Returns a value that is invalid for a parameter. */
const wrongFor = ({ type, arity }: Param): string | undefined => {
  if (type === "text") return undefined;
  return arity === "range" ? "1,2,3" : "no such thing";
};

const rowText = (state: FormState, size = { width: 80, height: 24 }, unicode = true) =>
  formLines(state, problems(state), size, {
    unicode,
    now: NOW,
    findAddresses: addressesOf,
    suggest: () => ["USDC"],
  }).map((spans) => spans.map((one) => one.text).join(""));

describe.each(endpoints.map((one) => [one.route, one] as const))("the form of %s", (_route, one) => {
  test("offers every parameter except paging, deprecated ones and the less used of many of the same form", () => {
    const names = listFormFields(one, []).flatMap(paramNames);
    const expected = Object.entries(one.query).filter(
      ([, { role, pattern, deprecated }]) =>
        !["page", "offset", "cursor"].includes(role ?? "") && pattern?.isCommon !== false && !deprecated,
    );
    expect(names.toSorted()).toEqual(expected.map(([name]) => name).toSorted());
  });

  test("starts with what is required, then what the catalogue says is used most", () => {
    const uses = listFormFields(one, []).map(({ param: { required, use } }) => (required ? 0 : (use ?? 100)));
    expect(uses).toEqual(uses.toSorted((a, b) => a - b));
  });

  test("is initially a request that the API accepts", () => {
    const needed = neededOf(one);
    const state = form(needed, one, []);
    expect([...checkForm(one, state, {}, NOW, addressesOf)]).toEqual([]);
    const request = prepare(one, inputParams(state), { now: () => NOW });
    expect(request.query).toEqual(prepare(one, needed, { now: () => NOW }).query);
  });

  test("accepts the examples of the catalogue and returns them", () => {
    for (const { params } of one.examples) {
      const state = form(params, one, []);
      const input = Object.entries(params).filter(([name]) =>
        state.fields.some((field) => paramNames(field).includes(name)),
      );
      const fill = { ...params, ...inputParams(state) };
      expect(prepare(one, fill, { now: () => NOW }).query).toEqual(prepare(one, params, { now: () => NOW }).query);
      expect(Object.keys(inputParams(state)).toSorted()).toEqual(input.map(([name]) => name).toSorted());
    }
  });

  test("reports an invalid value at its field", () => {
    const needed = neededOf(one);
    for (const { name, param, options } of listFormFields(one, [])) {
      const wrong = wrongFor(param);
      if (options.length > 0 || wrong === undefined) continue;
      const state = play(form(needed, one, []), at(name), key("end"), key("ctrl+u"), text(wrong));
      const problem = checkForm(one, state, {}, NOW, addressesOf);
      expect([...problem.keys()]).toContain(name);
      expect(problem.get(name)?.message).toMatch(/^Validation Error: /);
    }
  });

  test("has distinct option labels", () => {
    for (const { options } of listFormFields(one, [])) {
      expect(new Set(options.map(({ label }) => label)).size).toBe(options.length);
    }
  });

  test("fits into every window, row by row", () => {
    const state = form(neededOf(one), one, []);
    for (const size of [
      { width: 56, height: 10 },
      { width: 96, height: 20 },
    ]) {
      for (const [index] of state.fields.entries()) {
        const lines = formLines({ ...state, at: index }, checkForm(one, state, {}, NOW, addressesOf), size, {
          unicode: true,
          now: NOW,
          findAddresses: addressesOf,
          suggest: () => [],
        });
        expect(lines).toHaveLength(size.height);
        for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(size.width);
        expect(lines.some((line) => line[0]?.text === "›")).toBe(true);
      }
    }
  });
});

describe("filling in known values", () => {
  test("a choice wraps and includes no value", () => {
    const state = play(form(), at("flow"), key("right"));
    expect(inputParams(state)).toEqual({ flow: "in" });
    expect(inputParams(play(state, text(" ")))).toEqual({ flow: "out" });
    expect(inputParams(play(state, key("right"), key("right")))).toEqual({});
    expect(inputParams(play(state, key("left")))).toEqual({});
    expect(inputParams(play(state, key("backspace")))).toEqual({});
    expect(inputParams(play(state, text("o")))).toEqual({ flow: "out" });
  });

  test("a list accepts several values, in API order", () => {
    const state = play(form(), at("activity_type"), key("right"), text(" "), key("left"), text(" "));
    expect(inputParams(state)).toEqual({ activity_type: ["ACTIVITY_SPL_TRANSFER", "ACTIVITY_SPL_BURN"] });
    expect(inputParams(play(state, text(" ")))).toEqual({ activity_type: ["ACTIVITY_SPL_BURN"] });
  });

  test("addresses pasted on separate lines become a list", () => {
    const state = play(form(), at("from"), { type: "paste", text: `${WALLET}\n${USDC}\r\n` });
    expect(inputParams(state)).toEqual({ from: [WALLET, USDC] });
    expect([...problems(state)]).toEqual([]);
  });

  test("input stays as typed and is shown in full", () => {
    const state = play(form(), at("from_time"), text("7d"));
    expect(inputParams(state)).toEqual({ from_time: "7d" });
    expect(rowText(state).join("\n")).toContain("2026-11-14 12:00 UTC");
  });

  test("Ctrl-R clears all fields", () => {
    const state = play(form({ flow: "in", value: [1, 5], from_time: "7d" }), { type: "clear" });
    expect(inputParams(state)).toEqual({});
  });

  test("keys without effect return the same state", () => {
    const state = play(form(), at("flow"));
    expect(play(state, text("q"))).toBe(state);
    expect(play(state, at("no such field"))).toBe(state);
  });
});

describe("validation", () => {
  test("every invalid field is reported, not only the first", () => {
    const state = play(form(), at("from"), text("0x1"), at("value"), text("9..1"), at("from_time"), text("soon"));
    expect([...problems(state).keys()].toSorted()).toEqual(["from", "from_time", "value"]);
    expect(problems(state).get("value")?.message).toContain('"value" must be given from the smaller to the greater');
  });

  test("a parameter that requires another reports it until that is set", () => {
    const state = play(form(), at("amount"), text("1..5"));
    expect(problems(state).get("amount")?.message).toBe('Validation Error: "amount" needs "token"');
    expect(rowText(state).join("\n")).toContain("Requires token");
    expect([...problems(play(state, at("token"), text(USDC)))]).toEqual([]);
  });

  test("the start and the end of a range are one field, each of them optional", () => {
    const entered = (typed: string) => inputParams(play(form(), at("from_time"), text(typed)));
    expect(entered("7d..1d")).toEqual({ from_time: "7d", to_time: "1d" });
    expect([entered("7d"), entered("7d.."), entered("..1d")]).toEqual([
      { from_time: "7d" },
      { from_time: "7d" },
      { to_time: "1d" },
    ]);
    const metrics = endpoint("v2-token-list-v2");
    const state = play(form({ to_liquidity: 5 }, metrics, []), at("from_market_cap"), text("1000.."));
    expect(inputParams(state)).toEqual({ from_market_cap: "1000", to_liquidity: "5" });
    expect(rowText(state).join("\n")).toMatch(/market cap +1000\.\.[\s\S]*liquidity +\.\.5/);
    expect([...problems(play(form(), at("from_time"), text("1d..7d"))).keys()]).toEqual(["from_time"]);
  });

  test("another kind of identifier is named in the hint", () => {
    const state = play(form(), at("token"), text(SIGNATURE));
    expect(problems(state).get("token")?.message).toContain("Address [");
  });
});

describe("names instead of addresses", () => {
  const withNames = (state: FormState) => resolveNames(state.fields, inputParams(state), addressesOf);

  test("an unambiguous name resolves to its address, which is shown", () => {
    const state = play(form(), at("token"), text("usdc"));
    expect([...problems(state)]).toEqual([]);
    expect(withNames(state)).toEqual({ token: [USDC] });
    expect(rowText(state).find((row) => row.startsWith("›"))).toMatch(/usdc.* → EPjF…Dt1v/);
  });

  test("lists accept names among addresses, which satisfy a required token", () => {
    const state = play(
      form(),
      at("from"),
      text(`Binance, ${USDC}`),
      at("token"),
      text("USDC"),
      at("amount"),
      text("1..5"),
    );
    expect([...problems(state)]).toEqual([]);
    expect(withNames(state)).toEqual({ from: [WALLET, USDC], token: [USDC], amount: "1..5" });
  });

  test("one address only, where one is expected", () => {
    expect(withNames(play(form(), at("token_account"), text("binance")))).toEqual({ token_account: WALLET });
  });

  test("an ambiguous name is resolved by the start of the address", () => {
    const state = play(form(), at("token"), text("BONK"));
    expect(problems(state).get("token")?.message).toBe("BONK is ambiguous, 2 addresses: EPjF…Dt1v, 4444…4444.");
    expect(rowText(state).join(" ")).toContain('for example "BONK EPjF"');
    const named = play(state, text(" 44"));
    expect([...problems(named)]).toEqual([]);
    expect(withNames(named)).toEqual({ token: [FAKE] });
  });

  test("an unknown name keeps the API message, and the hint says which names are known", () => {
    const problem = problems(play(form(), at("token"), text("WHAT"))).get("token");
    expect(problem?.message).toBe("Validation Error: Address [WHAT] is invalid");
    expect(problem?.hint).toContain("Only names from results of this session are known.");
    expect(problem?.hint).toContain("Paste the address, or search for the token with : first.");
  });
});

describe("rendering", () => {
  test("limits are part of the sentence", () => {
    const trending = form({}, endpoint("v2-token-trending"), []);
    expect(rowText(play(trending, at("limit"))).join(" ")).toContain("Rows, 1 to 100. Older servers may accept fewer.");
  });

  test("deprecated fields are offered only to remove their value", () => {
    const names = (params = {}) => listFormFields(TRANSFER, ["address"], params).map(({ name }) => name);
    expect(names()).not.toContain("block_time");
    expect(names({ block_time: [1, 2] })).toContain("block_time");
    const state = play(form({ block_time: [1, 2] }), at("block_time"));
    expect(rowText(state).join("\n")).toContain("Use from_time and to_time instead.");
  });

  test("token, flow, value and time come first, then what is set; labels are whole", () => {
    const labels = (state: FormState) => rowText(state).map((row) => row.slice(3, 23).trim());
    expect(labels(form()).slice(0, 4)).toEqual(["token", "flow", "value", "time"]);
    expect(labels(form({ amount: [1, 5] })).slice(4, 5)).toEqual(["amount"]);
    const metrics = rowText(form({}, endpoint("v2-token-list-v2"), [])).join("\n");
    expect(metrics).toMatch(/market cap[\s\S]*price 24h change pct[\s\S]*first listing time/);
  });

  test("a text is completed to a known name where its cursor is at the end", () => {
    const state = play(form(), at("token"), text("us"));
    expect(rowText(state)[0]).toMatch(/token +usDC/);
    const suggest = () => ["USDC"];
    const complete = (one: FormState) => findCompletion(one.fields[one.at], one.inputs[one.at], suggest);
    expect(complete(play(state, text("d")))).toBe("C");
    expect(complete(play(state, key("left")))).toBeUndefined();
    expect(complete(play(form(), at("token"), text("BONK, us")))).toBe("DC");
    expect(complete(play(form(), at("token"), text("x")))).toBeUndefined();
  });

  test("defaults are shown for unset fields", () => {
    const label = (name: string) =>
      unsetLabel(listFormFields(TRANSFER, []).find((one) => one.name === name) as FormField);
    expect(label("sort_order")).toBe("default: desc");
    expect(label("exclude_amount_zero")).toBe("default: no");
    expect(label("flow")).toBe("any");
  });

  test("options are listed below the fields around the cursor, and searched by typing", () => {
    const state = play(form(), at("activity_type"));
    expect(rowText(state, { width: 60, height: 16 }).join("\n")).toMatch(/\[ ] transfer +\[ ] /);
    const marked = play(state, key("end"), text(" "));
    expect(rowText(marked, { width: 60, height: 16 }).at(-1)).toMatch(/\[x] /);

    const metrics = play(form({}, endpoint("v2-token-list-v2"), []), at("sort_by"));
    expect(rowText(metrics).join("\n")).toContain("190 of 190 values: type to search.");
    const searched = play(metrics, ..."top 5 holder".split("").map(text));
    expect(inputParams(searched)).toEqual({ sort_by: "holder_top_5_balance_pct" });
    expect(rowText(searched).join("\n")).toContain("1 of 190 values");
    expect(inputParams(play(searched, text("zzz")))).toEqual({ sort_by: "holder_top_5_balance_pct" });
    expect(inputParams(play(searched, key("ctrl+u")))).toEqual({});
  });

  test("only ASCII where the terminal supports no more", () => {
    const state = play(form({ from_time: "7d" }), at("activity_type"));
    expect(rowText(state, { width: 70, height: 20 }, false).join("")).toMatch(/^[\x20-\x7e]*$/);
  });

  test("relative times and dates", () => {
    const { from_time, address } = TRANSFER.query;
    if (!from_time || !address) throw new Error("no such parameters");
    expect(resolveTimes("from_time", from_time, "yesterday", NOW)).toBe("2026-11-20 00:00 UTC");
    expect(resolveTimes("from_time", from_time, "nonsense", NOW)).toBeUndefined();
    expect(resolveTimes("address", address, WALLET, NOW)).toBeUndefined();
    expect(resolveTimes("x", { ...from_time, type: "date", arity: "range", wire: "brackets" }, "7d..today", NOW)).toBe(
      "2026-11-14 to 2026-11-21",
    );
  });
});
