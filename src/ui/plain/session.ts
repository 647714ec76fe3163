/**
 * The explorer as a conversation: it says what is at a place in lines, and obeys the lines that are typed. For screen
 * readers, braille lines and terminals that obey nothing; changes are new lines, nothing is drawn over.
 */
import { recognise } from "../../client/request/recognise.ts";
import { formatJson } from "../../output/formats/json.ts";
import { safeText } from "../../output/text/safe.ts";
import { type CurrentView, commandOf, toggleBookmark } from "../actions/current-view.ts";
import { createNavigation } from "../app/history.ts";
import { DEFAULT_KEY_LABELS } from "../app/keys/key-hints.ts";
import { HOME, isSameRoute, type Route, routeTitle } from "../app/route.ts";
import { routeForIdentifier } from "../app/route-for.ts";
import type { EndpointRequest, QueryState } from "../data/store.ts";
import { answerPrompt, nextPrompt, type Prompt } from "../palette/prompt.ts";
import { recordRecentRoutes } from "../palette/recent-routes.ts";
import { FIRST_PAGE, nextSpot, rowsBefore } from "../widgets/list/paging.ts";
import { type Asking, answerTo, FIRST_VIEW, pageOf, requestOf, shapeFor, type View } from "./answer.ts";
import { helpLines, newsOf, type Said, saidIn } from "./commands.ts";
import { homePage } from "./home.ts";
import { fieldsPage, joined, linesWith, menuPage, type Page, type Step } from "./page.ts";
import { requestAt, waysFrom } from "./routes.ts";
import { filterSet, found, sortSet } from "./search.ts";

/** What the conversation needs. */
export interface PlainWorld extends Asking {
  readonly start: Route;
  /** The lines that are typed; their end ends the conversation. */
  readonly lines: AsyncIterable<string>;
  readonly write: (text: string) => void;
}

/** Lines that are said at once. */
const AT_ONCE = 60;

/** Talks until `q`, the end of what is typed, or the signal. @returns whether it was left with `q` */
export async function plainExplorer(world: PlainWorld): Promise<boolean> {
  const talk = new Talk(world);
  await talk.begin();
  for await (const line of world.lines) {
    if (!(await talk.obey(line))) return !world.signal.aborted;
  }
  return false;
}

class Talk {
  readonly #world: PlainWorld;
  readonly #navigation;
  readonly #views = new Map<number, View>();
  #page: Page = { lines: [], choices: [] };
  #entry: QueryState | undefined;
  #request: EndpointRequest | undefined;
  #rest: readonly string[] = [];
  #question: Prompt | undefined;

  constructor(world: PlainWorld) {
    this.#world = world;
    this.#navigation = createNavigation(world.start);
    recordRecentRoutes({ navigation: this.#navigation, services: world.services });
  }

  async begin(): Promise<void> {
    for (const problem of this.#world.services.customization?.problems ?? []) this.#say([problem]);
    const isNews = newsOf(this.#world.services.now);
    this.#world.services.onNote?.((text) => isNews(text) && this.#say([safeText(text)]));
    this.#say(["solx in plain lines. Type ? and Enter for help, q to quit."]);
    await this.#show();
  }

  /** Obeys a line. @returns whether the conversation goes on */
  async obey(line: string): Promise<boolean> {
    if (this.#question && line.trim() !== "") await this.#answer(this.#question, line.trim());
    else {
      const said = saidIn(line);
      if (said?.do === "quit") return false;
      if (said) await this.#do(said);
      else this.#prompt();
    }
    return !this.#world.signal.aborted;
  }

  get #view(): View {
    return this.#views.get(this.#navigation.current().id) ?? FIRST_VIEW;
  }

  #change(change: Partial<View>): Promise<void> {
    this.#views.set(this.#navigation.current().id, { ...this.#view, ...change });
    return this.#show();
  }

  async #do(said: Said): Promise<void> {
    const { services, data } = this.#world;
    switch (said.do) {
      case "follow":
        return this.#follow(said.number);
      case "fields":
        return this.#fields(said.number);
      case "filter":
        return this.#filter(said.text);
      case "wrong":
        return this.#say([safeText(said.text)], true);
      case "sort":
        return this.#sort(said.text);
      case "ask":
        return this.#ask(said.text);
      case "search":
        return this.#search(said.text);
      case "open":
        return this.#open(said.text);
      case "next":
      case "previous":
        return this.#turn(said.do);
      case "more":
        return this.#say(this.#rest.length === 0 ? ["That is all."] : this.#rest, true);
      case "again":
        if (this.#request) data.refresh(this.#request);
        return this.#show();
      case "back":
        return this.#navigation.back() ? this.#show() : this.#say(["This is where you began."], true);
      case "forward":
        return this.#navigation.forward() ? this.#show() : this.#say(["There is nothing ahead."], true);
      case "home":
        return this.#go(HOME);
      case "bookmarks":
      case "usage":
        return this.#go({ kind: "hall", page: said.do });
      case "keep":
        await toggleBookmark({ services, toast: (text) => this.#say([text]) }, this.#looked(), DEFAULT_KEY_LABELS);
        return this.#prompt();
      case "json":
        return this.#say(this.#json(), true);
      case "command":
        return this.#say([services.command(commandOf({ services }, this.#looked()).args)], true);
      case "help":
        return this.#say(helpLines(), true);
      case "quit":
        return;
      default:
        return said satisfies never;
    }
  }

  #looked(): CurrentView {
    return { route: this.#navigation.current().route, subject: { ...this.#page.subject, request: this.#request } };
  }

  #json(): readonly string[] {
    const data = this.#entry?.answer?.data;
    return data === undefined ? ["There is no answer here."] : formatJson(data, 2).split("\n");
  }

  #go(place: Route): Promise<void> {
    this.#navigation.open(place);
    return this.#show();
  }

  /** Says what is at the place where one is. */
  async #show(): Promise<void> {
    const { services } = this.#world;
    const { route: place } = this.#navigation.current();
    this.#question = undefined;
    this.#entry = undefined;
    const request = requestAt(place);
    const ways = waysFrom(place, services.memory);
    const menu = menuPage(place.kind === "hall" ? "From here:" : "More about it:", ways);
    this.#request = undefined;
    this.#say([`${routeTitle(place)}:`]);
    if (isSameRoute(place, HOME)) this.#page = joined(await homePage(this.#world, this.#onWait), menu);
    else if (request) {
      const page = await this.#answerPage(request);
      this.#page = ways.length === 0 ? page : joined(page, menu);
    } else this.#page = ways.length === 0 ? { lines: ["Nothing is kept here yet."], choices: [] } : menu;
    this.#say(this.#page.lines, true);
  }

  readonly #onWait = (seconds?: number) => {
    this.#say([seconds === undefined ? "Still asking." : `The API asks to wait ${seconds} seconds.`]);
  };

  async #answerPage(asked: EndpointRequest): Promise<Page> {
    const view = this.#view;
    const request = requestOf(asked, view);
    this.#request = request;
    const entry = await answerTo(request, this.#world, this.#onWait);
    this.#entry = entry;
    return pageOf(request, entry, view, { ...this.#world, here: this.#navigation.current().route });
  }

  async #follow(number: number): Promise<void> {
    const choice = this.#page.choices[number - 1];
    const [first, second] = choice ?? [];
    if (!choice || !first) return this.#say([`${number} stands for nothing that can be followed here.`], true);
    if (!second) return this.#take(first);
    // The next number chooses among them.
    const menu = menuPage(`Row ${number} leads to:`, choice);
    this.#page = { ...menu, subject: this.#page.subject };
    this.#say(menu.lines, true);
  }

  #fields(number: number) {
    const { services } = this.#world;
    const row = this.#page.subject?.rows?.[number - 1];
    const endpoint = this.#request?.endpoint;
    if (row === undefined || !endpoint) return this.#say([`There is no row ${number} here.`], true);
    const shape = shapeFor(endpoint);
    const page = fieldsPage({ value: row, shape, now: services.now(), timeZone: services.timeZone });
    this.#page = { ...page, subject: this.#page.subject };
    this.#say(page.lines, true);
  }

  /** Rows that match; of what is no list, the lines. */
  #filter(text: string): Promise<void> | void {
    if (this.#isList || text === "") return this.#change({ filter: text });
    return this.#say(linesWith(this.#page, text), true);
  }

  get #isList(): boolean {
    return this.#entry?.answer?.rows !== undefined;
  }

  #turn(way: "next" | "previous"): Promise<void> | void {
    if (!this.#isList)
      return this.#say(["This is no list: it has no further pages. m says more lines, if there are."], true);
    const { spot, trail } = this.#view;
    const last = trail.at(-1);
    if (way === "previous") {
      if (!last) return this.#say(["This is the first page."], true);
      return this.#change({ spot: last, trail: trail.slice(0, -1) });
    }
    const { endpoint, params } = this.#request ?? {};
    const next = endpoint && params && this.#entry && nextSpot(params, this.#entry, rowsBefore(endpoint, params, spot));
    if (!next) return this.#say(["This is the last page."], true);
    return this.#change({ spot: next, trail: [...trail, spot] });
  }

  #sort(text: string): Promise<void> | void {
    if (text === "") return this.#change({ sort: undefined, spot: FIRST_PAGE, trail: [] });
    const outcome = sortSet(text, this.#request, this.#entry?.answer?.rows, this.#view.sort);
    if ("lines" in outcome) return this.#say(outcome.lines, true);
    return this.#change({ sort: outcome.sort, spot: FIRST_PAGE, trail: [] });
  }

  /** The filters of the list: all of them, or another value for one. */
  #ask(text: string): Promise<void> | void {
    const outcome = filterSet(text, this.#request, this.#world.services.now());
    if ("lines" in outcome) return this.#say(outcome.lines, true);
    const { route: place } = this.#navigation.current();
    const before = this.#view.asked ?? (place.kind === "endpoint" ? place.params : {});
    return this.#change({ asked: { ...before, ...outcome.params }, spot: FIRST_PAGE, trail: [] });
  }

  #search(text: string): Promise<void> | void {
    const { steps, lines } = found(text, this.#world.services, this.#world.data.tokens());
    const [only, other] = steps;
    if (only && !other) return this.#take(only);
    if (only) this.#page = { lines, choices: steps.map((step) => [step]) };
    this.#say(lines, true);
  }

  #take({ place, asked }: Step): Promise<void> | void {
    if (place) return this.#go(place);
    const question = asked && nextPrompt(asked);
    if (!question) return;
    this.#question = question;
    this.#say([`${question.param.description}? Type it, or a point alone to leave it.`], true);
  }

  async #answer(question: Prompt, text: string): Promise<void> {
    this.#question = undefined;
    if (text === ".") return this.#prompt();
    const outcome = answerPrompt(question, text, this.#world.services.now());
    if (outcome.route) return this.#go(outcome.route);
    this.#question = outcome.prompt ?? question;
    const words = outcome.problem?.message ?? `${this.#question.param.description}?`;
    this.#say([words], true);
  }

  #open(text: string): Promise<void> | void {
    const place = routeForIdentifier(recognise(text));
    return place ? this.#go(place) : this.#search(text);
  }

  /** Says lines, as many as can be listened to at once; `m` says the others. */
  #say(lines: readonly string[], isDone = false): void {
    this.#world.write(
      lines
        .slice(0, AT_ONCE)
        .map((text) => `${text}\n`)
        .join(""),
    );
    if (!isDone) return;
    this.#rest = lines.slice(AT_ONCE);
    if (this.#rest.length > 0) this.#world.write(`${this.#rest.length} more lines: m says them.\n`);
    this.#prompt();
  }

  #prompt(): void {
    this.#world.write("> ");
  }
}
