/** All actions that keys trigger. Their names are stable: users bind other keys to them in explore.json. */

/** An action that a key triggers. */
export interface Action {
  /** The group in help. */
  readonly group: "move" | "view" | "data" | "go" | "solx";
  /** The default keys. */
  readonly keys: readonly string[];
  /** What the action does, for palette and documentation. */
  readonly description: string;
}

/** The actions. The prefix of a name is where the action is available. */
export const ACTIONS = {
  "move.down": { group: "move", keys: ["j", "down"], description: "move down one row" },
  "move.up": { group: "move", keys: ["k", "up"], description: "move up one row" },
  "move.left": { group: "move", keys: ["h", "left"], description: "previous column or link; fold, go to parent" },
  "move.right": { group: "move", keys: ["l", "right"], description: "next column or link; unfold, go to first child" },
  "move.first": { group: "move", keys: ["g", "home"], description: "first row" },
  "move.last": { group: "move", keys: ["G", "end"], description: "last row" },
  "move.half-down": { group: "move", keys: ["ctrl+d"], description: "half a page down" },
  "move.half-up": { group: "move", keys: ["ctrl+u"], description: "half a page up" },
  "move.page-down": { group: "move", keys: ["pagedown"], description: "page down" },
  "move.page-up": { group: "move", keys: ["pageup"], description: "page up" },
  "go.open": { group: "go", keys: ["enter"], description: "open what is under the cursor; fold or unfold" },
  "go.links": { group: "go", keys: ["O"], description: "choose among all links of the row" },
  "go.back": { group: "go", keys: ["esc", "backspace", "["], description: "go back" },
  "go.forward": { group: "go", keys: ["]"], description: "go forward" },
  "go.search": { group: "go", keys: [":", "ctrl+p"], description: "open the palette" },
  "go.home": { group: "go", keys: ["H"], description: "open the start page" },
  "go.bookmarks": { group: "go", keys: ["B"], description: "open bookmarks" },
  "go.network": { group: "go", keys: ["W"], description: "open statistics of the network" },
  "go.usage": { group: "go", keys: ["U"], description: "open usage of the API key" },
  "view.refresh": { group: "data", keys: ["r"], description: "refresh" },
  "view.cancel": { group: "view", keys: ["esc"], description: "cancel loading; clear filter or search" },
  "view.copy": { group: "data", keys: ["c"], description: "copy" },
  "view.command": { group: "data", keys: ["!"], description: "show the solx command of the view" },
  "view.names": { group: "data", keys: ["N"], description: "request the names of the addresses on the screen" },
  "view.name": { group: "data", keys: ["@"], description: "name the address" },
  "view.export": { group: "data", keys: ["e"], description: "export" },
  "view.pager": { group: "data", keys: ["|"], description: "open in the pager" },
  "view.editor": { group: "data", keys: ["E"], description: "open in the editor" },
  "view.bookmark": { group: "go", keys: ["b"], description: "add or remove a bookmark" },
  "view.browser": { group: "go", keys: ["o"], description: "open in a browser" },
  "list.filter": { group: "view", keys: ["/"], description: "filter rows by text" },
  "list.only": { group: "data", keys: ["="], description: "only rows with the value of the cell" },
  "list.without": { group: "data", keys: ["-", "≠"], description: "only rows without the value of the cell" },
  "list.failed": { group: "data", keys: ["x"], description: "only failed transactions, or all" },
  "list.unfilter": { group: "data", keys: ["backspace"], description: "remove the last filter" },
  "list.unfilter-all": { group: "data", keys: ["X"], description: "remove all filters" },
  "list.sort": { group: "view", keys: ["s"], description: "sort by this column, by default an amount" },
  "list.form": { group: "data", keys: ["F"], description: "edit the filters of the endpoint" },
  "list.next-page": { group: "data", keys: ["n"], description: "next page" },
  "list.previous-page": { group: "data", keys: ["p"], description: "previous page" },
  "list.jump": { group: "data", keys: ["P"], description: "go to a page number" },
  "list.load": { group: "data", keys: ["L"], description: "load more pages, or all" },
  "list.preview": { group: "view", keys: ["v"], description: "preview the row" },
  "list.columns": { group: "view", keys: ["C"], description: "choose columns" },
  "list.narrower": { group: "view", keys: ["{"], description: "make the column narrower" },
  "list.wider": { group: "view", keys: ["}"], description: "make the column wider" },
  "list.mark": { group: "view", keys: ["space"], description: "mark the row" },
  "list.trends": { group: "view", keys: ["t"], description: "show or hide prices of the last 7 days beside tokens" },
  "list.compare": { group: "view", keys: ["D"], description: "compare the marked rows" },
  "list.auto": { group: "data", keys: ["a"], description: "turn automatic refresh on or off" },
  "detail.search": { group: "view", keys: ["/"], description: "search" },
  "detail.next-match": { group: "move", keys: ["n"], description: "next match" },
  "detail.previous-match": { group: "move", keys: ["N"], description: "previous match" },
  "detail.json": { group: "view", keys: ["J"], description: "switch between raw JSON and fields" },
  "detail.wrap": { group: "view", keys: ["w"], description: "wrap or truncate long lines" },
  "detail.fold": { group: "view", keys: ["z"], description: "fold or unfold" },
  "detail.fold-all": { group: "view", keys: ["Z"], description: "fold or unfold all" },
  "tab.next": { group: "view", keys: ["tab"], description: "next tab" },
  "tab.previous": { group: "view", keys: ["shift+tab"], description: "previous tab" },
  "home.list": { group: "go", keys: ["L"], description: "open the full list of the section" },
  "account.token": { group: "go", keys: ["t"], description: "open the account as a token" },
  "account.program": { group: "go", keys: ["p"], description: "open the account as a program" },
  "account.market": { group: "go", keys: ["M"], description: "open the account as a market" },
  "account.funder": { group: "go", keys: ["f"], description: "open the account that funded this one" },
  "account.as-account": { group: "go", keys: ["A"], description: "open a token or program as an account" },
  "account.valueless": { group: "view", keys: ["z"], description: "show or hide tokens without value" },
  "account.objects": { group: "view", keys: ["J"], description: "show the portfolio as JSON" },
  "block.before": { group: "go", keys: ["<"], description: "previous block" },
  "block.after": { group: "go", keys: [">"], description: "next block" },
  "chart.more": { group: "view", keys: ["+"], description: "more days or candles" },
  "chart.less": { group: "view", keys: ["-"], description: "fewer days or candles" },
  "chart.longer": { group: "view", keys: [">"], description: "longer candles" },
  "chart.shorter": { group: "view", keys: ["<"], description: "shorter candles" },
  "chart.invert": { group: "view", keys: ["i"], description: "switch the priced token, or fees and compute units" },
  "chart.compare": { group: "view", keys: ["s"], description: "compare with SOL" },
  "chart.numbers": { group: "view", keys: ["x"], description: "switch between chart and table" },
  "bookmarks.delete": { group: "data", keys: ["d"], description: "delete the bookmark" },
  "bookmarks.undo": { group: "data", keys: ["u"], description: "restore the deleted bookmark" },
  "bookmarks.rename": { group: "data", keys: ["R"], description: "rename the bookmark" },
  "bookmarks.keep": { group: "data", keys: ["b"], description: "bookmark a recent page" },
  "solx.help": { group: "solx", keys: ["?"], description: "show all keys" },
  "solx.key": { group: "solx", keys: ["K"], description: "enter an API key" },
  "solx.theme": { group: "solx", keys: ["T"], description: "choose a theme" },
  "solx.mouse": { group: "solx", keys: ["m"], description: "turn the mouse on or off" },
  "solx.suspend": { group: "solx", keys: ["ctrl+z"], description: "suspend" },
  "solx.quit": { group: "solx", keys: ["q", "ctrl+c"], description: "quit" },
} as const satisfies Readonly<Record<string, Action>>;

/** Name of an action. */
export type ActionName = keyof typeof ACTIONS;

/** All action names, in the order of the documentation. */
export const ACTION_NAMES = Object.keys(ACTIONS) as readonly ActionName[];
