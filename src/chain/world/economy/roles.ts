/** The accounts of instructions, from those that a caller names and the rules of the program's interface. */
import { Buffer } from "node:buffer";
import { PROGRAM, SYSVAR } from "../../../catalogue/index.ts";
import { type AccountKind, findInterface } from "../../ledger/index.ts";
import { PROGRAMS } from "../data/programs.ts";
import { type Account, type AccountFactory, SIGNER, WRITABLE } from "./accounts.ts";

/** Accounts by their names in the interface of a program, and other seeds of addresses that the program derives. */
export type Roles = Readonly<Record<string, Account | Uint8Array | undefined>>;

/** An account of an instruction, with its flags as a key. */
type AccountUse = readonly [account: Account, flags: number];

type Accounts = Pick<AccountFactory, "programs" | "sysvars" | "account" | "derive">;

/** What accounts are in every program, unless its interface says otherwise. */
const COMMON: Readonly<Record<string, string>> = {
  systemProgram: "system",
  tokenProgram: "token",
  token2022Program: "token2022",
  tokenProgram2022: "token2022",
  associatedTokenProgram: "associatedToken",
  memoProgram: "memo",
  wsolMint: "So11111111111111111111111111111111111111112",
  eventAuthority: "<__event_authority>",
  sysvarInstructions: "Sysvar1nstructions1111111111111111111111111",
  recentSlothashes: "slotHashes",
  recentBlockhashesSysvar: "recentBlockhashes",
  rentSysvar: "rent",
};

/** Kinds and owners of fixed addresses other than those that belong to the program. */
const FIXED: readonly (readonly [names: RegExp, kind: AccountKind, owner: string])[] = [
  [/Program(Id)?$/, "program", PROGRAM.upgradeableLoader],
  [/Recipient$|^(notary|authority)$/, "system_account", PROGRAM.system],
  [/^(sysvar|recent)/, "account", SYSVAR.owner],
];

const NAMES: ReadonlyMap<string, string> = new Map(Object.values(PROGRAMS).map(({ address, name }) => [address, name]));

/** Returns a number as little-endian bytes, or as big-endian ones if the size is negative: `#64:2`. */
function numberSeed(text: string): Buffer {
  const [value = 0, size = 0] = text.split(":").map(Number);
  const bytes = Buffer.alloc(Math.abs(size));
  if (size < 0) bytes.writeUIntBE(value, 0, -size);
  else bytes.writeUIntLE(value, 0, size);
  return bytes;
}

/** A rule for an address that a program derives: its seeds, of which `$name` is an account, and the program. */
interface Derivation {
  readonly seeds: readonly (string | Uint8Array)[];
  readonly program: string;
}

const derivations = new Map<string, Derivation>();

function parseDerivation(rule: string): Derivation {
  const known = derivations.get(rule);
  if (known) return known;
  const [seeds = "", program = "program"] = rule.slice(1, -1).split("@");
  const parsed = seeds.split(",").map((seed) => (seed.startsWith("#") ? numberSeed(seed.slice(1)) : seed));
  const derivation = { seeds: parsed, program };
  derivations.set(rule, derivation);
  return derivation;
}

/**
 * Returns the accounts of an instruction in the order of its program; undefined where its interface is not described.
 * Throws for an account that neither the roles nor the rules name.
 */
export function resolveAccounts(
  host: Accounts,
  program: Account,
  type: string,
  roles: Roles,
): readonly AccountUse[] | undefined {
  const found = findInterface(NAMES.get(program.address) ?? "", type);
  if (!found) return undefined;
  /** Returns an account or another seed by its name. */
  const resolve = (name: string): Account | Uint8Array => {
    const role = roles[name];
    if (role !== undefined) return role;
    if (name === "program") return program;
    const rule = found.rules.get(`${type}.${name}`) ?? found.rules.get(name) ?? COMMON[name];
    if (rule === undefined) return findKnown(host, program, name);
    if (rule.startsWith("<")) return derive(rule);
    if (rule.length < 32) return resolve(rule);
    const [, kind = "account", owner = program.address] = FIXED.find(([names]) => names.test(name)) ?? [];
    return host.account(kind, owner, { address: rule });
  };
  const derive = (rule: string): Account => {
    const { seeds, program: deriver } = parseDerivation(rule);
    const resolved = seeds.map((seed) =>
      typeof seed === "string" && seed.startsWith("$") ? resolve(seed.slice(1)) : seed,
    );
    return host.derive(resolve(deriver) as Account, resolved);
  };
  return found.accounts.map(({ name, writable, signer }) => {
    const account = resolve(name) as Account;
    return [account, (writable ? WRITABLE : 0) | (signer && account.onCurve ? SIGNER : 0)];
  });
}

function findKnown({ programs, sysvars }: Accounts, program: Account, name: string): Account {
  const known = programs[name as keyof typeof programs] ?? sysvars[name as keyof typeof sysvars];
  if (known) return known;
  throw new Error(`An instruction of ${program.address} needs the account ${name}.`);
}
