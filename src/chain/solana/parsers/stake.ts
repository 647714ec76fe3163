/** Instructions of the stake program, with and without the sysvars that it used to need. */

import type { Json } from "../../../base/index.ts";
import { address, i64, oneOf, option, struct, text64, u64 } from "../values.ts";
import { byU32, layout, omitNulls, type ProgramLayouts } from "./layout.ts";

const authority = oneOf(["Staker", "Withdrawer"]);
const authorized = struct({ staker: address, withdrawer: address });
const lockup = struct({ unixTimestamp: i64, epoch: u64, custodian: address });

/** Members of a lockup that do not change are omitted. */
function omitUnchanged(info: Record<string, Json>): void {
  omitNulls(info.lockup as Record<string, Json>);
}

/** The stake program. */
export const STAKE: ProgramLayouts = {
  program: "stake",
  select: byU32([
    layout("initialize", "stakeAccount ~rentSysvar", { authorized, lockup }),
    layout("authorize", "stakeAccount ~clockSysvar authority custodian?", {
      newAuthority: address,
      authorityType: authority,
    }),
    layout("delegate", "stakeAccount voteAccount ~clockSysvar ~stakeHistorySysvar ~stakeConfigAccount stakeAuthority?"),
    layout("split", "stakeAccount newSplitAccount stakeAuthority?", { lamports: u64 }),
    layout("withdraw", "stakeAccount destination ~clockSysvar ~stakeHistorySysvar withdrawAuthority custodian?", {
      lamports: u64,
    }),
    layout("deactivate", "stakeAccount ~clockSysvar stakeAuthority?"),
    layout(
      "setLockup",
      "stakeAccount custodian",
      { lockup: struct({ unixTimestamp: option(i64), epoch: option(u64), custodian: option(address) }) },
      omitUnchanged,
    ),
    layout("merge", "destination source ~clockSysvar ~stakeHistorySysvar stakeAuthority?"),
    layout("authorizeWithSeed", "stakeAccount authorityBase ~clockSysvar custodian?", {
      newAuthorized: address,
      authorityType: authority,
      authoritySeed: text64,
      authorityOwner: address,
    }),
    layout("initializeChecked", "stakeAccount ~rentSysvar staker withdrawer"),
    layout("authorizeChecked", "stakeAccount ~clockSysvar authority newAuthority custodian?", {
      authorityType: authority,
    }),
    layout("authorizeCheckedWithSeed", "stakeAccount authorityBase ~clockSysvar newAuthorized custodian?", {
      authorityType: authority,
      authoritySeed: text64,
      authorityOwner: address,
    }),
    layout(
      "setLockupChecked",
      "stakeAccount custodian",
      { lockup: struct({ unixTimestamp: option(i64), epoch: option(u64) }) },
      (info, { accounts }) => {
        (info.lockup as Record<string, Json>).custodian = accounts[2] ?? null;
        omitUnchanged(info);
      },
    ),
    layout("getMinimumDelegation", ""),
    layout("deactivateDelinquent", "stakeAccount voteAccount referenceVoteAccount"),
    layout("redelegate", "stakeAccount newStakeAccount voteAccount stakeConfigAccount stakeAuthority"),
    layout("moveStake", "source destination stakeAuthority", { lamports: u64 }),
    layout("moveLamports", "source destination stakeAuthority", { lamports: u64 }),
  ]),
};
