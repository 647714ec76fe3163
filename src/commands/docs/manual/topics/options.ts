/** The topic about the options that every command takes. */
import { SETTINGS, type Setting } from "../../../../config/settings.ts";
import { GLOBAL_OPTIONS } from "../../../options/global-options.ts";
import { section, type Term, terms, text } from "../page.ts";
import { topic } from "./topic.ts";

const settingList: readonly (readonly [string, Setting])[] = Object.entries(SETTINGS);

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

function optionTerm([, flags, description]: (typeof GLOBAL_OPTIONS)[number]): Term {
  const [name, setting] = settingList.find(([, { flag }]) => flag === flags) ?? [];
  return [flags, `${capital(description)}.${setting ? ` Setting \`${name}\`, variable ${setting.env}.` : ""}`];
}

/** The global options. */
export const options = topic("options", "The options that every command takes, anywhere on the line", {
  aliases: ["option", "flags", "global-options"],
  sections: [
    section(
      "",
      text(
        "They may stand before or after a command. The help of a command shows those that do something there; the filters of an endpoint are options of their own.",
      ),
    ),
    ...[...Map.groupBy(GLOBAL_OPTIONS, ([group]) => group)].map(([group, members]) =>
      section(group.replace(/:$/, ""), terms(["option", "what it does"], members.map(optionTerm))),
    ),
  ],
  see: ["formatting", "bulk", "settings"],
});
