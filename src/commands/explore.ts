/** `solx explore`: the explorer in this terminal, with what it needs of this run. */
import { InterruptedError, SolxError, UsageError } from "../base/errors.ts";
import type { Endpoint } from "../catalogue/endpoint.ts";
import { resolvePaths } from "../config/paths.ts";
import type { Parameters, Place } from "../ui/frame/place.ts";
import { canExplore } from "./can-explore.ts";
import { insideFrame } from "./explore-frame.ts";
import { openLog } from "./explore-log.ts";
import { placeOfEndpoint, placeOfWords } from "./explore-place.ts";
import { servicesOf } from "./explore-services.ts";
import { Frame } from "./frame.ts";

/**
 * Runs the explorer from where words lead.
 * @param orText whether the overview is printed where there is no terminal
 */
export async function explore(frame: Frame, words: readonly string[], orText = false): Promise<void> {
  if (orText && !canExplore(frame.io)) return (await import("./overview.ts")).overview(frame);
  await exploreFrom(frame, placeOfWords(words));
}

/** Runs the explorer from an endpoint, with what was typed for it. */
export async function exploreEndpoint(
  frame: Frame,
  endpoint: Endpoint,
  ids: readonly string[],
  values: Parameters,
): Promise<void> {
  await exploreFrom(frame, placeOfEndpoint(endpoint, ids, values));
}

async function exploreFrom(frame: Frame, place: Place): Promise<void> {
  const { stdin, stdout, env, signal } = frame.io;
  if (!canExplore(frame.io)) {
    const isDumb = stdin.isTTY && stdout.isTTY;
    throw new UsageError(
      isDumb
        ? `The explorer cannot draw in this terminal (TERM=${env.TERM}).`
        : "The explorer needs a terminal for input and output.",
      { hint: "As text: solx overview, or solx show <anything>." },
    );
  }
  const log = openLog(resolvePaths(env).state, frame.io.now);
  let wantsSandbox = false;
  const inside = insideFrame(frame, log);
  try {
    const sandbox = new AbortController();
    const services = await servicesOf(frame, inside, log, () => {
      wantsSandbox = true;
      sandbox.abort();
    });
    const { explore: start } = await import("../ui/start.tsx");
    const how = await start({ services, place, stdin, stdout, signal: AbortSignal.any([signal, sandbox.signal]) });
    if (how.how === "fault") throw fault(how.error, log.path);
    if (how.how === "gone") throw new InterruptedError("The terminal is gone.", { terminated: true });
    signal.throwIfAborted();
  } finally {
    await inside.close();
  }
  if (wantsSandbox) await onSandbox(frame, place);
}

/** The same once more, on made-up data. */
async function onSandbox(frame: Frame, place: Place): Promise<void> {
  const again = new Frame(frame.io);
  const { profile: _, baseUrl: __, ...globals } = frame.globals;
  again.globals = { ...globals, sandbox: true };
  await exploreFrom(again, place);
}

function fault(error: unknown, path: string | undefined): SolxError {
  const text = error instanceof Error ? error.message : String(error);
  return new SolxError("unexpected", `The explorer ended over a fault of its own: ${text}`, {
    cause: error,
    ...(path === undefined ? {} : { hint: `More about it is in ${path}` }),
  });
}
