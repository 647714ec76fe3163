/** The keys that are obeyed everywhere. */

import { useSyncExternalStore } from "react";
import { safeText } from "../../output/text/safe.ts";
import type { openPalette } from "../palette/palette.tsx";
import type { TerminalControl } from "../terminal/control.ts";
import { useSuspend } from "../terminal/suspend.ts";
import { openKeyPopup } from "./api-key-popup.tsx";
import { type Explorer, useBindings, useExplorer } from "./context.ts";
import { openHelp } from "./help.tsx";
import { bound } from "./keys/actions.ts";
import { keyNamesOf, keyWords } from "./keys/key-hints.ts";
import type { Binding } from "./keys/keymap.ts";
import { type Hall, HOME } from "./route.ts";

export interface GlobalsProps {
  readonly terminal: TerminalControl;
  /** Opens the palette, once it is there and there is room for it. */
  readonly openPalette?: typeof openPalette | undefined;
}

export function Globals({ terminal, openPalette: search }: GlobalsProps) {
  const explorer = useExplorer();
  const { navigation, quit, toast } = explorer;
  const [canGoBack, canGoForward] = useWays();
  const suspend = useSuspend(terminal, explorer.services.log, toast);
  const visit = (hall: Hall) => () => navigation.open({ kind: "hall", hall });
  useBindings("global", [
    ...hotkeysOf(explorer),
    {
      ...bound("go.back"),
      label: "back",
      group: "go",
      hint: 80,
      active: canGoBack,
      run: () => navigation.back(),
    },
    {
      ...bound("go.forward"),
      label: "forward",
      group: "go",
      hint: 85,
      active: canGoForward,
      run: () => navigation.forward(),
    },
    {
      ...bound("go.search"),
      label: "search",
      group: "go",
      hint: 70,
      active: search !== undefined,
      run: () => search?.(explorer),
    },
    { ...bound("go.home"), label: "home", group: "go", run: () => navigation.open(HOME) },
    { ...bound("go.bookmarks"), label: "bookmarks", group: "go", run: visit("bookmarks") },
    { ...bound("go.usage"), label: "usage", group: "go", run: visit("usage") },
    { ...bound("solx.help"), label: "help", group: "solx", hint: 90, run: () => openHelp(explorer) },
    {
      ...bound("solx.key"),
      label: "API key",
      group: "solx",
      active: explorer.services.keyEntry !== undefined,
      run: () => openKeyPopup(explorer),
    },
    {
      ...bound("solx.mouse"),
      label: "mouse on or off",
      group: "solx",
      run: () => {
        terminal.setMouse(!terminal.mouse());
        const way = keyWords(keyNamesOf(explorer), [["solx.mouse", "gives it back."]]);
        toast(terminal.mouse() ? `Mouse on: wheel and clicks work here; ${way}` : "Mouse off.");
      },
    },
    { ...bound("solx.suspend"), label: "suspend", group: "solx", run: suspend },
    { ...bound("solx.quit"), label: "quit", group: "solx", hint: 99, run: quit },
  ]);
  return null;
}

/** The user's own keys that open a place. */
function hotkeysOf({ services: { custom }, navigation }: Explorer): readonly Binding[] {
  return (custom?.keys.hotkeys ?? []).flatMap(({ key, open }): readonly Binding[] => {
    const place = custom?.places.get(open);
    return place ? [{ keys: [key], label: safeText(open), group: "go", run: () => navigation.open(place) }] : [];
  });
}

/** Whether there is a way back, and one forward. */
function useWays(): readonly [boolean, boolean] {
  const { navigation } = useExplorer();
  const canGoBack = useSyncExternalStore(navigation.subscribe, navigation.canGoBack);
  const canGoForward = useSyncExternalStore(navigation.subscribe, navigation.canGoForward);
  return [canGoBack, canGoForward];
}
