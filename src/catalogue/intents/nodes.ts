/** What people want who need an endpoint that only a Solana node answers, by command. */
export const NODE_INTENTS = {
  "node status": `state of the cluster; is Solana up and healthy; TPS right now; progress of the current epoch;
    circulating supply of SOL; inflation`,
  "node performance": `transactions per second over the last hours; TPS history; how fast are slots; network speed;
    is the network congested`,
  "node validators": `list of validators; biggest validators by stake; commission of a validator;
    delinquent validators; which validators vote; vote accounts; version of validators; best validator to stake with`,
  "node epoch": `when does an epoch start and end; first and last block of an epoch; when is the next epoch`,
  "node account": `inspect an account on a node; a mint with its Token-2022 extensions; transfer fee of a mint;
    contents of a vote account, nonce account, sysvar or lookup table`,
  "node program": `upgrade authority of a program; is a program upgradeable; when was a program deployed;
    IDL of a program; who can change a smart contract`,
  "node instructions": `logs of each instruction of a transaction; compute units by instruction;
    program logs; where did a transaction spend its compute`,
  "node block-rewards": `rewards of a block; which validator produced a block; leader of a slot`,
  "node block-programs": `programs that a block invokes; most called programs in a block;
    which programs run in a slot`,
  "node block-accounts": `most used accounts of a block; hot accounts; write locks in a block`,
};
