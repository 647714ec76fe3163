/** The menu of the links of a row. */
import { pad, textWidth } from "../../../output/index.ts";
import { useExplorer } from "../../navigation/context.ts";
import type { PopupOf } from "../../navigation/popups.ts";
import { routeTitle } from "../../navigation/route.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { Menu, useMenu } from "../menu.tsx";
import { linkFieldLabel } from "./links.ts";

/** Number of links that a digit opens. */
const DIGITS = 9;

/** Shows the links of a row as a menu: number, title, field. */
export function LinkMenu({ links }: PopupOf<"links">) {
  const { navigation, closePopup, data } = useExplorer();
  const open = (index: number) => {
    closePopup();
    const link = links[index];
    if (link) navigation.open(link.route);
  };
  const digits = links.slice(0, DIGITS).map((_link, index) => String(index + 1));
  const menu = useMenu(links.length, {
    label: "open",
    choose: open,
    keys: [
      { keys: digits, label: "open by number", run: (key) => open(Number(key) - 1) },
      { keys: ["l", "right"], label: "open", run: () => open(menu.selected) },
      { keys: ["backspace", "h", "left"], label: "close", run: closePopup },
    ],
  });
  const titles = links.map((link) => routeTitle(link.route, data.nameOf));
  const fields = links.map(linkFieldLabel);
  const widest = (texts: readonly string[]) => Math.max(...texts.map(textWidth));
  const lines = titles.map((title, at) => [
    span(`${digits[at] ?? " "} `, "hotkey"),
    span(pad(title, widest(titles)), "link"),
    span(`  ${pad(fields[at] ?? "", widest(fields))}`, "note"),
  ]);
  return <Menu title="Open" lines={lines} menu={menu} />;
}
