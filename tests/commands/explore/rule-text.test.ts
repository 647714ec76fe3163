/** The text of a file of rules after a form has changed it. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { RULE_FIELDS, ruleTexts, writeRule } from "../../../src/commands/explore/rules/rule-text.ts";

const FILE = `# Rules of the treasury
requests: 60

rules:
  # Whales, see the runbook
  whales:
    what: account transfer @wallets.txt --flow in # all of them
    # Not too often
    every: 60s
    when: >
      .value_usd > 10000
    then:
    - exec: notify-send {signature}   # on the desk
    # The team
    - slack: \${SLACK_URL}
      text: "{input} received {amount}"
    # end of whales

  # Prices
  price:
    what: "token meta SOL"
    then: [{ file: prices.ndjson }]
# The end
`;
const textsOf = (name: string) => ruleTexts(parse(FILE).rules[name]);

describe("a rule that is written", () => {
  test("changes its own words alone", () => {
    const texts = { ...textsOf("whales"), every: "5m", slack: "https://hooks.slack.com/x" };
    const changed = writeRule(FILE, "whales", texts);
    expect(changed).toBe(
      FILE.replace("every: 60s", "every: 5m").replace(/\$\{SLACK_URL\}/, "https://hooks.slack.com/x"),
    );
    expect(writeRule(FILE, "whales", textsOf("whales"))).toBe(FILE);
  });

  test("gets and loses fields and actions in their lines", () => {
    const { when: _when, exec: _exec, ...rest } = textsOf("whales");
    const text = writeRule(FILE, "whales", { ...rest, changes: "amount", webhook: "https://a/b" });
    const rule = parse(text).rules.whales;
    expect(Object.keys(rule)).toEqual(["what", "every", "changes", "then"]);
    expect(rule.then).toEqual([{ webhook: "https://a/b" }, parse(FILE).rules.whales.then[1]]);
    expect(text).toContain("    # The team\n    - slack");
  });

  test("is added behind the others, or to a file without rules", () => {
    const texts = { what: "account transfer X", when: '.amount > 5 and .x == "a: b"', file: "out" };
    const added = writeRule(FILE, "moves", texts);
    expect(added.startsWith(FILE.slice(0, FILE.indexOf("# The end")))).toBe(true);
    expect(added.endsWith("# The end\n")).toBe(true);
    for (const text of [added, writeRule("", "moves", texts), writeRule("# mine\n", "moves", texts)])
      expect(parse(text).rules.moves).toEqual(
        parse('{ what: account transfer X, when: ".amount > 5 and .x == \\"a: b\\"", then: [file: out] }'),
      );
    const braces = "{ rules: { a: { what: b, then: [{ print: true }] } } }";
    expect(ruleTexts(parse(writeRule(braces, "moves", texts)).rules.moves)).toEqual(texts);
    expect(parse(writeRule(braces, "moves", texts)).rules.a).toEqual(parse(braces).rules.a);
  });

  test("reads as the form said, whatever it said, and every comment stays", () => {
    const value = fc.option(
      fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom("true", "60", "# x", "- a", "'", "{a}")),
      {
        nil: undefined,
      },
    );
    const form = fc.record(Object.fromEntries(RULE_FIELDS.map(({ name }) => [name, value])));
    const comments = (text: string) => (text.match(/# [A-Z].*/g) ?? []).toSorted();
    fc.assert(
      fc.property(form, fc.constantFrom("whales", "price", "other"), (all, name) => {
        const texts = Object.fromEntries(
          Object.entries({ ...all, what: all.what ?? "x", exec: all.exec ?? "y" }).filter(([, one]) => one),
        );
        const text = writeRule(FILE, name, texts);
        expect(ruleTexts(parse(text).rules[name])).toEqual(texts);
        const removed = writeRule(text, name, undefined);
        expect(parse(removed).rules).toEqual({ ...parse(text).rules, [name]: undefined });
        const [others, before] = [text, FILE].map((one) => ({
          ...parse(one),
          rules: { ...parse(one).rules, [name]: 0 },
        }));
        expect(others).toEqual({ ...before, rules: { ...before?.rules, [name]: 0 } });
        if (name !== "price") expect(comments(text)).toEqual(expect.arrayContaining(comments(FILE)));
      }),
    );
  });
});
