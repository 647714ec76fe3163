/**
 * The explorer in plain lines, controlled by typed commands, for screen readers, braille displays and dumb terminals. All
 * output is appended; nothing is redrawn.
 */
import { recognise } from "../../client/index.ts";
import { formatJson, safeText } from "../../output/index.ts";
import { type CurrentView, commandOf, toggleBookmark } from "../actions/current-view.ts";
import { availableEntities, availableRoute, hasPage } from "../navigation/availability.ts";
import type { EndpointRequest, QueryState } from "../navigation/data-store.ts";
import { createNavigation } from "../navigation/history.ts";
import { DEFAULT_KEY_LABELS } from "../navigation/keys/key-hints.ts";
import { HOME, isSameRoute, type Route, routeTitle } from "../navigation/route.ts";
import { routeForIdentifier } from "../navigation/route-for.ts";
import { isEndpointTab, requestForRoute } from "../pages/records.ts";
import { answerPrompt, nextPrompt, type Prompt } from "../palette/prompt.ts";
import { recordRecentRoutes } from "../palette/recent-routes.ts";
import { countRowsBefore, FIRST_PAGE, nextPageRef } from "../widgets/list/paging.ts";
import {
  INITIAL_VIEW,
  type PlainContext,
  type PlainView,
  renderAnswer,
  requestForView,
  shapeFor,
  waitForAnswer,
} from "./answer.ts";
import { createNoteFilter, type PlainCommand, parseCommand, plainHelp } from "./commands.ts";
import { entityLines } from "./entity.ts";
import { homePage } from "./home.ts";
import { fieldsPage, findLines, joinPages, menuPage, type PlainLink, type PlainPage } from "./page.ts";
import { linksFrom } from "./routes.ts";
import { parseFilter, parseSort, searchRoutes } from "./search.ts";

/** Options of {@link runPlainExplorer}. */
export interface PlainExplorerOptions extends PlainContext {
  readonly initialRoute: Route;
  /** The typed lines; their end ends the session. */
  readonly lines: AsyncIterable<string>;
  readonly write: (text: string) => void;
}

/** Maximum number of lines printed at once. */
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

class PlainSession {
  readonly #world: PlainExplorerOptions;
  readonly #navigation;
  readonly #views = new Map<number, PlainView>();
  #page: PlainPage = { lines: [], choices: [] };
  #entry: QueryState | undefined;
  #request: EndpointRequest | undefined;
  #rest: readonly string[] = [];
  #question: Prompt | undefined;

  constructor(options: PlainExplorerOptions) {
    this.#world = options;
    const { supports } = options.services;
    this.#navigation = createNavigation(options.initialRoute, (route) => availableRoute(route, supports));
    recordRecentRoutes({ navigation: this.#navigation, services: options.services });
  }

  async start(): Promise<void> {
    for (const problem of this.#world.services.customization?.problems ?? []) this.#say([problem]);
    const isNews = createNoteFilter(this.#world.services.now);
    this.#world.services.onNote?.((text) => isNews(text) && this.#say([safeText(text)]));
    this.#say(["solx explore, plain mode. Type ? and Enter for help, q to quit."]);
    await this.#show();
  }

  /** Executes a line; returns whether the session continues. */
  async execute(line: string): Promise<boolean> {
    if (this.#question && line.trim() !== "") await this.#answer(this.#question, line.trim());
    else {
      const command = parseCommand(line);
      if (command?.type === "quit") return false;
      if (command) await this.#do(command);
      else this.#prompt();
    }
    return !this.#world.signal.aborted;
  }

  get #view(): PlainView {
    return this.#views.get(this.#navigation.current().id) ?? INITIAL_VIEW;
  }

  #change(change: Partial<PlainView>): Promise<void> {
    this.#views.set(this.#navigation.current().id, { ...this.#view, ...change });
    return this.#show();
  }

  async #do(command: PlainCommand): Promise<void> {
    const { services, data } = this.#world;
    switch (command.type) {
      case "follow":
        return this.#follow(command.number);
      case "fields":
        return this.#fields(command.number);
      case "filter":
        return this.#filter(command.text);
      case "wrong":
        return this.#say([safeText(command.text)], true);
      case "sort":
        return this.#sort(command.text);
      case "ask":
        return this.#ask(command.text);
      case "search":
        return this.#search(command.text);
      case "open":
        return this.#open(command.text);
      case "next":
      case "previous":
        return this.#turn(command.type);
      case "more":
        return this.#say(this.#rest.length === 0 ? ["No more lines."] : this.#rest, true);
      case "again":
        if (this.#request) data.refresh(this.#request);
        return this.#show();
      case "back":
        return this.#navigation.back() ? this.#show() : this.#say(["No previous page in the history."], true);
      case "forward":
        return this.#navigation.forward() ? this.#show() : this.#say(["No next page in the history."], true);
      case "home":
        return this.#go(HOME);
      case "bookmarks":
      case "network":
      case "usage":
        if (!hasPage(command.type, services.supports)) return this.#say([`A node has no ${command.type} page.`], true);
        return this.#go({ kind: "page", page: command.type });
      case "bookmark":
        await toggleBookmark({ services, toast: (text) => this.#say([text]) }, this.#polled(), DEFAULT_KEY_LABELS);
        return this.#prompt();
      case "json":
        return this.#say(this.#json(), true);
      case "command":
        return this.#say([services.command(commandOf({ services }, this.#polled()).args)], true);
      case "help":
        return this.#say(plainHelp(), true);
      case "quit":
        return;
      default:
        return command satisfies never;
    }
  }

  #polled(): CurrentView {
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

  /** Prints the page of the current route. */
  async #show(): Promise<void> {
    const { services } = this.#world;
    const { route } = this.#navigation.current();
    this.#question = undefined;
    this.#entry = undefined;
    const request = requestForRoute(route);
    const links = linksFrom(route, services);
    const menu = menuPage("Links:", links);
    this.#request = undefined;
    this.#say([`${routeTitle(route, this.#world.data.nameOf)}:`]);
    if (isSameRoute(route, HOME)) this.#page = joinPages(await homePage(this.#world, this.#onWait), menu);
    else if (route.kind === "entity" && !isEndpointTab(route)) {
      this.#page = await entityLines(route, this.#world, this.#onWait);
      this.#request = request;
      this.#entry = request && this.#world.data.read(request);
    } else if (request) {
      const page = await this.#answerPage(request);
      this.#page = links.length === 0 ? page : joinPages(page, menu);
    } else this.#page = links.length === 0 ? { lines: ["No entries yet."], choices: [] } : menu;
    this.#say(this.#page.lines, true);
  }

  readonly #onWait = (seconds?: number) => {
    this.#say([seconds === undefined ? "Still loading." : `Rate limited: waiting ${seconds} seconds.`]);
  };

  async #answerPage(base: EndpointRequest): Promise<PlainPage> {
    const view = this.#view;
    const request = requestForView(base, view);
    this.#request = request;
    const entry = await waitForAnswer(request, this.#world, this.#onWait);
    this.#entry = entry;
    return renderAnswer(request, entry, view, { ...this.#world, here: this.#navigation.current().route });
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
    const { services } = this.#world;
    const row = this.#page.subject?.rows?.[number - 1];
    const endpoint = this.#request?.endpoint;
    if (row === undefined || !endpoint) return this.#say([`No row ${number} here.`], true);
    const shape = shapeFor(endpoint);
    const page = fieldsPage({ value: row, shape, now: services.now(), timeZone: services.timeZone });
    this.#page = { ...page, subject: this.#page.subject };
    this.#say(page.lines, true);
  }

  /** Filters the rows of a list, or the lines of another page. */
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

  /** Lists the filters, or sets one. */
  #ask(text: string): Promise<void> | void {
    const result = parseFilter(text, this.#request, this.#world.services.now());
    if ("lines" in result) return this.#say(result.lines, true);
    const { route } = this.#navigation.current();
    const before = this.#view.params ?? (route.kind === "endpoint" ? route.params : {});
    return this.#change({ params: { ...before, ...result.params }, page: FIRST_PAGE, trail: [] });
  }

  #search(text: string): Promise<void> | void {
    const { steps, lines } = searchRoutes(text, this.#world.services, this.#world.data);
    const [only, other] = steps;
    if (only && !other) return this.#take(only);
    if (only) this.#page = { lines, choices: steps.map((step) => [step]) };
    this.#say(lines, true);
  }

  #take({ route, target }: PlainLink): Promise<void> | void {
    if (route) return this.#go(route);
    const prompt = target && nextPrompt(target);
    if (!prompt) return;
    this.#question = prompt;
    this.#say([`${prompt.param.description}? Type it, or . to cancel.`], true);
  }

  async #answer(prompt: Prompt, text: string): Promise<void> {
    this.#question = undefined;
    if (text === ".") return this.#prompt();
    const result = answerPrompt(prompt, text, this.#world.services.now());
    if (result.route) return this.#go(result.route);
    this.#question = result.prompt ?? prompt;
    const words = result.problem?.message ?? `${this.#question.param.description}?`;
    this.#say([words], true);
  }

  #open(text: string): Promise<void> | void {
    const route = routeForIdentifier(recognise(text), availableEntities(this.#world.services.supports));
    return route ? this.#go(route) : this.#search(text);
  }

  /** Prints lines up to the maximum; `m` prints the rest. */
  #say(lines: readonly string[], isDone = false): void {
    this.#world.write(
      lines
        .slice(0, MAX_LINES)
        .map((text) => `${text}\n`)
        .join(""),
    );
    if (!isDone) return;
    this.#rest = lines.slice(MAX_LINES);
    if (this.#rest.length > 0) this.#world.write(`${this.#rest.length} more lines; m prints them.\n`);
    this.#prompt();
  }

  #prompt(): void {
    this.#world.write("> ");
  }
}
