/** Platforms of programs and launched tokens. */
import type { PlatformFact } from "../../ledger/index.ts";

const ROWS: readonly (readonly [id: string, name: string, website: string, description: string])[] = [
  ["jupiter", "Jupiter", "https://jup.ag", "Finds the best route for a swap over the exchanges of Solana."],
  ["jupiterdca", "Jupiter DCA", "https://jup.ag/recurring", "Buys or sells a little at a time, on a schedule."],
  [
    "jupiter_limit_order",
    "Jupiter Limit Order",
    "https://jup.ag/limit",
    "Holds orders until the market meets a price.",
  ],
  ["jup_studio_launchpad", "Jup Studio", "https://studio.jup.ag", "Launches tokens on curves set up by their makers."],
  ["lifinity", "Lifinity", "https://lifinity.io", "A market maker on the chain that follows oracle prices."],
  ["meteora", "Meteora", "https://meteora.ag", "Pools whose fees and ranges follow the market."],
  ["orca", "Orca", "https://www.orca.so", "An exchange with concentrated liquidity."],
  ["raydium", "Raydium", "https://raydium.io", "An exchange with constant product and concentrated pools."],
  [
    "raydium_launchlab",
    "Raydium LaunchLab",
    "https://raydium.io/launchpad",
    "A bonding curve launch that ends in a pool.",
  ],
  ["letsbonkfun_launchpad", "LetsBonk", "https://bonk.fun", "A launchpad of the Bonk community on LaunchLab."],
  ["phoenix", "Phoenix", "https://www.phoenix.trade", "An order book wholly on the chain, settled at once."],
  ["openbook", "OpenBook", "https://www.openbook-solana.com", "A community order book that anyone can list on."],
  ["pumpfun", "Pump.fun", "https://pump.fun", "Launches tokens on a bonding curve and trades them after."],
  ["moonshot_launchpad", "Moonshot", "https://moonshot.money", "Launches tokens for people who come with a card."],
  ["believe_launchpad", "Believe", "https://believe.app", "Launches tokens of ideas and the people behind them."],
  ["bags_launchpad", "Bags", "https://bags.fm", "Launches tokens whose makers earn from each trade."],
  ["apepro", "Ape Pro", "https://ape.pro", "A trading terminal for young tokens."],
  ["stabble", "stabble", "https://stabble.org", "An exchange whose liquidity is managed for the provider."],
  [
    "solfi",
    "SolFi",
    "https://solscan.io/account/SoLFiHG9TfgtdUXUjWAxi3LtvYuFyDLVhBWxdMZxyCe",
    "Private liquidity that quotes through aggregators.",
  ],
  [
    "zerofi",
    "ZeroFi",
    "https://solscan.io/account/ZERor4xhbUycZ6gb9ntrhqscUcZmAbQDjEAtCf4hbZY",
    "Private liquidity with prices of its own.",
  ],
  ["sanctum", "Sanctum", "https://sanctum.so", "Liquidity between the many forms of staked SOL."],
  ["marinade", "Marinade", "https://marinade.finance", "Stakes SOL over many validators and gives mSOL for it."],
  ["jito", "Jito", "https://www.jito.network", "Stakes SOL with validators that share tips and gives JitoSOL."],
  ["kamino", "Kamino", "https://kamino.com", "Lending, leverage and managed vaults."],
  ["marginfi", "marginfi", "https://www.marginfi.com", "A lending market with a margin account for everything."],
  ["save", "Save", "https://save.finance", "A lending market, formerly called Solend."],
  ["drift", "Drift", "https://www.drift.trade", "Perpetual futures, spot margin and lending."],
  ["squads", "Squads", "https://squads.xyz", "Accounts that several people control together."],
  ["realms", "Realms", "https://www.realms.today", "Votes and treasuries of organisations on the chain."],
  ["metaplex", "Metaplex", "https://www.metaplex.com", "The standards for the metadata of tokens and NFTs."],
  ["magiceden", "Magic Eden", "https://magiceden.io", "A marketplace for NFTs."],
  ["tensor", "Tensor", "https://www.tensor.trade", "A marketplace for NFT traders, with pools and bids."],
  ["sns", "Solana Name Service", "https://www.sns.id", "Names that stand for addresses and end in .sol."],
  ["wormhole", "Wormhole", "https://wormhole.com", "Messages and tokens between chains."],
];

/** The platforms; launch platforms have the ids of the catalogue. */
export const PLATFORM_FACTS: readonly PlatformFact[] = ROWS.map(([id, name, website, description]) => ({
  id,
  name,
  website,
  description,
}));
