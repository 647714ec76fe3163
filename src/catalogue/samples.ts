/** Addresses and signatures for examples in the documentation. All of them exist on mainnet. */

/** The mint of USDC. */
export const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
/** The mint of wrapped SOL. */
export const WRAPPED_SOL = "So11111111111111111111111111111111111111112";
/** Native SOL in filters and exports; it differs from {@link WRAPPED_SOL} in the last character. */
export const NATIVE_SOL = "So11111111111111111111111111111111111111111";
/** The mint of JUP. */
export const JUP = "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN";
/** The mint of BONK. */
export const BONK = "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263";
/** A busy, labelled account: the authority of Raydium's AMM V4. */
export const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
/** An ordinary wallet. */
export const OTHER_WALLET = "ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk";
/** A stake account. */
export const STAKE_ACCOUNT = "4uEX6TQgZ3Zn4iXcjMDSnvEgEHpERa2YsguvCUNajx2B";
/** A pool: SOL and USDC on PumpSwap. */
export const POOL = "Gf7sXMoP8iRw4iiXmJ1nq4vxcRycbGXy5RL8a8LnTd3v";
/** An account with decodable data: a Meteora DLMM pool. */
export const DLMM_POOL = "4LACwj7JYQmHVX4UTrg17saEAgcKwX3Fk8sVUhnp1o6f";
/** The program of the Jupiter aggregator, version 6. */
export const JUPITER = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4";
/** The program of Orca's Whirlpools. */
export const WHIRLPOOL = "whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc";
/** The program of PumpSwap. */
export const PUMPSWAP = "pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA";
/** The signature of a transaction. */
export const SIGNATURE = "F16MuS9H67iSTdHqtfRXF4e6DaVVdQSnuBYRzGcFYXrJhgFS3zxmKeRpGNFjYrewT2738u59NA6wXfp2t7KwDSd";
/** The signature of another transaction. */
export const OTHER_SIGNATURE =
  "2k5SKZo9tAgK3w24EozcCSm1doWLmqoFTe8UeSHd2pp7KJbsH4pRdM78hwfDsSTEC7edJtNYAEGryZe5L1uxU5DU";
/** The slot of a block of December 2025. */
export const SLOT = 385804412;
/** The identifier of an NFT collection: Boryoku Dragonz. */
export const NFT_COLLECTION = "379049a2aa989f41301850d2a826413e02c728350d21e79721aacd6bbd4aca84";
