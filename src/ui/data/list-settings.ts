/** Saves what the user chose for the lists of an endpoint. */
import type { ListSettings, Services } from "../navigation/services.ts";

/** Changes the settings of an endpoint for later lists; the memory logs a failure. */
export function saveListSettings(
  { memory }: Pick<Services, "memory">,
  route: string,
  change: (before: ListSettings) => ListSettings,
): void {
  const { [route]: before = {}, ...others } = memory.lists();
  const after = change(before);
  void memory.setLists(Object.keys(after).length === 0 ? others : { ...others, [route]: after });
}
