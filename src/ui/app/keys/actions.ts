/** Everything that a key does on a screen, by a name that stays: its own keys, and what users may bind others to. */

/** What is done by a key. */
export interface Action {
  /** The keys as they are without a user's choice. */
  readonly keys: readonly string[];
  /** What it does, for the documentation. */
  readonly description: string;
}

/** The actions. What comes before the dot is where they are obeyed. */
export const ACTIONS = {
  "move.down": { keys: ["j", "down"], description: "a row down" },
  "move.up": { keys: ["k", "up"], description: "a row up" },
  "move.left": { keys: ["h", "left"], description: "the column or link before; fold, go out" },
  "move.right": { keys: ["l", "right"], description: "the next column or link; unfold, go in" },
  "move.first": { keys: ["g", "home"], description: "the first row" },
  "move.last": { keys: ["G", "end"], description: "the last row" },
  "move.half-down": { keys: ["ctrl+d"], description: "half a screen down" },
  "move.half-up": { keys: ["ctrl+u"], description: "half a screen up" },
  "move.page-down": { keys: ["pagedown"], description: "a screen down" },
  "move.page-up": { keys: ["pageup"], description: "a screen up" },
  "go.open": { keys: ["enter"], description: "follow what is under the cursor; fold or unfold" },
  "go.back": { keys: ["esc", "backspace", "["], description: "back" },
  "go.forward": { keys: ["]"], description: "forward" },
  "go.search": { keys: [":", "ctrl+p"], description: "the palette" },
  "go.home": { keys: ["H"], description: "the start page" },
  "go.bookmarks": { keys: ["B"], description: "bookmarks" },
  "go.usage": { keys: ["U"], description: "usage of the key" },
  "view.refresh": { keys: ["r"], description: "ask again" },
  "view.cancel": { keys: ["esc"], description: "stop loading; clear a filter or a search" },
  "view.copy": { keys: ["c"], description: "copy" },
  "view.command": { keys: ["!"], description: "the solx command of the view" },
  "view.export": { keys: ["e"], description: "export" },
  "view.pager": { keys: ["|"], description: "look at it in the pager" },
  "view.editor": { keys: ["E"], description: "look at it in the editor" },
  "view.bookmark": { keys: ["b"], description: "bookmark, or take the bookmark away" },
  "view.browser": { keys: ["o"], description: "open in a browser" },
  "list.filter": { keys: ["/"], description: "filter the rows of the page" },
  "list.sort": { keys: ["s"], description: "sort by the column" },
  "list.form": { keys: ["F"], description: "the filters of the endpoint" },
  "list.next-page": { keys: ["n"], description: "next page" },
  "list.previous-page": { keys: ["p"], description: "page before" },
  "list.jump": { keys: ["P"], description: "page by its number" },
  "list.preview": { keys: ["v"], description: "preview of the row" },
  "list.columns": { keys: ["C"], description: "choice of columns" },
  "list.mark": { keys: ["space"], description: "mark the row" },
  "list.compare": { keys: ["D"], description: "compare the marked rows" },
  "list.auto": { keys: ["a"], description: "refresh by itself" },
  "detail.search": { keys: ["/"], description: "search" },
  "detail.next-match": { keys: ["n"], description: "next match" },
  "detail.previous-match": { keys: ["N"], description: "match before" },
  "detail.json": { keys: ["J"], description: "JSON as it came, or fields" },
  "detail.wrap": { keys: ["w"], description: "wrap long lines" },
  "detail.fold": { keys: ["z"], description: "fold or unfold" },
  "detail.fold-all": { keys: ["Z"], description: "fold or unfold all" },
  "tab.next": { keys: ["tab"], description: "next tab" },
  "tab.previous": { keys: ["shift+tab"], description: "tab before" },
  "home.list": { keys: ["L"], description: "the whole list of the section" },
  "account.token": { keys: ["t"], description: "open the account as a token" },
  "account.program": { keys: ["p"], description: "open the account as a program" },
  "account.market": { keys: ["M"], description: "open the account as a market" },
  "account.funder": { keys: ["f"], description: "who funded the account" },
  "account.as-account": { keys: ["A"], description: "open a token or program as an account" },
  "account.objects": { keys: ["J"], description: "the portfolio as JSON" },
  "block.before": { keys: ["<"], description: "the block before" },
  "block.after": { keys: [">"], description: "the block after" },
  "chart.more": { keys: ["+", "="], description: "more days" },
  "chart.less": { keys: ["-"], description: "fewer days" },
  "chart.numbers": { keys: ["x"], description: "chart or numbers" },
  "bookmarks.delete": { keys: ["d"], description: "delete" },
  "bookmarks.undo": { keys: ["u"], description: "bring back what was deleted" },
  "bookmarks.rename": { keys: ["R"], description: "rename" },
  "bookmarks.keep": { keys: ["b"], description: "make a recent place a bookmark" },
  "solx.help": { keys: ["?"], description: "all keys" },
  "solx.key": { keys: ["K"], description: "enter an API key" },
  "solx.mouse": { keys: ["m"], description: "mouse on or off" },
  "solx.suspend": { keys: ["ctrl+z"], description: "suspend" },
  "solx.quit": { keys: ["q", "ctrl+c"], description: "quit" },
} as const satisfies Readonly<Record<string, Action>>;

/** The name of an action. */
export type ActionName = keyof typeof ACTIONS;

/** All names, in the order of the documentation. */
export const ACTION_NAMES = Object.keys(ACTIONS) as readonly ActionName[];

/** The name and the keys of an action, for its binding. */
export function actionBinding(name: ActionName): { readonly name: ActionName; readonly keys: readonly string[] } {
  return { name, keys: ACTIONS[name].keys };
}
