/** The data of pools and bonding curves: the accounts of the instruction that created them, and what their vaults hold. */
import type { Json } from "../../../../base/index.ts";
import {
  type AccountLayout,
  POOL_LAYOUTS,
  PRICE_STEPS,
  rentOfLayout,
  sqrtPriceX64,
  tickOf,
} from "../../../solana/index.ts";
import { interfaceOf, nameAccounts } from "../../interfaces/interface.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { SOL } from "../../store/schema.ts";
import { asText, decimalsOfMint, idOrUnknown, readBalance } from "../sql.ts";
import { readTree } from "../transaction/tree.ts";
import { type AccountDataReader, dataOf } from "./account-data.ts";

/** Virtual reserves of a curve beyond the real ones, and its supply. */
const VIRTUAL_LAMPORTS = 30_000_000_000n;
const VIRTUAL_TOKENS = 279_900_000_000_000n;
const UNSOLD = 206_900_000_000_000n;
const CURVE_SUPPLY = "1000000000000000";
const CURVE_RENT = rentOfLayout(POOL_LAYOUTS.pump as AccountLayout);

type Named = Readonly<Record<string, string | undefined>>;

function amountIn(db: LedgerReader, account: string | undefined, token: string | number | undefined): bigint {
  const tokenId = typeof token === "number" ? token : idOrUnknown(db, token ?? "");
  return BigInt(readBalance(db, idOrUnknown(db, account ?? ""), tokenId));
}

/** Returns what concentrated liquidity knows of its price. */
export function priceFields(first: bigint, second: bigint, step?: number) {
  const ratio = first > 0n && second > 0n ? Number(second) / Number(first) : 1;
  const liquidity = String(BigInt(Math.floor(Math.sqrt(Number(first)) * Math.sqrt(Number(second)))));
  return { liquidity, sqrtPrice: String(sqrtPriceX64(ratio)), tick: tickOf(ratio, step) };
}

/** Returns the reserves of a bonding curve from its tokens and its lamports. */
export function curveReserves(tokens: bigint, lamports: bigint) {
  const real = lamports > CURVE_RENT ? lamports - CURVE_RENT : 0n;
  const forSale = tokens > UNSOLD ? tokens - UNSOLD : 0n;
  return {
    virtualTokenReserves: String(forSale + VIRTUAL_TOKENS),
    virtualQuoteReserves: String(real + VIRTUAL_LAMPORTS),
    realTokenReserves: String(forSale),
    realQuoteReserves: String(real),
  };
}

/** The values of a pool by the name of its program: what follows from amounts in addition to its accounts. */
const VALUES: Readonly<
  Record<string, (db: LedgerReader, named: Named, feeBps: number) => Readonly<Record<string, Json | undefined>>>
> = {
  pump(db, { bondingCurve, associatedBondingCurve, mint, user }) {
    const reserves = curveReserves(amountIn(db, associatedBondingCurve, mint), amountIn(db, bondingCurve, SOL));
    const complete = reserves.realTokenReserves === "0";
    return { ...reserves, tokenTotalSupply: CURVE_SUPPLY, complete, creator: user };
  },
  pump_amm: (db, { creator, lpMint }) => ({ poolBump: 255, creator, lpSupply: String(supplyOf(db, lpMint)) }),
  whirlpool(db, { tokenVaultA, tokenMintA, tokenVaultB, tokenMintB }, feeBps) {
    const price = priceFields(amountIn(db, tokenVaultA, tokenMintA), amountIn(db, tokenVaultB, tokenMintB));
    return {
      tickSpacing: 64,
      feeTierIndexSeed: "QAA=",
      feeRate: feeBps * 100,
      protocolFeeRate: 1300,
      tickCurrentIndex: price.tick,
      ...price,
    };
  },
  raydium_amm_v3(db, { tokenVault0, tokenMint0, tokenVault1, tokenMint1, observationState, poolCreator }) {
    const { sqrtPrice, ...price } = priceFields(
      amountIn(db, tokenVault0, tokenMint0),
      amountIn(db, tokenVault1, tokenMint1),
    );
    const decimals = { mintDecimals0: decimalsOfMint(db, tokenMint0), mintDecimals1: decimalsOfMint(db, tokenMint1) };
    const accounts = { observationKey: observationState, owner: poolCreator };
    return { ...accounts, ...decimals, tickSpacing: 10, tickCurrent: price.tick, sqrtPriceX64: sqrtPrice, ...price };
  },
  meteora_dlmm(db, { reserveX, tokenMintX, reserveY, tokenMintY, funder }, feeBps) {
    const { tick } = priceFields(
      amountIn(db, reserveX, tokenMintX),
      amountIn(db, reserveY, tokenMintY),
      PRICE_STEPS.bin,
    );
    const mints = { tokenXMint: tokenMintX, tokenYMint: tokenMintY, creator: funder };
    const steps = { binStep: 20, binStepSeed: "FAA=", baseFactor: feeBps * 500, activeId: tick, indexReference: tick };
    return { ...mints, ...steps, minBinId: -21_835, maxBinId: 21_835, pairType: 3, version: 1 };
  },
  raydium_amm(db, { coinMint, pcMint, lpMint, userWallet }, feeBps) {
    const fees = {
      tradeFeeNumerator: String(feeBps),
      tradeFeeDenominator: "10000",
      swapFeeNumerator: String(feeBps),
      swapFeeDenominator: "10000",
    };
    const decimals = {
      coinDecimals: String(decimalsOfMint(db, coinMint)),
      pcDecimals: String(decimalsOfMint(db, pcMint)),
    };
    const limits = {
      minSeparateNumerator: "5",
      minSeparateDenominator: "10000",
      pnlNumerator: "12",
      pnlDenominator: "100",
    };
    return {
      status: "6",
      nonce: "254",
      depth: "3",
      ...fees,
      ...decimals,
      ...limits,
      ammOwner: userWallet,
      lpAmount: String(supplyOf(db, lpMint)),
    };
  },
};

function supplyOf(db: LedgerReader, mint: string | undefined): bigint {
  const row = db.get(
    `SELECT ${asText("supply")} AS supply FROM token_stats WHERE token_id = ?`,
    idOrUnknown(db, mint ?? ""),
  );
  return BigInt(String(row?.supply ?? 0));
}

/** Reads a pool or a bonding curve. */
export const readPool: AccountDataReader = (db, { id, address, ownerProgram }) => {
  const row = db.get(
    "SELECT p.created, p.fee_bps, n.name FROM pools p LEFT JOIN programs n ON n.account_id = p.program_id WHERE p.account_id = ?",
    id,
  );
  const name = String(row?.name);
  const [layout, values] = [POOL_LAYOUTS[name], VALUES[name]];
  if (!row || !layout || !values) return undefined;
  const created = readTree(db, Number(row.created)).find(
    ({ program, accounts }) => program === ownerProgram && accounts.includes(address),
  );
  if (!created) return undefined;
  const named: Named = nameAccounts(interfaceOf(created.programName, created.type), created.accounts);
  return dataOf(layout, { ...named, ...values(db, named, Number(row.fee_bps ?? 0)) });
};
