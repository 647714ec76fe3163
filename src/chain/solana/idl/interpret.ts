/** What the IDL of a program says about its instructions, accounts, events and errors. */
import { Buffer } from "node:buffer";
import { isObject, type Json, type JsonObject } from "../../../base/index.ts";
import type { ChainInstruction } from "../model.ts";
import { readAnchorIdl } from "./anchor.ts";
import { isCodamaIdl, readCodamaIdl } from "./codama.ts";
import { decodeData, UndecodableData } from "./decode.ts";
import { type Idl, type IdlInstruction, type IdlLayout, InvalidIdl, type Mark } from "./model.ts";

/** An instruction, decoded by an IDL. */
export interface IdlDecodedInstruction {
  /** An event is one that the program reports to itself by an instruction. */
  readonly kind: "instruction" | "event";
  /** As the IDL writes it. */
  readonly name: string;
  /** Arguments by name, each `{ type, data }`; integers of 16 bits and more are text. */
  readonly args: JsonObject;
  readonly accounts: readonly { readonly name: string; readonly address: string }[];
  /** Accounts after those that the IDL names. */
  readonly remaining: readonly string[];
}

/** Data of an account or an event, decoded by an IDL. */
interface IdlDecodedData {
  /** As the IDL writes it. */
  readonly name: string;
  /** Fields by name, each `{ type, data }`; integers of 16 bits and more are text. */
  readonly data: Json;
  readonly standard: Idl["standard"];
}

/** Start of the data of instructions by which Anchor programs report events. */
const EVENT_TAG = Buffer.from("e445a52e51cb9a1d", "hex");

/** Returns the interface in an IDL document: of Anchor, Shank or Codama. @throws InvalidIdl when it has none */
export function readIdl(document: Json): Idl {
  if (!isObject(document)) throw new InvalidIdl("the IDL is not an object");
  if (isCodamaIdl(document)) return readCodamaIdl(document);
  const idl = readAnchorIdl(document);
  if (idl.instructions.length === 0 && idl.accounts.length === 0) {
    throw new InvalidIdl("the IDL describes neither instructions nor accounts");
  }
  return idl;
}

/** Returns what an instruction says; undefined when the IDL does not describe it. */
export function decodeInstructionByIdl(
  idl: Idl,
  instruction: Pick<ChainInstruction, "program" | "accounts" | "data">,
): IdlDecodedInstruction | undefined {
  const { data, accounts = [], program } = instruction;
  if (data === undefined) return undefined;
  if (EVENT_TAG.equals(data.subarray(0, EVENT_TAG.length))) {
    const event = decodeEventByIdl(idl, data.subarray(EVENT_TAG.length));
    if (event === undefined || !isObject(event.data)) return undefined;
    return { kind: "event", name: event.name, args: event.data, accounts: [], remaining: accounts };
  }
  const layout = findLayout(idl.instructions, data);
  const args = layout && decodeLayout(idl, layout, data);
  if (layout === undefined || !isObject(args)) return undefined;
  return { kind: "instruction", name: layout.name, args, ...assignAccounts(layout, accounts, program) };
}

function assignAccounts(
  layout: IdlInstruction,
  addresses: readonly string[],
  program: string,
): Pick<IdlDecodedInstruction, "accounts" | "remaining"> {
  const accounts = layout.accounts.flatMap(({ name, optional }, position) => {
    const address = addresses[position];
    return address === undefined || (optional && address === program) ? [] : [{ name, address }];
  });
  return { accounts, remaining: addresses.slice(layout.accounts.length) };
}

/** Returns the fields of an account's data; undefined when the IDL does not describe it. */
export const decodeAccountByIdl = (idl: Idl, data: Uint8Array): IdlDecodedData | undefined =>
  decodeNamed(idl, idl.accounts, data);

/** Returns the fields of an event, as in the bytes of a `Program data:` line; undefined when the IDL does not describe it. */
export const decodeEventByIdl = (idl: Idl, data: Uint8Array): IdlDecodedData | undefined =>
  decodeNamed(idl, idl.events, data);

/** Returns the form of `data_decoded` in the API. */
export const toDataDecoded = ({ name, data, standard }: IdlDecodedData): JsonObject => ({
  name,
  data,
  idl_source: "on_chain",
  idl_standard: standard,
});

function decodeNamed(idl: Idl, layouts: readonly IdlLayout[], bytes: Uint8Array): IdlDecodedData | undefined {
  const layout = findLayout(layouts, bytes);
  const data = layout && decodeLayout(idl, layout, bytes);
  return layout === undefined || data === undefined ? undefined : { name: layout.name, data, standard: idl.standard };
}

function decodeLayout(idl: Idl, layout: IdlLayout, bytes: Uint8Array): Json | undefined {
  try {
    return decodeData(layout.type, idl.types, bytes.subarray(layout.skip));
  } catch (error) {
    if (error instanceof UndecodableData) return undefined;
    throw error;
  }
}

function findLayout<L extends IdlLayout>(layouts: readonly L[], bytes: Uint8Array): L | undefined {
  return layouts.find(({ marks }) => marks.length > 0 && marks.every((mark) => matches(mark, bytes)));
}

function matches(mark: Mark, bytes: Uint8Array): boolean {
  if ("size" in mark) return bytes.length === mark.size;
  const { bytes: expected, offset } = mark;
  return expected.length > 0 && expected.every((byte, at) => bytes[offset + at] === byte);
}
