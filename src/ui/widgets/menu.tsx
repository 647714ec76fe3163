/** Menus: popups with a cursor that chooses one of several lines. */

import { useEffect } from "react";
import { pad, type Role, textWidth } from "../../output/index.ts";
import { Popup, popupSpace, useBody } from "../frame/popup.tsx";
import { type PopupBinding, useExplorer, useLatestState, usePopupBindings } from "../navigation/context.ts";
import { menuLine, menuMouse } from "../navigation/pointer/pointer.ts";
import { span } from "../navigation/theme/text-line.ts";
import { scrollTop, wrapIndex } from "./viewport.ts";

/** A line of a menu. */
interface MenuChoice {
  /** A key that chooses it at once, or a mark; displayed before the title. */
  readonly key?: string | undefined;
  readonly title: string;
  readonly role?: Role;
  readonly about?: string | undefined;
  /** Runs after the menu was closed. */
  readonly run: () => void;
}

interface MenuProps {
  readonly title: string;
  readonly at?: "center" | "bottom";
  /** What Enter does, as its hint says. */
  readonly label: string;
  readonly choices: readonly MenuChoice[];
  /** The line that is selected first (default: 0). */
  readonly initial?: number;
  /** Further keys that close it. */
  readonly closeKeys?: readonly string[];
  /** Further keys that choose the selected line. */
  readonly chooseKeys?: readonly string[];
  readonly onSelect?: (index: number) => void;
}

/** Draws a menu, as many lines around the cursor as fit. The cursor wraps around its ends. */
export function Menu({ title, at, label, choices, initial = 0, closeKeys = [], chooseKeys = [], onSelect }: MenuProps) {
  const { closePopup } = useExplorer();
  const { height } = popupSpace(useBody());
  const count = choices.length;
  const [selected, change, newest] = useLatestState(() => Math.max(0, initial));
  useEffect(() => onSelect?.(selected), [onSelect, selected]);
  const move = (by: number) => change((before) => wrapIndex(before, by, count));
  const choose = (index: number) => {
    closePopup();
    choices[index]?.run();
  };
  usePopupBindings([
    ...choices.flatMap(({ key, title: name }, index): readonly PopupBinding[] =>
      key === undefined ? [] : [{ keys: [key], label: name, run: () => choose(index) }],
    ),
    { keys: ["enter", ...chooseKeys], label, hint: 1, run: () => choose(newest()) },
    { keys: closeKeys, label: "close", run: closePopup },
    { keys: ["down", "j", "ctrl+n"], label: "next", hint: 2, run: () => move(1) },
    { keys: ["up", "k", "ctrl+p"], label: "previous", hint: 3, run: () => move(-1) },
    { keys: ["g", "home"], label: "first", run: () => change(() => 0) },
    { keys: ["G", "end"], label: "last", run: () => change(() => count - 1) },
    { keys: ["esc", "q"], label: "close", hint: 4, run: closePopup },
  ]);
  const widest = (texts: readonly (string | undefined)[]) => Math.max(0, ...texts.map((one = "") => textWidth(one)));
  const [keyWidth, width, aboutWidth] = [
    widest(choices.map(({ key }) => key)),
    widest(choices.map((one) => one.title)),
    widest(choices.map(({ about }) => about)),
  ];
  const lines = choices.map(({ key = "", title: name, role, about = "" }, index) => {
    const cells = [
      ...(keyWidth === 0 ? [] : [span(` ${pad(key, keyWidth)}`, "hotkey")]),
      span(` ${pad(name, width)} `, role),
      ...(aboutWidth === 0 ? [] : [span(` ${pad(about, aboutWidth)}`, "note")]),
    ];
    return menuLine(cells, index, index === selected);
  });
  const top = scrollTop({ count }, height, 0, selected);
  return <Popup title={title} at={at} lines={lines.slice(top, top + height)} onMouse={menuMouse(move, choose)} />;
}
