/** Everything that a key does on a screen, by a name that stays: its own keys, and what users may bind others to. */

/** What is done by a key. */
export interface Action {
  /** The keys as they are without a user's choice. */
  readonly keys: readonly string[];
  /** What it does, for the documentation. */
  readonly about: string;
}

/** The actions. What comes before the dot is where they are obeyed. */
export const ACTIONS = {
  "move.down": { keys: ["j", "down"], about: "a row down" },
  "move.up": { keys: ["k", "up"], about: "a row up" },
  "move.left": { keys: ["h", "left"], about: "the column or link before; fold, go out" },
  "move.right": { keys: ["l", "right"], about: "the next column or link; unfold, go in" },
  "move.first": { keys: ["g", "home"], about: "the first row" },
  "move.last": { keys: ["G", "end"], about: "the last row" },
  "move.half-down": { keys: ["ctrl+d"], about: "half a screen down" },
  "move.half-up": { keys: ["ctrl+u"], about: "half a screen up" },
  "move.page-down": { keys: ["pagedown"], about: "a screen down" },
  "move.page-up": { keys: ["pageup"], about: "a screen up" },
  "go.open": { keys: ["enter"], about: "follow what is under the cursor; fold or unfold" },
  "go.back": { keys: ["esc", "backspace", "["], about: "back" },
  "go.forward": { keys: ["]"], about: "forward" },
  "go.search": { keys: [":", "ctrl+p"], about: "the palette" },
  "go.home": { keys: ["H"], about: "the start page" },
  "go.bookmarks": { keys: ["B"], about: "bookmarks" },
  "go.usage": { keys: ["U"], about: "usage of the key" },
  "view.refresh": { keys: ["r"], about: "ask again" },
  "view.cancel": { keys: ["esc"], about: "stop loading; clear a filter or a search" },
  "view.copy": { keys: ["c"], about: "copy" },
  "view.command": { keys: ["!"], about: "the solx command of the view" },
  "view.export": { keys: ["e"], about: "export" },
  "view.pager": { keys: ["|"], about: "look at it in the pager" },
  "view.editor": { keys: ["E"], about: "look at it in the editor" },
  "view.bookmark": { keys: ["b"], about: "bookmark, or take the bookmark away" },
  "view.browser": { keys: ["o"], about: "open in a browser" },
  "list.filter": { keys: ["/"], about: "filter the rows of the page" },
  "list.sort": { keys: ["s"], about: "sort by the column" },
  "list.form": { keys: ["F"], about: "the filters of the endpoint" },
  "list.next-page": { keys: ["n"], about: "next page" },
  "list.previous-page": { keys: ["p"], about: "page before" },
  "list.jump": { keys: ["P"], about: "page by its number" },
  "list.preview": { keys: ["v"], about: "preview of the row" },
  "list.columns": { keys: ["C"], about: "choice of columns" },
  "list.mark": { keys: ["space"], about: "mark the row" },
  "list.compare": { keys: ["D"], about: "compare the marked rows" },
  "list.auto": { keys: ["a"], about: "refresh by itself" },
  "detail.search": { keys: ["/"], about: "search" },
  "detail.next-match": { keys: ["n"], about: "next match" },
  "detail.previous-match": { keys: ["N"], about: "match before" },
  "detail.json": { keys: ["J"], about: "JSON as it came, or fields" },
  "detail.wrap": { keys: ["w"], about: "wrap long lines" },
  "detail.fold": { keys: ["z"], about: "fold or unfold" },
  "detail.fold-all": { keys: ["Z"], about: "fold or unfold all" },
  "tab.next": { keys: ["tab"], about: "next tab" },
  "tab.previous": { keys: ["shift+tab"], about: "tab before" },
  "home.list": { keys: ["L"], about: "the whole list of the section" },
  "account.token": { keys: ["t"], about: "open the account as a token" },
  "account.program": { keys: ["p"], about: "open the account as a program" },
  "account.market": { keys: ["M"], about: "open the account as a market" },
  "account.funder": { keys: ["f"], about: "who funded the account" },
  "account.as-account": { keys: ["A"], about: "open a token or program as an account" },
  "account.objects": { keys: ["J"], about: "the portfolio as JSON" },
  "block.before": { keys: ["<"], about: "the block before" },
  "block.after": { keys: [">"], about: "the block after" },
  "chart.more": { keys: ["+", "="], about: "more days" },
  "chart.less": { keys: ["-"], about: "fewer days" },
  "chart.numbers": { keys: ["x"], about: "chart or numbers" },
  "bookmarks.delete": { keys: ["d"], about: "delete" },
  "bookmarks.undo": { keys: ["u"], about: "bring back what was deleted" },
  "bookmarks.rename": { keys: ["R"], about: "rename" },
  "bookmarks.keep": { keys: ["b"], about: "make a recent place a bookmark" },
  "solx.help": { keys: ["?"], about: "all keys" },
  "solx.key": { keys: ["K"], about: "enter an API key" },
  "solx.mouse": { keys: ["m"], about: "mouse on or off" },
  "solx.suspend": { keys: ["ctrl+z"], about: "suspend" },
  "solx.quit": { keys: ["q", "ctrl+c"], about: "quit" },
} as const satisfies Readonly<Record<string, Action>>;

/** The name of an action. */
export type ActionName = keyof typeof ACTIONS;

/** All names, in the order of the documentation. */
export const ACTION_NAMES = Object.keys(ACTIONS) as readonly ActionName[];

/** The name and the keys of an action, for its binding. */
export function bound(name: ActionName): { readonly name: ActionName; readonly keys: readonly string[] } {
  return { name, keys: ACTIONS[name].keys };
}
