/** Key bindings that are active on every page. */

import { useSyncExternalStore } from "react";
import { safeText } from "../../output/index.ts";
import { hasPage } from "../navigation/availability.ts";
import { type Explorer, useBindings, useExplorer } from "../navigation/context.ts";
import type { PageName } from "../navigation/entity-pages.ts";
import { actionBinding } from "../navigation/keys/actions.ts";
import { formatKeyHints, keyLabelsOf } from "../navigation/keys/key-hints.ts";
import type { Binding } from "../navigation/keys/keymap.ts";
import { HOME } from "../navigation/route.ts";
import type { openPalette } from "../palette/palette.tsx";
import type { TerminalControl } from "../terminal/control.ts";
import { useSuspend } from "../terminal/suspend.ts";
import { openApiKeyPopup } from "./api-key-popup.tsx";
import { openHelp } from "./help.tsx";

/** The terminal, and the palette once it is loaded. */
export interface GlobalKeysProps {
  readonly terminal: TerminalControl;
  /** Opens the palette; undefined until it is loaded, and in windows that are too small. */
  readonly openPalette?: typeof openPalette | undefined;
}

/** Binds the global keys; draws nothing. */
export function GlobalKeys({ terminal, openPalette }: GlobalKeysProps) {
  const explorer = useExplorer();
  const { navigation, quit, toast } = explorer;
  const [canGoBack, canGoForward] = useDirections();
  const suspend = useSuspend(terminal, explorer.services.log, toast);
  const openPage = (page: PageName) => () => navigation.open({ kind: "page", page });
  useBindings("global", [
    ...hotkeyBindings(explorer),
    {
      ...actionBinding("go.back"),
      label: "back",
      group: "go",
      hint: 80,
      active: canGoBack,
      run: () => navigation.back(),
    },
    {
      ...actionBinding("go.forward"),
      label: "forward",
      group: "go",
      hint: 85,
      active: canGoForward,
      run: () => navigation.forward(),
    },
    {
      ...actionBinding("go.search"),
      label: "search",
      group: "go",
      hint: 70,
      active: openPalette !== undefined,
      run: () => openPalette?.(explorer),
    },
    { ...actionBinding("go.home"), label: "home", group: "go", run: () => navigation.open(HOME) },
    { ...actionBinding("go.bookmarks"), label: "bookmarks", group: "go", run: openPage("bookmarks") },
    ...(["network", "usage"] as const).map((page) => ({
      ...actionBinding(`go.${page}`),
      label: page,
      group: "go" as const,
      active: hasPage(page, explorer.services.supports),
      run: openPage(page),
    })),
    { ...actionBinding("solx.help"), label: "help", group: "solx", hint: 90, run: () => openHelp(explorer) },
    {
      ...actionBinding("solx.key"),
      label: "API key",
      group: "solx",
      active: explorer.services.apiKeyEntry !== undefined,
      run: () => openApiKeyPopup(explorer),
    },
    {
      ...actionBinding("solx.mouse"),
      label: "mouse on or off",
      group: "solx",
      hint: 95,
      run: () => toggleMouse(explorer, terminal),
    },
    { ...actionBinding("solx.suspend"), label: "suspend", group: "solx", run: suspend },
    { ...actionBinding("solx.quit"), label: "quit", group: "solx", hint: 99, run: quit },
  ]);
  return null;
}

/** Turns the mouse on or off, in later runs too. */
function toggleMouse({ services, toast, keys }: Explorer, terminal: TerminalControl): void {
  const isOn = !terminal.mouse();
  terminal.setMouse(isOn);
  void services.memory.setSwitch("mouse", isOn);
  const [does, note] = isOn ? ["turn off", "mouse on: Shift selects text"] : ["turn on", "mouse off"];
  const hint = formatKeyHints(keyLabelsOf({ keys, services }), [["solx.mouse", does]]);
  toast([note, hint].filter(Boolean).join(" · "));
}

/** Returns bindings for the hotkeys of the user's configuration. */
function hotkeyBindings({ services: { customization: custom }, navigation }: Explorer): readonly Binding[] {
  return (custom?.keys.hotkeys ?? []).flatMap(({ key, open }): readonly Binding[] => {
    const route = custom?.hotkeyRoutes.get(open);
    return route ? [{ keys: [key], label: safeText(open), group: "go", run: () => navigation.open(route) }] : [];
  });
}

/** Returns whether the history can go back and forward. */
function useDirections(): readonly [boolean, boolean] {
  const { navigation } = useExplorer();
  const canGoBack = useSyncExternalStore(navigation.subscribe, navigation.canGoBack);
  const canGoForward = useSyncExternalStore(navigation.subscribe, navigation.canGoForward);
  return [canGoBack, canGoForward];
}
