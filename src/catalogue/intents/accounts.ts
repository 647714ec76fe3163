/** What people want who need an endpoint about accounts, by command; phrases are separated by semicolons. */
export const ACCOUNT_INTENTS = {
  "account detail": `SOL balance of a wallet; how much SOL does an address hold; native balance; lamports of an account;
    which program owns an account; is an address a wallet, a token account or a program; does an account exist`,
  "account metadata": `who is behind this wallet; whose address is this; label and tags of an address;
    is a wallet a known exchange or protocol; age of a wallet; since when is a wallet active; .sol domain of a wallet`,
  "account metadata-multi": `labels of many wallets at once; identify a list of addresses; names, tags and domains
    of several accounts in one request; is any of these wallets an exchange`,
  "account data-decoded": `decode the data of an account; raw bytes and parsed data of an account; contents of a PDA;
    state that a program stores in an account; fields of an account by its IDL`,
  "account funded-by": `who funded this wallet; where did the first SOL of a wallet come from; origin of a wallet;
    first funding transaction; when was a wallet created and by whom; funding sources of several wallets`,
  "account portfolio": `net worth of a wallet; total value of a wallet in USD; what is in my wallet;
    which tokens does a wallet hold and what are they worth; token balances of a wallet; holdings with prices;
    how much USDC does a wallet have; wallet balance in dollars; assets of an address`,
  "account token-accounts": `token accounts of a wallet; which SPL tokens does a wallet own; NFTs in a wallet;
    which NFTs does a wallet hold; associated token accounts of an owner; empty token accounts to close`,
  "account stake": `how much SOL does a wallet stake; stake accounts of a wallet; to which validators does a wallet
    delegate; is a stake active or deactivating; staked SOL of an address`,
  "account stake-reward": `staking rewards of a stake account; how much did a stake earn in each epoch;
    yield and income of a stake; inflation rewards; history of staking rewards`,
  "account reward-export": `download staking rewards as CSV; export staking income for taxes;
    spreadsheet of the rewards of a stake account`,
  "account leaderboard": `richest wallets; who has the most SOL; biggest whales on Solana; rich list;
    top accounts by value; wallets ranked by their balance; wealthiest addresses`,
  "account transfer": `transfers of a wallet; who sent SOL to this address; payments that a wallet received;
    incoming deposits; outgoing transfers; where did a wallet send its tokens; airdrops to a wallet;
    transfers between two wallets; money flow of an address; large transfers of a whale; what came in and went out`,
  "account transfer-total": `how many transfers does a wallet have; number of transfers of an account;
    count of incoming transfers of an address; total transfers in a period`,
  "account transfer-export": `download the transfers of a wallet as CSV; export the transfer history of an account;
    spreadsheet of all payments; transfers of a wallet for taxes in Excel`,
  "account defi-activities": `swaps of a wallet; what did a wallet trade; tokens that a wallet bought and sold;
    trades of a trader; trading history of an address; liquidity that a wallet added or removed;
    DeFi history of a wallet on Jupiter, Raydium or Orca; loans of a wallet: borrow and repay; profit and loss`,
  "account defi-activities-export": `download the swaps of a wallet as CSV; export the trading history of an account;
    spreadsheet of the trades and DeFi activities of a wallet for taxes`,
  "account balance-change": `how did the balance of a wallet change; balance history of an account;
    balance before and after each transaction; when did a balance increase or decrease;
    credits and debits of a wallet; why did my balance drop; inflow and outflow of one token`,
  "account transactions": `transactions of a wallet; recent activity of an address; transaction history of an account;
    what has this wallet done lately; last transactions that an address signed; when was a wallet last active;
    signatures of an account; failed transactions of a wallet`,
  "account transactions-enhanced": `raw transactions of a wallet as a Solana RPC node returns them; full transactions
    of an account with meta, inner instructions and logs; getTransaction for all transactions of an address`,
};
