/** Opens pages of the public explorer in the user's browser. */
import type { ActionResult } from "../../ui/app/services.ts";
import type { Io } from "../run/io.ts";
import { createToolRunner, type RunTool } from "./run-tool.ts";

type Env = Io["env"];

/** What opening needs of the world. */
export interface BrowserEnvironment {
  readonly env: Env;
  readonly platform: NodeJS.Platform;
  /** Runs a tool; the default is a process. */
  readonly run?: RunTool;
}

/** A program that opens an address, which is its last argument. */
export interface Opener {
  readonly name: string;
  readonly args: readonly string[];
}

/** An opener that has not failed after so many milliseconds shows the page. */
const OPEN_TIMEOUT_MS = 1000;

/** The openers of a system, the best first; none where there is no screen for a browser, as over SSH. */
export function browserOpeners(env: Env, platform: NodeJS.Platform): readonly Opener[] {
  if (env.SSH_CONNECTION || env.SSH_TTY) return [];
  if (platform === "darwin") return [{ name: "open", args: [] }];
  // `start` is a word of the shell, which would read an address as more than one word.
  if (platform === "win32") return [{ name: "rundll32.exe", args: ["url.dll,FileProtocolHandler"] }];
  return [
    ...(env.WSL_DISTRO_NAME ? [{ name: "wslview", args: [] }] : []),
    ...(env.DISPLAY || env.WAYLAND_DISPLAY ? [{ name: "xdg-open", args: [] }] : []),
  ];
}

/** Makes the function that opens an address and says so, or says the address where nothing opens it. */
export function createBrowserOpener(environment: BrowserEnvironment): (url: string) => Promise<ActionResult> {
  const { env, platform, run = createToolRunner(env) } = environment;
  return async (url) => {
    const address = URL.parse(url);
    if (address?.protocol !== "https:") return { ok: false, message: "Only pages of the web are opened." };
    for (const { name, args } of browserOpeners(env, platform)) {
      if (await run(name, [...args, address.href], { timeout: OPEN_TIMEOUT_MS, detached: true }))
        return { ok: true, message: `Opened ${address.href}` };
    }
    return { ok: false, message: `No browser can be opened here: ${address.href}` };
  };
}
