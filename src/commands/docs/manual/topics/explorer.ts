/** The topic about the explorer. */
import { ACTIONS, type Action } from "../../../../ui/app/keys/actions.ts";
import { shownKey } from "../../../../ui/app/keys/keymap.ts";
import { code, items, type Section, section, type Term, terms, text } from "../page.ts";
import { topic } from "./topic.ts";

/** Headings of actions, by what their names begin with; the others are those of some screens. */
const HEADINGS: Readonly<Record<string, string>> = {
  move: "Moving",
  go: "Going",
  view: "With what is looked at",
  list: "In a list",
  detail: "In a detail",
  solx: "The explorer itself",
};
const ELSEWHERE = "On some screens";

const actions: readonly (readonly [name: string, action: Action])[] = Object.entries(ACTIONS);
const headingOf = (name: string) => HEADINGS[name.split(".")[0] ?? ""] ?? ELSEWHERE;

function keySections(): readonly Section[] {
  const groups = Map.groupBy(actions, ([name]) => headingOf(name));
  return [...groups].map(([heading, members]) =>
    section(heading, terms(["keys", "what they do"], members.map(keyTerm))),
  );
}

function keyTerm([name, { keys, about }]: (typeof actions)[number]): Term {
  const what = about.charAt(0).toUpperCase() + about.slice(1);
  return [keys.map((key) => shownKey(key, false)).join(" "), `${what} (\`${name}\`).`];
}

/** The explorer's keys. */
export const explorer = topic("explorer", "The full-screen explorer: its keys, and keys of your own", {
  aliases: ["explorer-keys", "shortcuts", "keybindings", "hotkeys", "ui", "tui"],
  sections: [
    section(
      "",
      text(
        "`solx` alone opens it on a terminal of 60 x 15 or more, `solx explore <anything>` at a thing, and -i with the answer of any command. Paste an address, a signature, a slot or a link anywhere: it opens. `?` shows the keys that do something now; 1 to 9 are the tabs.",
      ),
    ),
    ...keySections(),
    section(
      "Keys of your own",
      text("In `explore.json` in the folder of the settings (`solx config path` names it), by the names above:"),
      code('{ "keys": { "list.filter": ["f", "/"], "go.home": "ctrl+g" } }'),
    ),
    section(
      "Signs",
      items(
        "A name with letters that look like others, or a famous symbol that is not its own, is marked, and so is an address whose ends equal those of another one: compare the whole address.",
        "~ stands before a number that was rounded to fit.",
      ),
    ),
  ],
  see: ["explore", "security"],
});
