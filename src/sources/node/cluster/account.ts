/** Accounts and programs as their owner understands them: `node/account` and `node/program`. */
import { Buffer } from "node:buffer";
import { isMissing, isObject, type Json, type JsonObject, omitUndefined } from "../../../base/index.ts";
import {
  addressTitle,
  amountOf,
  type ChainAccount,
  decodeAccount,
  decodeCoreAsset,
  decodeEdition,
  decodeMetadata,
  type IdlLookup,
  isOnCurve,
  loadIdl,
  objectOf,
  PROGRAM,
  programDataAddress,
  SYSVAR,
} from "../../../chain/solana/index.ts";
import type { AnswerContext, NodeAnswer } from "../answer.ts";
import { readAccount } from "../state/accounts.ts";
import { effectiveStake, readEpoch, readStakeHistory } from "../state/stakes.ts";
import { exactNumber } from "../state/values.ts";

/** Bytes before the code in the account with the code of a program. */
const PROGRAM_DATA_HEADER = 45;
/** Raw data beyond this is left out: `account data-decoded` has it. */
const MAX_RAW = 4096;

/** Kinds of accounts by the type that parsers return. */
const KINDS: Readonly<Record<string, string>> = {
  account: "token account",
  mint: "mint",
  multisig: "multisig",
  delegated: "stake account",
  initialized: "stake account",
  vote: "vote account",
  lookupTable: "lookup table",
  program: "program",
  programData: "program data",
  buffer: "program buffer",
  validatorInfo: "validator info",
  stakeConfig: "stake config",
};

/** Kinds of accounts by their owner, where no parser knows better. */
const KINDS_BY_OWNER: Readonly<Record<string, string>> = {
  [PROGRAM.system]: "wallet",
  [PROGRAM.tokenMetadata]: "token metadata",
  [PROGRAM.mplCore]: "core asset",
  [PROGRAM.feature]: "feature gate",
  [SYSVAR.owner]: "sysvar",
};

/** `node/account`; what does not exist is an empty wallet. */
export const account: NodeAnswer = async (context) => {
  const address = context.params.required("address");
  const chainAccount = await readAccount(context, address);
  const nonce = chainAccount?.parsed?.program === "nonce";
  const kind = nonce ? "nonce account" : kindOf(chainAccount);
  const state = chainAccount && (await stateOf(context, chainAccount));
  const { data = new Uint8Array() } = chainAccount ?? {};
  const isRaw = state === undefined && data.length > 0 && data.length <= MAX_RAW;
  return {
    data: omitUndefined({
      account: address,
      kind,
      lamports: exactNumber(chainAccount?.lamports ?? 0n),
      owner_program: chainAccount?.owner ?? PROGRAM.system,
      owner_name: addressTitle(chainAccount?.owner ?? PROGRAM.system),
      space: chainAccount?.space ?? data.length,
      executable: chainAccount?.executable ?? false,
      rent_epoch: chainAccount && exactNumber(chainAccount.rentEpoch),
      is_oncurve: isOnCurve(address),
      state,
      data_base64: isRaw ? Buffer.from(data).toString("base64") : undefined,
    }),
  };
};

function kindOf(chainAccount: ChainAccount | undefined): string {
  if (chainAccount?.executable) return "program";
  const { parsed, owner = PROGRAM.system } = chainAccount ?? {};
  if (owner === SYSVAR.owner) return "sysvar";
  return KINDS[parsed?.type ?? ""] ?? KINDS_BY_OWNER[owner] ?? "account";
}

/** Returns the decoded data of an account; undefined when its form is unknown. */
async function stateOf(context: AnswerContext, chainAccount: ChainAccount): Promise<Json | undefined> {
  const { parsed, data, owner } = chainAccount;
  if (parsed?.type === "delegated") return { ...parsed.info, ...(await activationOf(context, chainAccount)) };
  if (parsed) return parsed.info;
  if (!data || data.length === 0) return undefined;
  if (owner === PROGRAM.tokenMetadata) return jsonOf(decodeMetadata(data) ?? decodeEdition(data));
  if (owner === PROGRAM.mplCore) return jsonOf(decodeCoreAsset(data));
  const { decodeAccountByIdl } = await loadIdl();
  const lookup = await findIdl(context, owner);
  const decoded = lookup?.kind === "found" ? decodeAccountByIdl(lookup.idl, data) : undefined;
  return decoded && { type: decoded.name, data: decoded.data };
}

/** Returns how much of a stake is effective now. */
async function activationOf(context: AnswerContext, { parsed }: ChainAccount): Promise<JsonObject> {
  const { delegation } = objectOf(parsed?.info.stake, "stake");
  const { stake, activationEpoch, deactivationEpoch } = objectOf(delegation, "delegation");
  const [epoch, history] = await Promise.all([readEpoch(context), readStakeHistory(context)]);
  const lamports = amountOf(stake, "stake");
  const active = effectiveStake(
    {
      stake: lamports,
      activationEpoch: amountOf(activationEpoch, "activationEpoch"),
      deactivationEpoch: amountOf(deactivationEpoch, "deactivationEpoch"),
    },
    epoch,
    history,
  );
  return { activation: { epoch: Number(epoch), active: String(active), inactive: String(lamports - active) } };
}

/** Returns a value with bigints as JSON: exact numbers, without undefined members. */
function jsonOf(value: unknown): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map((item) => jsonOf(item) ?? null);
  if (typeof value !== "object") return value as Json;
  return omitUndefined(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonOf(member)])));
}

/** Finds the interface of a program; undefined when the program is part of Solana and has none. */
async function findIdl({ node }: AnswerContext, program: string): Promise<IdlLookup | undefined> {
  if (program === PROGRAM.system || program === PROGRAM.nativeLoader) return undefined;
  const { idlOf } = await loadIdl();
  return await idlOf(node, program);
}

/** `node/program`; an address that is no program has no answer. */
export const program: NodeAnswer = async (context) => {
  const address = context.params.required("address");
  const chainAccount = await readAccount(context, address);
  if (!chainAccount?.executable) return { data: {} };
  const [code, lookup] = await Promise.all([readCode(context, chainAccount), findIdl(context, address)]);
  const { idl, document, source } = lookup?.kind === "found" ? lookup : {};
  const metadata = isObject(document?.metadata) ? document.metadata : document;
  const version = metadata?.version;
  return {
    data: omitUndefined({
      program: address,
      name: addressTitle(address),
      loader: chainAccount.owner,
      upgradeable: typeof code?.upgrade_authority === "string",
      ...code,
      idl_name: idl?.name,
      idl_version: typeof version === "string" ? version : undefined,
      idl_source: source,
      instructions: idl?.instructions.map(({ name }) => name),
      accounts: idl?.accounts.map(({ name }) => name),
    }),
  };
};

/** Reads where the code of a program is, without the code. */
async function readCode({ node, sending }: AnswerContext, chainAccount: ChainAccount): Promise<JsonObject | undefined> {
  if (chainAccount.owner !== PROGRAM.upgradeableLoader) return undefined;
  const address = await programDataAddress(chainAccount.address);
  const options = {
    encoding: "base64",
    commitment: node.commitment,
    dataSlice: { offset: 0, length: PROGRAM_DATA_HEADER },
  };
  const { value } = objectOf(await node.call("getAccountInfo", [address, options], sending), "result");
  if (isMissing(value)) return undefined;
  const { parsed, space } = decodeAccount(address, value);
  const { authority, slot } = parsed?.info ?? {};
  return omitUndefined({
    upgrade_authority: typeof authority === "string" ? authority : null,
    program_data: address,
    last_deployed_slot: slot,
    size: space === undefined ? undefined : space - PROGRAM_DATA_HEADER,
  });
}
