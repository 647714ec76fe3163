/** `solx view`: the commands of bookmarks, which are what the explorer shows. */
import { suggestName, UsageError } from "../../base/index.ts";
import { type Bookmark, viewArguments } from "../../ui/index.ts";
import { createMemory, memoryScope } from "../explore/memory.ts";
import type { RunContext } from "../run/context.ts";

const display = { entity: async () => (await import("../schemas.ts")).ViewRow };

/**
 * Continues the run with the command of a bookmark; without a name, prints the bookmarks.
 * @throws UsageError when there is no such bookmark
 */
export async function view(context: RunContext, name: string | undefined): Promise<void> {
  const settings = await context.session.settings();
  const log = (text: string) => void context.reporter.note(text);
  const memory = createMemory({ paths: settings.paths, scope: memoryScope(settings), log });
  const bookmarks = memory.bookmarks();
  const argumentsOf = (one: Bookmark) => viewArguments(one, memory.lists());
  if (name === undefined) {
    const { quoteForShell } = await import("../../catalogue/index.ts");
    const rows = bookmarks.map((one) => ({ name: one.name, command: argumentsOf(one).map(quoteForShell).join(" ") }));
    await context.printer.printRows(rows, display);
    if (rows.length === 0) await context.reporter.note("No bookmarks yet. In solx explore, b bookmarks a page.");
    return;
  }
  const folded = name.toLowerCase();
  const bookmark =
    bookmarks.find((one) => one.name === name) ?? bookmarks.find((one) => one.name.toLowerCase() === folded);
  if (!bookmark) throw unknownViewError(name, bookmarks);
  if (context.globals.interactive) return (await import("../explore/explore.ts")).exploreView(context, bookmark);
  context.outcome.nextArguments = withoutView(context.io.argv, name, argumentsOf(bookmark));
}

/** Returns a command line with the command of a view in place of its name. */
function withoutView(argv: readonly string[], name: string, args: readonly string[]): readonly string[] {
  const at = argv.indexOf("view");
  const rest = argv.slice(at + 1);
  const nameAt = rest.indexOf(name);
  return [...argv.slice(0, at), ...args, ...rest.toSpliced(nameAt, 1)];
}

function unknownViewError(name: string, bookmarks: readonly Bookmark[]): UsageError {
  const names = bookmarks.map((one) => one.name);
  return new UsageError(`There is no bookmark "${name}".`, {
    code: "UNKNOWN_VIEW",
    hint: suggestName(name, names) ?? "To list all bookmarks: solx view",
  });
}
