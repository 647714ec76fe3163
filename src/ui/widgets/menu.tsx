/** Menus: popups with a cursor that chooses one of several lines. */

import { Popup, popupSpace, useBody } from "../frame/popup.tsx";
import { type PopupBinding, useExplorer, useLatestState, usePopupBindings } from "../navigation/context.ts";
import { type MouseHandler, menuLine, menuMouse } from "../navigation/pointer/pointer.ts";
import type { TextLine } from "../navigation/theme/text-line.ts";
import { scrollTop, wrapIndex } from "./viewport.ts";

interface MenuOptions {
  /** What Enter does, as its hint says. */
  readonly label: string;
  readonly choose: (index: number) => void;
  /** The line that is selected first (default: 0). */
  readonly initial?: number;
  /** Further keys, which take precedence. */
  readonly keys?: readonly PopupBinding[];
}

interface MenuState {
  readonly selected: number;
  readonly onMouse: MouseHandler;
}

/** Binds the keys of a menu of `count` lines. The cursor wraps around its ends. */
export function useMenu(count: number, { label, choose, initial = 0, keys = [] }: MenuOptions): MenuState {
  const { closePopup } = useExplorer();
  const [selected, change, newest] = useLatestState(() => Math.max(0, initial));
  const move = (by: number) => change((before) => wrapIndex(before, by, count));
  usePopupBindings([
    ...keys,
    { keys: ["enter"], label, hint: 1, run: () => choose(newest()) },
    { keys: ["down", "j", "ctrl+n"], label: "next", hint: 2, run: () => move(1) },
    { keys: ["up", "k", "ctrl+p"], label: "previous", hint: 3, run: () => move(-1) },
    { keys: ["g", "home"], label: "first", run: () => change(() => 0) },
    { keys: ["G", "end"], label: "last", run: () => change(() => count - 1) },
    { keys: ["esc", "q"], label: "close", hint: 4, run: closePopup },
  ]);
  return { selected, onMouse: menuMouse(move, choose) };
}

interface MenuProps {
  readonly title: string;
  readonly at?: "center" | "bottom";
  readonly lines: readonly TextLine[];
  readonly menu: MenuState;
}

/** Draws a menu, as many lines around the cursor as fit. */
export function Menu({ title, at, lines, menu: { selected, onMouse } }: MenuProps) {
  const { height } = popupSpace(useBody());
  const top = scrollTop({ count: lines.length }, height, 0, selected);
  const visible = lines.map((line, index) => menuLine(line, index, index === selected)).slice(top, top + height);
  return <Popup title={title} at={at} lines={visible} onMouse={onMouse} />;
}
