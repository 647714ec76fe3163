/** `solx explore`: the explorer in this terminal, with what it needs of this run. */
import { UsageError } from "../base/errors.ts";
import { PLANS } from "../catalogue/plans.ts";
import { rateOf } from "../client/options.ts";
import { isTerminal, useColor } from "../output/index.ts";
import { HOME, type Place } from "../ui/frame/place.ts";
import type { Services } from "../ui/frame/services.ts";
import type { Frame } from "./frame.ts";
import { suggestion } from "./program-name.ts";

/** Runs the explorer, from a place on. */
export async function explore(frame: Frame, place: Place = HOME): Promise<void> {
  const { stdin, stdout, env, signal } = frame.io;
  if (!stdin.isTTY || !isTerminal({ env, isTTY: stdout.isTTY === true })) {
    throw new UsageError("The explorer needs a terminal for input and output.", {
      hint: "Without one: solx overview, or solx show <anything>.",
    });
  }
  const services = await servicesOf(frame);
  const { explore: start } = await import("../ui/start.tsx");
  await start({ services, place, stdin, stdout, signal });
}

async function servicesOf(frame: Frame): Promise<Services> {
  const settings = await frame.settings();
  const now = await frame.clock();
  const plan = settings.get("plan") ?? "lite";
  const { env, stdout } = frame.io;
  const color = useColor({ flag: frame.globals.color, env, isTTY: stdout.isTTY === true });
  return {
    client: () => frame.client(),
    identity: {
      profile: settings.profile,
      sandbox: settings.sandbox,
      hasKey: true,
      plan: PLANS[plan].title,
      rate: rateOf(plan, undefined),
      units: PLANS[plan].units,
    },
    now,
    timeZone: undefined,
    palette: color ? "dark" : "none",
    unicode: true,
    command: (words) => suggestion(frame, words),
    curl: (url) => `curl '${url}'`,
    copy: async () => ({ ok: false, message: "Copying is not possible here." }),
    browse: async () => ({ ok: false, message: "No browser can be opened here." }),
    save: async () => {
      throw new UsageError("Nothing can be written here.");
    },
    memory: {
      bookmarks: () => [],
      setBookmarks: async () => {},
      recent: () => [],
      setRecent: async () => {},
      columns: () => ({}),
      setColumns: async () => {},
    },
    log: () => {},
  };
}
