/** Names that anybody chose: pretenders are marked however they write a symbol, genuine tokens never are. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Transfer } from "../../src/catalogue/entities/index.ts";
import {
  isAddress,
  knownAddress,
  knownAddresses,
  WELL_KNOWN_TOKENS,
  wellKnownToken,
} from "../../src/catalogue/index.ts";
import { detectLookalike } from "../../src/catalogue/lookalike.ts";
import { createNamer, createNames, createShortener, fitCell } from "../../src/output/index.ts";
import { collectNames, type NameKind } from "../../src/output/names/collect-names.ts";
import { textWidth } from "../../src/output/text/width.ts";
import { formatValue, WARNING_MARK } from "../../src/output/values/cell.ts";
import { hostileText, rows, SIGNATURE, USDC, WALLET, written } from "./helpers.ts";

const FAKE = "6U91aKa8pmMxkJwBCfPTmUEfZi6dHe7DcFq2ALvB2tbB";
const OTHER = "2iXUd6pLkdVWkJUDoMLBEqdKEHSxNEY1wHc4Rha1LSZd";
const TOKENS = [...WELL_KNOWN_TOKENS.values()];

/** Characters that look like a letter: of other alphabets, styled, with accents, and digits. */
const CONFUSABLES: Readonly<Record<string, string>> = {
  A: "АΑᎪꓮＡ𝐀ᴀÀ",
  B: "ВΒᏴꓐＢ𝐁ʙḂ",
  C: "СϹᏟꓚＣ𝐂ᴄĊ",
  D: "ᎠꓓＤ𝐃ᴅĎ",
  E: "ЕΕᎬꓰＥ𝐄ᴇÉ",
  H: "НΗᎻꓧＨ𝐇ʜḢ",
  I: "ІΙꓲＩ𝐈ɪÍ1l",
  K: "КΚᏦꓗＫ𝐊ᴋĶ",
  L: "ᏞꓡＬ𝐋ʟĹ1",
  M: "МΜᎷꓟＭ𝐌ᴍṀ",
  N: "ΝꓠＮ𝐍ɴŃ",
  O: "ОΟꓳＯ𝐎ᴏÓ0",
  P: "РΡᏢꓑＰ𝐏ᴘṔ",
  R: "ᎡꓣＲ𝐑ʀŔ",
  S: "ЅᏚꓢＳ𝐒ꜱŚ5$",
  T: "ТΤᎢꓔＴ𝐓ᴛṪ",
  U: "ꓴＵ𝐔ᴜÚ",
  W: "ᎳꓪＷ𝐖ᴡŴ",
  Y: "ҮΥꓬＹ𝐘ʏÝ",
};

/** A well-known symbol in which some letters are replaced by others that look like them; possibly none. */
const pretended = fc
  .constantFrom(...TOKENS)
  .chain(({ symbol, mint }) =>
    fc
      .tuple(...[...symbol].map((letter) => fc.constantFrom(letter, ...(CONFUSABLES[letter.toUpperCase()] ?? ""))))
      .map((letters) => ({ mint, symbol, imitation: letters.join("") })),
  );

const learned = (...answers: readonly unknown[]) => {
  const names = createNames();
  for (const answer of answers) names.learn(answer as never);
  return names;
};

/** All ways in which an answer names an address. */
const namings = (address: string, name: string): readonly unknown[] => [
  { address, symbol: name },
  { token_address: address, token_symbol: name },
  { [address]: { token_symbol: name, token_name: name, account_label: name } },
  { account_address: address, account_label: name, account_domain: name },
  { program_id: address, program: name, program_name: name },
  { owner_program: address, owner_name: name },
  { vote_account: address, identity: address, name },
  { info: { address, collection_id: "ab".repeat(32), token_name: name } },
];

describe("the symbol of a well-known token", () => {
  it("is marked at another token, whatever letters it is written with", () => {
    fc.assert(
      fc.property(pretended, fc.constantFrom("", " ", "$", "\u2800"), ({ imitation }, before) => {
        const name = learned({ address: FAKE, symbol: `${before}${imitation}` }).of(FAKE);
        expect([imitation, name?.warning]).toEqual([imitation, expect.any(String)]);
      }),
      { numRuns: 500 },
    );
  });

  it("is not marked at its own token, whatever letters an answer writes it with", () => {
    fc.assert(
      fc.property(pretended, ({ mint, imitation }) => {
        const meta = { kind: "text", description: "Symbol" } as const;
        const cell = formatValue(imitation, meta, { address: mint, symbol: imitation }, { style: "iso", now: 0 });
        expect([imitation, cell.warning]).toEqual([imitation, undefined]);
        expect(learned({ address: mint, symbol: imitation }).of(mint)).toEqual(createNames().of(mint));
      }),
    );
  });

  it("is marked in labels and in names without a mint, unless it is written plainly or has no letters", () => {
    fc.assert(
      fc.property(pretended, fc.constantFrom("", "\u2800", "\u3164"), ({ imitation }, after) => {
        const text = `${imitation}${after}`;
        const isPlain = wellKnownToken(text) !== undefined || !/\p{L}/u.test(imitation);
        const meta = { kind: "text", description: "Platform" } as const;
        const warnings = [
          learned({ account_address: FAKE, account_label: text }).of(FAKE)?.warning,
          learned({ program_id: FAKE, program_name: text }).of(FAKE)?.warning,
          formatValue(text, meta, { platform_name: text }, { style: "iso", now: 0 }).warning,
        ];
        for (const warning of warnings) expect([text, warning === undefined]).toEqual([text, isPlain]);
      }),
    );
  });

  it.each([
    ["MOBI1E", "MOBILE"],
    ["JltoSO1", "JitoSOL"],
  ])("is marked where a character stands for an I in one place and for an L in another: %s", (imitation, symbol) => {
    expect(detectLookalike(imitation)).toBe(`looks like ${symbol}, a token`);
  });

  it("leaves other symbols alone", () => {
    for (const symbol of [
      "USDCet",
      "USDC.e",
      "JUPZ",
      "BONKERS",
      "SOLAMA",
      "WLF",
      "WEN",
      "1INCH",
      "Ölcoin",
      "S",
      "100",
    ]) {
      expect([symbol, learned({ address: FAKE, symbol }).of(FAKE)?.warning]).toEqual([symbol, undefined]);
    }
  });
});

describe("built-in names", () => {
  const FIXED = [...TOKENS.map(({ mint }) => mint), ...knownAddresses()].filter(
    (address) => WELL_KNOWN_TOKENS.has(address) || knownAddress(address)?.yields !== true,
  );

  it("are replaced by no answer and by no stored name", () => {
    const kinds: readonly NameKind[] = ["token", "program", "account", "validator", "market", "nft", "collection"];
    fc.assert(
      fc.property(fc.constantFrom(...FIXED), hostileText, fc.constantFrom(...kinds), (address, text, kind) => {
        const names = learned(...namings(address, text || "Name"));
        names.restore([{ address, kind, name: text || "Name" }]);
        expect(names.of(address)).toEqual(createNames().of(address));
        expect(names.of(address)).toMatchObject({ source: "built-in" });
      }),
    );
  });
});

describe("a hostile name", () => {
  /** What moves the cursor, hides or reorders text. */
  const UNSAFE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/u;

  it("is one short line without control characters, or no name", () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.string({ unit: "binary", minLength: 100, maxLength: 300 })), (text) => {
        for (const { name } of collectNames(namings(WALLET, text) as never)) {
          expect(name).not.toMatch(UNSAFE);
          expect(textWidth(name)).toBeLessThanOrEqual(32);
          expect(name.trim()).not.toBe("");
        }
      }),
    );
  });

  it("is no address, neither whole, nor cut, nor shortened", () => {
    const shorten = createShortener();
    const texts = [USDC, ` ${USDC}\n`, `${USDC}x`, `see ${USDC}`, shorten(USDC), "EPjF...Dt1v", "EPjFWd..yTDt1v"];
    for (const text of texts) expect([text, ...collectNames(namings(WALLET, text) as never)]).toEqual([text]);
    expect(isAddress(USDC)).toBe(true);
  });

  it("fits into any column", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 60 }), (text, width) => {
        const namer = createNamer(learned({ address: FAKE, symbol: text }).of);
        const cell = { text: FAKE, ids: [FAKE], names: [namer(FAKE)] };
        expect(textWidth(fitCell(cell, width, createShortener()))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe("the mark of a pretender", () => {
  it("is the first character of its name in a column of any width", () => {
    fc.assert(
      fc.property(pretended, fc.integer({ min: 2, max: 60 }), ({ imitation }, width) => {
        const namer = createNamer(learned({ address: FAKE, symbol: imitation }).of);
        const text = fitCell({ text: FAKE, ids: [FAKE], names: [namer(FAKE)] }, width, createShortener());
        expect(text.startsWith(WARNING_MARK)).toBe(true);
      }),
    );
  });

  it("is on the rows of the pretender only, at all widths of a table that show the token", async () => {
    const names = learned([
      { address: FAKE, symbol: "USDС" },
      { address: USDC, symbol: "USDC" },
    ]);
    const transfer = (token: string) => ({
      flow: "in",
      amount: 1_500_000,
      token_decimals: 6,
      token_address: token,
      from_address: WALLET,
      to_address: OTHER,
      trans_id: SIGNATURE,
    });
    const list = [USDC, FAKE, USDC, FAKE].map(transfer);
    const view = { entity: Transfer, columns: ["token_address", "amount", "flow", "from_address", "trans_id"] };
    for (let width = 8; width <= 160; width += 4) {
      const source = async () => ({ of: names.of, prepare: async () => {} });
      const { text } = await written(rows(list), { format: "table", isTerminal: true, width, names: source }, view);
      const marks = text
        .split("\n")
        .slice(1, 5)
        .map((line) => line.includes(WARNING_MARK));
      expect([width, ...marks]).toEqual([width, false, true, false, true]);
    }
  });
});
