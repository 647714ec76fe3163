import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/base/errors.ts";
import {
  ENTRY_NAMES,
  getFlag,
  getSetting,
  joinEntry,
  partsOf,
  SETTING_NAMES,
  type SettingName,
  settingVariable,
  settingWords,
  splitEntry,
} from "../../src/config/settings.ts";
import { formatValue, parseEntryName, parseValue } from "../../src/config/values.ts";

function failure(work: () => unknown): UsageError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return error as UsageError;
  }
  throw new Error("nothing was thrown");
}

describe("the table of settings", () => {
  test.each(SETTING_NAMES)("%s has a description and a valid default", (name) => {
    const setting = getSetting(name);
    expect(settingVariable(name)).toBe(`SOLX_${name.toUpperCase().replaceAll("-", "_")}`);
    expect(setting.description).toMatch(/^.+[^.]$/);
    if (setting.flag !== undefined) expect(getFlag(name)).toBe(name === "rpc-url" ? "--rpc" : `--${name}`);
    if (setting.derivedFrom) expect(SETTING_NAMES).toContain(setting.derivedFrom.setting);
    if (setting.default === undefined) expect(setting.defaultDescription).toBeTruthy();
    else expect(parseValue(name, formatValue(setting.default))).toBe(setting.default);
  });
});

/** Texts that a setting accepts. */
const FORMS: Partial<Record<SettingName, readonly string[]>> = {
  rate: ["200/10", "1/60", "off"],
  "units-per-day": ["0", "500000", "off"],
  budget: ["machine", "process", "redis://127.0.0.1:6379", "valkeys://user:word@host/2"],
};

function legalTexts(name: SettingName): fc.Arbitrary<string> {
  const { type, values = [], min = 0, max = 0 } = getSetting(name);
  switch (type) {
    case "enum":
      return fc.constantFrom(...values, ...values.map((value) => ` ${value.toUpperCase()} `));
    case "switch":
      return fc.constantFrom("on", "off", " ON ", "1", "0", "true", "false", "yes", "No");
    case "integer":
      return fc.integer({ min, max }).map(String);
    case "number":
      return fc.integer({ min: min * 1000, max: max * 1000 }).map((thousandths) => String(thousandths / 1000));
    case "url":
      return fc
        .record({
          scheme: fc.constantFrom("http", "https", "HTTPS"),
          host: fc.oneof(
            fc.domain(),
            fc.ipV4(),
            fc.ipV6().map((ip) => `[${ip}]`),
          ),
          port: fc.option(fc.integer({ min: 1, max: 65_535 })),
          path: fc.constantFrom("", "/", "/a", "/a/b/", "//"),
        })
        .map(({ scheme, host, port, path }) => `${scheme}://${host}${port === null ? "" : `:${port}`}${path}`)
        .filter((text) => URL.canParse(text));
    case "node":
      return fc.constantFrom(
        "mainnet",
        " Devnet ",
        "off",
        "http://127.0.0.1:8899/",
        "https://host/KEY/?api-key=Az09#x",
      );
    case "path":
      return fc.constantFrom("/etc/ca.pem", "ca.pem", "../ca.pem", "/a//b/../c.pem");
    case "string":
      return fc.constantFrom(...(FORMS[name] ?? ["token", "default", "X-Api-Key", "work2"]));
  }
}

describe("values", () => {
  test.each(SETTING_NAMES)("%s: a formatted value parses to the same value", (name) => {
    fc.assert(
      fc.property(legalTexts(name), (text) => {
        const value = parseValue(name, text);
        expect(parseValue(name, formatValue(value))).toBe(value);
      }),
    );
  });

  test.each(SETTING_NAMES)("%s: any text is a value that parses again, or a UsageError", (name) => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.webUrl(), fc.float().map(String)), (text) => {
        let value: string | number;
        try {
          value = parseValue(name, text);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
          return;
        }
        expect(parseValue(name, formatValue(value))).toBe(value);
      }),
    );
  });

  test("the default of time mentions csv and tsv", () => {
    expect(getSetting("time").defaultDescription).toContain("unchanged in csv and tsv");
  });

  test("an invalid value is reported with the accepted and the nearest ones", () => {
    const { message, hint } = failure(() => parseValue("output", "jsno", { origin: "--output" }));
    expect(message).toBe(
      'invalid value "jsno" for --output: expected one of json, ndjson, csv, tsv, parquet, yaml, table, wide, markdown, name',
    );
    expect(hint).toBe("Did you mean json?");
    expect(failure(() => parseValue("output", "xml", { origin: "--output" })).hint ?? "").not.toContain("Did you mean");
  });

  test.each([
    ["timeout", "0"],
    ["timeout", "NaN"],
    ["timeout", "Infinity"],
    ["timeout", "1e3"],
    ["timeout", "30s"],
    ["retries", "1.5"],
    ["retries", "-1"],
    ["retries", "0x10"],
    ["max-wait", "86401"],
    ["max-wait", "１０"],
    ["plan", "level-9"],
    ["profile", "../work"],
    ["profile", "__proto__"],
    ["key-header", "token:"],
    ["key-header", "a b"],
    ["ca-cert", "a\0b"],
    ["base-url", "localhost:8080"],
    ["base-url", "ftp://host"],
    ["base-url", "https://host/?a=1"],
    ["base-url", "https://host/#a"],
    ["base-url", "https:"],
    ["output", "  "],
  ] as const)("%s refuses %j", (name, text) => {
    expect(failure(() => parseValue(name, text)).message).toContain(`for ${name}: expected`);
  });

  test("a URL loses trailing slashes and default ports", () => {
    expect(parseValue("base-url", " https://Host.example:443/api// ")).toBe("https://host.example/api");
    expect(parseValue("base-url", "http://127.0.0.1:8080/")).toBe("http://127.0.0.1:8080");
  });

  test("the password of a URL is not in the message", () => {
    const error = failure(() => parseValue("base-url", "https://me:hunter2@host/"));
    expect(error.message).toContain("without user name and password");
    expect(`${error.message} ${error.hint}`).not.toContain("hunter2");
    expect(failure(() => parseValue("base-url", "htps://me:hunter2@host/")).message).not.toContain("hunter2");
  });

  test("a relative path starts at the folder of its origin", () => {
    expect(parseValue("ca-cert", "ca.pem", { origin: "x", folder: "/etc/solx" })).toBe("/etc/solx/ca.pem");
  });

  test("control and direction characters are escaped", () => {
    const { message } = failure(() => parseValue("output", "\u001b[2J\u009b\u202ejson"));
    expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  });
});

describe("names of settings", () => {
  test.each(["base-url", "base_url", " BASE_URL "])("%j is base-url", (text) => {
    expect(parseEntryName(text)).toBe("base-url");
  });

  test("units are written with K and M and with separators", () => {
    expect(parseEntryName("UNITS")).toBe("units");
    for (const typed of ["1.5M", "1_500_000", "1,500,000", "1500k"]) {
      expect(parseValue("units-per-day", typed)).toBe("1500000");
      expect(parseValue("confirm-units", typed)).toBe(1_500_000);
    }
    expect(() => parseValue("units-per-day", "1,5M")).toThrow("expected a number of compute units");
  });

  test("an unknown name is reported with the nearest one", () => {
    expect(failure(() => parseEntryName("outptu")).hint).toBe("Did you mean output?");
    expect(failure(() => parseEntryName("something-else")).hint).toContain("max-wait");
  });

  test.each(["api-key", "api_key", "key", "token"])("%s refers to the login", (text) => {
    expect(failure(() => parseEntryName(text)).hint).toContain("solx auth login");
  });
});

describe("entries of a profile", () => {
  test("are few", () => expect(ENTRY_NAMES.length).toBeLessThanOrEqual(24));

  test.each(SETTING_NAMES)("%s is in one entry", (name) => {
    const [entry = "", words = ""] = settingWords(name).split(/ (.*)/);
    const text = words.replace("<value>", "a b=c");
    expect(splitEntry(entry as never, text)).toEqual(new Map([[name, "a b=c"]]));
  });

  test("are split and joined", () => {
    const values = splitEntry("max-wait", "90 retries=5");
    expect([...values]).toEqual([
      ["max-wait", "90"],
      ["retries", "5"],
    ]);
    expect(joinEntry("max-wait", values)).toBe("90 retries=5");
    expect([...splitEntry("sandbox", "seed=x faults=503:10% latency=200ms now=7d")]).toEqual([
      ["sandbox-seed", "x"],
      ["sandbox-faults", "503:10% latency=200ms"],
      ["sandbox-now", "7d"],
    ]);
    expect(() => splitEntry("units", "500")).toThrow("expected confirm=<value> day=<value>");
    expect(Object.keys(partsOf("output"))).toEqual([]);
  });

  test("have parts with names of their own", () => expect(parseEntryName("units_per_day")).toBe("units-per-day"));
});
