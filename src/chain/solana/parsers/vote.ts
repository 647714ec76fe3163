/** Instructions of the vote program: most transactions of a block. */
import type { Json } from "../../../base/index.ts";
import type { ByteReader } from "../bytes.ts";
import {
  address,
  exactNumber,
  i64,
  list64,
  oneOf,
  option,
  readFields,
  struct,
  text64,
  u8,
  u16,
  u32,
  u64,
} from "../values.ts";
import { byU32, layout, type ProgramLayouts } from "./layout.ts";

const authority = oneOf(["Voter", "Withdrawer"]);
const vote = struct({ slots: list64(u64), hash: address, timestamp: option(i64) });
const update = struct({
  lockouts: list64(struct({ slot: u64, confirmation_count: u32 })),
  root: option(u64),
  hash: address,
  timestamp: option(i64),
});

const NO_ROOT = 0xffff_ffff_ffff_ffffn;

/** A tower in the compact form: slots are differences, the first one to the root. */
const tower =
  (end: Readonly<Record<string, typeof address>>) =>
  (reader: ByteReader): Json => {
    const root = reader.u64();
    let slot = root === NO_ROOT ? 0n : root;
    const lockouts = reader.list(reader.compact(), () => {
      slot += reader.varint();
      return { slot: exactNumber(slot), confirmation_count: reader.u8() };
    });
    return { lockouts, root: root === NO_ROOT ? null : exactNumber(root), ...readFields(reader, end) };
  };
const compactUpdate = tower({ hash: address, timestamp: option(i64) });
const towerSync = tower({ hash: address, timestamp: option(i64), blockId: address });

const VOTER = "voteAccount voteAuthority";
const OLD_VOTER = "voteAccount slotHashesSysvar clockSysvar voteAuthority";
const seeds = { authorityType: authority, authorityOwner: address, authoritySeed: text64 };

/** The vote program. */
export const VOTE: ProgramLayouts = {
  program: "vote",
  select: byU32([
    layout(
      "initialize",
      "voteAccount rentSysvar clockSysvar _node",
      {
        node: address,
        authorizedVoter: address,
        authorizedWithdrawer: address,
        commission: u8,
      },
      useNodeAccount,
    ),
    layout("authorize", "voteAccount clockSysvar authority", { newAuthority: address, authorityType: authority }),
    layout("vote", OLD_VOTER, { vote }),
    layout("withdraw", "voteAccount destination withdrawAuthority", { lamports: u64 }),
    layout("updateValidatorIdentity", "voteAccount newValidatorIdentity withdrawAuthority"),
    layout("updateCommission", "voteAccount withdrawAuthority", { commission: u8 }),
    layout("voteSwitch", OLD_VOTER, { vote, hash: address }),
    layout("authorizeChecked", "voteAccount clockSysvar authority newAuthority", { authorityType: authority }),
    layout("updatevotestate", VOTER, { voteStateUpdate: update }),
    layout("updatevotestateswitch", VOTER, { voteStateUpdate: update, hash: address }),
    layout("authorizeWithSeed", "voteAccount clockSysvar authorityBaseKey", { ...seeds, newAuthority: address }),
    layout("authorizeCheckedWithSeed", "voteAccount clockSysvar authorityBaseKey newAuthority", seeds),
    layout("compactupdatevotestate", VOTER, { voteStateUpdate: compactUpdate }),
    layout("compactupdatevotestateswitch", VOTER, { voteStateUpdate: compactUpdate, hash: address }),
    layout("towersync", VOTER, { towerSync }),
    layout("towersyncswitch", VOTER, { towerSync, hash: address }),
    layout(
      "initializeV2",
      "voteAccount _node",
      {
        node: address,
        authorizedVoter: address,
        // A key and a proof of its possession, which the parsed form does not show.
        _key: (reader) => reader.take(48 + 96).length,
        authorizedWithdrawer: address,
        inflationRewardsCommissionBps: u16,
        inflationRewardsCollector: address,
        blockRevenueCommissionBps: u16,
        blockRevenueCollector: address,
      },
      useNodeAccount,
    ),
  ]),
};

/** The parsed form names the account, not the copy of its address in the data. */
function useNodeAccount(info: Record<string, Json>): void {
  info.node = info._node as Json;
  delete info._node;
  delete info._key;
}
