/** The labels that the explorer gives to instructions. */

/** Labels that differ from the type, by the name of the program and the type. */
const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  system: { transfer: "sol-transfer", transferWithSeed: "sol-transfer", createAccountWithSeed: "createAccount" },
  token: {
    transfer: "spl-transfer",
    transferChecked: "spl-transfer",
    transferCheckedWithFee: "spl-transfer",
    mintToChecked: "mintTo",
    burnChecked: "burn",
    initializeMint2: "initializeMint",
    withdrawWithheldTokensFromAccounts: "withdrawWithheldTokens",
    withdrawWithheldTokensFromMint: "withdrawWithheldTokens",
  },
  "spl-associated-token-account": {
    create: "createAssociatedAccount",
    createIdempotent: "createAssociatedAccount",
  },
  "compute-budget": {
    setComputeUnitLimit: "SetComputeUnitLimit",
    setComputeUnitPrice: "SetComputeUnitPrice",
  },
};

/** Programs with the labels of another one. */
const SAME_LABELS: Readonly<Record<string, string>> = {
  "spl-token": "token",
  "spl-token-2022": "token",
  ComputeBudget: "compute-budget",
};

/** Returns the label of an instruction. */
export function labelOf(program: string, type: string): string {
  if (program === "vote" && isVote(type)) return "vote";
  const labels = LABELS[SAME_LABELS[program] ?? program];
  return (labels && Object.hasOwn(labels, type) ? labels[type] : undefined) ?? type;
}

const VOTES = /^(vote|voteswitch|(compact)?updatevotestate(switch)?|towersync(switch)?)$/i;

/** Whether an instruction of the Vote Program is a vote, under one of the names that these have had. */
export const isVote = (type: string): boolean => VOTES.test(type);
