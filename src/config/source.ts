/** What answers the requests of a run: the API, the sandbox, a local index or a Solana node. */
import { UsageError } from "../base/index.ts";
import { NODES, nodeUrl } from "../catalogue/index.ts";
import type { ResolvedSetting, SettingLevel } from "./resolve.ts";
import { SANDBOX_PROFILE } from "./sandbox.ts";

/** What answers requests. */
export type DataSource = "api" | "sandbox" | "index" | "rpc";

/** A Solana node. */
export interface NodeAddress {
  /** The URL, which may contain a provider's key: it is sent, never printed. */
  readonly url: string;
  /** What messages call the node: the name of the cluster, or the host. */
  readonly name: string;
}

/** The value of a setting that selects no source. */
const OFF = "off";

/** The levels, by falling precedence. */
const LEVELS: readonly SettingLevel[] = ["flag", "environment", "profile", "default"];

/** The settings that select a source, and the key of the command line. */
export interface SourceChoice {
  readonly profile: ResolvedSetting;
  readonly rpc: ResolvedSetting;
  readonly index: ResolvedSetting;
  readonly servers: readonly ResolvedSetting[];
  readonly keyFlag: string | undefined;
}

/**
 * Returns what answers requests: the choice of the command line, else of the environment, else of the profile. Of several
 * on one level the sandbox goes first, then the index, the node and the API's server.
 * @throws UsageError when the command line selects several
 */
export function chooseSource(choice: SourceChoice): DataSource {
  const candidates = listCandidates(choice);
  const typed = candidates.filter(({ level }) => level === "flag");
  const other = typed.find(({ source }) => source !== typed[0]?.source);
  if (typed[0] && other) throw conflict(typed[0].flag, other.flag);
  for (const level of LEVELS) {
    const match = candidates.find((candidate) => candidate.level === level);
    if (match) return match.source;
  }
  return "api";
}

interface Candidate {
  readonly source: DataSource;
  readonly level: SettingLevel;
  /** The option that selects it. */
  readonly flag: string;
}

function listCandidates({ profile, rpc, index, servers, keyFlag }: SourceChoice): readonly Candidate[] {
  const isSet = ({ value, problem }: ResolvedSetting) =>
    (value !== undefined && value !== OFF) || problem !== undefined;
  const sandboxFlag = profile.origin.replace(/^flag /, "");
  return [
    ...(profile.value === SANDBOX_PROFILE
      ? [{ source: "sandbox", level: profile.level, flag: sandboxFlag } as const]
      : []),
    ...(isSet(index) ? [{ source: "index", level: index.level, flag: "--index" } as const] : []),
    ...(isSet(rpc) ? [{ source: "rpc", level: rpc.level, flag: "--rpc" } as const] : []),
    ...servers.map(({ level }) => ({ source: "api", level, flag: "--base-url" }) as const),
    ...(keyFlag === undefined ? [] : [{ source: "api", level: "flag", flag: "--api-key" } as const]),
  ];
}

function conflict(one: string, other: string): UsageError {
  return new UsageError(`${one} and ${other} cannot be used together`, {
    hint: "Each selects what answers: --sandbox, --index, --rpc, or the API with --base-url and --api-key.",
  });
}

/** Returns the node that a value of `rpc-url` selects; undefined for off. */
export function parseNodeAddress(value: string | undefined): NodeAddress | undefined {
  if (value === undefined || value === OFF) return undefined;
  return { url: nodeUrl(value), name: Object.hasOwn(NODES, value) ? value : new URL(value).host };
}
