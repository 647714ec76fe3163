/** Opens pages of the web explorer in the user's browser. */
import type { Env } from "../../base/index.ts";
import type { ActionResult } from "../../ui/index.ts";
import { createToolRunner, type RunTool } from "./run-tool.ts";

/** System access needed to open a browser; replaceable in tests. */
export interface BrowserEnvironment {
  readonly env: Env;
  readonly platform: NodeJS.Platform;
  /** Runs a tool; by default as a process. */
  readonly run?: RunTool;
}

/** A program that opens the URL given as its last argument. */
export interface Opener {
  readonly name: string;
  readonly args: readonly string[];
}

/** An opener that has not failed after this time is assumed to show the page. */
const OPEN_TIMEOUT_MS = 1000;

/** Returns the openers of a system, best first; none without a display for a browser, as over SSH. */
export function browserOpeners(env: Env, platform: NodeJS.Platform): readonly Opener[] {
  if (env.SSH_CONNECTION || env.SSH_TTY) return [];
  if (platform === "darwin") return [{ name: "open", args: [] }];
  // `start` is a shell built-in, and the shell would split a URL.
  if (platform === "win32") return [{ name: "rundll32.exe", args: ["url.dll,FileProtocolHandler"] }];
  return [
    ...(env.WSL_DISTRO_NAME ? [{ name: "wslview", args: [] }] : []),
    ...(env.DISPLAY || env.WAYLAND_DISPLAY ? [{ name: "xdg-open", args: [] }] : []),
  ];
}

/** Returns a function that opens a URL; its message contains the URL in any case. */
export function createBrowserOpener(environment: BrowserEnvironment): (url: string) => Promise<ActionResult> {
  const { env, platform, run = createToolRunner(env) } = environment;
  return async (url) => {
    const address = URL.parse(url);
    if (address?.protocol !== "https:") return { ok: false, message: "Only https URLs can be opened." };
    for (const { name, args } of browserOpeners(env, platform)) {
      if (await run(name, [...args, address.href], { timeout: OPEN_TIMEOUT_MS, detached: true }))
        return { ok: true, message: `Opened ${address.href}` };
    }
    return { ok: false, message: `Cannot open a browser here: ${address.href}` };
  };
}
