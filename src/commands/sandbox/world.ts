/** The options and files of the sandbox on this machine, and the progress of creating its ledger. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_SECONDS, UsageError } from "../../base/index.ts";
import { parseUnixTime } from "../../client/index.ts";
import { quoteText, type Settings } from "../../config/index.ts";
import type { Rate, Sandbox, SandboxOptions } from "../../sandbox/index.ts";
import type { LedgerOptions } from "../../sources/ledger/index.ts";
import type { RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";

/** Options of a simulated chain, which neither an index nor recordings are. */
export const WORLD_OPTIONS = ["seed", "size", "now", "hostile", "live", "state", "shape"] as const;

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

/** Returns the options of the sandbox that the settings select. */
export const worldOptions = (settings: Settings, { io }: RunContext) => ({
  seed: settings.get("sandbox-seed"),
  size: settings.get("sandbox-size"),
  hostile: settings.get("sandbox-hostile") === "on",
  now: sandboxTime(settings, io.now()),
  plan: settings.get("plan"),
  faults: splitFaults(settings.get("sandbox-faults") ?? ""),
  folder: cacheFolder(settings),
  signal: io.signal,
});

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

/** Opens a sandbox with the progress of creating its ledger: redrawn on standard error, on a terminal only. */
export async function openWithProgress<T>(
  context: RunContext,
  open: (reporting: Pick<SandboxOptions, "onProgress" | "onNote">) => Promise<T>,
): Promise<T> {
  const { io, globals, reporter } = context;
  const onNote = (text: string) => void reporter.note(text);
  const work = "Creating the sandbox's ledger (once)";
  const { onProgress: report } = reporter;
  if (report) {
    return open({ onNote, onProgress: (share) => report({ text: work, share }) }).finally(() => report(undefined));
  }
  if (!io.stderr.isTTY || globals.quiet) return open({ onNote });
  const { canRedraw, getStatusLine } = await import("../run/status-line.ts");
  if (!canRedraw(io)) return open({ onNote });
  const line = getStatusLine(context).open();
  const show = (share: number) => line.show(`${work}: ${Math.min(100, Math.floor(share * 100))} %`);
  return open({ onNote, onProgress: show }).finally(line.close);
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
  const options = { ...worldOptions(settings, context), live, usage: usageFile(settings) };
  const { openSandbox } = await loadSandbox();
  return openWithProgress(context, (reporting) => openSandbox({ ...options, ...reporting }));
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
