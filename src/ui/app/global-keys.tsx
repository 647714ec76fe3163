/** Key bindings that are active on every page. */

import { useSyncExternalStore } from "react";
import { safeText } from "../../output/index.ts";
import { hasPage } from "../navigation/availability.ts";
import { type Explorer, useBindings, useExplorer } from "../navigation/context.ts";
import type { PageName } from "../navigation/entity-pages.ts";
import { bindAction, formatKeyHints, keyLabelsOf } from "../navigation/keys/bindings.ts";
import { describeHotkey } from "../navigation/keys/custom-keys.ts";
import type { Binding } from "../navigation/keys/keymap.ts";
import { HOME } from "../navigation/route.ts";
import type { TerminalControl } from "../terminal/control.ts";
import { useSuspend } from "../terminal/full-screen.tsx";

/**
 * Binds the global keys; draws nothing.
 * @param hasPalette whether the palette is loaded and fits into the window
 */
export function GlobalKeys({ terminal, hasPalette }: { terminal: TerminalControl; hasPalette: boolean }) {
  const explorer = useExplorer();
  const { navigation, openPopup, quit, toast } = explorer;
  const { apiKeyEntry: entry } = explorer.services;
  const [canGoBack, canGoForward] = useDirections();
  const suspend = useSuspend(terminal, explorer.services.log, toast);
  const openPage = (page: PageName) => () => navigation.open({ kind: "page", page });
  useBindings("global", [
    ...hotkeyBindings(explorer),
    bindAction("go.back", "back", () => navigation.back(), { hint: 80, active: canGoBack }),
    bindAction("go.forward", "forward", () => navigation.forward(), { hint: 85, active: canGoForward }),
    bindAction("go.search", "search", () => openPopup({ kind: "palette" }), { hint: 70, active: hasPalette }),
    bindAction("go.home", "home", () => navigation.open(HOME)),
    bindAction("go.bookmarks", "bookmarks", openPage("bookmarks")),
    bindAction("go.watch", "rules", openPage("watch")),
    ...(["network", "usage"] as const).map((page) =>
      bindAction(`go.${page}`, page, openPage(page), { active: hasPage(page, explorer.services.supports) }),
    ),
    bindAction("solx.help", "help", () => openPopup({ kind: "palette", only: "keys" }), { hint: 90 }),
    bindAction("solx.key", "API key", () => entry && openPopup({ kind: "api-key", entry }), {
      active: entry !== undefined,
    }),
    bindAction("solx.mouse", "mouse on or off", () => toggleMouse(explorer, terminal), { hint: 95 }),
    bindAction("solx.suspend", "suspend", suspend),
    bindAction("solx.quit", "quit", quit, { hint: 99 }),
  ]);
  return null;
}

function toggleMouse({ services, toast, keys }: Explorer, terminal: TerminalControl): void {
  const isOn = !terminal.mouse();
  terminal.setMouse(isOn);
  void services.memory.setSwitch("mouse", isOn);
  const [does, note] = isOn ? ["turn off", "mouse on: Shift selects text"] : ["turn on", "mouse off"];
  const hint = formatKeyHints(keyLabelsOf({ keys, services }), [["solx.mouse", does]]);
  toast([note, hint].filter(Boolean).join(" · "));
}

function hotkeyBindings({ services: { customization: custom }, navigation }: Explorer): readonly Binding[] {
  return (custom?.keys.hotkeys ?? []).flatMap((one): readonly Binding[] => {
    const route = "open" in one ? custom?.hotkeyRoutes.get(one.open) : undefined;
    const label = safeText(describeHotkey(one));
    return route ? [{ keys: [one.key], label, group: "go", run: () => navigation.open(route) }] : [];
  });
}

function useDirections(): readonly [boolean, boolean] {
  const { navigation } = useExplorer();
  const canGoBack = useSyncExternalStore(navigation.subscribe, navigation.canGoBack);
  const canGoForward = useSyncExternalStore(navigation.subscribe, navigation.canGoForward);
  return [canGoBack, canGoForward];
}
