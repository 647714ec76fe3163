/** The file in which users give the explorer keys of their own. Whatever is wrong with it is told, and the rest holds. */
import { join } from "node:path";
import { toSentence } from "../../base/errors.ts";
import { readJsonFile } from "../../config/file.ts";
import type { Paths } from "../../config/paths.ts";
import { updateJsonFile } from "../../config/write.ts";
import { readCustomKeys } from "../../ui/app/keys/custom-keys.ts";
import type { Route } from "../../ui/app/route.ts";
import type { Customization } from "../../ui/app/services.ts";
import { parseThemeSettings, type ThemeName } from "../../ui/app/theme/themes.ts";
import { routeFromWords } from "./start-route.ts";

/** The file; undefined without a folder for settings. */
export function configFilePath({ config }: Pick<Paths, "config">): string | undefined {
  return config && join(config, "explore.json");
}

const KNOWN_NAMES: readonly string[] = ["keys", "hotkeys", "theme", "looks"];

/** Keeps a theme in the file; the rest of it stays. */
export async function saveTheme(paths: Pick<Paths, "config">, theme: ThemeName): Promise<void> {
  await updateJsonFile(configFilePath(paths), (data) => ({ ...data, theme }));
}

/** What the user chose; each problem goes to the log as well. */
export function readConfigFile(paths: Pick<Paths, "config">, log: (text: string) => void): Customization | undefined {
  const path = configFilePath(paths);
  if (path === undefined) return undefined;
  const { data, mode, problem } = readJsonFile(path);
  if (mode === undefined && problem === undefined) return undefined;
  const keys = readCustomKeys(data.keys, data.hotkeys);
  const looks = parseThemeSettings(data.theme, data.looks);
  const places = new Map<string, Route>();
  const problems = [
    ...(problem ? [problem.message] : []),
    ...Object.keys(data)
      .filter((name) => !KNOWN_NAMES.includes(name))
      .map((name) => `${JSON.stringify(name)} is nothing that the explorer knows.`),
    ...keys.problems,
    ...looks.problems,
    ...keys.hotkeys.flatMap(({ key, open }) => {
      try {
        places.set(open, routeFromWords(open.split(/\s+/)));
        return [];
      } catch (error) {
        return [`Hotkey ${key}: ${toSentence(error as Error)}`];
      }
    }),
  ];
  const messages = problems.map((text) => (problem ? text : `explore.json: ${text}`));
  for (const text of messages) log(text);
  return { keys, hotkeyRoutes: places, theme: looks.theme, styles: looks.own, problems: messages };
}
