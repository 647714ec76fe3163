/** The menu of a page that is bookmarked already. */
import { safeText } from "../../output/index.ts";
import { addBookmark, bookmarksOf, changeBookmark } from "../navigation/bookmarks.ts";
import { useExplorer } from "../navigation/context.ts";
import { keyLabelsOf } from "../navigation/keys/bindings.ts";
import { Menu } from "../widgets/menu.tsx";

/** Asks whether a bookmark of the page gets its current state, is removed, or stays beside another one. */
export function BookmarkMenu() {
  const explorer = useExplorer();
  const { services, navigation, toast } = explorer;
  const { memory } = services;
  const view = navigation.view();
  const choices = [
    ...bookmarksOf(memory, view.route).flatMap((one) => {
      const name = safeText(one.name);
      const change = (done: string, after?: typeof one) => () => {
        changeBookmark(memory, one, after);
        toast(`${done} ${name}`, "good");
      };
      return [
        { title: `Update ${name} to this view`, run: change("Updated", { ...view, name: one.name }) },
        { title: `Remove ${name}`, run: change("Removed bookmark") },
      ];
    }),
    { title: "Add another bookmark", run: () => addBookmark(explorer, view, keyLabelsOf(explorer)) },
  ];
  return <Menu title="Bookmarked already" label="choose" choices={choices} />;
}
