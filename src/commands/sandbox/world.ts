/** The options and files of the sandbox on this machine, and the progress of creating its ledger. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_SECONDS, UsageError } from "../../base/index.ts";
import { parseUnixTime } from "../../client/index.ts";
import { quoteText, type Settings } from "../../config/index.ts";
import type { Rate, Sandbox } from "../../sandbox/index.ts";
import type { LedgerOptions } from "../../sources/ledger/index.ts";
import type { RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";

/** Values for one run that override settings. */
export interface WorldOverrides {
  readonly seed?: string;
  readonly size?: number;
  readonly now?: string;
  readonly hostile?: boolean;
}

/** Options of a simulated chain, which neither an index nor recordings are. */
export const WORLD_OPTIONS = ["seed", "size", "now", "hostile", "live", "state", "bareLegacy"] as const;

/** Returns the first of some options that was typed, as a flag. */
export function findFlag(input: object, options: readonly string[]): string | undefined {
  const option = options.find((name) => Reflect.get(input, name) !== undefined);
  return option && `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Name of the folder of the sandbox, inside the cache folder. */
export const SANDBOX_FOLDER = "sandbox";

/** Returns the cache folder; without a home folder, one in the temporary folder. */
export function cacheFolder({ paths }: Settings): string {
  return paths.cache ?? join(tmpdir(), `solx-${process.getuid?.() ?? "user"}`);
}

/** Returns the file that counts in-process requests across runs. */
export function usageFile(settings: Settings): string {
  return join(cacheFolder(settings), SANDBOX_FOLDER, "usage.sqlite");
}

/** Returns the options of the sandbox from the settings and overrides. */
export function worldOptions(settings: Settings, { io }: RunContext, overrides: WorldOverrides = {}) {
  const { seed = settings.get("sandbox-seed"), size = settings.get("sandbox-size") } = overrides;
  const { hostile = settings.get("sandbox-hostile") === "on" } = overrides;
  const now =
    overrides.now === undefined ? sandboxTime(settings, io.now()) : parseUnixTime(overrides.now, "--now", io.now());
  const plan = settings.get("plan");
  return {
    seed,
    size,
    hostile,
    faults: splitFaults(settings.get("sandbox-faults") ?? ""),
    folder: cacheFolder(settings),
    signal: io.signal,
    ...(now === undefined ? {} : { now }),
    ...(plan === undefined ? {} : { plan }),
  };
}

/** Splits a list of faults separated by spaces or commas. */
export const splitFaults = (text: string): readonly string[] => text.split(/[\s,]+/).filter((fault) => fault !== "");

/** Returns the fixed time of the sandbox in Unix seconds; undefined when the settings fix none. */
export function sandboxTime(settings: Settings, present: number): number | undefined {
  const { value, level, origin } = settings.resolve("sandbox-now");
  const source = level === "environment" ? "SOLX_SANDBOX_NOW" : `sandbox-now of ${origin}`;
  return value === undefined ? undefined : parseUnixTime(String(value), source, present);
}

/** Loads the sandbox module. */
export function loadSandbox(): Promise<typeof import("../../sandbox/index.ts")> {
  return import("../../sandbox/index.ts");
}

/** A progress line on a terminal. */
export interface ProgressLine {
  /** @param share from 0 to 1 */
  update(share: number): void;
  end(): void;
}

/** Returns the progress line for creating a ledger: redrawn on standard error, on a terminal only. */
export async function ledgerProgress(context: RunContext): Promise<ProgressLine> {
  const none = { update: () => {}, end: () => {} };
  const work = "Creating the sandbox's ledger (once)";
  const { onProgress } = context.reporter;
  if (onProgress) return { update: (share) => onProgress({ text: work, share }), end: () => onProgress(undefined) };
  if (!context.io.stderr.isTTY || context.globals.quiet) return none;
  const { canRedraw, getStatusLine } = await import("../run/status-line.ts");
  if (!canRedraw(context.io)) return none;
  const line = getStatusLine(context).open();
  return {
    update: (share) => line.show(`${work}: ${Math.min(100, Math.floor(share * 100))} %`),
    end: line.close,
  };
}

/**
 * Returns the index or the sandbox of the settings, which is opened by the first request.
 * @param live whether the chain of the sandbox gets new blocks
 */
export function ledgerOptions(context: RunContext, settings: Settings, live = false): LedgerOptions {
  if (sourceOf(settings).facts.isSimulated) {
    return {
      source: { kind: "sandbox", name: settings.get("sandbox-seed") },
      open: () => openInProcess(context, settings, live),
      failure: { code: "SANDBOX", hint: "Recreate its data: solx sandbox reset" },
    };
  }
  const name = String(settings.get("index"));
  return {
    source: { kind: "index", name },
    open: () => openIndexService(context, settings),
    failure: {
      code: "INDEX",
      hint: `If the file is damaged, remove it and index again: solx index remove ${name}`,
    },
  };
}

/** Opens the index in process; its new blocks appear in later answers. */
async function openIndexService(context: RunContext, settings: Settings): Promise<Sandbox> {
  const [{ openLedgerService }, { openIndexForAnswers }] = await Promise.all([
    loadSandbox(),
    import("../indexer/indexes.ts"),
  ]);
  const key = await settings.key(context.io.signal);
  const name = String(settings.get("index"));
  const options = { name, key: key?.value, onNote: (text: string) => void context.reporter.note(text) };
  return openLedgerService(await openIndexForAnswers(settings, name), options);
}

async function openInProcess(context: RunContext, settings: Settings, live: boolean): Promise<Sandbox> {
  const options = worldOptions(settings, context);
  const { openSandbox } = await loadSandbox();
  const progress = await ledgerProgress(context);
  try {
    const usage = usageFile(settings);
    return await openSandbox({
      ...options,
      live,
      usage,
      onProgress: progress.update,
      onNote: (text) => void context.reporter.note(text),
    });
  } finally {
    progress.end();
  }
}

const MAX_RATE = { requests: 1_000_000, seconds: DAY_SECONDS } as const;

/** Parses requests and seconds: `200/10`. Throws UsageError for other text. */
export function parseRate(text: string): Rate {
  const [, requests, seconds] = /^(\d{1,7})\/(\d{1,5}(?:\.\d{1,3})?)$/.exec(text.trim()) ?? [];
  const rate = { requests: Number(requests), seconds: Number(seconds) };
  const isValid = rate.requests <= MAX_RATE.requests && rate.seconds > 0 && rate.seconds <= MAX_RATE.seconds;
  if (isValid) return rate;
  throw new UsageError(
    `invalid value ${quoteText(text)} for --rate: expected requests/seconds such as 200/10, at most ${MAX_RATE.requests} in ${MAX_RATE.seconds}`,
  );
}
