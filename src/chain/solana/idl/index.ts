/**
 * IDLs: the interfaces that programs publish, and data decoded by them. IDLs are data of strangers: reading one and
 * decoding by it takes bounded time and memory, and one type that is not known does not spoil the rest. Loaded lazily.
 */
export {
  decodeAccountByIdl,
  decodeEventByIdl,
  decodeInstructionByIdl,
  errorByIdl,
  type IdlDecodedData,
  type IdlDecodedInstruction,
  readIdl,
  toDataDecoded,
} from "./interpret.ts";
export type { Idl, IdlError, IdlStandard } from "./model.ts";
export { type IdlLookup, type IdlSource, idlOf, idlsOf } from "./on-chain.ts";
