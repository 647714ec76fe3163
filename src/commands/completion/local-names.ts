/** Names on this machine that complete: of profiles, indexes and addresses. */
import { ADDRESS_BOOK, ALIASES, type Paths, profileNames, readConfigFile, readTextMap } from "../../config/index.ts";
import { indexNames } from "../indexer/files.ts";
import type { LocalNames } from "./context.ts";

/** Returns the names of the files in these folders, which are read when they are completed. */
export function localNames(paths: Paths): LocalNames {
  return {
    profiles: () => profileNames(readConfigFile(paths)),
    indexes: () => indexNames(paths),
    aliases: () => readTextMap(paths, ALIASES).entries,
    addresses: () => [...readTextMap(paths, ADDRESS_BOOK).entries],
  };
}
