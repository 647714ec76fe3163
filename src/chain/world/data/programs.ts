/** Well-known programs of mainnet that the world uses. Their names and titles are those of the catalogue. */
import { addressTitle, PROGRAM, programName } from "../../../catalogue/index.ts";
import type { ProgramFact } from "../../ledger/index.ts";

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
  meteoraDammV2: ["cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG", "meteora"],
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

/** The well-known programs by short name: `PROGRAMS.token.address`. Platforms are ids of platforms.ts. */
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
