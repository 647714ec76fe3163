/** Pseudonyms of addresses and signatures. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isAddress, isSignature } from "../../../src/catalogue/index.ts";
import { isOnCurve } from "../../../src/chain/solana/index.ts";
import { createPseudonyms, loadPseudonymSecret } from "../../../src/sources/recording/pseudonyms.ts";
import { createTempFolder } from "../../support/solx.ts";

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const DERIVED = "7dGbd2QZcCKcTndnHcTL8q7SMVXAkp688NTQYwrRCrar";
const SIGNATURE = "5vwF267YiYngfWBscpx975UM7xsNzEDhqycEsUKmfHtc8CGH5XXqLoYVrGhTyJ4VPCPaQT1XjWghmrH2NAjQ3eTh";
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const pseudonyms = (text: string) => createPseudonyms("secret").replace(text);

describe("pseudonyms", () => {
  test.each([WALLET, DERIVED])("of %s are addresses of the same kind", (address) => {
    const pseudonym = pseudonyms(address);
    expect(pseudonym).not.toBe(address);
    expect(isAddress(pseudonym)).toBe(true);
    expect(isOnCurve(pseudonym)).toBe(isOnCurve(address));
  });

  test("of signatures are signatures", () => {
    expect(pseudonyms(SIGNATURE)).not.toBe(SIGNATURE);
    expect(isSignature(pseudonyms(SIGNATURE))).toBe(true);
  });

  test("are the same for the same secret only", () => {
    expect(createPseudonyms("secret").replace(WALLET)).toBe(pseudonyms(WALLET));
    expect(createPseudonyms("other").replace(WALLET)).not.toBe(pseudonyms(WALLET));
  });

  test.each([USDC, TOKEN_PROGRAM, "11111111111111111111111111111111", "So11111111111111111111111111111111111111112"])(
    "leave the well-known %s",
    (address) => expect(pseudonyms(address)).toBe(address),
  );

  test.each([
    ["in JSON", `{"a":"${WALLET}"}`],
    ["after an escape sequence", `{"memo":"to\\n${WALLET}\\t"}`],
    ["after an escaped character", `{"memo":"\\u0041${WALLET}"}`],
    ["in CSV", `x,${WALLET},${SIGNATURE}\n`],
    ["in a path", `/account/${WALLET}/tokens`],
    ["in a URL", `https://example.com/${WALLET}.png?a=${SIGNATURE}`],
    ["between underscores", `owner_${WALLET}_${SIGNATURE}`],
  ])("are found %s", (_, text) => {
    const replaced = pseudonyms(text);
    expect(replaced).not.toContain(WALLET);
    expect(replaced).not.toContain(SIGNATURE);
    expect(replaced).toContain(pseudonyms(WALLET));
  });

  test.each([
    ["in front of letters", `${WALLET}abc`],
    ["behind letters", `xyz${WALLET}`],
    ["among letters that Base58 does not have", `0${WALLET}l${SIGNATURE}O`],
    ["one after the other", `${WALLET}${WALLET}${SIGNATURE}`],
  ])("are found %s, where they were a word before", (_, text) => {
    const known = createPseudonyms("secret");
    known.replace(`/account/${WALLET}?tx=${SIGNATURE}`);
    const replaced = known.replace(`{"memo":"${text}"}`);
    expect(replaced).toBe(
      `{"memo":"${text.replaceAll(WALLET, pseudonyms(WALLET)).replaceAll(SIGNATURE, pseudonyms(SIGNATURE))}"}`,
    );
    // A word may follow in the same text.
    expect(createPseudonyms("secret").replace(`xyz${WALLET}abc ${WALLET}`)).not.toContain(WALLET);
  });

  test("leave pseudonyms that stand beside what they replace", () => {
    const text = `${WALLET} ${pseudonyms(WALLET)}`;
    expect(pseudonyms(text)).toBe(`${pseudonyms(WALLET)} ${pseudonyms(pseudonyms(WALLET))}`);
  });

  test("leave everything else", () => {
    const text = `{"hash":"${"0f".repeat(32)}","word":"${WALLET}abc","n":12345678901234567890123456789012}`;
    expect(createPseudonyms("secret").replace(text)).toBe(text);
  });
});

test("a secret is created once, for its owner alone", () => {
  const folder = join(createTempFolder(), "state");
  const secret = loadPseudonymSecret(folder);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(loadPseudonymSecret(folder)).toBe(secret);
  if (process.platform !== "win32") expect(statSync(join(folder, "pseudonyms.key")).mode & 0o777).toBe(0o600);
});
