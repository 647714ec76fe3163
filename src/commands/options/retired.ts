/** Flags that were merged into others or became settings, and the form that replaces each. */
import { type SettingName, settingVariable, settingWords } from "../../config/index.ts";

/** The form that replaces a flag, or the setting that does. */
const RETIRED_FLAGS: Readonly<Record<string, string | { readonly setting: SettingName }>> = {
  "--fresh": "--cache fresh",
  "--no-cache": "--cache off",
  "--offline": "--cache only",
  "--no-wait": "--max-wait 0",
  "--fail-empty": "--fail-on empty",
  "--fail-incomplete": "--fail-on incomplete",
  "--json": "-o json",
  "--wide": "-o wide",
  "--print-url": "--web, which prints the URL where there is no browser",
  "--record-pseudonyms": "--record <folder>,pseudonyms",
  "--amount-ui": "--amount with whole units of the token: --amount 1.5..2ui",
  "--unordered": "--batch unordered",
  "--errors": "--batch inline",
  "--fail-fast": "--batch fail-fast",
  "--insecure": "the environment variable SOLX_INSECURE=1",
  "--no-input": "the environment variable SOLX_NO_INPUT=1",
  "--api-key": "the environment variable SOLX_API_KEY, or solx auth login",
  "--via": "--all, which exports; a command such as account transfer reads the same rows by pages",
  "--base-url": { setting: "base-url" },
  "--plan": { setting: "plan" },
  "--color": { setting: "color" },
  "--table-style": { setting: "table-style" },
  "--names": { setting: "names" },
  "--numbers": { setting: "numbers" },
  "--links": { setting: "links" },
  "--theme": { setting: "theme" },
  "--jq-timeout": { setting: "jq-timeout" },
  "--rate": { setting: "rate" },
  "--budget": { setting: "budget" },
  "--concurrency": { setting: "concurrency" },
  "--units-per-day": { setting: "units-per-day" },
  "--confirm-units": { setting: "confirm-units" },
  "--retries": { setting: "retries" },
  "--strict": { setting: "strict" },
  "--ca-cert": { setting: "ca-cert" },
  "--commitment": { setting: "commitment" },
};

/** Returns what replaces a flag, such as `--cache fresh`; undefined for flags that never existed. */
export function findReplacement(flag: string): string | undefined {
  const replacement = Object.hasOwn(RETIRED_FLAGS, flag) ? RETIRED_FLAGS[flag] : undefined;
  if (replacement === undefined || typeof replacement === "string") return replacement;
  const { setting } = replacement;
  return `a setting: solx config set ${settingWords(setting)}, or ${settingVariable(setting)}`;
}
