/** What the explorer gets of this run: the client, who asks, and what can be done on this machine. */
import { shellWord } from "../catalogue/command-line.ts";
import { PLANS } from "../catalogue/plans.ts";
import { rateOf } from "../client/options.ts";
import type { Settings } from "../config/index.ts";
import { useColor } from "../output/terminal.ts";
import type { Services } from "../ui/frame/services.ts";
import { paletteOf } from "../ui/frame/theme.ts";
import { isUnheld, rateGiven } from "./budget-options.ts";
import { createBrowse } from "./explore-browser.ts";
import { createCopy } from "./explore-clipboard.ts";
import type { Inside } from "./explore-frame.ts";
import type { Log } from "./explore-log.ts";
import { exploreMemory } from "./explore-memory.ts";
import { createSave } from "./explore-save.ts";
import type { Frame } from "./frame.ts";
import type { Io } from "./io.ts";
import { suggestion } from "./program-name.ts";

/** The services of a run. Nothing is opened before it is asked for. */
export async function servicesOf(frame: Frame, inside: Inside, log: Log, toSandbox: () => void): Promise<Services> {
  const settings = await frame.settings();
  const plan = settings.get("plan") ?? "lite";
  const { env, stdout, signal } = frame.io;
  const { platform } = process;
  const color = useColor({ flag: frame.globals.color, env, isTTY: stdout.isTTY === true });
  // A keychain may take its time: until it has answered, a key is taken for granted.
  let hasKey = true;
  const client = async () => {
    const key = await settings.key(signal).catch(() => undefined);
    hasKey = key !== undefined;
    return inside.frame.client();
  };
  return {
    client,
    identity: {
      profile: settings.profile,
      sandbox: settings.sandbox,
      get hasKey() {
        return hasKey;
      },
      plan: PLANS[plan].title,
      rate: isUnheld(settings) ? undefined : rateOf(plan, rateGiven(settings.get("rate"))),
      units: PLANS[plan].units,
    },
    now: await frame.clock(),
    timeZone: undefined,
    palette: paletteOf(color, env),
    unicode: canUnicode(env),
    command: (words) => suggestion(frame, words),
    curl: (url) => `curl --compressed -H "${settings.get("key-header")}: $SOLX_API_KEY" ${shellWord(url.href)}`,
    copy: createCopy({ env, platform, write: (text) => void stdout.write(text) }),
    browse: createBrowse({ env, platform }),
    save: createSave(process.cwd()),
    memory: exploreMemory({ paths: settings.paths, scope: scopeOf(settings), log: log.write }),
    log: log.write,
    onNote: inside.onNote,
    // Nothing of it is to be told beside the screen.
    onEvent: (listener) =>
      inside.frame.told.listen((event) => {
        listener(event);
        return true;
      }),
    ...(settings.sandbox ? {} : { toSandbox }),
  };
}

/** Whose places these are: what one world has, another does not. */
function scopeOf(settings: Settings): string {
  if (settings.sandbox) return `sandbox ${settings.get("sandbox-seed")}`;
  return `${settings.profile} ${settings.get("base-url-v2")}`;
}

/** Whether the terminal draws more than ASCII: the locale may say that it does not, and Linux' own console cannot. */
export function canUnicode({ LC_ALL, LC_CTYPE, LANG, TERM }: Io["env"]): boolean {
  if (TERM === "linux") return false;
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  return locale === "" || /utf-?8/i.test(locale);
}
