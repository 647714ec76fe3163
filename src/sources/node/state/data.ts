/** Decoded data of accounts: by built-in layouts, else by the interface that the program publishes. */
import { isMissing, type Json, type JsonObject } from "../../../base/index.ts";
import { type ChainAccount, decodeAccount, loadIdl, objectOf } from "../../../chain/solana/index.ts";
import type { AnswerContext, NodeAnswer } from "../answer.ts";

const field = (name: string, type: Json): JsonObject => ({ name, type });
const key = { coption: "publicKey" };
const struct = (name: string, ...fields: readonly JsonObject[]) => ({ name, type: { kind: "struct", fields } });

/** Layouts of programs that publish no interface, as interfaces of one account. */
const BUILT_IN: Readonly<Record<string, JsonObject>> = {
  account: struct(
    "TokenAccount",
    field("mint", "publicKey"),
    field("owner", "publicKey"),
    field("amount", "u64"),
    field("delegate", key),
    field("state", "u8"),
    field("is_native", { coption: "u64" }),
    field("delegated_amount", "u64"),
    field("close_authority", key),
  ),
  mint: struct(
    "Mint",
    field("mint_authority", key),
    field("supply", "u64"),
    field("decimals", "u8"),
    field("is_initialized", "bool"),
    field("freeze_authority", key),
  ),
  delegated: struct(
    "StakeStateV2",
    field("state", "u32"),
    field("meta", { defined: "Meta" }),
    field("stake", { defined: "Stake" }),
    field("stake_flags", "u8"),
  ),
};

/** Types of built-in layouts. */
const TYPES = [
  struct(
    "Meta",
    field("rent_exempt_reserve", "u64"),
    field("authorized", { defined: "Authorized" }),
    field("lockup", { defined: "Lockup" }),
  ),
  struct("Authorized", field("staker", "publicKey"), field("withdrawer", "publicKey")),
  struct("Lockup", field("unix_timestamp", "i64"), field("epoch", "u64"), field("custodian", "publicKey")),
  struct("Stake", field("delegation", { defined: "Delegation" }), field("credits_observed", "u64")),
  struct(
    "Delegation",
    field("voter_pubkey", "publicKey"),
    field("stake", "u64"),
    field("activation_epoch", "u64"),
    field("deactivation_epoch", "u64"),
    field("warmup_cooldown_rate", "f64"),
  ),
];

/** `/account/data-decoded`; without a known layout, only the bytes. */
export const dataDecoded: NodeAnswer = async (context) => {
  const account = context.params.required("address");
  const state = await readRaw(context, account);
  const data = state?.data ?? new Uint8Array();
  const decoded = state && data.length > 0 ? await decode(context, state, data) : undefined;
  return {
    data: {
      account,
      ...(decoded && { data_decoded: decoded }),
      data_base64: Buffer.from(data.buffer, data.byteOffset, data.length).toString("base64"),
    },
  };
};

/** Reads an account with its bytes. */
async function readRaw({ node, sending }: AnswerContext, address: string): Promise<ChainAccount | undefined> {
  const options = { encoding: "base64", commitment: node.commitment };
  const { value } = objectOf(await node.call("getAccountInfo", [address, options], sending), "result");
  return isMissing(value) ? undefined : decodeAccount(address, value);
}

async function decode(
  { node }: AnswerContext,
  account: ChainAccount,
  data: Uint8Array,
): Promise<JsonObject | undefined> {
  const { decodeAccountByIdl, idlOf, readIdl, toDataDecoded } = await loadIdl();
  const layout = BUILT_IN[account.parsed?.type ?? ""];
  if (layout) {
    const idl = readIdl({ metadata: { origin: "shank" }, name: "built_in", accounts: [layout], types: TYPES });
    // These accounts have no discriminator, and their program and size are known already.
    const accounts = idl.accounts.map((entry) => ({ ...entry, marks: [{ size: data.length }] }));
    const decoded = decodeAccountByIdl({ ...idl, accounts }, data);
    return decoded && { ...toDataDecoded(decoded), idl_source: "inner_parser" };
  }
  const lookup = await idlOf(node, account.owner);
  const decoded = lookup.kind === "found" ? decodeAccountByIdl(lookup.idl, data) : undefined;
  return decoded && toDataDecoded(decoded);
}
