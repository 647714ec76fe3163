/** Popup that compares marked rows side by side. */
import { Box } from "ink";
import { copyText } from "../actions/copy.tsx";
import { errorText } from "../data/query.ts";
import { useBody } from "../frame/popup.tsx";
import { type Explorer, useExplorer } from "../navigation/context.ts";
import type { Binding } from "../navigation/keys/keymap.ts";
import type { ComparedRow, PopupOf } from "../navigation/popups.ts";
import { comparedRoute, routeTitle } from "../navigation/route.ts";
import { ComparedFields } from "../pages/comparison/fields-panel.tsx";

/** Compares rows field by field. */
export function Compare({ marked, shape }: PopupOf<"compare">) {
  const explorer = useExplorer();
  const { data, navigation, closePopup } = explorer;
  const titles = marked.map(({ route }, at) => `${at + 1} ${route ? routeTitle(route, data.nameOf) : "row"}`);
  const together = comparedRoute(routesOf(marked));
  const open = () => {
    closePopup();
    if (together) navigation.open(together);
  };
  const bindings = (text: () => string): readonly Binding[] => [
    { keys: ["esc", "q", "D", "ctrl+c"], label: "close", group: "go", hint: 9, run: closePopup },
    { keys: ["f"], label: "side by side", group: "go", hint: 2, active: together !== undefined, run: open },
    { keys: ["c"], label: "copy", group: "data", hint: 3, run: () => void copyText(explorer, "the comparison", text) },
    { keys: ["e"], label: "save", group: "data", hint: 4, run: () => void save(explorer, text()) },
  ];
  return (
    <Box position="absolute">
      <ComparedFields
        noun="rows"
        titles={titles}
        groups={[marked.map(({ row }) => ({ value: row, shape }))]}
        bindings={bindings}
        region={useBody()}
      />
    </Box>
  );
}

async function save({ services, toast }: Explorer, text: string): Promise<void> {
  try {
    const path = await services.save("comparison.tsv", chunks(text));
    toast(`Saved the comparison to ${path}`, "good");
  } catch (error) {
    toast(errorText(error), "bad");
  }
}

async function* chunks(text: string): AsyncIterable<string> {
  yield text;
}

const routesOf = (marked: readonly ComparedRow[]) => marked.flatMap(({ route }) => route ?? []);
