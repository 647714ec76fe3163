/** The user's names of addresses, as the explorer reads and changes them. */
import { ADDRESS_BOOK, type Paths, readTextMap, type TextMap, updateTextMap } from "../../config/index.ts";
import type { AddressBook } from "../../ui/index.ts";
import { checkName, withName } from "../names/check-name.ts";

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
