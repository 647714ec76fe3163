/** What programs write into the log of a transaction that they carry out: events, and the values that they return. */
import { sha256 } from "../../../base/index.ts";
import { type InstructionArgument, parseArgument, wordsOf } from "./interface.ts";

/** A value in the log. */
export interface InstructionOutput {
  /** What is before the value, which is written in base64. */
  readonly prefix: string;
  /** Whether the runtime writes it, after the units. */
  readonly isReturned: boolean;
  /** The first bytes in hexadecimal digits. */
  readonly tag: string;
  readonly fields: readonly InstructionArgument[];
}

/** Fields after a trade on a curve: its reserves, virtual and real, of lamports and of tokens. */
const CURVE = (name: string): string => `~${name}(##associatedBondingCurve,##bondingCurve)`;
/** Fields of events about pools of two tokens: what the user and the pool had before. */
const POOL =
  "userBaseTokenReserves:u64=#userBaseTokenAccount userQuoteTokenReserves:u64=#userQuoteTokenAccount poolBaseTokenReserves:u64=#poolBaseTokenAccount poolQuoteTokenReserves:u64=#poolQuoteTokenAccount";
/** Fields of events about pools: their accounts, and the fee for their creators. */
const TRADERS =
  "pool:pubkey user:pubkey userBaseTokenAccount:pubkey userQuoteTokenAccount:pubkey protocolFeeRecipient:pubkey protocolFeeRecipientTokenAccount:pubkey coinCreator:pubkey=0 coinCreatorFeeBasisPoints:u64=0 coinCreatorFee:u64=0";
/** The first token of a pool has the lower address. */
const FIRST_IN = "inputVaultMint<outputVaultMint";

/**
 * By the names of the programs; a line is `type,type name field:type=source …`. The name is that of an event of the Anchor
 * framework, `return` for a value that is returned, or what a program writes before a value. The sources are those of
 * arguments (see programs.ts), and in addition `#account`, what an account held before the transaction, `##account`, what
 * it holds afterwards, `~name(a,b)`, a value that follows from two others, such as the reserves of a pool, and `condition?a:b`.
 */
const OUTPUTS: Readonly<Record<string, string>> = {
  "spl-token": "getAccountDataSize return size:u64=accountSize",
  "spl-token-2022": "getAccountDataSize return size:u64=accountSize",
  jupiter_v6: "sharedAccountsRoute return outAmount:u64=@destinationTokenAccount",
  pump: `
createV2 CreateEvent name:string symbol:string uri:string mint:pubkey bondingCurve:pubkey user:pubkey creator:pubkey=user timestamp:i64 virtualTokenReserves:u64=1073000000000000 virtualSolReserves:u64=30000000000 realTokenReserves:u64=793100000000000 tokenTotalSupply:u64=1000000000000000 tokenProgram:pubkey isMayhemMode:bool=0 isCashbackEnabled:bool=0 quoteMint:pubkey=0 virtualQuoteReserves:u64=30000000000 creatorFeeBps:u64=0 isHolderReward:bool=0 depth:u8=0
buy,sell TradeEvent mint:pubkey solAmount:u64=@bondingCurve tokenAmount:u64=@associatedUser isBuy:bool=>bondingCurve user:pubkey timestamp:i64 virtualSolReserves:u64=${CURVE("virtualQuoteReserves")} virtualTokenReserves:u64=${CURVE("virtualTokenReserves")} realSolReserves:u64=${CURVE("realQuoteReserves")} realTokenReserves:u64=${CURVE("realTokenReserves")} feeRecipient:pubkey feeBasisPoints:u64=100 fee:u64=@bondingCurve%100 creator:pubkey creatorFeeBasisPoints:u64=0 creatorFee:u64=0 trackVolume:bool=>bondingCurve totalUnclaimedTokens:u64=0 totalClaimedTokens:u64=0 currentSolVolume:u64=0 lastUpdateTimestamp:i64=timestamp ixName:string mayhemMode:bool=0 cashbackFeeBasisPoints:u64=0 cashback:u64=0 buybackFeeBasisPoints:u64=0 buybackFee:u64=0 shareholders:u32=0 quoteMint:pubkey=0 quoteAmount:u64=@bondingCurve virtualQuoteReserves:u64=${CURVE("virtualQuoteReserves")} realQuoteReserves:u64=${CURVE("realQuoteReserves")} holderRewardsBps:u64=0 holderRewards:u64=0 creatorFeeUnclaimed:u64=0
migrate CompletePumpAmmMigrationEvent user:pubkey mint:pubkey mintAmount:u64=@associatedBondingCurve solAmount:u64=~difference(@bondingCurve,15000000) poolMigrationFee:u64=15000000 bondingCurve:pubkey timestamp:i64 pool:pubkey quoteMint:pubkey=0`,
  pump_amm: `
buy BuyEvent timestamp:i64 baseAmountOut:u64=@poolBaseTokenAccount maxQuoteAmountIn:u64=@poolQuoteTokenAccount+10 ${POOL} quoteAmountIn:u64=@poolQuoteTokenAccount%9970 lpFeeBasisPoints:u64=30 lpFee:u64=@poolQuoteTokenAccount%30 protocolFeeBasisPoints:u64=0 protocolFee:u64=0 quoteAmountInWithLpFee:u64=@poolQuoteTokenAccount userQuoteAmountIn:u64=@poolQuoteTokenAccount ${TRADERS} trackVolume:bool=1 totalUnclaimedTokens:u64=0 totalClaimedTokens:u64=0 currentSolVolume:u64=0 lastUpdateTimestamp:i64=timestamp minBaseAmountOut:u64=@poolBaseTokenAccount ixName:string
sell SellEvent timestamp:i64 baseAmountIn:u64=@poolBaseTokenAccount minQuoteAmountOut:u64=@poolQuoteTokenAccount-10 ${POOL} quoteAmountOut:u64=@poolQuoteTokenAccount%10030 lpFeeBasisPoints:u64=30 lpFee:u64=@poolQuoteTokenAccount%30 protocolFeeBasisPoints:u64=0 protocolFee:u64=0 quoteAmountOutWithoutLpFee:u64=@poolQuoteTokenAccount userQuoteAmountOut:u64=@poolQuoteTokenAccount ${TRADERS}`,
  whirlpool: `
swapV2 Traded whirlpool:pubkey aToB:bool=>tokenVaultA preSqrtPrice:u128=~sqrtPrice(#tokenVaultA,#tokenVaultB) postSqrtPrice:u128=~sqrtPrice(##tokenVaultA,##tokenVaultB) inputAmount:u64=@first outputAmount:u64=@last inputTransferFee:u64=0 outputTransferFee:u64=0 lpFee:u64=@first%14 protocolFee:u64=@first%2`,
  raydium_amm: `
swapBaseIn ray_log type:u8=3 amountIn:u64=@uerSourceTokenAccount minimumOut:u64=@uerDestinationTokenAccount-5 direction:u64=>poolPcTokenAccount?1:2 userSource:u64=#uerSourceTokenAccount poolCoin:u64=#poolCoinTokenAccount poolPc:u64=#poolPcTokenAccount outAmount:u64=@uerDestinationTokenAccount`,
  raydium_amm_v3: `
swapV2 SwapEvent poolState:pubkey sender:pubkey=payer tokenAccount0:pubkey=${FIRST_IN}?inputTokenAccount:outputTokenAccount tokenAccount1:pubkey=${FIRST_IN}?outputTokenAccount:inputTokenAccount amount0:u64=${FIRST_IN}?@inputVault:@outputVault transferFee0:u64=0 amount1:u64=${FIRST_IN}?@outputVault:@inputVault transferFee1:u64=0 zeroForOne:bool=${FIRST_IN}?1:0 sqrtPriceX64:u128=${FIRST_IN}?~sqrtPrice(##inputVault,##outputVault):~sqrtPrice(##outputVault,##inputVault) liquidity:u128=~liquidity(##inputVault,##outputVault) tick:i32=${FIRST_IN}?~tick(##inputVault,##outputVault):~tick(##outputVault,##inputVault)`,
};

const parsed = new Map<string, readonly InstructionOutput[]>();

/** Returns what an instruction of a kind writes, by the name of its program. */
export function outputsOf(program: string, type: string): readonly InstructionOutput[] {
  const key = `${program} ${type}`;
  const outputs = parsed.get(key) ?? parseOutputs(program, type);
  parsed.set(key, outputs);
  return outputs;
}

function parseOutputs(program: string, type: string): readonly InstructionOutput[] {
  const lines = Object.hasOwn(OUTPUTS, program) ? (OUTPUTS[program] ?? "").split("\n") : [];
  return lines.flatMap((line) => {
    const [types = "", name = "", ...fields] = wordsOf(line);
    if (!types.split(",").includes(type)) return [];
    const isEvent = /^[A-Z]/.test(name);
    return [
      {
        prefix: isEvent ? "Program data: " : `Program log: ${name}: `,
        isReturned: name === "return",
        tag: isEvent ? sha256(`event:${name}`).slice(0, 16) : "",
        fields: fields.map(parseArgument),
      },
    ];
  });
}
