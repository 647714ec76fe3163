/** What people want who need an endpoint about tokens or NFTs, by command; phrases are separated by semicolons. */
export const TOKEN_INTENTS = {
  "token meta": `what is this token; name, symbol, logo and decimals of a mint; total supply of a token;
    market cap of a token; who created a token and when; mint authority and freeze authority of a token;
    can more of a token be minted or frozen; website and socials of a token; how many holders does a token have`,
  "token meta-multi": `metadata of many tokens at once; names, symbols and logos of a list of mints;
    look up several tokens in one request; decimals and supply of multiple mints`,
  "token search": `find a token by its name or symbol; mint address of a ticker; which mint is BONK;
    look up a coin by keyword; tokens with a similar name; contract address of a meme coin`,
  "token list": `list of all tokens; tokens by market cap; tokens by number of holders; ranking of coins;
    page through all tokens; oldest tokens`,
  "token list-v2": `screen and filter tokens by volume, liquidity, price change and holders; top gainers and losers;
    tokens with the highest trading volume; most traded tokens in the last hour; tokens that rise the most;
    tokens with a liquidity above some amount; token screener; sort tokens by any metric; tokens pumping right now`,
  "token top": `top tokens on Solana; biggest tokens; most valuable coins; leading tokens; blue chips`,
  "token trending": `trending tokens; hot tokens right now; which coins are popular at the moment;
    tokens that everybody is looking at; viral meme coins; what is trending`,
  "token latest": `newly created tokens; new token launches; newest tokens on pump.fun; coins that launched today;
    just minted meme coins; fresh tokens of a launchpad; recently listed tokens`,
  "token holders": `who holds a token; which wallets hold BONK; biggest holders of a token; top holders and their share;
    how is the supply of a token distributed; whales of a token; concentration of the holders;
    what percentage does the largest holder own; list of owners of a coin`,
  "token statistic": `statistics of a token; buys and sells of a token in the last hour; 24h trading volume of a token;
    number of buyers, sellers and traders of a token; liquidity of a token; price change in the last minutes;
    is a token traded actively; momentum of a token`,
  "token historical-data": `daily history of a token; how did the number of holders of a token grow;
    holders over time; supply over time; daily trading volume of a token; transfers of a token per day;
    market cap history`,
  "token price": `historical price of a token; price of a token on a date; what did a token cost last month;
    daily prices of a token between two dates; price history of a coin`,
  "token price-multi": `historical prices of several tokens; daily prices of many mints between two dates;
    compare the prices of two tokens over time`,
  "token price-latest": `current price of a token; price of SOL right now; what is a token worth today;
    how much does BONK cost now; live prices of several tokens; at what price does a token trade`,
  "token price-history": `price history of several tokens; daily prices of many tokens over a period;
    closing prices of mints since a date`,
  "token price-ohlcv": `candles of a token; candlestick chart of a coin; OHLCV of a token; price chart data;
    open, high, low and close of a token by the hour; 15 minute candles; intraday prices; all-time high`,
  "token markets": `liquidity pools for a mint; pools of a token; on which DEX is a token traded; where can I buy a token;
    markets of a token by volume; pools of a pair such as SOL/USDC; pool with the most liquidity for a token;
    which pool or exchange trades a token`,
  "token transfer": `transfers of a token; who moves a token; big movements of a token between wallets;
    largest USDC transfers; on-chain transfers of a mint; burns and mints of a token; was supply burned;
    whale transfers of a coin; was more of a token minted`,
  "token defi-activities": `trades of a token; who bought a token; who sold a token; recent swaps of a coin;
    large buys of BONK; buyers and sellers of a mint; who is dumping a token; last trades of a token;
    liquidity that was added to or removed from a token; rug pull; snipers that bought first`,
  "token defi-activities-export": `download the trades of a token as CSV; export the swaps of a mint;
    spreadsheet of the buys and sells of a token`,
  "nft news": `newest NFTs; latest minted NFTs; recently created NFTs; new collectibles; fresh NFT mints`,
  "nft activities": `NFT sales; who bought or sold an NFT; sales history of an NFT; listings, bids and offers for NFTs;
    trades of an NFT collection; latest sales on Magic Eden or Tensor; how much was an NFT sold for`,
  "nft collection-lists": `NFT collections; floor price of a collection; top NFT collections by volume;
    most traded NFT collections; popular collections; biggest collections by number of items`,
  "nft collection-items": `NFTs of a collection; items of an NFT collection with prices and traits;
    which NFTs of a collection are listed for sale; last sale of each item; members of a collection`,
};
