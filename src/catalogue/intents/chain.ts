/** What people want who need an endpoint about transactions, blocks, programs, the network or the API key, by command. */
export const CHAIN_INTENTS = {
  "transaction last": `latest transactions on Solana; most recent transactions of the whole chain; live feed of
    transactions; what is happening on chain right now; newest transactions without votes`,
  "transaction detail": `details of a transaction; why did this transaction fail; error of a failed transaction;
    status of a signature; is my transaction confirmed; what did a transaction do; fee that a transaction paid;
    who signed a transaction; balance changes of a transaction; trace a transaction;
    instructions, inner instructions and logs of a transaction; compute units that a transaction used; look up a transaction hash; programs and accounts that a
    transaction involves`,
  "transaction detail-multi": `details of several transactions at once; look up a list of signatures;
    status of many transactions in one request; batch of transaction hashes`,
  "transaction actions": `what happened in a transaction in plain words; transfers and swaps inside a transaction;
    human-readable summary of a transaction; which tokens moved in a transaction; explain a transaction`,
  "transaction actions-multi": `actions of several transactions; summaries of many signatures at once;
    transfers and swaps of a list of transactions`,
  "transaction fees": `current transaction fee; average gas fee on Solana; what does a transaction cost right now;
    which priority fee should I pay; estimate the fee; lowest and highest fee of recent transactions; is gas high`,
  "block last": `latest blocks; newest blocks; most recent slots; blocks that were just produced; live feed of blocks`,
  "block transactions": `transactions in a block; what happened in a slot; all transactions of a block;
    failed transactions of a block; which transactions of a block use a program; contents of a block`,
  "block detail": `details of a block; when was a block produced; time of a slot; hash and parent of a block;
    how many transactions does a block have; fee rewards of a block; look up a block by its number`,
  "program list": `most used programs; most active smart contracts; programs with the most users;
    ranking of dApps by transactions; programs by success rate; which programs are busy on Solana`,
  "program popular-platforms": `well-known platforms and their program addresses; which programs belong to Jupiter;
    program id of Raydium; list of DeFi protocols and dApps; popular platforms on Solana; website of a protocol`,
  "program analytics": `daily active users of a program; how is the usage of a program growing; transactions per day of
    a smart contract; statistics of a dApp over time; volume of a protocol per day; how popular is a program`,
  "monitor usage": `compute units left on my API key; how many credits have I used; API quota;
    remaining requests of my plan; when does my subscription renew; how close am I to the limit of the API;
    success rate of my requests; billing period`,
  chaininfo: `current slot and block height; which epoch is it; how many transactions has Solana processed in total;
    state of the chain; height of the chain now`,
  "analytics transactions": `transactions per day on Solana; daily network activity; votes per day;
    how many transactions fail on the network each day; throughput of Solana by day`,
  "analytics stake": `total SOL staked on the network; how much SOL is staked on Solana; active stake over time;
    stake of the network per day`,
  "analytics fees": `fees of the network per day; total fees paid on Solana; priority fees per day;
    revenue of the chain; base fees over time`,
  "analytics slots": `blocks produced per day; skipped slots; number of blocks by day; block production over time`,
  "analytics dex-activity": `DEX volume on Solana per day; daily traders on decentralized exchanges;
    total trading volume on chain; number of DEX trades per day; is trading activity on Solana growing`,
  "analytics compute-units": `compute units used on the network per day; how full are blocks;
    compute consumption of Solana over time`,
};
