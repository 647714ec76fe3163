/** The services that the explorer gets from this run: client, identity, and access to this machine. */
import { PLANS, quoteForShell } from "../../catalogue/index.ts";
import { resolveRate } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import { shouldUseColor, supportsUnicode } from "../../output/index.ts";
import { type ColorDepth, detectColorScheme, type Services, type ThemeName } from "../../ui/index.ts";
import type { RunContext } from "../run/context.ts";
import type { Io } from "../run/io.ts";
import { suggestCommand } from "../run/program-name.ts";
import { isUnlimited, parseRate } from "../run/rate-limit-options.ts";
import { createBrowserOpener } from "./browser.ts";
import { createCopier } from "./clipboard.ts";
import { readConfigFile, saveTheme } from "./config-file.ts";
import type { ExplorerContext } from "./context.ts";
import { createExternalViewer } from "./external-viewer.ts";
import { createKeySession } from "./key-session.ts";
import type { ExplorerLog } from "./log.ts";
import { createMemory } from "./memory.ts";
import { createFileSaver } from "./save-file.ts";

/** Creates the services of a run. Everything is opened on first use. */
export async function createServices(
  context: RunContext,
  explorer: ExplorerContext,
  log: ExplorerLog,
  toSandbox: () => void,
  theme?: ThemeName,
): Promise<Services> {
  const settings = await context.settings();
  const plan = settings.get("plan") ?? "lite";
  const { env, stdout, signal } = context.io;
  const { platform } = process;
  const color = shouldUseColor({ flag: context.globals.color, env, isTTY: stdout.isTTY === true });
  const keySession = createKeySession(settings, explorer, signal);
  return {
    client: keySession.client,
    identity: {
      profile: settings.profile,
      sandbox: settings.sandbox,
      get hasKey() {
        return keySession.hasKey();
      },
      plan: PLANS[plan].title,
      rate: isUnlimited(settings) ? undefined : resolveRate(plan, parseRate(settings.get("rate"))),
      units: PLANS[plan].units,
    },
    now: await context.clock(),
    timeZone: undefined,
    colorScheme: detectColorScheme(color, env),
    depth: colorDepth(stdout, env),
    theme,
    saveTheme: (name) => saveTheme(settings.paths, name),
    unicode: supportsUnicode(env),
    command: (words) => suggestCommand(context, words),
    curl: (url) =>
      `curl --compressed -H "${settings.get("key-header")}: ${settings.printedKey()}" ${quoteForShell(url.href)}`,
    copy: createCopier({ env, platform, write: (text) => void stdout.write(text) }),
    browse: createBrowserOpener({ env, platform }),
    openExternally: createExternalViewer({ env, platform, signal }),
    save: createFileSaver(process.cwd()),
    memory: createMemory({ paths: settings.paths, scope: memoryScope(settings), log: log.write }),
    customization: readConfigFile(settings.paths, log.write),
    log: log.write,
    logPath: log.path,
    onNote: explorer.onNote,
    // Handled here, so that nothing is printed over the screen.
    onEvent: (listener) =>
      explorer.context.reporter.onEvent((event) => {
        listener(event);
        return true;
      }),
    ...(settings.sandbox ? {} : { switchToSandbox: toSandbox, apiKeyEntry: keySession.entry }),
  };
}

/** Returns the color depth reported by the terminal. */
function colorDepth(stdout: Io["stdout"], env: Io["env"]): ColorDepth {
  const bits = stdout.getColorDepth?.({ ...env }) ?? 4;
  return bits === 24 || bits === 8 ? bits : 4;
}

/** Returns the name of the data source, which separates saved pages of different sources. */
function memoryScope(settings: Settings): string {
  if (settings.sandbox) return `sandbox ${settings.get("sandbox-seed")}`;
  return `${settings.profile} ${settings.get("base-url-v2")}`;
}
