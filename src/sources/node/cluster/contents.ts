/** The insides of accounts, programs, transactions and blocks. */
import { Buffer } from "node:buffer";
import { isObject, type Json, type JsonObject, NotFoundError, omitUndefined } from "../../../base/index.ts";
import { NODE_LACKS } from "../../../catalogue/index.ts";
import {
  addressTitle,
  alignLogs,
  type BlockDetails,
  type ChainAccount,
  type ChainBlock,
  type ChainInstruction,
  type ChainTransaction,
  computeUnitProfile,
  decodeCoreAsset,
  decodeEdition,
  decodeMetadata,
  encodeBase58,
  failedInstruction,
  type Idl,
  type IdlDecodedInstruction,
  type IdlLookup,
  instructionReason,
  isOnCurve,
  loadIdl,
  loadIdlDecoder,
  loadParsers,
  logTree,
  PROGRAM,
  programDataAddress,
  SYSVAR,
} from "../../../chain/solana/index.ts";
import {
  type AnswerContext,
  exactNumber,
  loadOptional,
  type NodeAnswer,
  type NodeAnswersByRoute,
  slicePage,
} from "../answer.ts";
import { readAccount, readRawAccount } from "../calls/accounts.ts";
import { readRequestedBlock } from "../calls/blocks.ts";
import { readEpoch } from "../calls/epochs.ts";
import { readTransactions } from "../calls/transactions.ts";
import { reportPartial } from "../history/ledger.ts";
import { effectiveStake, readDelegation, readStakeHistory } from "../state/stakes.ts";

const PROGRAM_DATA_HEADER = 45;
/** Raw data beyond this is left out, which a note says. */
const MAX_RAW = 2 ** 20;

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

/** `node/account`; what does not exist has no kind and no owner. */
const account: NodeAnswer = async (context) => {
  const address = context.params.required("address");
  const chainAccount = await readAccount(context, address);
  const nonce = chainAccount?.parsed?.program === "nonce";
  const kind = nonce ? "nonce account" : kindOf(chainAccount);
  const { state, program } = (chainAccount && (await fetchState(context, chainAccount))) ?? {};
  const { data = new Uint8Array() } = chainAccount ?? {};
  const isRaw = state === undefined && data.length > 0 && data.length <= MAX_RAW;
  if (state === undefined && data.length > MAX_RAW) {
    const text = `Without the data of ${data.length} bytes: "solx account data-decoded ${address}" has all of it.`;
    context.report?.({ type: "warning", text });
  }
  return {
    data: omitUndefined({
      account: address,
      kind,
      lamports: exactNumber(chainAccount?.lamports ?? 0n),
      owner_program: chainAccount?.owner,
      owner_name: chainAccount && (addressTitle(chainAccount.owner) ?? program),
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
  if (!chainAccount) return "no account";
  if (chainAccount.executable) return "program";
  const { parsed, owner } = chainAccount;
  if (owner === SYSVAR.owner) return "sysvar";
  return KINDS[parsed?.type ?? ""] ?? KINDS_BY_OWNER[owner] ?? "account";
}

/** Returns the decoded data of an account where its form is known, and the name in the interface of its program. */
async function fetchState(
  context: AnswerContext,
  chainAccount: ChainAccount,
): Promise<{ readonly state?: Json | undefined; readonly program?: string | undefined }> {
  const { parsed, data, owner } = chainAccount;
  if (parsed?.type === "delegated") {
    return { state: { ...parsed.info, ...(await fetchActivation(context, chainAccount)) } };
  }
  if (parsed) return { state: parsed.info };
  if (!data || data.length === 0) return {};
  if (owner === PROGRAM.tokenMetadata) return { state: toJson(decodeMetadata(data) ?? decodeEdition(data)) };
  if (owner === PROGRAM.mplCore) return { state: toJson(decodeCoreAsset(data)) };
  const { decodeAccountByIdl } = await loadIdl();
  const lookup = await loadOptional(context, "decoded data", () => findIdl(context, owner));
  if (lookup?.kind !== "found") return {};
  const decoded = decodeAccountByIdl(lookup.idl, data);
  return { state: decoded && { type: decoded.name, data: decoded.data }, program: lookup.idl.name };
}

/** Returns how much of a stake is effective now. */
async function fetchActivation(context: AnswerContext, account: ChainAccount): Promise<JsonObject> {
  const delegation = readDelegation(account);
  if (!delegation) return {};
  const known = await loadOptional(context, "how much of the stake is active", () =>
    Promise.all([readEpoch(context), readStakeHistory(context)]),
  );
  if (!known) return {};
  const [epoch, history] = known;
  const active = effectiveStake(delegation, epoch, history);
  return { activation: { epoch: Number(epoch), active: String(active), inactive: String(delegation.stake - active) } };
}

/** Returns a value with bigints as JSON: exact numbers, without undefined members. */
function toJson(value: unknown): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map((item) => toJson(item) ?? null);
  if (typeof value !== "object") return value as Json;
  return omitUndefined(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJson(member)])));
}

/** Finds the interface of a program; undefined when the program is part of Solana and has none. */
async function findIdl({ node }: AnswerContext, program: string): Promise<IdlLookup | undefined> {
  if (program === PROGRAM.system || program === PROGRAM.nativeLoader) return undefined;
  const { fetchIdl } = await loadIdl();
  return await fetchIdl(node, program);
}

/** `node/program`; an address that is no program has no answer. */
const program: NodeAnswer = async (context) => {
  const address = context.params.required("address");
  const chainAccount = await readAccount(context, address);
  if (!chainAccount?.executable) return { data: {} };
  const [code, lookup] = await Promise.all([
    readCode(context, chainAccount),
    loadOptional(context, "the interface of the program", () => findIdl(context, address)),
  ]);
  const { idl, document, source } = lookup?.kind === "found" ? lookup : {};
  const metadata = isObject(document?.metadata) ? document.metadata : document;
  const version = metadata?.version;
  return {
    data: omitUndefined({
      program: address,
      name: addressTitle(address) ?? idl?.name,
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
async function readCode(context: AnswerContext, chainAccount: ChainAccount): Promise<JsonObject | undefined> {
  if (chainAccount.owner !== PROGRAM.upgradeableLoader) return undefined;
  const address = programDataAddress(chainAccount.address);
  const programData = await readRawAccount(context, address, { offset: 0, length: PROGRAM_DATA_HEADER });
  if (!programData) return undefined;
  const { parsed, space } = programData;
  const { authority, slot } = parsed?.info ?? {};
  return omitUndefined({
    upgrade_authority: typeof authority === "string" ? authority : null,
    program_data: address,
    last_deployed_slot: slot,
    size: space === undefined ? undefined : space - PROGRAM_DATA_HEADER,
  });
}

/** `node/instructions`, in the order of execution. */
const instructions: NodeAnswer = async (context) => {
  const signature = context.params.required("tx");
  const [read] = await readTransactions(context, [{ signature }]);
  if (read) {
    reportPartial(context, [read.transaction]);
    return { data: await instructionRows(context, read.transaction) };
  }
  throw new NotFoundError(`${context.node.name} has no data for ${signature}.`, {
    code: 404,
    hint: NODE_LACKS.signature,
  });
};

/** Returns the rows of a transaction. Instructions that no parser knows are decoded by the program's interface. */
export async function instructionRows(
  context: Pick<AnswerContext, "node" | "report"> | undefined,
  transaction: ChainTransaction,
  local?: LocalIdl,
): Promise<readonly JsonObject[]> {
  const { parseInstructions } = await loadParsers();
  const parsed = parseInstructions(transaction);
  const units = computeUnitProfile(transaction).instructions;
  const logs = alignLogs(transaction);
  const decoded = await decodeByIdl(context, parsed.instructions, local);
  const positions = positionsOf(parsed.instructions);
  const failure = failedInstruction(transaction.error);
  const statusOf = statusReader(transaction, failure?.index);
  return parsed.instructions.map((instruction, at) => {
    const { program, accounts, data } = instruction;
    const interpretation = instruction.parsed ?? decoded[at];
    const status = statusOf(Number(positions[at]?.split(".")[0]) - 1, logs[at]?.outcome);
    return omitUndefined({
      index: positions[at] ?? "",
      program,
      program_name: addressTitle(program),
      type: instruction.parsed?.type ?? decoded[at]?.name,
      status,
      // The row says which instruction it is.
      error: failure && status === "failed" ? instructionReason(failure, transaction) : undefined,
      compute_units: units[at]?.units,
      own_compute_units: units[at]?.own,
      accounts,
      info: instruction.parsed?.info ?? (decoded[at] && infoOf(decoded[at])),
      data: interpretation === undefined && data ? encodeBase58(data) : undefined,
      logs: logs[at]?.entries.filter((entry) => typeof entry === "string"),
    });
  });
}

/** Returns the positions of instructions as text: 2 is the second top-level one, 2.1 the first that it called. */
function positionsOf(list: readonly ChainInstruction[]): readonly string[] {
  const children = new Map<number, number>();
  const positions: string[] = [];
  for (const { parent } of list) {
    const number = (children.get(parent) ?? 0) + 1;
    children.set(parent, number);
    positions.push(parent < 0 ? String(number) : `${positions[parent]}.${number}`);
  }
  return positions;
}

/** Returns the status of an instruction by the index of its top-level one and the outcome in its log. */
function statusReader({ error, logs }: ChainTransaction, failed: number | undefined) {
  // Other errors come before all instructions, which then log nothing, or after all of them.
  const hasRun = error === undefined || failed !== undefined || (logs !== undefined && logTree(logs).length > 0);
  return (top: number, outcome: "success" | "failure" | undefined): string => {
    if (!hasRun) return "not run";
    if (failed === undefined || top < failed) return "ok";
    if (top > failed) return "not run";
    // Calls before the failure were successful, but their effects are undone.
    return outcome === "success" ? "ok" : "failed";
  };
}

/** An IDL that does not come from the chain. */
export interface LocalIdl {
  readonly idl: Idl;
  /** The program that it names; undefined where it names none, so that it is tried for all. */
  readonly program: string | undefined;
}

/** Decodes instructions by the interfaces of their programs, where no parser knows them. */
async function decodeByIdl(
  context: Pick<AnswerContext, "node" | "report"> | undefined,
  list: readonly ChainInstruction[],
  local: LocalIdl | undefined,
): Promise<readonly (IdlDecodedInstruction | undefined)[]> {
  const { decodeInstructionByIdl } = await loadIdlDecoder();
  const decoded = list.map((instruction) => {
    const isTried = local && !instruction.parsed && (local.program ?? instruction.program) === instruction.program;
    return isTried ? decodeInstructionByIdl(local.idl, instruction) : undefined;
  });
  const unknown = list.filter(({ parsed, data }, at) => parsed === undefined && data !== undefined && !decoded[at]);
  if (unknown.length === 0 || !context) return decoded;
  const { fetchIdls } = await loadIdl();
  const programs = [...new Set(unknown.map(({ program }) => program))];
  const lookups = await loadOptional(context, "the interfaces of programs", () => fetchIdls(context.node, programs));
  return list.map((instruction, at) => {
    const lookup = instruction.parsed ? undefined : lookups?.get(instruction.program);
    return decoded[at] ?? (lookup?.kind === "found" ? decodeInstructionByIdl(lookup.idl, instruction) : undefined);
  });
}

function infoOf({ args, accounts }: IdlDecodedInstruction): JsonObject {
  return { ...args, ...Object.fromEntries(accounts.map(({ name, address }) => [name, address])) };
}

/** Returns the answer with a page of the rows of a block. */
const answerOf =
  (details: BlockDetails, rowsOf: (block: ChainBlock, context: AnswerContext) => readonly JsonObject[]): NodeAnswer =>
  async (context) => {
    const { params, node } = context;
    const slot = params.integer("block") ?? 0;
    const read = await readRequestedBlock(context, slot, details);
    if (!read)
      throw new NotFoundError(`${node.name} has no block in slot ${slot}.`, { code: 404, hint: NODE_LACKS.slot });
    const rows = rowsOf(read.block, context);
    return { data: { total: rows.length, items: slicePage(rows, context) } };
  };

/** `node/block/rewards`, the largest first. */
const blockRewards = answerOf("none", ({ rewards }, { report }) => {
  // Only a block without transactions has none: its leader gets their fees.
  if (rewards.length === 0)
    report?.({ type: "coverage", text: "The node lists no rewards: it may lack those of the block." });
  return rewards
    .toSorted((a, b) => Number(b.lamports - a.lamports))
    .map(({ account, kind, lamports, post, commission }) =>
      omitUndefined({
        account,
        type: kind,
        lamports: exactNumber(lamports),
        post_balance: exactNumber(post),
        change_percent: post === lamports ? 0 : (100 * Number(lamports)) / Number(post - lamports),
        commission,
      }),
    );
});

/** `node/block/programs`, those of most transactions first. */
const blockPrograms = answerOf("full", ({ transactions }) => {
  const programs = new Map<string, { transactions: number; successes: number; instructions: number }>();
  for (const { instructions, error } of transactions) {
    for (const [program, calls] of Map.groupBy(instructions, (instruction) => instruction.program)) {
      const usage = programs.get(program) ?? { transactions: 0, successes: 0, instructions: 0 };
      usage.transactions += 1;
      usage.instructions += calls.length;
      if (error === undefined) usage.successes += 1;
      programs.set(program, usage);
    }
  }
  return [...programs]
    .sort(([, a], [, b]) => b.transactions - a.transactions || b.instructions - a.instructions)
    .map(([program, usage]) =>
      omitUndefined({
        program,
        program_name: addressTitle(program),
        transactions: usage.transactions,
        share: (100 * usage.transactions) / transactions.length,
        instructions: usage.instructions,
        success_rate: (100 * usage.successes) / usage.transactions,
      }),
    );
});

/** `node/block/accounts`, those of most transactions first. */
const blockAccounts = answerOf("full", ({ transactions }) => {
  const accounts = new Map<string, { reads: number; writes: number }>();
  for (const { keys } of transactions) {
    for (const { address, writable } of keys) {
      const usage = accounts.get(address) ?? { reads: 0, writes: 0 };
      if (writable) usage.writes += 1;
      else usage.reads += 1;
      accounts.set(address, usage);
    }
  }
  return [...accounts]
    .map(([account, { reads, writes }]) => ({
      account,
      transactions: reads + writes,
      writes,
      reads,
      share: (100 * (reads + writes)) / transactions.length,
    }))
    .sort((a, b) => b.transactions - a.transactions || b.writes - a.writes);
});

/** Answers about the insides of accounts, programs, transactions and blocks. */
export const contentAnswers: NodeAnswersByRoute = {
  "node-account": account,
  "node-program": program,
  "node-instructions": instructions,
  "node-block-rewards": blockRewards,
  "node-block-programs": blockPrograms,
  "node-block-accounts": blockAccounts,
};
