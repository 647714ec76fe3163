/** Names on this machine that complete: of profiles, indexes and addresses. */
import { join } from "node:path";
import { fieldOf, isObject, listOf } from "../../base/index.ts";
import {
  ADDRESS_BOOK,
  ALIASES,
  type Paths,
  profileNames,
  readConfigFile,
  readJsonFile,
  readTextMap,
} from "../../config/index.ts";
import { indexNames } from "../indexer/files.ts";
import type { LocalNames } from "./find-completions.ts";

/** Returns the names of the files in these folders, which are read when they are completed. */
export function localNames(paths: Paths): LocalNames {
  const plain = (names: readonly string[]) => names.map((name) => [name, ""] as const);
  return {
    profiles: () => plain(profileNames(readConfigFile(paths))),
    indexes: () => plain(indexNames(paths)),
    aliases: () => [...readTextMap(paths, ALIASES).entries],
    views: () => plain(bookmarkNames(paths)),
    addresses: () => [...readTextMap(paths, ADDRESS_BOOK).entries],
  };
}

function bookmarkNames({ state }: Paths): readonly string[] {
  const { scopes = null } = state === undefined ? {} : readJsonFile(join(state, "explorer.json")).data;
  const sections = isObject(scopes) ? Object.values(scopes) : [];
  const bookmarks = sections.flatMap((section) => listOf(fieldOf(section, "bookmarks")));
  return [...new Set(bookmarks.flatMap((one) => (isObject(one) && typeof one.name === "string" ? [one.name] : [])))];
}
