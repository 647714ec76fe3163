/** The menu of the links of a row. */
import { useExplorer } from "../../navigation/context.ts";
import type { PopupOf } from "../../navigation/popups.ts";
import { routeTitle } from "../../navigation/route.ts";
import { Menu } from "../menu.tsx";
import { linkFieldLabel } from "./links.ts";

/** Number of links that a digit opens. */
const DIGITS = 9;

/** Shows the links of a row as a menu: number, title, field. */
export function LinkMenu({ links }: PopupOf<"links">) {
  const { navigation, data } = useExplorer();
  const choices = links.map((link, at) => ({
    key: at < DIGITS ? String(at + 1) : undefined,
    title: routeTitle(link.route, data.nameOf),
    role: "link" as const,
    about: linkFieldLabel(link),
    run: () => navigation.open(link.route),
  }));
  const keys = { chooseKeys: ["l", "right"], closeKeys: ["backspace", "h", "left"] };
  return <Menu title="Open" label="open" choices={choices} {...keys} />;
}
