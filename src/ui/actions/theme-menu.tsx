/** The menu of themes: moving through it shows each theme at once. */
import { useLayoutEffect } from "react";
import { listThemes, pad, textWidth } from "../../output/index.ts";
import { type Explorer, useExplorer } from "../navigation/context.ts";
import { span, type TextLine } from "../navigation/theme/text-line.ts";
import { type ThemeState, useTheme } from "../navigation/theme/use-theme.ts";
import { Menu, useMenu } from "../widgets/menu.tsx";

/** Applies a theme and saves it for later runs. */
export function chooseTheme({ services, toast }: Explorer, setTheme: ThemeState["setTheme"], theme: string): void {
  setTheme(theme);
  const saving = services.saveTheme?.(theme) ?? Promise.resolve();
  saving.then(
    () => toast(`theme ${theme}`, "good"),
    () => toast(`theme ${theme}; it could not be saved`, "warning"),
  );
}

/** Shows a theme while a component is mounted; afterwards, the chosen one returns. */
export function useThemePreview(name: string | undefined): void {
  const { previewTheme } = useTheme();
  useLayoutEffect(() => previewTheme(name), [previewTheme, name]);
  useLayoutEffect(() => () => previewTheme(undefined), [previewTheme]);
}

/** Lists the themes. */
export function ThemeMenu() {
  const explorer = useExplorer();
  const { services, closePopup } = explorer;
  const { theme, setTheme } = useTheme();
  const themes = listThemes(services.customization?.themes);
  const choose = (index: number) => {
    closePopup();
    const name = themes[index]?.[0];
    if (name !== undefined) chooseTheme(explorer, setTheme, name);
  };
  const menu = useMenu(themes.length, {
    label: "use",
    choose,
    initial: themes.findIndex(([name]) => name === theme),
    keys: [{ keys: ["T"], label: "close", run: closePopup }],
  });
  useThemePreview(themes[menu.selected]?.[0]);
  const nameWidth = Math.max(...themes.map(([name]) => textWidth(name)));
  const aboutWidth = Math.max(...themes.map(([, about]) => textWidth(about)));
  const lines = themes.map(
    ([name, about], at): TextLine => [
      span(name === theme ? (services.unicode ? "✓ " : "* ") : "  ", "marked"),
      span(pad(name, nameWidth), at === menu.selected ? "active" : undefined),
      span(`  ${pad(about, aboutWidth)}`, "note"),
    ],
  );
  return <Menu title="Theme" at="bottom" lines={lines} menu={menu} />;
}
