/**
 * The explorer in plain lines, controlled by typed commands, for screen readers, braille displays and dumb terminals. All
 * output is appended; nothing is redrawn.
 */
import { recognise } from "../../client/index.ts";
import { formatJson, safeText } from "../../output/index.ts";
import { type CurrentView, commandOf } from "../actions/current-view.ts";
import { availableEntities, availableRoute, hasPage } from "../navigation/availability.ts";
import { addBookmark, bookmarksOf, canBookmark, changeBookmark } from "../navigation/bookmarks.ts";
import type { EndpointRequest, QueryState } from "../navigation/data-store.ts";
import type { PageName } from "../navigation/entity-pages.ts";
import { createNavigation, recordRecentRoutes } from "../navigation/history.ts";
import { DEFAULT_KEY_LABELS } from "../navigation/keys/bindings.ts";
import { HOME, isSameRoute, type Route, routeForIdentifier, routeTitle } from "../navigation/route.ts";
import { isEndpointTab, requestForRoute } from "../pages/records.ts";
import { answerPrompt, nextPrompt, type Prompt } from "../palette/prompt.ts";
import { answerShape } from "../widgets/cells.ts";
import { countRowsBefore, FIRST_PAGE, nextPageRef } from "../widgets/list/paging.ts";
import {
  fieldsPage,
  findLines,
  INITIAL_VIEW,
  joinPages,
  menuPage,
  type PlainContext,
  type PlainLink,
  type PlainPage,
  type PlainView,
  renderAnswer,
  requestForView,
  waitForAnswer,
} from "./page.ts";
import { entityLines, homePage, linksFrom, rulesPage } from "./pages.ts";
import { parseFilter, parseSort, searchRoutes } from "./search.ts";

/** Options of {@link runPlainExplorer}. */
export interface PlainExplorerOptions extends Omit<PlainContext, "onWait"> {
  readonly initialRoute: Route;
  /** The typed lines; their end ends the session. */
  readonly lines: AsyncIterable<string>;
  readonly write: (text: string) => void;
}

const MAX_LINES = 60;

/** Runs until `q`, the end of the input, or the signal. Returns whether the user quit with `q`. */
export async function runPlainExplorer(options: PlainExplorerOptions): Promise<boolean> {
  const session = new PlainSession(options);
  await session.start();
  for await (const line of options.lines) {
    if (!(await session.execute(line))) return !options.signal.aborted;
  }
  return false;
}

/** Milliseconds between two notes that differ only in their numbers, such as progress. */
const REPEAT_MS = 10_000;

/** Creates a filter that passes notes, but not every step of a progress. */
function createNoteFilter(now: () => number): (text: string) => boolean {
  let last = "";
  let reportedAt = 0;
  return (text) => {
    const words = text.replace(/[\d.,]+/g, "");
    const isNews = words !== last || now() - reportedAt >= REPEAT_MS;
    if (isNews) [last, reportedAt] = [words, now()];
    return isNews;
  };
}

const HELP = [
  "Type the number of a link, or a command, and Enter:",
  "i 3: print all fields of row 3",
  "/text: filter the rows of this page, or find lines (text, ~regex, !not); / alone removes the filter",
  "s column: sort by a column; s alone restores the order",
  "F: list the filters of this list; F name value sets one, F name removes it",
  ":text: search pages, commands and bookmarks",
  "address, signature, slot or link: open it",
];

/** A command of one letter, which may also be typed by its name. */
type LetterCommand = readonly [letter: string, name: string, about: string, run: () => Promise<void> | void];

class PlainSession {
  readonly #context: PlainExplorerOptions & PlainContext;
  readonly #navigation;
  readonly #views = new Map<number, PlainView>();
  #page: PlainPage = { lines: [], choices: [] };
  #entry: QueryState | undefined;
  #request: EndpointRequest | undefined;
  #rest: readonly string[] = [];
  #question: Prompt | undefined;

  constructor(options: PlainExplorerOptions) {
    const onWait = (seconds?: number) =>
      this.#say([seconds === undefined ? "Still loading." : `Rate limited: waiting ${seconds} seconds.`]);
    this.#context = { ...options, onWait };
    const { supports } = options.services;
    this.#navigation = createNavigation(options.initialRoute, (route) => availableRoute(route, supports));
    recordRecentRoutes({ navigation: this.#navigation, services: options.services });
  }

  async start(): Promise<void> {
    const { customization, onNote, now } = this.#context.services;
    for (const problem of customization?.problems ?? []) this.#say([problem]);
    const isNews = createNoteFilter(now);
    onNote?.((text) => isNews(text) && this.#say([safeText(text)]));
    this.#say(["solx explore, plain mode. Type ? and Enter for help, q to quit."]);
    await this.#show();
  }

  readonly #letterCommands: readonly LetterCommand[] = [
    ["n", "next", "next page", () => this.#turn("next")],
    ["p", "previous", "previous page", () => this.#turn("previous")],
    ["m", "more", "print more lines of a long answer", () => this.#more()],
    ["r", "again", "refresh", () => this.#refresh()],
    ["b", "back", "go back", () => this.#move("back", "No previous page in the history.")],
    ["f", "forward", "go forward", () => this.#move("forward", "No next page in the history.")],
    ["H", "home", "open the start page", () => this.#go(HOME)],
    ["B", "bookmarks", "open bookmarks and recent pages", () => this.#openPage("bookmarks")],
    ["W", "watch", "open what your rules watch", () => this.#openPage("watch")],
    ["S", "network", "open statistics of the network", () => this.#openPage("network")],
    ["U", "usage", "open usage of the API key", () => this.#openPage("usage")],
    ["+", "bookmark", "bookmark this page", () => this.#bookmark()],
    ["-", "unbookmark", "remove the bookmarks of this page", () => this.#removeBookmarks()],
    ["j", "json", "print the answer as JSON", () => this.#say(this.#json(), true)],
    ["!", "command", "print the solx command of this page", () => this.#say([this.#command()], true)],
    ["?", "help", "print this help", () => this.#help()],
    ["q", "quit", "quit", () => {}],
  ];

  /** Executes a line; returns whether the session continues. Text that is no command is searched for. */
  async execute(line: string): Promise<boolean> {
    const text = line.trim();
    const [, name, , run] = this.#letterCommands.find(([letter, word]) => letter === text || word === text) ?? [];
    if (text === "") this.#prompt();
    else if (this.#question) await this.#answer(this.#question, text);
    else if (name === "quit") return false;
    else await (run ? run() : this.#executeText(text));
    return !this.#context.signal.aborted;
  }

  #executeText(text: string): Promise<void> | void {
    const [, letter = "", rest = ""] = /^([isF])(?:\s+(.*))?$/s.exec(text) ?? [];
    if (letter === "i" && /^\d{1,4}$/.test(rest)) return this.#fields(Number(rest));
    if (letter === "i") return this.#refuse("i requires a row number, for example: i 3");
    if (letter === "s") return this.#sort(rest);
    if (letter === "F") return this.#setFilter(rest);
    if (/^\d{1,4}$/.test(text)) return this.#follow(Number(text));
    if (text.startsWith("/")) return this.#filter(text.slice(1).trim());
    if (/^\d{1,4}([\s,]+\d{1,4})+$/.test(text)) return this.#refuse("Enter one number at a time. Type ? for help.");
    if (text === "K") return this.#refuse("API keys cannot be entered here. Quit with q, then run: solx auth login");
    const [, one] = /^(\S)(\s|$)/u.exec(text) ?? [];
    if (one !== undefined && one !== ":")
      return this.#refuse(`${one} is not available in plain mode. Type ? for help.`);
    return text.startsWith(":") ? this.#search(text.slice(1).trim()) : this.#open(text);
  }

  #refuse(reason: string): void {
    this.#say([safeText(reason)], true);
  }

  #help(): void {
    this.#say([...HELP, ...this.#letterCommands.map(([letter, , about]) => `${letter}: ${about}`)], true);
  }

  #more(): void {
    this.#say(this.#rest.length === 0 ? ["No more lines."] : this.#rest, true);
  }

  #refresh(): Promise<void> {
    if (this.#request) this.#context.data.refresh(this.#request);
    return this.#show();
  }

  #move(way: "back" | "forward", end: string): Promise<void> | void {
    return this.#navigation[way]() ? this.#show() : this.#say([end], true);
  }

  #openPage(page: PageName): Promise<void> | void {
    if (!hasPage(page, this.#context.services.supports)) return this.#say([`A node has no ${page} page.`], true);
    return this.#go({ kind: "page", page });
  }

  #bookmark(): void {
    const { services, data } = this.#context;
    const { route } = this.#navigation.current();
    const [known] = bookmarksOf(services.memory, route);
    const toast = (text: string) => this.#say([text], true);
    if (!canBookmark(route)) this.#refuse("This page cannot be bookmarked.");
    else if (known) this.#refuse(`Bookmarked already as ${known.name}. - removes it.`);
    else addBookmark({ services, data, toast }, { route }, DEFAULT_KEY_LABELS);
  }

  #removeBookmarks(): void {
    const { memory } = this.#context.services;
    const known = bookmarksOf(memory, this.#navigation.current().route);
    for (const one of known) changeBookmark(memory, one);
    this.#say(
      known.length === 0
        ? ["No bookmark of this page."]
        : known.map(({ name }) => `Removed bookmark ${safeText(name)}`),
      true,
    );
  }

  #command(): string {
    const { services } = this.#context;
    return services.command(commandOf({ services }, this.#currentView()).args);
  }

  get #view(): PlainView {
    return this.#views.get(this.#navigation.current().id) ?? INITIAL_VIEW;
  }

  #change(change: Partial<PlainView>): Promise<void> {
    this.#views.set(this.#navigation.current().id, { ...this.#view, ...change });
    return this.#show();
  }

  #currentView(): CurrentView {
    return { route: this.#navigation.current().route, subject: { ...this.#page.subject, request: this.#request } };
  }

  #json(): readonly string[] {
    const data = this.#entry?.answer?.data;
    return data === undefined ? ["No data here."] : formatJson(data, 2).split("\n");
  }

  #go(route: Route): Promise<void> {
    this.#navigation.open(route);
    return this.#show();
  }

  async #show(): Promise<void> {
    const { services } = this.#context;
    const { route } = this.#navigation.current();
    this.#question = undefined;
    this.#entry = undefined;
    const request = requestForRoute(route);
    const links = linksFrom(route, services);
    const menu = menuPage("Links:", links);
    this.#request = undefined;
    this.#say([`${routeTitle(route, this.#context.data.nameOf)}:`]);
    if (isSameRoute(route, HOME)) this.#page = joinPages(await homePage(this.#context), menu);
    else if (route.kind === "page" && route.page === "watch") this.#page = await rulesPage(this.#context);
    else if (route.kind === "entity" && !isEndpointTab(route)) {
      this.#page = await entityLines(route, this.#context);
      this.#request = request;
      this.#entry = request && this.#context.data.read(request);
    } else if (request) {
      const page = await this.#answerPage(request);
      this.#page = links.length === 0 ? page : joinPages(page, menu);
    } else this.#page = links.length === 0 ? { lines: ["No entries yet."], choices: [] } : menu;
    this.#say(this.#page.lines, true);
  }

  async #answerPage(base: EndpointRequest): Promise<PlainPage> {
    const view = this.#view;
    const request = requestForView(base, view);
    this.#request = request;
    const entry = await waitForAnswer(request, this.#context);
    this.#entry = entry;
    return renderAnswer(request, entry, view, { ...this.#context, here: this.#navigation.current().route });
  }

  async #follow(number: number): Promise<void> {
    const choice = this.#page.choices[number - 1];
    const [first, second] = choice ?? [];
    if (!choice || !first) return this.#say([`No link ${number} here.`], true);
    if (!second) return this.#take(first);
    // The next number chooses one of them.
    const menu = menuPage(`Links of row ${number}:`, choice);
    this.#page = { ...menu, subject: this.#page.subject };
    this.#say(menu.lines, true);
  }

  #fields(number: number) {
    const { services } = this.#context;
    const row = this.#page.subject?.rows?.[number - 1];
    const endpoint = this.#request?.endpoint;
    if (row === undefined || !endpoint) return this.#say([`No row ${number} here.`], true);
    const shape = answerShape(endpoint);
    const page = fieldsPage({ value: row, shape, now: services.now(), timeZone: services.timeZone });
    this.#page = { ...page, subject: this.#page.subject };
    this.#say(page.lines, true);
  }

  #filter(text: string): Promise<void> | void {
    if (this.#isList || text === "") return this.#change({ filter: text });
    return this.#say(findLines(this.#page, text), true);
  }

  get #isList(): boolean {
    return this.#page.subject?.rows !== undefined;
  }

  #turn(way: "next" | "previous"): Promise<void> | void {
    if (!this.#isList) return this.#say(["Not a list, so there are no pages. m prints more lines, if any."], true);
    const { page, trail } = this.#view;
    const last = trail.at(-1);
    if (way === "previous") {
      if (!last) return this.#say(["This is the first page."], true);
      return this.#change({ page: last, trail: trail.slice(0, -1) });
    }
    const { endpoint, params } = this.#request ?? {};
    const next =
      endpoint && params && this.#entry && nextPageRef(params, this.#entry, countRowsBefore(endpoint, params, page));
    if (!next) return this.#say(["This is the last page."], true);
    return this.#change({ page: next, trail: [...trail, page] });
  }

  #sort(text: string): Promise<void> | void {
    if (text === "") return this.#change({ sort: undefined, page: FIRST_PAGE, trail: [] });
    const result = parseSort(text, this.#request, this.#entry?.answer?.rows, this.#view.sort);
    if ("lines" in result) return this.#say(result.lines, true);
    return this.#change({ sort: result.sort, page: FIRST_PAGE, trail: [] });
  }

  #setFilter(text: string): Promise<void> | void {
    const result = parseFilter(text, this.#request, this.#context.services.now());
    if ("lines" in result) return this.#say(result.lines, true);
    const { route } = this.#navigation.current();
    const before = this.#view.params ?? (route.kind === "endpoint" ? route.params : {});
    return this.#change({ params: { ...before, ...result.params }, page: FIRST_PAGE, trail: [] });
  }

  #search(text: string): Promise<void> | void {
    const { steps, lines } = searchRoutes(text, this.#context.services, this.#context.data);
    const [only, other] = steps;
    if (only && !other) return this.#take(only);
    if (only) this.#page = { lines, choices: steps.map((step) => [step]) };
    this.#say(lines, true);
  }

  #take({ route, endpoint }: PlainLink): Promise<void> | void {
    if (route) return this.#go(route);
    const prompt = endpoint && nextPrompt(endpoint);
    if (!prompt) return;
    this.#question = prompt;
    this.#say([`${prompt.param.description}? Type it, or . to cancel.`], true);
  }

  async #answer(prompt: Prompt, text: string): Promise<void> {
    this.#question = undefined;
    if (text === ".") return this.#prompt();
    const result = answerPrompt(prompt, text, this.#context.services.now());
    if (result.route) return this.#go(result.route);
    this.#question = result.prompt ?? prompt;
    const words = result.problem?.message ?? `${this.#question.param.description}?`;
    this.#say([words], true);
  }

  #open(text: string): Promise<void> | void {
    const route = routeForIdentifier(recognise(text), availableEntities(this.#context.services.supports));
    return route ? this.#go(route) : this.#search(text);
  }

  /** Prints lines up to the maximum; `m` prints the rest. */
  #say(lines: readonly string[], isDone = false): void {
    this.#context.write(
      lines
        .slice(0, MAX_LINES)
        .map((text) => `${text}\n`)
        .join(""),
    );
    if (!isDone) return;
    this.#rest = lines.slice(MAX_LINES);
    if (this.#rest.length > 0) this.#context.write(`${this.#rest.length} more lines; m prints them.\n`);
    this.#prompt();
  }

  #prompt(): void {
    this.#context.write("> ");
  }
}
