/** The configuration file of the explorer. Invalid parts are reported, the rest applies. */
import { join } from "node:path";
import { toSentence } from "../../base/index.ts";
import { type Paths, readJsonFile, updateJsonFile } from "../../config/index.ts";
import { type Customization, parseThemeSettings, type Route, readCustomKeys, type ThemeName } from "../../ui/index.ts";
import { routeFromWords } from "./start-route.ts";

/** Returns the path of the file; undefined without a configuration folder. */
export function configFilePath({ config }: Pick<Paths, "config">): string | undefined {
  return config && join(config, "explore.json");
}

const KNOWN_NAMES: readonly string[] = ["keys", "hotkeys", "theme", "looks"];

/** Saves a theme in the file without changing the rest. */
export async function saveTheme(paths: Pick<Paths, "config">, theme: ThemeName): Promise<void> {
  await updateJsonFile(configFilePath(paths), (data) => ({ ...data, theme }));
}

/** Reads the file; each problem is also written to the log. */
export function readConfigFile(paths: Pick<Paths, "config">, log: (text: string) => void): Customization | undefined {
  const path = configFilePath(paths);
  if (path === undefined) return undefined;
  const { data, mode, problem } = readJsonFile(path);
  if (mode === undefined && problem === undefined) return undefined;
  const keys = readCustomKeys(data.keys, data.hotkeys);
  const themeSettings = parseThemeSettings(data.theme, data.looks);
  const routes = new Map<string, Route>();
  const problems = [
    ...(problem ? [problem.message] : []),
    ...Object.keys(data)
      .filter((name) => !KNOWN_NAMES.includes(name))
      .map((name) => `unknown field ${JSON.stringify(name)}`),
    ...keys.problems,
    ...themeSettings.problems,
    ...keys.hotkeys.flatMap(({ key, open }) => {
      try {
        routes.set(open, routeFromWords(open.split(/\s+/)));
        return [];
      } catch (error) {
        return [`hotkey ${key}: ${toSentence(error as Error)}`];
      }
    }),
  ];
  const messages = problems.map((text) => (problem ? text : `explore.json: ${text}`));
  for (const text of messages) log(text);
  return { keys, hotkeyRoutes: routes, theme: themeSettings.theme, styles: themeSettings.styles, problems: messages };
}
