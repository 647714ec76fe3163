/** Addresses, as the runtime derives them. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { address, getAddressEncoder, isOffCurveAddress } from "@solana/kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isAddress } from "../../../src/catalogue/index.ts";
import {
  addressTitle,
  encodeBase58,
  isOnCurve,
  isTipAccount,
  knownPrograms,
  metadataAddress,
  PROGRAM,
  programAddress,
  programDataAddress,
  programName,
  SYSVAR,
} from "../../../src/chain/solana/index.ts";

const addresses = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => address(encodeBase58(bytes)));
const bytesOf = (text: string) => getAddressEncoder().encode(address(text));

/** Derives an address as the runtime does: the first hash that is not a point of the curve. */
function derive(program: string, ...seeds: readonly (string | Uint8Array)[]): string {
  const parts = seeds.map((seed) => Buffer.from(seed as Uint8Array));
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash("sha256");
    for (const part of [...parts, Uint8Array.of(bump), bytesOf(program), "ProgramDerivedAddress"]) {
      hash.update(part as Uint8Array);
    }
    const derived = encodeBase58(hash.digest());
    if (!isOnCurve(derived)) return derived;
  }
  return "";
}

test("addresses derived by programs", async () => {
  await fc.assert(
    fc.asyncProperty(addresses, addresses, fc.uint8Array({ maxLength: 32 }), async (mint, owner, seed) => {
      const metadata = PROGRAM.tokenMetadata;
      const path = ["metadata", bytesOf(metadata), bytesOf(mint)] as Uint8Array[];
      expect(await metadataAddress(mint)).toBe(derive(metadata, ...path));
      expect(await programDataAddress(mint)).toBe(derive(PROGRAM.upgradeableLoader, bytesOf(mint) as Uint8Array));
      expect(await programAddress(["seed", seed], owner)).toBe(derive(owner, "seed", seed));
      const accountPath = [owner, PROGRAM.token2022, mint].map(bytesOf) as Uint8Array[];
      const account = await programAddress(accountPath, PROGRAM.associatedToken);
      expect(account).toBe(derive(PROGRAM.associatedToken, ...accountPath));
      for (const each of [mint, owner, account]) expect(isOnCurve(each)).toBe(!isOffCurveAddress(address(each)));
    }),
    { numRuns: 40 },
  );
});

test("texts that are no addresses", () => {
  for (const text of ["", "1", "0".repeat(32), encodeBase58(new Uint8Array(33)), "l".repeat(44)]) {
    expect([text, isAddress(text), isOnCurve(text)]).toEqual([text, false, false]);
  }
});

test("well-known programs have valid addresses, a name and a title", () => {
  for (const program of knownPrograms()) {
    expect(Buffer.from(bytesOf(program))).toHaveLength(32);
    expect(programName(program)).toMatch(/^[\w-]+$/);
    expect(addressTitle(program)).toMatch(/^[A-Z\dm]/);
  }
  for (const program of Object.values(PROGRAM))
    expect([program, programName(program)]).not.toEqual([program, undefined]);
  for (const sysvar of Object.values(SYSVAR)) expect(addressTitle(sysvar)).toBeDefined();
  expect(new Set(knownPrograms()).size).toBe(knownPrograms().length);
  expect(programName("constructor")).toBe(undefined);
  expect(addressTitle("constructor")).toBe(undefined);
  expect(isTipAccount("96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5")).toBe(true);
});
