/** Accounts of exchanges: pools and bonding curves. */
import {
  address,
  base64Bytes,
  bool,
  type Fields,
  i32,
  i64,
  type ReadValue,
  u8,
  u16,
  u32,
  u64Text,
  u128Text,
} from "../values.ts";
import { type AccountLayout, anchorMark } from "./layout.ts";

const TYPES: Readonly<Record<string, ReadValue>> = {
  key: address,
  u8,
  u16,
  u32,
  u64: u64Text,
  u128: u128Text,
  i32,
  i64,
  bool,
};

/** Returns fields from their names and types; a number stands for as many bytes, and names without a type for 64 bits. */
function fieldsOf(text: string): Fields {
  const words = text.trim().split(/\s+/);
  return Object.fromEntries(
    words.map((word) => {
      const [name = "", type = "u64"] = word.split(":");
      return [name, TYPES[type] ?? base64Bytes(Number(type))];
    }),
  );
}

/** Returns the layout of an account of the Anchor framework, which begins with eight bytes of a hash. */
function anchorLayout(name: string, fields: string): AccountLayout {
  return {
    type: name.charAt(0).toLowerCase() + name.slice(1),
    name,
    fields: { "#discriminator": anchorMark(name), ...fieldsOf(fields) },
  };
}

const numbered = (count: number, fields: string): string =>
  Array.from({ length: count }, (_, n) => fields.replace(/(\w+):/g, `$1${n}:`)).join(" ");

/** Layouts of pools by the name of the program. */
export const POOL_LAYOUTS: Readonly<Record<string, AccountLayout>> = {
  pump: anchorLayout(
    "BondingCurve",
    `virtualTokenReserves virtualQuoteReserves realTokenReserves realQuoteReserves tokenTotalSupply complete:bool
    creator:key isMayhemMode:bool isCashbackCoin:bool quoteMint:key creatorFeeBps canEditCreatorFee:bool
    isHolderReward:bool padding:26`,
  ),
  pump_amm: anchorLayout(
    "Pool",
    `poolBump:u8 index:u16 creator:key baseMint:key quoteMint:key lpMint:key poolBaseTokenAccount:key
    poolQuoteTokenAccount:key lpSupply coinCreator:key isMayhemMode:bool isCashbackCoin:bool virtualQuoteReserves:u128
    creatorFeeBps canEditCreatorFee:bool isHolderReward:bool padding:29`,
  ),
  whirlpool: anchorLayout(
    "Whirlpool",
    `whirlpoolsConfig:key whirlpoolBump:1 tickSpacing:u16 feeTierIndexSeed:2 feeRate:u16 protocolFeeRate:u16
    liquidity:u128 sqrtPrice:u128 tickCurrentIndex:i32 protocolFeeOwedA protocolFeeOwedB tokenMintA:key tokenVaultA:key
    feeGrowthGlobalA:u128 tokenMintB:key tokenVaultB:key feeGrowthGlobalB:u128 rewardLastUpdatedTimestamp
    ${numbered(3, "rewardMint:key rewardVault:key rewardExtension:32 rewardEmissions:u128 rewardGrowth:u128")}`,
  ),
  raydium_amm_v3: anchorLayout(
    "PoolState",
    `bump:1 ammConfig:key owner:key tokenMint0:key tokenMint1:key tokenVault0:key tokenVault1:key observationKey:key
    mintDecimals0:u8 mintDecimals1:u8 tickSpacing:u16 liquidity:u128 sqrtPriceX64:u128 tickCurrent:i32 padding3:u16
    padding4:u16 feeGrowthGlobal0:u128 feeGrowthGlobal1:u128 protocolFeesToken0 protocolFeesToken1
    swapInAmountToken0:u128 swapOutAmountToken1:u128 swapInAmountToken1:u128 swapOutAmountToken0:u128 status:u8
    padding:7 rewardInfos:507 tickArrayBitmap:128 totalFeesToken0 totalFeesClaimedToken0 totalFeesToken1
    totalFeesClaimedToken1 fundFeesToken0 fundFeesToken1 openTime recentEpoch padding1:192 padding2:256`,
  ),
  meteora_dlmm: anchorLayout(
    "LbPair",
    `baseFactor:u16 filterPeriod:u16 decayPeriod:u16 reductionFactor:u16 variableFeeControl:u32
    maxVolatilityAccumulator:u32 minBinId:i32 maxBinId:i32 protocolShare:u16 baseFeePowerFactor:u8 functionType:u8
    collectFeeMode:u8 padding:3 volatilityAccumulator:u32 volatilityReference:u32 indexReference:i32 padding0:4
    lastUpdateTimestamp:i64 padding1:8 bumpSeed:1 binStepSeed:2 pairType:u8 activeId:i32 binStep:u16 status:u8
    requireBaseFactorSeed:u8 baseFactorSeed:2 activationType:u8 creatorPoolOnOffControl:u8 tokenXMint:key
    tokenYMint:key reserveX:key reserveY:key protocolFeeX protocolFeeY padding2:32
    ${numbered(2, "rewardMint:key rewardVault:key rewardFunder:key rewardDuration:u64 rewardDurationEnd:u64 rewardRate:u128 rewardLastUpdateTime:u64 rewardCumulativeSeconds:u64")}
    oracle:key binArrayBitmap:128 lastUpdatedAt:i64 padding3:32 preActivationSwapAddress:key baseKey:key activationPoint
    preActivationDuration padding4:16 creator:key tokenMintXProgramFlag:u8 tokenMintYProgramFlag:u8 version:u8
    reserved:21`,
  ),
  raydium_amm: {
    type: "ammInfo",
    name: "AmmInfo",
    fields: fieldsOf(
      `status nonce orderNum depth coinDecimals pcDecimals state resetFlag minSize volMaxCutRatio amountWave coinLotSize
      pcLotSize minPriceMultiplier maxPriceMultiplier sysDecimalValue minSeparateNumerator minSeparateDenominator
      tradeFeeNumerator tradeFeeDenominator pnlNumerator pnlDenominator swapFeeNumerator swapFeeDenominator
      needTakePnlCoin needTakePnlPc totalPnlPc totalPnlCoin poolOpenTime punishPcAmount punishCoinAmount
      orderbookToInitTime swapCoinInAmount:u128 swapPcOutAmount:u128 swapAccPcFee swapPcInAmount:u128
      swapCoinOutAmount:u128 swapAccCoinFee poolCoinTokenAccount:key poolPcTokenAccount:key coinMint:key pcMint:key
      lpMint:key ammOpenOrders:key serumMarket:key serumProgram:key ammTargetOrders:key padding1:64 ammOwner:key
      lpAmount clientOrderId recentEpoch padding2`,
    ),
  },
};

/** The steps between the prices of concentrated liquidity: of ticks, and of Meteora, twenty basis points. */
export const PRICE_STEPS = { tick: 1.0001, bin: 1.002 } as const;

/** Returns the number of steps from a price of 1 to a price. */
export const tickOf = (price: number, step: number = PRICE_STEPS.tick): number =>
  Math.floor(Math.log(price) / Math.log(step));

/** Returns the square root of a price as programs store it: with 64 binary digits after the point. */
export const sqrtPriceX64 = (price: number): bigint => BigInt(Math.floor(Math.sqrt(price) * 2 ** 64));
