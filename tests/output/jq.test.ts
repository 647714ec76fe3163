import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InterruptedError, UsageError } from "../../src/base/errors.ts";
import { type Json, parseJson, stringifyJson } from "../../src/base/json.ts";
import { checkOptions, checkProgram, evaluateCondition, FORMAT_NAMES } from "../../src/output/index.ts";
import { readLiterals, restoreLiterals } from "../../src/output/jq/jq.ts";
import { anyJson, HARD_NUMBERS, numberText, pages, rows, written } from "./helpers.ts";

const jq = async (value: Json, program: string, options = {}) =>
  (await written({ kind: "object", value }, { jq: program, ...options })).text;

describe("--jq", () => {
  it("prints strings as they are and everything else as JSON, one result per line", async () => {
    const value = { name: 'a "b"', list: [1, { x: null }], yes: true };
    expect(await jq(value, ".name, .list, .yes, .missing")).toBe('a "b"\n[1,{"x":null}]\ntrue\nnull\n');
    expect(await jq(value, "empty")).toBe("");
    expect(await jq(value, ".list", { isTerminal: true })).toBe('[\n  1,\n  {\n    "x": null\n  }\n]\n');
    expect(await jq(value, ".list", { isTerminal: true, format: "ndjson" })).toBe('[1,{"x":null}]\n');
  });

  it("gets all rows at once, inside their envelope", async () => {
    const list = [{ n: 1 }, { n: 2 }, { n: 3 }];
    expect((await written(rows(list, 1), { jq: "length, map(.n)" })).text).toBe("3\n[1,2,3]\n");
    const frame = { value: { total: 3, items: [] }, path: ["items"] };
    const framed = { kind: "rows", pages: pages(list), envelope: frame } as const;
    const result = await written(framed, { jq: ".total, .items[].n" });
    expect([result.text, result.rows]).toEqual(["3\n1\n2\n3\n", 4]);
  });

  it("preserves the digits of numbers that the program does not change", async () => {
    const value = parseJson(`[${HARD_NUMBERS.join(",")}]`);
    expect(await jq(value, ".[]")).toBe(`${HARD_NUMBERS.join("\n")}\n`);
    expect(await jq(value, ".")).toBe(`[${HARD_NUMBERS.join(",")}]\n`);
    expect(await jq(value, "map(select(. > 5)) | max")).toBe("18446744073709551615\n");
  });

  it("is the identity for any JSON", async () => {
    const wellFormed = anyJson.map((value) => parseJson(toWellFormed(stringifyJson(value))));
    const values = wellFormed.filter((value) => !sameValueTwice(value));
    await fc.assert(
      // Each list starts jq once more.
      fc.asyncProperty(fc.array(values, { minLength: 20, maxLength: 20 }), async (list) => {
        fc.pre(!sameValueTwice(list));
        expect(stringifyJson(parseJson(await jq(list, ".")))).toBe(stringifyJson(list));
      }),
      { numRuns: 6 },
    );
  });

  it("calculates with the others", async () => {
    expect(await jq(parseJson("[0.1, 0.2, 5.0, 1e5]"), "length, (.[0] + .[1]), add")).toBe(
      "4\n0.30000000000000004\n100005.3\n",
    );
  });

  it.each([
    [".[", /^jq: syntax error/],
    ["nonsense(1)", /^jq: nonsense\/1 is not defined/],
    ['error("boom")', /^jq: boom$/],
    [".a.b", /^jq: Cannot index number/],
  ])("reports the message of jq for %s", async (program, message) => {
    const failure = jq({ a: 1 }, program);
    await expect(failure).rejects.toBeInstanceOf(UsageError);
    await expect(failure).rejects.toThrow(message);
  });

  it.each([
    ["def f: [f]; f", "JQ_MEMORY", "jq: out of memory"],
    ["[range(1e9)]", "JQ_MEMORY", "jq: out of memory"],
    // The results of this one are not in the memory of the engine.
    ['("x" * 100000) as $text | repeat($text)', "JQ_MEMORY", "jq: out of memory"],
    ["reduce range(100000) as $i (null; [.])", "JQ_DEPTH", "jq: values or calls are nested too deeply"],
  ])("reports which limit %s exceeds", async (program, code, message) => {
    await expect(jq({}, program)).rejects.toMatchObject({ code, message, exitCode: 2 });
  });

  it("stops a program that does not end after its time", async () => {
    const failure = jq({}, "def f: f; f", { jqTimeout: 0.5 });
    await expect(failure).rejects.toMatchObject({ code: "JQ_TIMEOUT", exitCode: 2 });
    await expect(failure).rejects.toThrow("did not end within 0.5 s");
  });

  it("stops a condition that does not end after its time", async () => {
    const failure = evaluateCondition([{}], "def f: f; f", { jqTimeout: 0.5 });
    await expect(failure).rejects.toMatchObject({ code: "JQ_TIMEOUT", exitCode: 2 });
  });

  it("prints the results before a failure", async () => {
    const chunks: string[] = [];
    const { write } = await import("../../src/output/index.ts");
    const options = {
      format: "json",
      jq: '1, "two", error("boom")',
      width: 80,

      isTerminal: false,
      now: 0,
    } as const;
    const sink = { write: async (chunk: string) => void chunks.push(chunk) };
    await expect(write({ kind: "object", value: null }, {}, options, sink)).rejects.toThrow("jq: boom");
    expect(chunks.join("")).toBe("1\ntwo\n");
  });

  it("accepts programs that end with a comment or define functions", async () => {
    expect(await jq([1, 2], "def twice: . * 2; map(twice) # doubled")).toBe("[2,4]\n");
  });

  it("prints nothing that a terminal obeys, and exact text in a pipe", async () => {
    const value = { s: "a\u001b[2J\tb\nc\u202e" };
    expect(await jq(value, ".s", { isTerminal: true })).toBe("a‹U+001B›[2J\tb\nc‹U+202E›\n");
    expect(await jq(value, ".s")).toBe("a\u001b[2J\tb\nc\u202e\n");
    expect(await jq({ s: "\u009b" }, ".", { format: "ndjson" })).toBe('{"s":"\\u009b"}\n');
  });

  it("accepts programs that start like an option", async () => {
    expect(await jq(5, "-1, -.")).toBe("-1\n-5\n");
    for (const program of ["-h", "-n", "--version", "--args", "--", "-f"])
      await expect(jq(1, program)).rejects.toThrow(/^jq: (syntax error|[a-z]+\/0 is not defined)/);
  });

  it("does not block, and stops with the reason of the signal", async () => {
    const controller = new AbortController();
    const reason = new InterruptedError();
    const endless = jq(null, "while(true; .) | empty", { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 1);
    await expect(endless).rejects.toBe(reason);
    await expect(jq(null, ".", { signal: controller.signal })).rejects.toBe(reason);
  });

  it("does not change the streams and the exit code of the process", () => {
    const source = `
      process.exitCode = 7;
      const { write } = await import(${JSON.stringify(new URL("../../src/output/index.ts", import.meta.url).href)});
      const options = { format: "json", width: 80, isTerminal: false, now: 0 };
      const run = (value, jq) => write({ kind: "object", value }, {}, { ...options, jq }, { write: async () => {} });
      await run(1, "debug, stderr, halt_error").catch(() => {});
      await run("x".repeat(100_000), "[limit(60; repeat(.))] | add | . * 1000 | length").catch(() => {});
    `;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", source], {
      encoding: "utf8",
    });
    expect({ status, stdout, stderr }).toEqual({ status: 7, stdout: "", stderr: "" });
  });

  it("accepts lone surrogates", async () => {
    expect(await jq({ s: "a\ud800b", t: "\\ud800" }, ".s, .t")).toBe("a\ufffdb\n\\ud800\n");
  });
});

/** JSON text without lone surrogates, which jq does not support. */
function toWellFormed(json: string): string {
  return json.replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "\\ufffd");
}

/** Whether two numbers have equal values and different texts: then the one that jq printed is ambiguous. */
function sameValueTwice(value: Json): boolean {
  const literals = new Set(stringifyJson(value).match(/-?\d[\d.]*(?:[eE][+-]?\d+)?/g));
  const values = [...literals].map(Number);
  return new Set(values).size < values.length;
}

describe("restoreLiterals", () => {
  it.each([
    ["[1e-19]", "1E-19", "1e-19"],
    ["[0.00000001164]", "1.164E-8", "0.00000001164"],
    ["[0.00000001164]", "1.164e-08", "0.00000001164"],
    ["[1e5]", "1E+5", "1e5"],
    ["[1e5]", "100000", "100000"],
    ["[5.0]", "5", "5"],
    ["[1.5e1]", "15", "1.5e1"],
    ["[1.5e1, 15]", "15", "15"],
    ["[1e5, 1E5]", "1E+5", "1E+5"],
    ["[1e-7, 0.0000001]", "1E-7", "1E-7"],
    ["[0e-9]", "0E-9", "0e-9"],
    ["[-0]", "-0", "-0"],
    ["[0, -0]", "0", "0"],
    ['["1e-19"]', "1E-19", "1E-19"],
    ["[1e-19]", '"1E-19"', '"1E-19"'],
  ])("with %s, %s is %s", (input, output, expected) => {
    expect(restoreLiterals(readLiterals(input), output)).toBe(expected);
  });

  it("preserves every literal of the input", () => {
    fc.assert(
      fc.property(fc.array(numberText), (list) => {
        const json = JSON.stringify(list).replaceAll('"', "");
        expect(restoreLiterals(readLiterals(json), json)).toBe(json);
      }),
    );
  });
});

describe("checkProgram", () => {
  it.each([
    ".",
    "-1",
    "def twice: . * 2; map(twice) # doubled",
    "# only then\n.",
    'error("boom")',
    ".a.b",
    "while(true; .)",
    "input",
  ])("accepts %j, and runs nothing", async (program) => {
    await expect(checkProgram(program)).resolves.toBeUndefined();
  });

  it.each([
    ["", /^--jq is empty/],
    [" \n", /^--jq is empty/],
    ["# nothing", /^jq: Top-level program not given/],
    [".[", /^jq: syntax error, unexpected end of file at <top-level>, line 1, column 2: \.\[$/],
    ["nonsense(1)", /^jq: nonsense\/1 is not defined/],
    ["-h", /^jq: h\/0 is not defined/],
    ['include "a"; .', /^jq: module not found/],
  ])("refuses %j", async (program, message) => {
    const failure = checkProgram(program);
    await expect(failure).rejects.toBeInstanceOf(UsageError);
    await expect(failure).rejects.toThrow(message);
  });

  it("stops with the reason of the signal", async () => {
    const reason = new InterruptedError();
    await expect(checkProgram(".", AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe("checkOptions", () => {
  it("refuses only contradictions", () => {
    const [isTerminal, fields] = [false, [{ path: "a" }]] as const;
    expect(() => checkOptions({ isTerminal, format: "json", jq: " " })).toThrow("--jq is empty.");
    expect(() => checkOptions({ isTerminal, format: "json", jq: ".", fields })).toThrow("--jq and --fields");
    for (const format of FORMAT_NAMES) {
      expect(() => checkOptions({ isTerminal, format, fields })).not.toThrow();
      const check = () => checkOptions({ isTerminal, format, jq: "." });
      if (format === "json" || format === "ndjson") expect(check).not.toThrow();
      else expect(check).toThrow(UsageError);
    }
  });
});

describe("whole numbers beyond 2^53", () => {
  const value = parseJson('{"a":18446744073709551615,"b":1}') as Json;
  const run = async (jq: string, isExact = false) => {
    const { text, notes } = await written({ kind: "object", value }, { format: "json", jq, isExact });
    return { text: text.trim(), isNoted: notes.some((note) => note.includes("53 bits")) };
  };

  it.each([
    ".a - .b",
    ".a - 18446744073709551614",
    "9007199254740993 + 0",
    ".a * 2",
    ".a * 0.5",
    ".a / 1000000000",
    "[.a / 1e9 | floor]",
    "[.a, .b] | add",
    "(.a + .b) - .a",
    ".a % 10",
    ".a - .a + .b",
    ".b as $b | .a | . - $b",
  ])("%s is noted, and an error under strict", async (program) => {
    expect((await run(program)).isNoted).toBe(true);
    await expect(run(program, true)).rejects.toMatchObject({ code: "JQ_ROUNDED", exitCode: 11 });
  });

  it.each([
    [".a", "18446744073709551615"],
    ["18446744073709551615", "18446744073709551615"],
    ["[.a, .b] | .[-1]", "1"],
    ["[.a, .b, 3] | .[-2:] | length", "2"],
    [".b | select(. > -5 and . > 1e-5)", "1"],
    ['"\\(.b) - x"', "1 - x"],
    [".b + 1", "2"],
    [".b / 4", "0.25"],
    [".a // 5", "18446744073709551615"],
    ["{a, share: (.b / 8 * 2)}", '{"a":18446744073709551615,"share":0.25}'],
    ["{a, c: (.b + 1)}", '{"a":18446744073709551615,"c":2}'],
    ["[.a, .b] | sort | .[0] + 1", "2"],
    [".b + 1 | select(. < 5)", "2"],
    ["select(.a > 1000) | .b - 1", "0"],
    ['"a: " + (.a | tostring)', "a: 18446744073709551615"],
    ["keys | add", "ab"],
  ])("%s is exact", async (program, text) => {
    expect(await run(program, true)).toEqual({ text, isNoted: false });
  });

  it("are noted wherever a result is not exact, and no others", async () => {
    const numbers = fc.oneof(fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }), fc.bigInt({ min: 1n, max: 1000n }));
    const evaluate = {
      "+": (a: bigint, b: bigint) => [a + b, 1n],
      "-": (a: bigint, b: bigint) => [a - b, 1n],
      "*": (a: bigint, b: bigint) => [a * b, 1n],
      "%": (a: bigint, b: bigint) => [a % b, 1n],
      "/": (a: bigint, b: bigint) => [a, b],
    } as const;
    const operator = fc.constantFrom(...(Object.keys(evaluate) as (keyof typeof evaluate)[]));
    const check = async (a: bigint, b: bigint, sign: keyof typeof evaluate) => {
      const numbered = parseJson(`{"a":${a},"b":${b}}`);
      const { text, notes } = await written(
        { kind: "object", value: numbered },
        { format: "json", jq: `.a ${sign} .b` },
      );
      const [numerator = 0n, denominator = 1n] = evaluate[sign](a, b);
      const [, whole = "", fraction = "", power = "0"] = /^(-?\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(text.trim()) ?? [];
      const [digits, scale] = [BigInt(whole + fraction), Number(power) - fraction.length];
      const isExact =
        digits * denominator * 10n ** BigInt(Math.max(scale, 0)) === numerator * 10n ** BigInt(Math.max(-scale, 0));
      const isSmall = [a, b, numerator / denominator].every((one) => one <= BigInt(Number.MAX_SAFE_INTEGER));
      if (isSmall) expect(notes).toEqual([]);
      else if (!isExact) expect(notes.join(), `${a} ${sign} ${b} = ${text}`).toContain("53 bits");
    };
    await fc.assert(fc.asyncProperty(numbers, numbers, operator, check), {
      // Each starts a worker with jq.
      numRuns: Math.max(10, Number(process.env.LAW_CASES ?? 0) / 1000),
      endOnFailure: true,
    });
  });
});
