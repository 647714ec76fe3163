import { base58 } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as p from "../../src/catalogue/param.ts";
import {
  expectedValue,
  isAddress,
  isCalendarDate,
  isLess,
  isSignature,
  validateParameter,
  validateRequest,
} from "../../src/catalogue/validate.ts";

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map((b) => base58.encode(b));
const addresses = bytes(32);
const signatures = bytes(64);

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SYSTEM = "11111111111111111111111111111111";
const SIGNATURE = "F16MuS9H67iSTdHqtfRXF4e6DaVVdQSnuBYRzGcFYXrJhgFS3zxmKeRpGNFjYrewT2738u59NA6wXfp2t7KwDSd";

/** The API's message for a value, or for a request. */
const messageOf = (...args: Parameters<typeof validateParameter>) => validateParameter(...args)?.message;

describe("base58 identifiers", () => {
  it("accepts known addresses and signatures", () => {
    expect([USDC, SYSTEM].every(isAddress)).toBe(true);
    expect(isSignature(SIGNATURE)).toBe(true);
    expect(isSignature("1".repeat(64))).toBe(true);
  });

  it("accepts any 32 bytes as an address and any 64 bytes as a signature, and never confuses them", () => {
    fc.assert(fc.property(addresses, (text) => isAddress(text) && !isSignature(text)));
    fc.assert(fc.property(signatures, (text) => isSignature(text) && !isAddress(text)));
  });

  it("rejects every other length", () => {
    const other = fc.uint8Array({ maxLength: 100 }).filter(({ length }) => length !== 32 && length !== 64);
    fc.assert(fc.property(other, (b) => !isAddress(base58.encode(b)) && !isSignature(base58.encode(b))));
  });

  it("rejects letters outside the alphabet at any position", () => {
    const wrong = fc.constantFrom("0", "O", "I", "l", " ", "\n", "ä", "–");
    fc.assert(
      fc.property(addresses, wrong, fc.nat(43), (text, letter, at) => {
        const place = at % text.length;
        expect(isAddress(text.slice(0, place) + letter + text.slice(place + 1))).toBe(false);
      }),
    );
    expect(isAddress(`${USDC}\n`)).toBe(false);
  });

  it("is fast for text of any length", () => {
    expect(isAddress("2".repeat(5_000_000))).toBe(false);
    expect(isSignature("2".repeat(5_000_000))).toBe(false);
  });
});

describe("single values", () => {
  it("quotes an invalid address or signature", () => {
    expect(messageOf("address", p.address(""), "abc")).toBe("Validation Error: Address [abc] is invalid");
    expect(messageOf("tx", p.signature(""), USDC)).toBe(`Validation Error: Transaction Signature [${USDC}] is invalid`);
  });

  it("accepts every slot that a double represents and nothing beyond", () => {
    const block = p.slot("");
    fc.assert(fc.property(fc.bigInt(0n, 2n ** 53n - 1n), (n) => messageOf("block", block, `${n}`) === undefined));
    fc.assert(fc.property(fc.bigInt(2n ** 53n, 2n ** 90n), (n) => messageOf("block", block, `${n}`) !== undefined));
    expect(messageOf("block", block, "abc")).toBe("Validation Error: block must be a number");
    expect(messageOf("block", block, "-1")).toBe('Validation Error: "block" must be greater than or equal to 0');
  });

  it("restricts whole numbers to their limits", () => {
    const limit = p.integer("", { min: 1, max: 50 });
    fc.assert(
      fc.property(fc.integer({ min: -100, max: 200 }), (n) => {
        expect(messageOf("limit", limit, `${n}`) === undefined).toBe(n >= 1 && n <= 50);
      }),
    );
    expect(messageOf("limit", limit, "0")).toBe('Validation Error: "limit" must be greater than or equal to 1');
    expect(messageOf("limit", limit, "51")).toBe('Validation Error: "limit" must be less than or equal to 50');
    expect(messageOf("limit", limit, "10.5")).toBe('Validation Error: "limit" must be an integer');
  });

  it.each(["NaN", "1e", "abc", "0x10", "Infinity", "１２", " 1", "+1", "1_000"])(
    "rejects %j as a number of any type",
    (text) => {
      for (const param of [p.integer(""), p.slot(""), p.time(""), p.decimal("")]) {
        expect(messageOf("x", param, text)).toBe("Validation Error: x must be a number");
      }
    },
  );

  it("accepts an exponent in a decimal number only", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e308, noNaN: true }), (number) => {
        const text = JSON.stringify(number);
        expect([text, text.toUpperCase()].map((each) => messageOf("amount", p.decimal(""), each))).toEqual([
          undefined,
          undefined,
        ]);
      }),
    );
    expect(messageOf("amount", p.decimal(""), "1e309")).toContain("must be less than or equal to");
    expect(messageOf("page", p.integer(""), "1e0")).toBe("Validation Error: page must be a number");
  });

  it("accepts negative numbers where the parameter does", () => {
    const change = p.decimal("", { min: -100 });
    expect(["-100", "-0.5", "0"].map((text) => messageOf("x", change, text))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(messageOf("x", change, "-100.01")).toBe('Validation Error: "x" must be greater than or equal to -100');
  });

  it.each(["-0", "-0.0", "-1"])("rejects %j where values cannot be negative", (text) => {
    expect(messageOf("x", p.decimal(""), text)).toBe('Validation Error: "x" must be greater than or equal to 0');
  });

  it("rejects whole numbers that a double cannot represent", () => {
    expect(messageOf("page", p.integer(""), "9007199254740991")).toBeUndefined();
    expect(messageOf("page", p.integer(""), "9007199254740992")).toContain("must be less than or equal to");
  });

  it("accepts decimals of any length", () => {
    expect(messageOf("amount", p.decimal(""), `0.${"0".repeat(39)}1`)).toBeUndefined();
    expect(messageOf("amount", p.decimal(""), "18446744073709551615.5")).toBeUndefined();
    for (const text of [".5", "5.", "1.2.3", ","]) expect(messageOf("amount", p.decimal(""), text)).toBeDefined();
  });

  it("accepts only true and false as booleans", () => {
    const flag = p.flag("");
    expect(["true", "false"].map((text) => messageOf("x", flag, text))).toEqual([undefined, undefined]);
    for (const text of ["True", "1", "yes"]) {
      expect(messageOf("x", flag, text)).toBe('Validation Error: "x" must be a boolean');
    }
  });

  it("lists the values of the specification and accepts newer ones too", () => {
    const sort = p.oneOf(["asc", "desc"], "");
    expect(messageOf("sort_order", sort, "up")).toBe('Validation Error: "sort_order" must be one of [asc, desc]');
    expect(messageOf("page_size", p.oneOf([10, 20, 30, 40, 60, 100], ""), "7")).toBe(
      'Validation Error: "page_size" must be one of [10, 20, 30, 40, 60, 100]',
    );
    const grown = p.oneOf(["old"], "", { newer: ["new"] });
    expect(messageOf("x", grown, "new")).toBeUndefined();
    expect(messageOf("x", grown, "other")).toBe('Validation Error: "x" must be one of [old]');
  });

  it("rejects an empty and a repeated value", () => {
    const kinds = [p.address(""), p.integer(""), p.text(""), p.flag(""), p.oneOf(["a"], ""), p.date("")];
    for (const param of kinds) {
      expect(messageOf("x", param, "")).toBe('Validation Error: "x" is not allowed to be empty');
      expect(messageOf("x", param, ["1", "1"])).toBe('Validation Error: "x" must be a single value');
    }
  });
});

describe("calendar dates", () => {
  const pad = (n: number, width: number) => String(n).padStart(width, "0");

  it("are existing days", () => {
    const parts = [fc.integer({ min: 1, max: 9999 }), fc.nat(14), fc.nat(33)] as const;
    fc.assert(
      fc.property(...parts, (year, month, day) => {
        const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
        const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
        expect(isCalendarDate(pad(year, 4) + pad(month, 2) + pad(day, 2))).toBe(day >= 1 && day <= days);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(["20240230", "20230229", "2024-07-05", "240705", "202407051", "20241301"])("rejects %s", (text) => {
    expect(messageOf("time", p.date(""), text)).toBe('Validation Error: "time" must be a date in the form YYYYMMDD');
  });
});

describe("lists and ranges", () => {
  it("accept at most as many items as the parameter allows", () => {
    fc.assert(
      fc.property(fc.array(addresses, { minLength: 1, maxLength: 8 }), (list) => {
        const expected =
          list.length > 5 ? 'Validation Error: "from" must contain less than or equal to 5 items' : undefined;
        expect(messageOf("from", p.commaAddresses(""), list)).toBe(expected);
        expect(messageOf("from", p.commaAddresses(""), list.join(","))).toBe(expected);
        expect(messageOf("from", p.addresses(""), list)).toBe(expected);
      }),
    );
  });

  it("report the first invalid item", () => {
    expect(messageOf("from", p.commaAddresses(""), `${USDC},abc`)).toBe("Validation Error: Address [abc] is invalid");
    expect(messageOf("from", p.commaAddresses(""), `${USDC},`)).toBe(
      'Validation Error: "from" is not allowed to be empty',
    );
    expect(messageOf("tx", p.signatures(""), [])).toBe('Validation Error: "tx" is not allowed to be empty');
  });

  it("do not split values with brackets at commas", () => {
    expect(messageOf("a", p.addresses(""), `${USDC},${SYSTEM}`)).toBe(
      `Validation Error: Address [${USDC},${SYSTEM}] is invalid`,
    );
  });

  it("of a range are two", () => {
    const amount = p.range("decimal", "");
    expect(messageOf("amount", amount, ["9", "10"])).toBeUndefined();
    for (const entries of [["1"], ["1", "2", "3"], []]) {
      expect(messageOf("amount", amount, entries)).toBe('Validation Error: "amount" must contain 2 items');
    }
  });
});

describe("comparison of numbers", () => {
  it("is exact", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 40n), fc.bigInt(0n, 10n ** 40n), (a, b) => {
        const plain = (n: bigint) => `${n / 10n ** 20n}.${(n % 10n ** 20n).toString().padStart(20, "0")}`;
        expect(isLess(plain(a), plain(b))).toBe(a < b);
      }),
    );
  });
});

describe("whole requests", () => {
  const query = {
    address: p.address("", p.IDENTIFIER),
    token: p.commaAddresses(""),
    amount: p.range("decimal", "", { needs: "token" }),
    filter: p.oneOf(["created_time"], "", { required: true, default: "created_time" }),
    ...p.pages([10, 20] as const),
  };
  const check = (values: Record<string, readonly string[]>) =>
    validateRequest(query, new Map(Object.entries({ filter: ["created_time"], ...values })))?.message;

  it("require parameters, also those with a default, which clients send", () => {
    expect(check({ address: [USDC], filter: [] })).toBe('Validation Error: "filter" is required');
    expect(check({})).toBe('Validation Error: "address" is required');
    expect(check({ address: [] })).toBe('Validation Error: "address" is required');
    expect(check({ address: [USDC] })).toBeUndefined();
  });

  it("reject unknown names", () => {
    expect(check({ address: [USDC], block: ["1"] })).toBe("Validation Error: block is not allowed");
    fc.assert(
      fc.property(fc.string(), (name) => {
        const expected = Object.hasOwn(query, name) ? expect.anything() : `Validation Error: ${name} is not allowed`;
        expect(check({ address: [USDC], [name]: ["?"] })).toEqual(expected);
      }),
    );
    for (const name of ["constructor", "toString"]) expect(check({ [name]: ["1"] })).toContain(name);
  });

  it("require the parameter that another depends on", () => {
    const amount = ["1", "2"];
    expect(check({ address: [USDC], amount })).toBe('Validation Error: "amount" needs "token"');
    expect(check({ address: [USDC], amount, token: [USDC] })).toBeUndefined();
  });

  it("are rejected for any invalid value", () => {
    expect(check({ address: [USDC], page: ["0"] })).toBe('Validation Error: "page" must be greater than or equal to 1');
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (page) => {
        expect(check({ address: [USDC], page: [page] })).toBe(messageOf("page", query.page, page));
      }),
    );
  });
});

describe("the data of a problem", () => {
  const problem = (...args: Parameters<typeof validateParameter>) => validateParameter(...args)?.invalid;

  it("names the parameter, the refused item and what is expected", () => {
    const size = p.oneOf([10, 20], "", { role: "size" });
    expect(problem("page_size", size, "7")).toEqual({
      reason: "value",
      parameter: "page_size",
      value: "7",
      expected: "one of 10, 20",
      allowed: [10, 20],
    });
    expect(problem("from", p.commaAddresses(""), `${USDC},abc`)).toEqual({
      reason: "value",
      parameter: "from",
      value: "abc",
      expected: "a Solana address (base58, 32 bytes)",
    });
    expect(problem("from_time", p.time(""), "lastweek")?.expected).toBe(
      "a duration (7d), a date (2024-07-05) or Unix seconds",
    );
  });

  it("names missing, unknown and dependent parameters", () => {
    const query = { address: p.address("", p.IDENTIFIER), amount: p.range("decimal", "", { needs: "token" }) };
    const request = (values: Record<string, readonly string[]>) =>
      validateRequest(query, new Map(Object.entries(values)))?.invalid;
    expect(request({})).toMatchObject({ reason: "missing", parameter: "address" });
    expect(request({ adress: [USDC] })).toEqual({ reason: "unknown", parameter: "adress" });
    expect(request({ address: [USDC], amount: ["1", "2"] })).toEqual({
      reason: "dependency",
      parameter: "amount",
      requires: "token",
    });
  });

  it.each([
    [p.integer("", { min: 1, max: 50 }), "a whole number from 1 to 50"],
    [p.integer("", { min: 1 }), "a whole number of at least 1"],
    [p.decimal("", { max: 5 }), "a number of at most 5"],
    [p.decimal(""), "a number"],
    [p.flag(""), "true or false"],
  ])("describes limits", (param, expected) => {
    expect(expectedValue(param)).toBe(expected);
  });
});
