/** Instructions of the Token program and of Token-2022 without its extensions. */
import { Buffer } from "node:buffer";
import type { Json } from "../../../base/index.ts";
import { EXTENSION_NAMES } from "../accounts/token.ts";
import { ByteReader } from "../bytes.ts";
import { ASSOCIATED_TOKEN_INSTRUCTIONS, numbersOf, TOKEN_AUTHORITIES, TOKEN_INSTRUCTIONS } from "../program-numbers.ts";
import { address, byteOf, option, restText, u8, u64Text } from "../values.ts";
import {
  type InstructionInput,
  type Layout,
  layout,
  numberLayouts,
  omitNulls,
  type ProgramLayouts,
  parseLayout,
  signedBy,
} from "./layout.ts";
import { asTokenAmount, CHECKED_AMOUNT, EXTENSION_LAYOUTS } from "./token-extensions.ts";

/** Kinds of authorities, by their number. */
const AUTHORITIES = [...numbersOf(TOKEN_AUTHORITIES).keys()];
/** Authorities over an account; all others are over a mint. */
const ACCOUNT_AUTHORITIES: readonly Json[] = ["accountOwner", "closeAccount"];

const mint = { decimals: u8, mintAuthority: address, freezeAuthority: option(address) };

/** Lists the accounts from a position as signers of a multisig account. */
const listSigners =
  (start: number) =>
  (info: Record<string, Json>, { accounts }: InstructionInput): void => {
    info.signers = accounts.slice(start);
  };

const LAYOUTS = numberLayouts(TOKEN_INSTRUCTIONS, [
  layout("initializeMint", "mint rentSysvar", mint, omitNulls),
  layout("initializeAccount", "account mint owner rentSysvar"),
  layout("initializeMultisig", "multisig rentSysvar", { m: u8 }, listSigners(2)),
  signedBy("authority", layout("transfer", "source destination", { amount: u64Text })),
  signedBy("owner", layout("approve", "source delegate", { amount: u64Text })),
  signedBy("owner", layout("revoke", "source")),
  signedBy(
    "authority",
    layout("setAuthority", "mint", { authorityType: byteOf(AUTHORITIES), newAuthority: option(address) }, (info) => {
      if (!ACCOUNT_AUTHORITIES.includes(info.authorityType as Json)) return;
      info.account = info.mint as Json;
      delete info.mint;
    }),
  ),
  signedBy("mintAuthority", layout("mintTo", "mint account", { amount: u64Text })),
  signedBy("authority", layout("burn", "account mint", { amount: u64Text })),
  signedBy("owner", layout("closeAccount", "account destination")),
  signedBy("freezeAuthority", layout("freezeAccount", "account mint")),
  signedBy("freezeAuthority", layout("thawAccount", "account mint")),
  signedBy("authority", layout("transferChecked", "source mint destination", CHECKED_AMOUNT, asTokenAmount)),
  signedBy("owner", layout("approveChecked", "source mint delegate", CHECKED_AMOUNT, asTokenAmount)),
  signedBy("mintAuthority", layout("mintToChecked", "mint account", CHECKED_AMOUNT, asTokenAmount)),
  signedBy("authority", layout("burnChecked", "account mint", CHECKED_AMOUNT, asTokenAmount)),
  layout("initializeAccount2", "account mint rentSysvar", { owner: address }),
  layout("syncNative", "account"),
  layout("initializeAccount3", "account mint", { owner: address }),
  layout("initializeMultisig2", "multisig", { m: u8 }, listSigners(1)),
  layout("initializeMint2", "mint", mint, omitNulls),
  layout("getAccountDataSize", "mint", {}, (info, { reader }) => {
    if (reader.remaining > 0) info.extensionTypes = readExtensionTypes(reader);
  }),
  layout("initializeImmutableOwner", "account"),
  layout("amountToUiAmount", "mint", { amount: u64Text }),
  layout("uiAmountToAmount", "mint", { uiAmount: restText }),
  layout("initializeMintCloseAuthority", "mint", { newAuthority: option(address) }),
  signedBy("owner", layout("reallocate", "account payer systemProgram", { extensionTypes: readExtensionTypes })),
  layout("createNativeMint", "payer nativeMint systemProgram"),
  layout("initializeNonTransferableMint", "mint"),
  layout("initializePermanentDelegate", "mint", { delegate: address }),
  signedBy("authority", layout("withdrawExcessLamports", "source destination")),
  signedBy("authority", layout("unwrapLamports", "source destination", { amount: option(u64Text) }, omitNulls)),
  layout("batch", "", {}, readBatch),
  ...EXTENSION_LAYOUTS,
]);

function readExtensionTypes(reader: ByteReader): Json {
  return reader.list(Math.floor(reader.remaining / 2), () => EXTENSION_NAMES[reader.u16()] ?? "unknown");
}

/** Instructions in one instruction: of each the number of accounts, the length of its data, and the data. */
function readBatch(info: Record<string, Json>, { accounts, reader }: InstructionInput): void {
  let position = 0;
  const instructions: Json[] = [];
  while (reader.remaining > 0) {
    const [count, length] = [reader.u8(), reader.u8()];
    const data = new ByteReader(reader.take(length));
    const inner = selectToken(data);
    if (inner === undefined || inner.type === "batch") throw new RangeError("an unknown instruction in a batch");
    const parsed = parseLayout("", inner, { accounts: accounts.slice(position, position + count), reader: data });
    instructions.push({ type: parsed.type, info: parsed.info });
    position += count;
  }
  info.instructions = instructions;
}

function selectToken(reader: ByteReader): Layout | undefined {
  // The interfaces for metadata and groups: their instructions begin with eight bytes of a hash of their names.
  const hash = reader.bytes.subarray(reader.offset, reader.offset + 8);
  const hashed = LAYOUTS.get(`0x${Buffer.from(hash).toString("hex")}`);
  if (hashed !== undefined) {
    reader.take(8);
    return hashed;
  }
  const number = reader.u8();
  return LAYOUTS.get(`${number}`) ?? LAYOUTS.get(`${number}.${reader.u8()}`);
}

/** Both token programs: nodes name them both `spl-token`. */
export const TOKEN: ProgramLayouts = { program: "spl-token", select: selectToken };

const CREATE = "source account wallet mint systemProgram tokenProgram";
const ASSOCIATED = numberLayouts(ASSOCIATED_TOKEN_INSTRUCTIONS, [
  layout("createAssociatedToken create", CREATE),
  layout("createAssociatedTokenIdempotent createIdempotent", CREATE),
  layout(
    "recoverNestedAssociatedToken recoverNested",
    "nestedSource nestedMint destination nestedOwner ownerMint wallet tokenProgram",
  ),
]);

/** Associated token accounts. Instructions without data are the first kind. */
export const ASSOCIATED_TOKEN: ProgramLayouts = {
  program: "spl-associated-token-account",
  select: (reader) => ASSOCIATED.get(`${reader.remaining === 0 ? 0 : reader.u8()}`),
};
