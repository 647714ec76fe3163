/** What the explorer gets of this run: the client, who asks, and what can be done on this machine. */
import { quoteForShell } from "../../catalogue/command-line.ts";
import { PLANS } from "../../catalogue/plans.ts";
import { resolveRate } from "../../client/options.ts";
import type { Settings } from "../../config/index.ts";
import { shouldUseColor, supportsUnicode } from "../../output/stream/terminal.ts";
import type { Services } from "../../ui/app/services.ts";
import type { ColorDepth } from "../../ui/app/theme/style.ts";
import { detectColorScheme } from "../../ui/app/theme/theme.ts";
import type { ThemeName } from "../../ui/app/theme/themes.ts";
import type { RunContext } from "../run/context.ts";
import type { Io } from "../run/io.ts";
import { suggestCommand } from "../run/program-name.ts";
import { isUnlimited, parseRate } from "../run/rate-limit-options.ts";
import { createBrowse } from "./browser.ts";
import { createCopy } from "./clipboard.ts";
import { keepTheme, readCustom } from "./config-file.ts";
import type { Inside } from "./context.ts";
import { createHandOff } from "./external-viewer.ts";
import { createKeyUse } from "./key-session.ts";
import type { Log } from "./log.ts";
import { exploreMemory } from "./memory.ts";
import { createSave } from "./save-file.ts";

/** The services of a run. Nothing is opened before it is asked for. */
export async function servicesOf(
  context: RunContext,
  inside: Inside,
  log: Log,
  toSandbox: () => void,
  theme?: ThemeName,
): Promise<Services> {
  const settings = await context.settings();
  const plan = settings.get("plan") ?? "lite";
  const { env, stdout, signal } = context.io;
  const { platform } = process;
  const color = shouldUseColor({ flag: context.globals.color, env, isTTY: stdout.isTTY === true });
  const keyUse = createKeyUse(settings, inside, signal);
  return {
    client: keyUse.client,
    identity: {
      profile: settings.profile,
      sandbox: settings.sandbox,
      get hasKey() {
        return keyUse.hasKey();
      },
      plan: PLANS[plan].title,
      rate: isUnlimited(settings) ? undefined : resolveRate(plan, parseRate(settings.get("rate"))),
      units: PLANS[plan].units,
    },
    now: await context.clock(),
    timeZone: undefined,
    colorScheme: detectColorScheme(color, env),
    depth: depthOf(stdout, env),
    theme,
    saveTheme: (name) => keepTheme(settings.paths, name),
    unicode: supportsUnicode(env),
    command: (words) => suggestCommand(context, words),
    curl: (url) => `curl --compressed -H "${settings.get("key-header")}: $SOLX_API_KEY" ${quoteForShell(url.href)}`,
    copy: createCopy({ env, platform, write: (text) => void stdout.write(text) }),
    browse: createBrowse({ env, platform }),
    openExternally: createHandOff({ env, platform, signal }),
    save: createSave(process.cwd()),
    memory: exploreMemory({ paths: settings.paths, scope: scopeOf(settings), log: log.write }),
    customization: readCustom(settings.paths, log.write),
    log: log.write,
    logPath: log.path,
    onNote: inside.onNote,
    // Nothing of it is to be told beside the screen.
    onEvent: (listener) =>
      inside.context.reporter.onEvent((event) => {
        listener(event);
        return true;
      }),
    ...(settings.sandbox ? {} : { switchToSandbox: toSandbox, apiKeyEntry: keyUse.entry }),
  };
}

/** The colours that the terminal says it has. */
function depthOf(stdout: Io["stdout"], env: Io["env"]): ColorDepth {
  const bits = stdout.getColorDepth?.({ ...env }) ?? 4;
  return bits === 24 || bits === 8 ? bits : 4;
}

/** Whose places these are: what one world has, another does not. */
function scopeOf(settings: Settings): string {
  if (settings.sandbox) return `sandbox ${settings.get("sandbox-seed")}`;
  return `${settings.profile} ${settings.get("base-url-v2")}`;
}
