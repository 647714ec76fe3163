/** Assembles a sandbox that replays recordings, with or without a simulated chain behind them. */
import { Buffer } from "node:buffer";
import { UsageError } from "../base/index.ts";
import { KEY_HEADER } from "../catalogue/index.ts";
import { Replayer } from "../sources/recording/index.ts";
import { type AssembledSandbox, assemble, handleOf } from "./assemble.ts";
import type { FallthroughHandler, ReplayOptions, SandboxHandle, SandboxOptions } from "./options.ts";
import { createFaults } from "./service/faults.ts";
import { createReplayService, type ReplayServiceOptions } from "./service/replay.ts";
import { UsageStore } from "./service/usage.ts";
import type { SandboxControls } from "./state/controls.ts";

/** The key that a replay names where it accepts every key. */
const ANY_KEY = "replay";

/** Assembles a replay, whose clock starts when the recording began. Throws UsageError for an empty folder. */
export async function assembleReplay(
  { folder, fallthrough, onMiss }: ReplayOptions,
  options: SandboxOptions,
): Promise<AssembledSandbox> {
  const { clock = Date.now, key } = options;
  const isLive = typeof fallthrough === "function";
  const replayer = await (isLive ? Replayer.openGrowing(folder) : Replayer.open(folder));
  const chain = fallthrough === "sandbox" ? await assemble({ ...options, onRequest: undefined }, 1) : undefined;
  const started = clock();
  const now = () => (replayer.period?.start ?? started) + clock() - started;
  const usage = chain?.service.usage ?? new UsageStore({ path: undefined, name: ANY_KEY });
  const faults = chain?.service.faults ?? createFaults([], ANY_KEY);
  const service = createReplayService({
    replayer,
    key,
    fallthrough: isLive ? scanningAfter(replayer, fallthrough) : chain && chainHandler(chain),
    onMiss,
    faults,
    usage,
    now: clock,
    onRequest: options.onRequest,
  });
  const handle: SandboxHandle = {
    ...(chain?.handle ?? refusingControls(now)),
    ...handleOf(service),
    key: key ?? ANY_KEY,
    seed: chain?.handle.seed ?? "",
    now,
    info: () => ({
      ...{ version: "", seed: "", size: 0, hostile: false, live: false, plan: null, frozen: false },
      now: Math.floor(now() / 1000),
      ...chain?.handle.info(),
      end: Math.floor((replayer.period?.end ?? started) / 1000),
      faults: faults.list,
      replay: { folder, recordings: replayer.size },
    }),
    close: async () => (chain ? chain.handle.close() : usage.close()),
  };
  return { handle, service };
}

/** Returns the controls of a replay without a simulated chain: recordings cannot be changed. */
function refusingControls(now: () => number): SandboxControls {
  const refuse = (): never => {
    throw new UsageError("recordings have no state that can be changed", {
      code: "REPLAY",
      hint: "To replay them over a simulated chain: --fallthrough sandbox",
    });
  };
  return {
    time: () => ({ now: Math.floor(now() / 1000), frozen: false }),
    advanceTime: refuse,
    setTime: refuse,
    freezeTime: refuse,
    resumeTime: refuse,
    usage: refuse,
    setUsage: refuse,
    plan: refuse,
    setPlan: refuse,
    setBalance: refuse,
    send: refuse,
  };
}

/** Returns a handler after which the replay knows what the handler recorded. */
const scanningAfter =
  (replayer: Replayer, handler: FallthroughHandler): ReplayServiceOptions["fallthrough"] =>
  async (request) => {
    const answer = await handler(request);
    await replayer.scan();
    if (!answer) return undefined;
    const body = Buffer.from(answer.body);
    return { answer: { ...answer, headers: { ...answer.headers, "content-length": String(body.length) }, body } };
  };

/** Returns a handler that answers from a simulated chain, whichever key the client has. */
const chainHandler =
  ({ service, handle: { key } }: AssembledSandbox): ReplayServiceOptions["fallthrough"] =>
  async (request) =>
    request.body === undefined
      ? service.answer({ ...request, headers: { ...request.headers, [KEY_HEADER]: key } })
      : undefined;
