/**
 * The sandbox: a local implementation of the API over a simulated chain, without an API key or network access.
 * {@link openSandbox} answers in process, {@link startSandbox} over HTTP.
 */
import { type JsonObject, throwIfAborted, UsageError } from "../base/index.ts";
import { SANDBOX_PORT } from "../catalogue/index.ts";
import type { AssembledSandbox, LedgerServiceOptions, ServedLedger } from "./assemble.ts";
import type { ReplayOptions, SandboxHandle, SandboxOptions } from "./options.ts";
import type { HttpServer, HttpServerOptions } from "./server.ts";
import type { ServiceAnswer, ServiceRequest } from "./service/request.ts";
import type { Service } from "./service/service.ts";

export type { Rate } from "../catalogue/index.ts";
export {
  type FallthroughAnswer,
  type FallthroughHandler,
  type ReplayOptions,
  type SandboxInfo,
  type SandboxOptions,
  SIZES,
} from "./options.ts";
export { FAULT_FORMS, FAULT_HELP } from "./service/fault-help.ts";
export { createFaults } from "./service/faults.ts";
export type { RequestEntry } from "./service/request.ts";
export { SHAPES, type ShapeName } from "./service/shape-names.ts";

/** Loads what creates the ledgers: the help and the completion of commands read this file alone. */
const loadLedgers = () => import("./assemble.ts");

/** Serves what answers requests of the Fetch standard. @throws UsageError for an address that cannot be served */
export async function startFetchServer(
  answer: (request: Request) => Promise<Response>,
  options: HttpServerOptions,
): Promise<HttpServer> {
  const [{ getRequestListener }, { startHttpServer }] = await Promise.all([
    import("@hono/node-server"),
    import("./server.ts"),
  ]);
  return startHttpServer(getRequestListener(answer, { overrideGlobalObjects: false }), options);
}

export type { ServiceAnswer } from "./service/request.ts";
export type { AccountAmount, ChainChange, TransferRequest } from "./state/chain.ts";
export type { SandboxTime } from "./state/clock.ts";
export type { SandboxControls, SandboxPlan, SandboxUsage } from "./state/controls.ts";

/** Options of {@link startSandbox}. */
export interface ServerOptions extends SandboxOptions {
  /** 8787 by default; 0 selects a free port. */
  readonly port?: number | undefined;
  /**
   * An IP address or `localhost`; 127.0.0.1 by default. Other machines can reach addresses other than loopback, which
   * therefore need the option `key`. The control endpoints are closed to them without `controlToken`.
   */
  readonly host?: string | undefined;
  /**
   * Host names under which other machines reach the server, beside addresses and the name of this machine. Requests
   * with other names are rejected, since a web page could use them to reach the server through a browser.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The token with which other machines can use the control endpoints, as `Authorization: Bearer <token>`. */
  readonly controlToken?: string | undefined;
  /** Returns the OpenAPI document that is served at `/openapi.json`; no document is served by default. */
  readonly openapi?: (() => Promise<JsonObject>) | undefined;
  /** Recordings that answer in place of the simulated chain: a folder, or more about it. */
  readonly replay?: string | ReplayOptions | undefined;
}

/** A sandbox in process. */
export interface Sandbox extends SandboxHandle {
  /**
   * Answers a request: v2 under /v2.0, legacy under /v1.0, public under the root.
   * @throws NetworkError and ServerError when a fault breaks the connection, InterruptedError when the signal fires
   */
  handle(request: ServiceRequest): Promise<ServiceAnswer>;
}

/** A sandbox that serves HTTP. */
export interface RunningSandbox extends SandboxHandle {
  /** Base URL of all API families for clients on this machine, without a trailing slash. */
  readonly url: string;
  /** The port that it listens on. */
  readonly port: number;
}

/** In process the current time is rounded down to this, so that consecutive commands get the same answers, but with live blocks. */
const STEP_SECONDS = 600;

/**
 * Opens a sandbox in process. The first call for a world generates it, which takes seconds.
 * @throws UsageError for invalid options, InterruptedError when the signal fires
 */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return openAssembled(await (await loadLedgers()).assemble(options, options.live ? 1 : STEP_SECONDS));
}

/** Opens the service in process over a ledger that something else fills, and closes the ledger with it. */
export async function openLedgerService(ledger: ServedLedger, options: LedgerServiceOptions): Promise<Sandbox> {
  return openAssembled(await (await loadLedgers()).assembleLedger(ledger, options));
}

const openAssembled = ({ handle, service }: AssembledSandbox<Service>): Sandbox => ({
  ...handle,
  handle: service.handle,
});

/**
 * Serves a sandbox over HTTP, on loopback by default. Rate limits and usage follow the clock; other answers stay the
 * same.
 * @throws UsageError for invalid options and for a port in use, InterruptedError when the signal fires
 */
export async function startSandbox(options: ServerOptions = {}): Promise<RunningSandbox> {
  await checkHost(options);
  const { replay } = options;
  if (replay === undefined) return startAssembled(await (await loadLedgers()).assemble(options, 1), options);
  const { assembleReplay } = await import("./replay.ts");
  return startAssembled(
    await assembleReplay(typeof replay === "string" ? { folder: replay } : replay, options),
    options,
  );
}

/** Serves a ledger that something else fills over HTTP, and closes the ledger with the server. */
export async function startLedgerServer(
  ledger: ServedLedger,
  options: LedgerServiceOptions & HostOptions,
): Promise<RunningSandbox> {
  await checkHost(options);
  return startAssembled(await (await loadLedgers()).assembleLedger(ledger, options), options);
}

type HostOptions = Pick<ServerOptions, "port" | "host" | "allowedHosts" | "controlToken" | "openapi">;

/**
 * Checks the address before the world is generated, which can take long.
 * @throws UsageError for an address that other machines can reach, unless a key was chosen: the default one is known
 */
async function checkHost({ host, key }: Pick<ServerOptions, "host" | "key">): Promise<void> {
  const [{ parseHost }, { isLoopbackAddress }] = await Promise.all([
    import("./server.ts"),
    import("./service/access.ts"),
  ]);
  const address = parseHost(host);
  if (key !== undefined || isLoopbackAddress(address)) return;
  throw new UsageError(`host ${address} can be reached from other machines and requires a key`, {
    code: "KEY_REQUIRED",
    hint: "Choose the key that clients have to send: --key <key>",
  });
}

async function startAssembled(
  { handle, service }: AssembledSandbox,
  { signal, port, host, allowedHosts = [], controlToken, openapi }: HostOptions & Pick<ServerOptions, "signal">,
): Promise<RunningSandbox> {
  try {
    const [{ createApp }, { controlRoutes }, { parseHost, startHttpServer }, access] = await Promise.all([
      import("./service/app.ts"),
      import("./state/controls.ts"),
      import("./server.ts"),
      import("./service/access.ts"),
    ]);
    const { createHostCheck, isLoopbackAddress } = access;
    const acceptsHost = isLoopbackAddress(parseHost(host)) ? undefined : createHostCheck(allowedHosts);
    const controls = controlRoutes({ controls: handle, info: handle.info, service });
    const app = createApp({ service, controls, acceptsHost, controlToken, openapi });
    const server = await startHttpServer(app, { port: port ?? SANDBOX_PORT, host });
    let closed: Promise<void> | undefined;
    const close = () => {
      signal?.removeEventListener("abort", close);
      closed ??= server.close().then(handle.close);
      return closed;
    };
    signal?.addEventListener("abort", close, { once: true });
    if (signal?.aborted) await close();
    throwIfAborted(signal);
    return { ...handle, url: server.url, port: server.port, close };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
