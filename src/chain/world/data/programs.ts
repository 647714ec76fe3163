/** Well-known programs of mainnet that the world uses, and the platforms of programs and launched tokens. */
import { addressTitle, PROGRAM, programName } from "../../../catalogue/index.ts";
import type { PlatformFact, ProgramFact } from "../../ledger/index.ts";

type Row = readonly [address: string, platform?: string];

const ROWS = {
  system: [PROGRAM.system],
  token: [PROGRAM.token],
  token2022: [PROGRAM.token2022],
  associatedToken: [PROGRAM.associatedToken],
  computeBudget: [PROGRAM.computeBudget],
  vote: [PROGRAM.vote],
  stake: [PROGRAM.stake],
  config: [PROGRAM.config],
  loader: [PROGRAM.upgradeableLoader],
  memo: [PROGRAM.memo],
  lookupTable: [PROGRAM.lookupTable],
  nameService: ["namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX", "sns"],
  governance: ["GovER5Lthms3bLBqWub97yVrMmEogzX7xNjdXpPPCVZw", "realms"],
  metadata: [PROGRAM.tokenMetadata, "metaplex"],
  candyMachine: ["CndyV3LdqHUfDLmE5naZjVN8rBZz4tqhdefbAnjHG3JR", "metaplex"],
  jupiter: ["JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4", "jupiter"],
  jupiterV4: ["JUP4Fb2cqiRUcaTHdrPC8h2gNsA2ETXiPDD33WcGuJB", "jupiter"],
  jupiterVote: ["voTpe3tHQ7AjQHMapgSue2HJFAh2cGsdokqN3XqmVSj", "jupiter"],
  jupiterDca: ["DCA265Vj8a9CEuX1eb1LWRnDT7uK6q1xMipnNyatn23M", "jupiterdca"],
  jupiterLimit: ["j1o2qRpjcyUwEvwtcfhEQefh773ZgjxcVRry7LDqg5X", "jupiter_limit_order"],
  raydiumAmm: ["675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8", "raydium"],
  raydiumCpmm: ["CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C", "raydium"],
  raydiumClmm: ["CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK", "raydium"],
  raydiumLaunchlab: ["LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj", "raydium_launchlab"],
  whirlpool: ["whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc", "orca"],
  meteoraDlmm: ["LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo", "meteora"],
  meteoraDamm: ["Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB", "meteora"],
  meteoraCurves: ["dbcij3LWUppWqq96dh6gJWwBifmcGFLSB5D4DuSMaqN", "meteora"],
  phoenix: ["PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY", "phoenix"],
  openbook: ["opnb2LAfJYbRMAHHvqjCwQxanZn7ReEHp1k81EohpZb", "openbook"],
  pump: ["6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P", "pumpfun"],
  pumpSwap: ["pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA", "pumpfun"],
  lifinity: ["2wT8Yq49kHgDzXuPxZSaeLaH1qbmGXtEyPy64bL7aD3c", "lifinity"],
  solfi: ["SoLFiHG9TfgtdUXUjWAxi3LtvYuFyDLVhBWxdMZxyCe", "solfi"],
  zerofi: ["ZERor4xhbUycZ6gb9ntrhqscUcZmAbQDjEAtCf4hbZY", "zerofi"],
  stabble: ["swapNyd8XiQwJ6ianp9snpu4brUqFxadzvHebnAXjJZ", "stabble"],
  moonshot: ["MoonCVVNZFSYkqNXP6bxHLPL6QQJiMagDL3qcqUQTrG", "moonshot_launchpad"],
  sanctum: ["5ocnV1qiCgaQR8Jb8xWnVbApfaygJ8tNoZfgPwsgx9kx", "sanctum"],
  marinade: ["MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD", "marinade"],
  stakePool: ["SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy", "jito"],
  kaminoLend: ["KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD", "kamino"],
  kaminoVault: ["KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd", "kamino"],
  marginfi: ["MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA", "marginfi"],
  solend: ["So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo", "save"],
  drift: ["dRiftyHA39MWEi3m9aunc5MzRF1JYuBsbn6VPcn33UH", "drift"],
  squads: ["SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf", "squads"],
  magicEden: ["M2mx93ekt1fmXSVkTrUL9xVFHkmME8HTUi5Cyc5aF7K", "magiceden"],
  magicEdenAmm: ["mmm3XBJg5gk8XJxEKBvdgptZz6SgK4tXvn36sodowMc", "magiceden"],
  tensor: ["TSWAPaqyCSx2KABk68Shruf4rp7CxcNi8hAsbdwmHbN", "tensor"],
  bubblegum: ["BGUMAP9Gq7iTEuizy4pqaXsTyUCBK68MDfK752saRPUY", "metaplex"],
  compression: ["cmtDvXumGCrqC1Age74AVPhSWVJMd8PJS91L8KbNSCK"],
  noop: ["noopb9bkMVfRPU8AsbpTUg8AQkHtKwMYZiFUjNRtMmV"],
  jitoTips: ["T1pyyaTNZsKv2WcRAB8oVnk93mLJw2XzjCVYqCHaHqt", "jito"],
  wormhole: ["wormDTUJ6AWPNvk59vGQbDvGJmqbDTdgWgAqcLBCgUb", "wormhole"],
} as const satisfies Record<string, Row>;

/** Short name of a well-known program. */
export type ProgramName = keyof typeof ROWS;

/** The well-known programs by short name: `PROGRAMS.token.address`. Platforms are ids of {@link PLATFORM_FACTS}. */
export const PROGRAMS = Object.fromEntries(
  Object.entries<Row>(ROWS).map(([key, [address, platform]]) => [
    key,
    { address, name: programName(address) ?? address, ...(platform === undefined ? {} : { platform }) },
  ]),
) as Readonly<Record<ProgramName, ProgramFact>>;

/** Returns the label of a program. */
export const describeProgram = ({ address, name }: ProgramFact): string => addressTitle(address) ?? name;

/** Native programs: their accounts belong to the native loader. */
export const NATIVE_PROGRAMS: readonly string[] = [
  "system",
  "computeBudget",
  "vote",
  "stake",
  "config",
  "loader",
  "lookupTable",
] satisfies ProgramName[];

/** Id, name, website and description. */
const PLATFORMS = `
jupiter | Jupiter | https://jup.ag | Finds the best route for a swap over the exchanges of Solana.
jupiterdca | Jupiter DCA | https://jup.ag/recurring | Buys or sells a little at a time, on a schedule.
jupiter_limit_order | Jupiter Limit Order | https://jup.ag/limit | Holds orders until the market meets a price.
jup_studio_launchpad | Jup Studio | https://studio.jup.ag | Launches tokens on curves set up by their makers.
lifinity | Lifinity | https://lifinity.io | A market maker on the chain that follows oracle prices.
meteora | Meteora | https://meteora.ag | Pools whose fees and ranges follow the market.
orca | Orca | https://www.orca.so | An exchange with concentrated liquidity.
raydium | Raydium | https://raydium.io | An exchange with constant product and concentrated pools.
raydium_launchlab | Raydium LaunchLab | https://raydium.io/launchpad | A bonding curve launch that ends in a pool.
letsbonkfun_launchpad | LetsBonk | https://bonk.fun | A launchpad of the Bonk community on LaunchLab.
phoenix | Phoenix | https://www.phoenix.trade | An order book wholly on the chain, settled at once.
openbook | OpenBook | https://www.openbook-solana.com | A community order book that anyone can list on.
pumpfun | Pump.fun | https://pump.fun | Launches tokens on a bonding curve and trades them after.
moonshot_launchpad | Moonshot | https://moonshot.money | Launches tokens for people who come with a card.
believe_launchpad | Believe | https://believe.app | Launches tokens of ideas and the people behind them.
bags_launchpad | Bags | https://bags.fm | Launches tokens whose makers earn from each trade.
apepro | Ape Pro | https://ape.pro | A trading terminal for young tokens.
stabble | stabble | https://stabble.org | An exchange whose liquidity is managed for the provider.
solfi | SolFi | https://solscan.io/account/SoLFiHG9TfgtdUXUjWAxi3LtvYuFyDLVhBWxdMZxyCe | Private liquidity that quotes through aggregators.
zerofi | ZeroFi | https://solscan.io/account/ZERor4xhbUycZ6gb9ntrhqscUcZmAbQDjEAtCf4hbZY | Private liquidity with prices of its own.
sanctum | Sanctum | https://sanctum.so | Liquidity between the many forms of staked SOL.
marinade | Marinade | https://marinade.finance | Stakes SOL over many validators and gives mSOL for it.
jito | Jito | https://www.jito.network | Stakes SOL with validators that share tips and gives JitoSOL.
kamino | Kamino | https://kamino.com | Lending, leverage and managed vaults.
marginfi | marginfi | https://www.marginfi.com | A lending market with a margin account for everything.
save | Save | https://save.finance | A lending market, formerly called Solend.
drift | Drift | https://www.drift.trade | Perpetual futures, spot margin and lending.
squads | Squads | https://squads.xyz | Accounts that several people control together.
realms | Realms | https://www.realms.today | Votes and treasuries of organisations on the chain.
metaplex | Metaplex | https://www.metaplex.com | The standards for the metadata of tokens and NFTs.
magiceden | Magic Eden | https://magiceden.io | A marketplace for NFTs.
tensor | Tensor | https://www.tensor.trade | A marketplace for NFT traders, with pools and bids.
sns | Solana Name Service | https://www.sns.id | Names that stand for addresses and end in .sol.
wormhole | Wormhole | https://wormhole.com | Messages and tokens between chains.
`;

/** The platforms; launch platforms have the ids of the catalogue. */
export const PLATFORM_FACTS: readonly PlatformFact[] = PLATFORMS.trim()
  .split("\n")
  .map((row) => {
    const [id = "", name = "", website = "", description = ""] = row.split(" | ");
    return { id, name, website, description };
  });
