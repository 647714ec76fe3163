/** The address book: which names it accepts, and how the explorer changes it. */
import { UsageError } from "../../base/index.ts";
import { isAddress, wellKnownToken } from "../../catalogue/index.ts";
import {
  ADDRESS_BOOK,
  findName,
  isNameForm,
  NAME_FORM,
  type Paths,
  readTextMap,
  type TextMap,
  updateTextMap,
} from "../../config/index.ts";
import { type AddressBook, ENTITY_KINDS, entityPage, PAGE_NAMES } from "../../ui/index.ts";

/** @throws UsageError for a text that cannot be a name */
export function checkName(name: string): void {
  if (isAddress(name)) throw invalidName(name, "it is an address");
  if (!isNameForm(name)) throw invalidName(name, `expected ${NAME_FORM}`);
  const token = wellKnownToken(name, "asset");
  if (token) throw invalidName(name, `it is the symbol of a token (${token.mint})`);
  const words = [...PAGE_NAMES, ...ENTITY_KINDS.flatMap((kind) => [kind, ...entityPage(kind).aliases])];
  if (words.includes(name.toLowerCase())) throw invalidName(name, "it is a page of the explorer");
}

function invalidName(name: string, reason: string): UsageError {
  return new UsageError(`invalid name "${name}": ${reason}`, { code: "INVALID_NAME" });
}

/**
 * Returns the names with another one; an equal name in other case is replaced.
 * @throws UsageError when the name belongs to another address, unless `clobber` is set
 */
export function withName(
  names: TextMap,
  { name, address }: { readonly name: string; readonly address: string },
  clobber = false,
): TextMap {
  const existing = findName(names, name);
  const before = existing === undefined ? undefined : names.get(existing);
  if (before !== undefined && before !== address && !clobber) {
    throw new UsageError(`${existing} is already the name of ${before}.`, {
      code: "NAME_EXISTS",
      hint: "To replace it, add --clobber.",
    });
  }
  return new Map([...[...names].filter(([one]) => one !== existing), [name, address]]);
}

/** Returns the user's address book; a problem with its file is logged, and reported when a name is saved. */
export function createAddressBook(
  paths: Pick<Paths, "config">,
  signal: AbortSignal,
  log: (text: string) => void,
): AddressBook {
  return {
    names() {
      const { entries, problem } = readTextMap(paths, ADDRESS_BOOK);
      if (problem) log(`The address book was not read: ${problem.message}`);
      return entries;
    },
    async setName(address, name) {
      if (name !== undefined) checkName(name);
      let after: TextMap = new Map();
      const change = (names: TextMap) => {
        const others = new Map([...names].filter(([, one]) => one !== address));
        after = name === undefined ? others : withName(others, { name, address });
        return after;
      };
      await updateTextMap(paths, ADDRESS_BOOK, change, signal);
      return after;
    },
  };
}
