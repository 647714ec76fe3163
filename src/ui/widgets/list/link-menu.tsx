/** The menu of the links of a row. */
import { pad, textWidth } from "../../../output/index.ts";
import { Popup, popupSpace, useBody } from "../../frame/popup.tsx";
import { useExplorer, useLatestReducer, usePopupBindings } from "../../navigation/context.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import { menuLine, menuMouse } from "../../navigation/pointer/pointer.ts";
import type { FieldLink, PopupOf } from "../../navigation/popups.ts";
import { routeTitle } from "../../navigation/route.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { scrollTop } from "../viewport.ts";
import { linkFieldLabel } from "./links.ts";

const DIGITS = 9;

const latest = (_before: number, now: number) => now;

/** Shows the links of a row as a menu. */
export function LinkMenu({ links }: PopupOf<"links">) {
  const { navigation, closePopup, data } = useExplorer();
  const [at, setAt, read] = useLatestReducer(latest, () => 0);
  const { height } = popupSpace(useBody());
  const move = (by: number) => setAt(Math.max(0, Math.min(read() + by, links.length - 1)));
  const open = (link: FieldLink | undefined) => {
    closePopup();
    if (link) navigation.open(link.route);
  };
  const binding = (keys: readonly string[], label: string, run: (key: string) => void, hint?: number): Binding => ({
    keys,
    label,
    run,
    group: "go",
    ...(hint !== undefined && { hint }),
  });
  const digits = links.slice(0, DIGITS).map((_link, index) => String(index + 1));
  usePopupBindings([
    binding(["enter", "l", "right"], "open", () => open(links[read()]), 1),
    binding(["esc", "backspace", "q", "h", "left"], "close", closePopup, 3),
    binding(["down", "j"], "next", () => move(1), 2),
    binding(["k", "up"], "previous", () => move(-1)),
    binding(["g", "home"], "first", () => setAt(0)),
    binding(["G", "end"], "last", () => setAt(links.length - 1)),
    binding(digits, "open by number", (key) => open(links[Number(key) - 1])),
  ]);
  const lines = menuLines(links, at, data.nameOf);
  const first = scrollTop({ count: lines.length }, height, 0, at);
  const onMouse = menuMouse(move, (index) => open(links[index]));
  return <Popup title="Open" lines={lines.slice(first, first + height)} onMouse={onMouse} />;
}

function menuLines(
  links: readonly FieldLink[],
  selected: number,
  nameOf: (address: string) => string | undefined,
): readonly TextLine[] {
  const texts = links.map((link) => [routeTitle(link.route, nameOf), linkFieldLabel(link)] as const);
  const titleWidth = Math.max(...texts.map(([title]) => textWidth(title)));
  const fieldWidth = Math.max(...texts.map(([, field]) => textWidth(field)));
  return texts.map(([title, field], at) => {
    const digit = at < DIGITS ? String(at + 1) : " ";
    const line = [
      span(`${digit} `, "hotkey"),
      span(pad(title, titleWidth), "link"),
      span(`  ${pad(field, fieldWidth)}`, "note"),
    ];
    return menuLine(line, at, at === selected);
  });
}
