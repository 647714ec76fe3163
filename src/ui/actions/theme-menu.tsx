/** The menu of themes: moving through it shows each theme at once. */
import { useLayoutEffect, useState } from "react";
import { listThemes, pad, textWidth } from "../../output/index.ts";
import { Popup, popupSpace, useBody } from "../frame/popup.tsx";
import { type Explorer, useExplorer, usePopupBindings } from "../navigation/context.ts";
import { menuLine, menuMouse } from "../navigation/pointer/pointer.ts";
import { span, type TextLine } from "../navigation/theme/text-line.ts";
import { type ThemeState, useTheme } from "../navigation/theme/use-theme.ts";
import { scrollTop, wrapIndex } from "../widgets/viewport.ts";

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

function themeLines(
  themes: ReturnType<typeof listThemes>,
  { chosen, selected, unicode }: { readonly chosen: string; readonly selected: number; readonly unicode: boolean },
): readonly TextLine[] {
  const nameWidth = Math.max(...themes.map(([name]) => textWidth(name)));
  const aboutWidth = Math.max(...themes.map(([, about]) => textWidth(about)));
  return themes.map(([name, about], at): TextLine => {
    const mark = name === chosen ? (unicode ? "✓ " : "* ") : "  ";
    const spans = [
      span(mark, "marked"),
      span(pad(name, nameWidth), at === selected ? "active" : undefined),
      span(`  ${pad(about, aboutWidth)}`, "note"),
    ];
    return menuLine(spans, at, at === selected);
  });
}

/** Lists the themes. */
export function ThemeMenu() {
  const explorer = useExplorer();
  const { services, closePopup } = explorer;
  const { theme, setTheme } = useTheme();
  const themes = listThemes(services.customization?.themes);
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      themes.findIndex(([name]) => name === theme),
    ),
  );
  const { height } = popupSpace(useBody());
  useThemePreview(themes[at]?.[0]);
  const move = (by: number) => setAt((before) => wrapIndex(before, by, themes.length));
  const choose = (index: number) => {
    closePopup();
    const name = themes[index]?.[0];
    if (name !== undefined) chooseTheme(explorer, setTheme, name);
  };
  usePopupBindings([
    { keys: ["enter"], label: "use", group: "view", hint: 1, run: () => choose(at) },
    { keys: ["down", "j", "ctrl+n"], label: "next", group: "move", hint: 2, run: () => move(1) },
    { keys: ["up", "k", "ctrl+p"], label: "previous", group: "move", hint: 3, run: () => move(-1) },
    { keys: ["esc", "q", "T"], label: "cancel", group: "go", hint: 4, run: closePopup },
  ]);
  const lines = themeLines(themes, { chosen: theme, selected: at, unicode: services.unicode });
  const top = scrollTop({ count: lines.length }, height, 0, at);
  return <Popup title="Theme" at="bottom" lines={lines.slice(top, top + height)} onMouse={menuMouse(move, choose)} />;
}
