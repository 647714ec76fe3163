/** Extensions of mints of Token-2022: how they are initialized, in states that nodes would answer. */
import { isObject, type JsonObject } from "../../../base/index.ts";

const METADATA = "tokenMetadata";

/** The type of the instruction that initializes an extension, and the members of the state that are its arguments. */
const INITIALIZERS: Readonly<Record<string, readonly [type: string, ...members: readonly string[]]>> = {
  transferFeeConfig: ["initializeTransferFeeConfig", "transferFeeConfigAuthority", "withdrawWithheldAuthority"],
  mintCloseAuthority: ["initializeMintCloseAuthority", "closeAuthority newAuthority"],
  nonTransferable: ["initializeNonTransferableMint"],
  interestBearingConfig: ["initializeInterestBearingConfig", "rateAuthority", "currentRate rate"],
  permanentDelegate: ["initializePermanentDelegate", "delegate"],
  transferHook: ["initializeTransferHook", "authority", "programId"],
  metadataPointer: ["initializeMetadataPointer", "authority", "metadataAddress"],
  [METADATA]: ["initializeTokenMetadata", "name", "symbol", "uri"],
};

/** An instruction that initializes an extension. */
interface Initializer {
  readonly type: string;
  readonly info: JsonObject;
}

/** Returns the instruction that initializes an extension; undefined for one that the program does not know. */
export function initializerOf({ extension, state }: JsonObject): Initializer | undefined {
  const [type, ...members] = INITIALIZERS[String(extension)] ?? [];
  if (type === undefined || (state !== undefined && !isObject(state))) return undefined;
  const info = Object.fromEntries(
    members.flatMap((names) => {
      const [from = "", to = from] = names.split(" ");
      const value = state?.[from];
      return value == null ? [] : [[to, value] as const];
    }),
  );
  const fee = state?.newerTransferFee;
  if (!isObject(fee)) return { type, info };
  const { transferFeeBasisPoints = 0, maximumFee = 0 } = fee;
  return { type, info: { ...info, transferFeeBasisPoints, maximumFee } };
}

/** Whether an extension is added to a mint that exists: metadata, whose size differs. */
export const isAddedLater = ({ extension }: JsonObject): boolean => extension === METADATA;

/** Returns the extensions of a mint that contains its metadata. */
export const ownMetadata = (
  mint: string,
  authority: string,
  { name, symbol, uri = "" }: { readonly name: string; readonly symbol: string; readonly uri?: string | undefined },
): readonly JsonObject[] => [
  { extension: "metadataPointer", state: { authority, metadataAddress: mint } },
  { extension: METADATA, state: { updateAuthority: authority, mint, name, symbol, uri, additionalMetadata: [] } },
];
