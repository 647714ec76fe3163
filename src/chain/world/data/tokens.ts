/** Well-known tokens of mainnet. Initial prices and supplies are plausible, not actual. */
import { DAY_SECONDS } from "../../../base/index.ts";
import { PROGRAM } from "../../../catalogue/index.ts";
import type { TokenSpec } from "../economy/accounts.ts";
import { Random } from "../random.ts";
import { arweaveUri, ipfsUri } from "./names.ts";

/** The initial properties of a well-known token. */
export interface KnownToken extends TokenSpec {
  readonly address: string;
  /** Dollars for one whole token. */
  readonly price: number;
  /** Base units, below 2^63; 0 for wrapped SOL, which users wrap as needed. */
  readonly supply: bigint;
  /** Token program of the mint. */
  readonly program: string;
  readonly mintAuthority: string | undefined;
  readonly freezeAuthority: string | undefined;
}

/** Symbol, name, address, decimals, dollar price, supply in base units, website, day of creation. */
const TABLE = `
WSOL | Wrapped SOL | So11111111111111111111111111111111111111112 | 9 | 148.2 | 0 | solana.com | 2020-03-16
USDC | USDC | EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v | 6 | 1 | 7521286762876240 | www.circle.com/usdc | 2020-10-22
USDT | USDT | Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB | 6 | 1 | 2389928455110772 | tether.to | 2021-03-09
PYUSD | PayPal USD | 2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo | 6 | 1 | 676942446706090 | www.paypal.com/pyusd | 2024-05-16
EURC | EURC | HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr | 6 | 1.16 | 12860114930441 | www.circle.com/eurc | 2023-12-12
USDS | USDS | USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA | 6 | 1 | 138204117553208 | sky.money | 2024-10-29
mSOL | Marinade staked SOL | mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So | 9 | 193.4 | 3104662918227015 | marinade.finance | 2021-06-13
JitoSOL | Jito Staked SOL | J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn | 9 | 181.6 | 12706553418090664 | www.jito.network | 2022-10-11
bSOL | BlazeStake Staked SOL | bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1 | 9 | 169.9 | 941227006518330 | stake.solblaze.org | 2022-08-30
JupSOL | Jupiter Staked SOL | jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v | 9 | 168.7 | 4012886440120907 | jup.ag | 2024-04-03
INF | Infinity | 5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm | 9 | 199.3 | 1187340221904118 | sanctum.so | 2021-10-05
JUP | Jupiter | JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN | 6 | 0.46 | 6999203727405118 | jup.ag | 2023-12-15
BONK | Bonk | DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263 | 5 | 0.0000187 | 8799478002118346721 | bonkcoin.com | 2022-12-19
RAY | Raydium | 4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R | 6 | 2.31 | 554998217661094 | raydium.io | 2021-02-08
ORCA | Orca | orcaEKTdK7LKz57vaAYr9QeNsVEPfiu6QeMU1kektZE | 6 | 1.74 | 74998116553209 | www.orca.so | 2021-07-12
PYTH | Pyth Network | HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3 | 6 | 0.118 | 9999972112648310 | www.pyth.network | 2023-10-26
JTO | JITO | jtojtomepa8beP8AuQc6eXt5FriJwfFMwQx2v2f9mCL | 9 | 1.62 | 999999113820441225 | www.jito.network | 2023-11-17
W | Wormhole Token | 85VBFQZC9TZkfaptBWjvUw7YbZjy52A6mjtPGjstQAmQ | 6 | 0.071 | 5306912008846113 | wormhole.com | 2024-03-05
DRIFT | Drift | DriFtupJYLTosbwoN8koMbEYSx54aFAVLddWsbksjwg7 | 6 | 0.49 | 999988342900718 | www.drift.trade | 2024-04-16
KMNO | Kamino | KMNo3nJsBXfcpJTVhZcXLW7RmTwTt4GVFE7suUBo9sS | 6 | 0.054 | 9999981224553006 | kamino.com | 2024-03-27
CLOUD | Cloud | CLoUDKc4Ane7HeQcPpE3YHnznRxhMimJ4MyaUqyHFzAu | 9 | 0.13 | 999991204881773290 | sanctum.so | 2024-06-28
MNDE | Marinade | MNDEFzGvMt87ueuHvVU9VcTqsAP5b3fTGPsHuuPA5ey | 9 | 0.102 | 999950433871220118 | marinade.finance | 2021-09-27
TNSR | Tensor | TNSRxcUxoT9xBG3de7PiJyTDYu7kskLqcpddxnEJAS6 | 9 | 0.119 | 999999540226917803 | www.tensor.trade | 2024-03-20
HNT | Helium Network Token | hntyVP6YFm1Hg25TN9WGLqM12b8TQmcknKrdu1oxWux | 8 | 2.94 | 18601447220915338 | www.helium.com | 2023-02-22
MOBILE | Helium Mobile | mb1eu7TzEc71KxDpsmsKoucSSuuoGLv1drys1oP2jh6 | 6 | 0.00031 | 89280663127450914 | www.helium.com | 2023-02-22
RENDER | Render Token | rndrizKT3MK1iimdxRdWabcF7Zg7AR5T4nud4EkHBof | 8 | 3.58 | 49277038115290441 | rendernetwork.com | 2023-10-03
GRASS | Grass | Grass7B4RdKfBCjTKgSqnXkqjwiGvQyFbuSCUJr3XXjs | 9 | 0.87 | 999998870341205667 | www.getgrass.io | 2024-10-14
wETH | Ether (Portal) | 7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs | 8 | 3412.7 | 2844190337462 | ethereum.org | 2021-09-10
wBTC | Wrapped BTC (Portal) | 3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh | 8 | 98640 | 39117440216 | bitcoin.org | 2021-09-10
WIF | dogwifhat | EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm | 6 | 0.86 | 998840667205118 | dogwifcoin.org | 2023-11-19
POPCAT | Popcat | 7GCihgDB8fe6KNjn2MYtkzZcRjQy3t9GHdC8uHYmW2hr | 9 | 0.28 | 979973130442091857 | www.popcatsolana.xyz | 2023-12-12
MEW | cat in a dogs world | MEW1gQWJ3nEXg2qgERiKu7FAFj79PHvQVREQUzScPP5 | 5 | 0.0024 | 8888839220114053 | mew.xyz | 2024-03-25
BOME | BOOK OF MEME | ukHH6c7mMyiWCf1b9pnWe25TSpkDDt3H5pQZgZ74J82 | 6 | 0.0016 | 68951660118302447 | www.coingecko.com/en/coins/book-of-meme | 2024-03-12
PENGU | Pudgy Penguins | 2zMMhcVQEXDtdE6vsFS7S7D5oUodfJHE8vd1gnBouauv | 6 | 0.0192 | 88888660203417095 | www.pudgypenguins.com | 2024-12-06
TRUMP | OFFICIAL TRUMP | 6p6xgHyF7AeE6TZkSmFsko444wqoP15icUSqi2jfGiPN | 6 | 7.9 | 999998213440771 | gettrumpmemes.com | 2025-01-17
Fartcoin | Fartcoin | 9BB6NFEcjBCtnNLFko2FqVQBq8HHM13kCyYcdQbgpump | 6 | 0.81 | 999995106338244 | pump.fun | 2024-10-18
PUMP | Pump | pumpCmXqMfrsAkQ5r49WcJnRayYRqmXz6ae8H7H9Dfn | 6 | 0.0041 | 999990118206337551 | pump.fun | 2025-06-11
GMT | STEPN | 7i5KKsX2weiTkry7jA4ZwSuXGhs5eJBEjY8vVxR4pfRx | 9 | 0.041 | 4208331209446117002 | www.stepn.com | 2022-03-03
`;

const PYUSD_AUTHORITY = "2apBGMsS6ti9RyF5TwQTDswXBWskiJP2LD4cUEDqYJjk";
const PYUSD_MINT = "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo";

/** Mint and freeze authorities that are not revoked. */
const AUTHORITIES: Readonly<Record<string, readonly [mint: string, freeze?: string]>> = {
  USDC: ["BJE5MMbqXjVwjAF7oxwPYXnTXDyspzZyt4vwenNw5ruG", "7dGbd2QZcCKcTndnHcTL8q7SMVXAkp688NTQYwrRCrar"],
  USDT: ["Q6XprfkF8RQQKoQVG33xT88H7wi8Uk1B1CC7YAs69Gi", "Q6XprfkF8RQQKoQVG33xT88H7wi8Uk1B1CC7YAs69Gi"],
  PYUSD: [PYUSD_AUTHORITY, PYUSD_AUTHORITY],
  mSOL: ["3JLPCS1qM2zRw3Dp6V4hZnYHd4toMNPkNesXdX9tg6KM"],
  JitoSOL: ["6iQKfEyhr3bZMotVkW6beNZz5CPAkiwvgV2CTje9pVSS"],
};

const NO_FEE = { epoch: 605, maximumFee: 0, transferFeeBasisPoints: 0 };

const PYUSD_EXTENSIONS: readonly Readonly<Record<string, unknown>>[] = [
  { extension: "mintCloseAuthority", state: { closeAuthority: PYUSD_AUTHORITY } },
  { extension: "permanentDelegate", state: { delegate: PYUSD_AUTHORITY } },
  {
    extension: "transferFeeConfig",
    state: {
      transferFeeConfigAuthority: PYUSD_AUTHORITY,
      withdrawWithheldAuthority: PYUSD_AUTHORITY,
      withheldAmount: 0,
      olderTransferFee: NO_FEE,
      newerTransferFee: NO_FEE,
    },
  },
  { extension: "transferHook", state: { authority: PYUSD_AUTHORITY, programId: null } },
  { extension: "metadataPointer", state: { authority: PYUSD_AUTHORITY, metadataAddress: PYUSD_MINT } },
  {
    extension: "tokenMetadata",
    state: {
      additionalMetadata: [],
      mint: PYUSD_MINT,
      name: "PayPal USD",
      symbol: "PYUSD",
      updateAuthority: PYUSD_AUTHORITY,
      uri: "https://token-metadata.paxos.com/pyusd_metadata/prod/solana/pyusd_metadata.json",
    },
  },
];

/** Base URL of icons in the token list of Solana Labs, which has most tokens older than 2023. */
const ICONS = "https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet";

/** Icons and metadata of tokens that publish their own. */
const PUBLISHED: Readonly<Record<string, readonly [icon: string, metadata?: string]>> = {
  PYUSD: [
    "https://424565.fs1.hubspotusercontent-na1.net/hubfs/424565/PYUSDLOGO.png",
    "https://token-metadata.paxos.com/pyusd_metadata/prod/solana/pyusd_metadata.json",
  ],
  JitoSOL: ["https://storage.googleapis.com/token-metadata/JitoSOL-256.png"],
  JupSOL: ["https://static.jup.ag/jupSOL/icon.png", "https://static.jup.ag/jupSOL/metadata.json"],
  JUP: ["https://static.jup.ag/jup/icon.png", "https://static.jup.ag/jup/metadata.json"],
  BONK: ["https://arweave.net/hQiPZOsRZXGXBJd_82PhVdlM_hACsT_q6wqwf5cSY7I"],
  PYTH: ["https://pyth.network/token.svg", "https://pyth.network/token.json"],
  JTO: ["https://metadata.jito.network/token/jto/image", "https://metadata.jito.network/token/jto"],
  W: ["https://wormhole.com/token.png"],
  WIF: ["https://bafkreibk3covs5ltyqxa272uodhculbr6kea6betidfwy3ajsav2vjzyum.ipfs.nftstorage.link"],
};

/** Tokens created from this day on are not in the token list, which was archived. */
const PUBLISHED_SINCE = "2023-01-01";

function secondOf(address: string): number {
  let second = 0;
  for (let at = 0; at < address.length; at++) second = (second * 31 + address.charCodeAt(at)) % DAY_SECONDS;
  return second;
}

function known(row: string): KnownToken {
  const [symbol = "", name = "", address = "", decimals, price, supply = "", website, day = ""] = row.split(" | ");
  const [mintAuthority, freezeAuthority] = AUTHORITIES[symbol] ?? [];
  const random = new Random(address);
  const listed = `${ICONS}/${address}/logo.png`;
  const [icon = day < PUBLISHED_SINCE ? listed : ipfsUri(random), metadataUri = arweaveUri(random)] =
    PUBLISHED[symbol] ?? [];
  return {
    ...{ kind: "fungible", address, symbol, name, icon, metadataUri, mintAuthority, freezeAuthority },
    decimals: Number(decimals),
    price: Number(price),
    supply: BigInt(supply),
    metadata: { name, symbol, image: icon, website: `https://${website}` },
    reputation: 100,
    founded: Date.parse(day) / 1000 + secondOf(address),
    program: address === PYUSD_MINT ? PROGRAM.token2022 : PROGRAM.token,
    extensions: address === PYUSD_MINT ? PYUSD_EXTENSIONS : undefined,
  };
}

/** The well-known tokens, the most important first. */
export const KNOWN_TOKENS: readonly KnownToken[] = TABLE.trim().split("\n").map(known);
