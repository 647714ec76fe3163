/** All actions that keys trigger. Their names are stable: users bind other keys to them in explore.json. */

/** An action that a key triggers. */
export interface Action {
  /** The default keys. */
  readonly keys: readonly string[];
  /** What the action does, for palette and documentation. */
  readonly description: string;
}

/** The actions. The prefix of a name is where the action is available. */
export const ACTIONS = {
  "move.down": { keys: ["j", "down"], description: "move down one row" },
  "move.up": { keys: ["k", "up"], description: "move up one row" },
  "move.left": { keys: ["h", "left"], description: "previous column or link; fold, go to parent" },
  "move.right": { keys: ["l", "right"], description: "next column or link; unfold, go to first child" },
  "move.first": { keys: ["g", "home"], description: "first row" },
  "move.last": { keys: ["G", "end"], description: "last row" },
  "move.half-down": { keys: ["ctrl+d"], description: "half a page down" },
  "move.half-up": { keys: ["ctrl+u"], description: "half a page up" },
  "move.page-down": { keys: ["pagedown"], description: "page down" },
  "move.page-up": { keys: ["pageup"], description: "page up" },
  "go.open": { keys: ["enter"], description: "open what is under the cursor; fold or unfold" },
  "go.links": { keys: ["O"], description: "choose among all links of the row" },
  "go.back": { keys: ["esc", "backspace", "["], description: "go back" },
  "go.forward": { keys: ["]"], description: "go forward" },
  "go.search": { keys: [":", "ctrl+p"], description: "open the palette" },
  "go.home": { keys: ["H"], description: "open the start page" },
  "go.bookmarks": { keys: ["B"], description: "open bookmarks" },
  "go.network": { keys: ["W"], description: "open statistics of the network" },
  "go.usage": { keys: ["U"], description: "open usage of the API key" },
  "view.refresh": { keys: ["r"], description: "refresh" },
  "view.cancel": { keys: ["esc"], description: "cancel loading; clear filter or search" },
  "view.copy": { keys: ["c"], description: "copy" },
  "view.command": { keys: ["!"], description: "show the solx command of the view" },
  "view.names": { keys: ["N"], description: "request the names of the addresses on the screen" },
  "view.name": { keys: ["@"], description: "name the address" },
  "view.export": { keys: ["e"], description: "export" },
  "view.pager": { keys: ["|"], description: "open in the pager" },
  "view.editor": { keys: ["E"], description: "open in the editor" },
  "view.bookmark": { keys: ["b"], description: "add or remove a bookmark" },
  "view.browser": { keys: ["o"], description: "open in a browser" },
  "list.filter": { keys: ["/"], description: "filter rows by text" },
  "list.only": { keys: ["="], description: "only rows with the value of the cell" },
  "list.without": { keys: ["-", "≠"], description: "only rows without the value of the cell" },
  "list.failed": { keys: ["x"], description: "only failed transactions, or all" },
  "list.unfilter": { keys: ["backspace"], description: "remove the last filter" },
  "list.unfilter-all": { keys: ["X"], description: "remove all filters" },
  "list.sort": { keys: ["s"], description: "sort by this column, by default an amount" },
  "list.form": { keys: ["F"], description: "edit the filters of the endpoint" },
  "list.next-page": { keys: ["n"], description: "next page" },
  "list.previous-page": { keys: ["p"], description: "previous page" },
  "list.jump": { keys: ["P"], description: "go to a page number" },
  "list.load": { keys: ["L"], description: "load more pages, or all" },
  "list.preview": { keys: ["v"], description: "preview the row" },
  "list.columns": { keys: ["C"], description: "choose columns" },
  "list.narrower": { keys: ["{"], description: "make the column narrower" },
  "list.wider": { keys: ["}"], description: "make the column wider" },
  "list.mark": { keys: ["space"], description: "mark the row" },
  "list.trends": { keys: ["t"], description: "show or hide prices of the last 7 days beside tokens" },
  "list.compare": { keys: ["D"], description: "compare the marked rows" },
  "list.auto": { keys: ["a"], description: "turn automatic refresh on or off" },
  "detail.search": { keys: ["/"], description: "search" },
  "detail.next-match": { keys: ["n"], description: "next match" },
  "detail.previous-match": { keys: ["N"], description: "previous match" },
  "detail.json": { keys: ["J"], description: "switch between raw JSON and fields" },
  "detail.wrap": { keys: ["w"], description: "wrap or truncate long lines" },
  "detail.fold": { keys: ["z"], description: "fold or unfold" },
  "detail.fold-all": { keys: ["Z"], description: "fold or unfold all" },
  "tab.next": { keys: ["tab"], description: "next tab" },
  "tab.previous": { keys: ["shift+tab"], description: "previous tab" },
  "home.list": { keys: ["L"], description: "open the full list of the section" },
  "account.token": { keys: ["t"], description: "open the account as a token" },
  "account.program": { keys: ["p"], description: "open the account as a program" },
  "account.market": { keys: ["M"], description: "open the account as a market" },
  "account.funder": { keys: ["f"], description: "open the account that funded this one" },
  "account.as-account": { keys: ["A"], description: "open a token or program as an account" },
  "account.valueless": { keys: ["z"], description: "show or hide tokens without value" },
  "account.objects": { keys: ["J"], description: "show the portfolio as JSON" },
  "block.before": { keys: ["<"], description: "previous block" },
  "block.after": { keys: [">"], description: "next block" },
  "chart.more": { keys: ["+"], description: "more days or candles" },
  "chart.less": { keys: ["-"], description: "fewer days or candles" },
  "chart.longer": { keys: [">"], description: "longer candles" },
  "chart.shorter": { keys: ["<"], description: "shorter candles" },
  "chart.invert": { keys: ["i"], description: "switch the priced token, or fees and compute units" },
  "chart.compare": { keys: ["s"], description: "compare with SOL" },
  "chart.numbers": { keys: ["x"], description: "switch between chart and table" },
  "bookmarks.delete": { keys: ["d"], description: "delete the bookmark" },
  "bookmarks.undo": { keys: ["u"], description: "restore the deleted bookmark" },
  "bookmarks.rename": { keys: ["R"], description: "rename the bookmark" },
  "bookmarks.keep": { keys: ["b"], description: "bookmark a recent page" },
  "solx.help": { keys: ["?"], description: "show all keys" },
  "solx.key": { keys: ["K"], description: "enter an API key" },
  "solx.theme": { keys: ["T"], description: "choose a theme" },
  "solx.mouse": { keys: ["m"], description: "turn the mouse on or off" },
  "solx.suspend": { keys: ["ctrl+z"], description: "suspend" },
  "solx.quit": { keys: ["q", "ctrl+c"], description: "quit" },
} as const satisfies Readonly<Record<string, Action>>;

/** Name of an action. */
export type ActionName = keyof typeof ACTIONS;

/** All action names, in the order of the documentation. */
export const ACTION_NAMES = Object.keys(ACTIONS) as readonly ActionName[];

/** Returns name and keys of an action, for its binding. */
export function actionBinding(name: ActionName): { readonly name: ActionName; readonly keys: readonly string[] } {
  return { name, keys: ACTIONS[name].keys };
}
