/** The configuration file of the explorer. Invalid parts are reported, the rest applies. */
import { toSentence } from "../../base/index.ts";
import { changeSettings, type Paths, readJsonFile, type Settings, updateJsonFile } from "../../config/index.ts";
import { type Customization, loadCustomKeys, NO_CUSTOM_KEYS, type Route } from "../../ui/index.ts";
import { exploreFilePath, readThemeFiles } from "../run/theme.ts";
import { routeFromWords } from "./start-route.ts";

const KNOWN_NAMES: readonly string[] = ["keys", "hotkeys", "theme", "looks", "mouse"];

/** Saves a theme for later runs: in the profile where it has one, otherwise in explore.json, for all of them. */
export async function saveTheme(settings: Settings, theme: string): Promise<void> {
  const { paths, profile } = settings;
  if (settings.resolve("theme").level === "profile") await changeSettings(paths, profile, { theme });
  else await updateJsonFile(exploreFilePath(paths), (data) => ({ ...data, theme }));
}

/** Reads the file; each problem is also written to the log. */
export async function readConfigFile(
  paths: Pick<Paths, "config">,
  log: (text: string) => void,
): Promise<Customization | undefined> {
  const path = exploreFilePath(paths);
  if (path === undefined) return undefined;
  const { data, problem } = readJsonFile(path);
  const hasKeys = data.keys !== undefined || data.hotkeys !== undefined;
  const keys = hasKeys
    ? (await loadCustomKeys()).readCustomKeys(data.keys, data.hotkeys)
    : { ...NO_CUSTOM_KEYS, problems: [] };
  const { theme, styles, themes, problems: themeProblems } = readThemeFiles(paths, data);
  const routes = new Map<string, Route>();
  const problems = [
    ...(problem ? [problem.message] : []),
    ...Object.keys(data)
      .filter((name) => !KNOWN_NAMES.includes(name))
      .map((name) => `unknown field ${JSON.stringify(name)}`),
    ...(data.mouse === undefined || typeof data.mouse === "boolean" ? [] : ['"mouse" must be true or false']),
    ...keys.problems,
    ...themeProblems,
    ...keys.hotkeys.flatMap((one) => {
      if (!("open" in one)) return [];
      try {
        routes.set(one.open, routeFromWords(one.open.split(/\s+/)));
        return [];
      } catch (error) {
        return [`hotkey ${one.key}: ${toSentence(error as Error)}`];
      }
    }),
  ];
  const messages = problems.map((text) => (problem || text.startsWith("themes/") ? text : `explore.json: ${text}`));
  for (const text of messages) log(text);
  const mouse = typeof data.mouse === "boolean" ? data.mouse : undefined;
  return { keys, hotkeyRoutes: routes, theme, themes, styles, mouse, problems: messages };
}
