/** The keys that are obeyed everywhere. */
import { type Region, useBindings, useExplorer } from "./context.ts";
import { HOME } from "./place.ts";

export function Globals({ region: _region }: { region: Region }) {
  const { navigation, quit } = useExplorer();
  useBindings("global", [
    { keys: ["esc", "backspace", "["], label: "back", group: "go", hint: 80, run: () => navigation.back() },
    { keys: ["]"], label: "forward", group: "go", run: () => navigation.forward() },
    { keys: ["H"], label: "home", group: "go", run: () => navigation.open(HOME) },
    { keys: ["q", "ctrl+c"], label: "quit", group: "solx", hint: 99, run: quit },
  ]);
  return null;
}
