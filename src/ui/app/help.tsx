/** Help: a popup of every key that was obeyed when it was opened. */
import { useState } from "react";
import { type Explorer, useBindings, useExplorer } from "./context.ts";
import { helpLines } from "./help-lines.ts";
import type { Binding } from "./keys/keymap.ts";
import { useBody } from "./layout.ts";
import { Popup, popupRoom } from "./popup.tsx";

/** Lays help over the screen. */
export function openHelp(explorer: Explorer): void {
  explorer.setOverlay(<Help bindings={explorer.keys.active()} />);
}

function Help({ bindings }: { bindings: readonly Binding[] }) {
  const { services, setOverlay } = useExplorer();
  const room = popupRoom(useBody());
  const [wanted, setWanted] = useState(0);
  const lines = helpLines(bindings, room.width, services.unicode);
  const last = Math.max(0, lines.length - room.height);
  const top = Math.min(wanted, last);
  const by = (step: number) => setWanted((before) => Math.max(0, Math.min(last, Math.min(before, last) + step)));
  const active = last > 0;
  const close = () => setOverlay(undefined);
  useBindings(
    "overlay",
    [
      { keys: ["j", "down"], label: "down", group: "move", hint: 1, active, run: () => by(1) },
      { keys: ["k", "up"], label: "up", group: "move", hint: 2, active, run: () => by(-1) },
      { keys: ["pagedown", "ctrl+d", "space"], label: "page down", group: "move", active, run: () => by(room.height) },
      { keys: ["pageup", "ctrl+u"], label: "page up", group: "move", active, run: () => by(-room.height) },
      { keys: ["g", "home"], label: "top", group: "move", active, run: () => by(-last) },
      { keys: ["G", "end"], label: "bottom", group: "move", active, run: () => by(last) },
      { keys: ["esc", "?", "q", "enter", "backspace"], label: "close", group: "go", hint: 3, run: close },
      { keys: ["ctrl+c"], label: "close", group: "solx", run: close },
    ],
    {
      modal: true,
      onMouse: ({ what }) => {
        if (what !== "click") by(what === "down" ? 3 : -3);
      },
    },
  );
  const footer = active ? `${top + 1}-${top + room.height} of ${lines.length} lines, Esc closes` : "Esc closes";
  return <Popup title="Keys" lines={lines.slice(top, top + room.height)} footer={footer} />;
}
