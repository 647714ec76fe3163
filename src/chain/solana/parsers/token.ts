/** Instructions of the Token program and of Token-2022 without its extensions. */
import type { Json } from "../../../base/index.ts";
import { EXTENSION_NAMES } from "../accounts/token.ts";
import { ByteReader } from "../bytes.ts";
import { address, byteOf, option, restText, u8, u64Text } from "../values.ts";
import {
  type InstructionInput,
  type Layout,
  layout,
  omitNulls,
  type ProgramLayouts,
  parseLayout,
  signedBy,
} from "./layout.ts";
import { asTokenAmount, CHECKED_AMOUNT, EXTENSION_LAYOUTS, selectByHash } from "./token-extensions.ts";

/** Kinds of authorities, by their number. */
const AUTHORITIES = `mintTokens freezeAccount accountOwner closeAccount transferFeeConfig withheldWithdraw closeMint
  interestRate permanentDelegate confidentialTransferMint transferHookProgramId confidentialTransferFeeConfig
  metadataPointer groupPointer groupMemberPointer scaledUiAmount pause permissionedBurn`.split(/\s+/);
/** Authorities over an account; all others are over a mint. */
const ACCOUNT_AUTHORITIES: readonly Json[] = ["accountOwner", "closeAccount"];

const mint = { decimals: u8, mintAuthority: address, freezeAuthority: option(address) };

/** Lists the accounts from a position as signers of a multisig account. */
const listSigners =
  (start: number) =>
  (info: Record<string, Json>, { accounts }: InstructionInput): void => {
    info.signers = accounts.slice(start);
  };

const LAYOUTS: readonly Layout[] = [
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
];

const REALLOCATE = signedBy(
  "owner",
  layout("reallocate", "account payer systemProgram", { extensionTypes: readExtensionTypes }),
);

const LATER_LAYOUTS: Readonly<Record<number, Layout>> = {
  29: REALLOCATE,
  31: layout("createNativeMint", "payer nativeMint systemProgram"),
  32: layout("initializeNonTransferableMint", "mint"),
  35: layout("initializePermanentDelegate", "mint", { delegate: address }),
  38: signedBy("authority", layout("withdrawExcessLamports", "source destination")),
  45: signedBy("authority", layout("unwrapLamports", "source destination", { amount: option(u64Text) }, omitNulls)),
  255: layout("batch", "", {}, readBatch),
};

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
  const { offset } = reader;
  const hashed = selectByHash(reader);
  if (hashed !== undefined) return hashed;
  reader.offset = offset;
  const number = reader.u8();
  const extension = EXTENSION_LAYOUTS[number];
  return extension === undefined ? (LAYOUTS[number] ?? LATER_LAYOUTS[number]) : extension[reader.u8()];
}

/** Both token programs: nodes name them both `spl-token`. */
export const TOKEN: ProgramLayouts = { program: "spl-token", select: selectToken };

const CREATE = "source account wallet mint systemProgram tokenProgram";
const ASSOCIATED = [
  layout("create", CREATE),
  layout("createIdempotent", CREATE),
  layout("recoverNested", "nestedSource nestedMint destination nestedOwner ownerMint wallet tokenProgram"),
];

/** Associated token accounts. Instructions without data are the first kind. */
export const ASSOCIATED_TOKEN: ProgramLayouts = {
  program: "spl-associated-token-account",
  select: (reader) => ASSOCIATED[reader.remaining === 0 ? 0 : reader.u8()],
};
