/** What the user names: addresses in `names.json`, and command lines in `aliases.json`, beside the settings. */
import { isAddress } from "../catalogue/index.ts";
import type { TextMapKind } from "./text-map.ts";

/** A name: shorter than every identifier, no number, no domain, no file, no option. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,30}$/;

/** The accepted form of a name, in words. */
export const NAME_FORM = "up to 31 letters, digits, dashes and underscores, starting with a letter";

/** Returns whether a text has the form of a name. */
export const isNameForm = (text: string): boolean => NAME.test(text);

/** The address book: addresses by name. */
export const ADDRESS_BOOK: TextMapKind = {
  file: "names.json",
  member: "names",
  isEntry: (name, address) => isNameForm(name) && isAddress(address),
};

/** Aliases of commands: arguments after `solx`, by name. */
export const ALIASES: TextMapKind = {
  file: "aliases.json",
  member: "aliases",
  isEntry: (name, line) => isNameForm(name) && line.trim() !== "",
};
