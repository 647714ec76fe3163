/** Topics about settings and the environment. */

import { KEY_VARIABLES } from "../../../../config/key.ts";
import { flagOf, SETTINGS, type Setting, type SettingName } from "../../../../config/settings.ts";
import { examples, section, type Term, terms, text } from "../page.ts";
import { topic } from "./topic.ts";

const list = Object.entries(SETTINGS) as readonly (readonly [SettingName, Setting])[];

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** What a setting may hold, and what holds without it. */
function facts({ values, min, max, form, default: value, otherwise, within, type }: Setting): string {
  const allowed = values
    ? `One of: ${values.join(", ")}.`
    : form
      ? `${capital(form.words)}.`
      : min !== undefined && max !== undefined
        ? `A ${type === "integer" ? "whole " : ""}number from ${min} to ${max}.`
        : "";
  const else_ = value ?? otherwise;
  const below = within ? ` With \`${within.setting}\` given: that with ${within.path || "nothing"} behind it.` : "";
  return [allowed, else_ === undefined ? "" : `Default: ${else_}.${below}`].filter(Boolean).join(" ");
}

/** The settings. */
export const settings = topic("settings", "Every setting: what it does, where it may be given, what holds without it", {
  aliases: ["setting", "configuration", "profiles", "profile"],
  sections: [
    section(
      "Where a value comes from",
      text(
        "An option goes before an environment variable, that before the profile, that before the default. `solx config list` shows every setting with its value and where it comes from.",
      ),
      examples([
        ["For good, in the profile in use", "solx config set output table"],
        ["A profile with a key and a plan of its own", "solx config set plan level-2 --profile work"],
        ["For one line", "solx account detail <address> --profile work"],
        ["For a shell", "export SOLX_PROFILE=work"],
      ]),
    ),
    section(
      "Settings",
      terms(
        ["setting", "what it does"],
        list.map(([name, setting]): Term => {
          const flag = flagOf(name);
          const places = `${flag ? `Option ${flag}, variable` : "Variable"} ${setting.env}.`;
          return [name, `${capital(setting.description)}. ${facts(setting)} ${places}`.replace(/ {2,}/g, " ")];
        }),
      ),
    ),
  ],
  see: ["environment", "options", "config"],
});

/** What is read of the environment beside the settings. */
const OTHERS: readonly (readonly [title: string, rows: readonly Term[]])[] = [
  [
    "Key and place",
    [
      [KEY_VARIABLES.join(", "), "The API key; it goes before a stored one. See [[api-key]]."],
      ["SOLX_SANDBOX", "1 or on: answer on this machine, as with --sandbox. See [[testing]]."],
      ["SOLX_HOME", "One folder for settings, keys, state and cache, in place of the folders of the system."],
      [
        "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME",
        "Where these folders are on Linux; HOME is where they are without.",
      ],
      ["APPDATA, LOCALAPPDATA, USERPROFILE", "The same on Windows."],
    ],
  ],
  [
    "Terminal",
    [
      ["NO_COLOR", "Any value: no colour."],
      ["FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR", "Colour where there is no terminal; none with 0."],
      ["SOLX_FORCE_TTY", "Print as for a terminal: 1, a width such as 120, or a percentage of the terminal's."],
      ["COLUMNS", "The width of lines."],
      ["TERM", "dumb: no colour, no moving line, no explorer."],
      ["COLORFGBG", "Whether the background is light, for the colours of the explorer."],
      ["CI, ACCESSIBLE", "Any value: no moving line of progress."],
      ["LC_ALL, LC_CTYPE, LANG", "Whether tables and the explorer may draw lines and signs beyond ASCII."],
      ["PAGER, VISUAL, EDITOR", "What the explorer hands its view to; nothing else is paged: `solx docs bulk | less`."],
      ["TZ", "The zone of --time local."],
    ],
  ],
  [
    "Network",
    [
      ["HTTPS_PROXY, HTTP_PROXY", "The proxy of requests; in lower case too."],
      ["NO_PROXY", "Hosts that are asked without it: names, with their subdomains, or *."],
      ["NODE_EXTRA_CA_CERTS", "A file of certificates to trust beside the system's; as --ca-cert."],
    ],
  ],
];

/** The variables. */
export const environment = topic("environment", "Every variable that solx reads", {
  aliases: ["env", "variables", "environment-variables"],
  sections: [
    section("", text("A variable that is empty counts as not set. Options on the line go before variables.")),
    ...OTHERS.map(([title, rows]) => section(title, terms(["variable", "what it does"], rows))),
    section(
      "Settings",
      terms(
        ["variable", "what it does"],
        list.map(([, setting]): Term => [setting.env, `${capital(setting.description)}. ${facts(setting)}`.trim()]),
      ),
    ),
  ],
  see: ["settings", "api-key"],
});
