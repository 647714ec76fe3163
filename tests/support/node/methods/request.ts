/** What methods have in common: the state of the node, parameters, commitments. */
import type { AccountView } from "../account.ts";
import type { Block, Commitment, TestChain } from "../chain.ts";
import { invalidParams, RpcError } from "../errors.ts";
import { isObjectWire, type Wire, type WireObject } from "../wire.ts";

/** Limits and gaps of a node that change the answers of methods. */
export interface NodeLimits {
  /** Programs and mints without secondary indexes: answered with -32010. */
  excludedKeys?: readonly string[];
  /** The highest transaction version that the node knows; higher parameters are refused. 1 by default. */
  maxTransactionVersion?: number;
  /** Whether transactions and signatures of the past are answered with -32011. */
  withoutHistory?: boolean;
  /** How many times the first page of an address's signatures is empty, as behind a lagging load balancer. */
  emptySignaturePages?: number;
}

/** The state of a node. */
export interface NodeContext {
  readonly chain: TestChain;
  readonly limits: NodeLimits;
  /** Pays airdrops. Returns the signature. */
  airdrop(address: string, lamports: bigint): Promise<string>;
}

/** A method: parameters in, result out; throws {@link RpcError}. */
export type Method = (context: NodeContext, params: readonly Wire[]) => Wire | Promise<Wire>;

/** Returns the options of a request: the parameter at a position, or none. */
export function optionsAt(params: readonly Wire[], index: number): WireObject {
  const options = params[index] ?? {};
  if (!isObjectWire(options)) throw invalidParams(`Invalid params: invalid type: expected a map at position ${index}.`);
  return options;
}

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;

/** Returns the address at a position. */
export function addressAt(params: readonly Wire[], index: number): string {
  return checkAddress(params[index]);
}

/** Returns a value as an address. */
export function checkAddress(value: Wire | undefined): string {
  if (value === undefined) throw invalidParams("`params` should have at least 1 argument(s)");
  if (typeof value !== "string" || !BASE58.test(value)) throw invalidParams("Invalid param: Invalid");
  if (value.length < 32 || value.length > 44) throw invalidParams("Invalid param: WrongSize");
  return value;
}

/** Returns the integer at a position; undefined when the parameter is absent. */
export function integerAt(params: readonly Wire[], index: number): number | undefined {
  const value = params[index] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) {
    throw invalidParams(`Invalid params: invalid type: expected u64 at position ${index}.`);
  }
  return value;
}

/** Returns the slot at a position. */
export function slotAt(params: readonly Wire[], index: number): number {
  const slot = integerAt(params, index);
  if (slot === undefined) throw invalidParams("`params` should have at least 1 argument(s)");
  return slot;
}

/** Returns the commitment of a request: finalized by default. Checks `minContextSlot`. */
export function commitmentOf(context: NodeContext, options: WireObject, minimum?: "confirmed"): Commitment {
  const commitment = options.commitment ?? "finalized";
  if (commitment !== "processed" && commitment !== "confirmed" && commitment !== "finalized") {
    throw invalidParams(`Invalid params: unknown variant \`${String(commitment)}\`.`);
  }
  if (minimum !== undefined && commitment === "processed") {
    throw invalidParams("Method does not support commitment below `confirmed`");
  }
  const { slot } = context.chain.blockAt(commitment);
  const requested = options.minContextSlot;
  if (typeof requested === "number" && slot < requested) {
    throw new RpcError(-32016, "Minimum context slot has not been reached", { contextSlot: slot });
  }
  return commitment;
}

/** Returns the latest block that a request is about. */
export const blockOf = (context: NodeContext, options: WireObject): Block =>
  context.chain.blockAt(commitmentOf(context, options));

/** Returns the accounts that a request is about. */
export const accountsOf = (context: NodeContext, options: WireObject): AccountView =>
  context.chain.accountsAt(commitmentOf(context, options));

/** The version of the software that the node says it is. */
export const VERSION = "4.0.0";

/** Returns a value with the slot that it was read at. */
export const withContext = (slot: number, value: Wire): WireObject => ({
  context: { apiVersion: VERSION, slot },
  value,
});
