/** Who uses the units of a key: counted on this machine, and by all machines that share a Redis server. */
import { isArray, parseJson } from "../../base/index.ts";

/** Who sends requests. */
export interface UsageUser {
  readonly profile: string;
  /** The name of the machine. */
  readonly machine: string;
  /** The command as it is typed, such as `account transfer`. */
  readonly command: string;
}

/** What somebody used in the last 24 hours. */
export interface UserUsage extends UsageUser {
  readonly requests: number;
  /** Compute units by the price list. */
  readonly units: number;
}

/** Returns a user as one text, for stores. */
export const userKey = ({ profile, machine, command }: UsageUser): string =>
  JSON.stringify([profile, machine, command]);

/** Returns users with their counts, who used most first; without those that another version stored. */
export function orderUsers(
  counts: readonly (readonly [user: string, requests: number, units: number])[],
): readonly UserUsage[] {
  return counts
    .flatMap(([key, requests, units]): readonly UserUsage[] => {
      const user = parseJson(key);
      if (!isArray(user) || user.length !== 3) return [];
      const [profile = "", machine = "", command = ""] = user.map(String);
      return [{ profile, machine, command, requests, units }];
    })
    .toSorted((a, b) => b.units - a.units || b.requests - a.requests || (userKey(a) < userKey(b) ? -1 : 1));
}
