/** Rules that the explorer watches for its dashboard: the run of `solx watch`, and what its outbox says. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import {
  createEmitter,
  errorMessage,
  HOUR_SECONDS,
  type JsonObject,
  parseJson,
  pluralize,
  readInputFile,
  replaceText,
  SolxError,
  UsageError,
} from "../../../base/index.ts";
import { positionalOf, returnsList } from "../../../catalogue/index.ts";
import { parsePaths } from "../../../output/index.ts";
import type { ConnectedClient } from "../../../sources/index.ts";
import {
  MAX_LOOKS,
  parseLook,
  type RulesState,
  type RuleTexts,
  type RuleWatch,
  summarizeObject,
  type WatchedSubject,
} from "../../../ui/index.ts";
import { keepNewSpace } from "../../endpoint/tune-heap.ts";
import { estimatePlan, listSubjects, planRules, type WatchPlan } from "../../follow/engine.ts";
import { selectFields } from "../../follow/rule.ts";
import type { RunContext } from "../../run/context.ts";
import { openDeliveries } from "../../watch/deliveries.ts";
import { type OpenRules, openRules, stateFile } from "../../watch/open-rules.ts";
import { MAX_RECENT, type Outbox } from "../../watch/outbox.ts";
import { parseRules } from "../../watch/rules-file.ts";
import { openRun, type RulesRun } from "../../watch/rules-run.ts";
import { OutboxView } from "./outbox-view.ts";
import { RULE_FIELDS, ruleTexts, writeRule } from "./rule-text.ts";

/** What rules are watched with. */
interface BoardOptions {
  /** The context of the run, whose standard error is no terminal. */
  readonly context: RunContext;
  readonly path: string;
  readonly client: () => Promise<ConnectedClient>;
}

/** Milliseconds between looks into the outbox while the dashboard is shown, and at which it follows polls. */
const TICK_MS = 1000;

const NOTHING: RulesState = {
  ...{ mode: "opening", problem: undefined, isFailing: false, rules: [], subjects: [], events: [], parked: [] },
  totals: { delivered: 0, pending: 0 },
};

/** A subject, the rule by which it is shown, and what is shown of it. */
interface BoardSubject {
  readonly rule: OpenRules["rules"][number];
  shown: WatchedSubject;
}

/** Watches the rules of a file for the dashboard. Its owner closes it. */
export class RuleBoard implements RuleWatch {
  readonly fields: RuleWatch["fields"] = RULE_FIELDS;
  readonly file: string;
  readonly now: () => number;
  readonly #options: BoardOptions;
  readonly #changes = createEmitter();
  #state = NOTHING;
  #run: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;
  /** The outbox of the rules while they are watched here. */
  #outbox: Outbox | undefined;
  #view: OutboxView | undefined;
  #version: number | undefined;
  #nextPolls = new Map<string, number>();
  /** Whether subjects have changed since the state was made. */
  #hasNews = false;
  #subjects: ReadonlyMap<string, BoardSubject> = new Map();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BoardOptions) {
    this.#options = options;
    this.file = options.path;
    this.now = options.context.io.now;
  }

  readonly state = () => {
    if (this.#hasNews)
      this.#state = { ...this.#state, subjects: [...this.#subjects.values()].map(({ shown }) => shown) };
    this.#hasNews = false;
    return this.#state;
  };

  readonly nextPoll: RuleWatch["nextPoll"] = (subject) => this.#nextPolls.get(subject);

  readonly subscribe = (listener: () => void) => {
    const stop = this.#changes.on(listener);
    this.#timer ??= setInterval(() => this.#attempt(() => this.#look()), TICK_MS);
    return () => {
      stop();
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  };

  readonly start = (again = false) => {
    const before = this.#run;
    if (before && !again) return;
    before?.stop.abort();
    const stop = new AbortController();
    this.#run = { stop, ended: (before?.ended ?? Promise.resolve()).then(() => this.#watch(stop.signal)) };
  };

  readonly saveRule = async (name: string, texts: RuleTexts | undefined) => {
    const { context, path, client } = this.#options;
    const before = await this.#readText();
    const after = writeRule(before, name, texts);
    const written = parseRules(after, path);
    if (texts) {
      const opened = await openRules(context, path, { only: name, written, client });
      try {
        await openDeliveries(context, opened.rules).then((trial) => trial.close());
      } finally {
        await opened.close();
      }
    }
    await this.#writeText(after);
    return async () => {
      if ((await this.#readText()) !== after) throw new UsageError(`${path} has changed since`);
      await this.#writeText(before);
    };
  };

  readonly settle: RuleWatch["settle"] = async (id, fate) => {
    try {
      await this.#outbox?.settle(id, fate);
      this.#read();
    } catch (error) {
      this.#set({ problem: problemOf(error) });
    }
  };

  readonly remember: RuleWatch["remember"] = (looks) =>
    this.#attempt(() => {
      this.#view?.setLooks(new Map([...looks].map(([name, look]) => [name, JSON.stringify(look)])));
      for (const [name, seen] of looks) this.#change(name, { seen });
    });

  /** Stops watching; what is to be delivered remains in the outbox. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#changes.clear();
    this.#run?.stop.abort();
    await this.#run?.ended;
    this.#view?.close();
    this.#view = undefined;
  }

  /** Shows a failure of the outbox, which may be locked or damaged. */
  #attempt(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#set({ problem: problemOf(error) });
    }
  }

  async #watch(stop: AbortSignal): Promise<void> {
    const { context, path } = this.#options;
    const signal = AbortSignal.any([stop, context.io.signal]);
    const { events, parked } = this.#state;
    this.#nextPolls.clear();
    this.#subjects = new Map();
    this.#set({ ...NOTHING, events, parked });
    let run: RulesRun | undefined;
    try {
      await keepNewSpace();
      if (!existsSync(path)) return this.#set({ mode: "missing" });
      this.#openView();
      const opened = await this.#open();
      run = await openRun(context, withoutPrint(opened), stateFile(context, path)).catch(async (error: unknown) => {
        if (!(error instanceof SolxError) || error.code !== "IN_USE") throw error;
        await this.#watchElsewhere();
        return undefined;
      });
      this.#openView();
      if (!run) return this.#set({ mode: "elsewhere" });
      await this.#plan(opened, run.plan);
      this.#outbox = run.deliveries.outbox;
      this.#set({ mode: "watching" });
      const found = run.poll({
        signal,
        onState: (isFailing) => this.#set({ isFailing }),
        onPolled: (names, due) => {
          for (const name of names) this.#nextPolls.set(name, due);
        },
        onLoss: async ({ subject, error }) => {
          const text = error ? errorMessage(error) : "Too many new rows: some before the next ones are missing.";
          for (const name of this.#subjects.keys())
            if (name.endsWith(` ${subject}`)) this.#change(name, { problem: text });
        },
      });
      for await (const { subject } of found) this.#measure(subject);
    } catch (error) {
      if (!signal.aborted) this.#set({ mode: "stopped", problem: problemOf(error) });
    } finally {
      this.#outbox = undefined;
      await run?.close();
    }
  }

  /** Returns the text of the file, empty where there is none. */
  async #readText(): Promise<string> {
    const { context, path } = this.#options;
    return existsSync(path) ? await readInputFile(path, { signal: context.io.signal }) : "";
  }

  /** Replaces the text of the file, and watches its rules. */
  async #writeText(text: string): Promise<void> {
    const { path } = this.#options;
    const target = existsSync(path) ? realpathSync(path) : path;
    await replaceText(target, text, statSync(target, { throwIfNoEntry: false })?.mode);
    this.start(true);
  }

  async #open(): Promise<OpenRules> {
    const { context, path, client } = this.#options;
    const opened = await openRules(context, path, { client });
    const rules = opened.rules.map(({ name, definition }) => ({
      name,
      texts: ruleTexts(definition as unknown as JsonObject),
      actions: definition.then.map((action) => Object.keys(action)[0] ?? ""),
    }));
    this.#set({ rules });
    return opened;
  }

  /** Shows the subjects of rules that another process watches. */
  async #watchElsewhere(): Promise<void> {
    const { context } = this.#options;
    const opened = await this.#open();
    try {
      const rules = opened.rules.map(({ rule }) => rule);
      this.#openView();
      await this.#plan(opened, await planRules(context, rules, { now: this.now, maxRequests: opened.maxRequests }));
    } finally {
      await opened.close();
    }
  }

  async #plan({ rules }: OpenRules, plan: WatchPlan): Promise<void> {
    const { latency } = await estimatePlan(plan);
    const slowest = Math.max(...plan.pollers.map(({ interval }) => interval));
    const looks = this.#view?.looks();
    const subjects = (await listSubjects(plan)).flatMap(({ name, input, poller, rules: [first] }) => {
      const rule = rules.find((named) => named.rule === first);
      if (!rule) return [];
      const { endpoint, params } = rule.rule.watched;
      const [identifier] = positionalOf(endpoint) ?? [];
      const about = input === undefined || identifier === undefined ? params : { ...params, [identifier]: input };
      const perHour = (HOUR_SECONDS * slowest) / (poller.interval * latency.quiet * (poller.inputs?.length ?? 1));
      const seen = looks?.get(name);
      const shown: WatchedSubject = {
        ...{ name, rule: rule.name, isFeed: rule.rule.grows, problem: undefined },
        route: { kind: "endpoint", endpointRoute: endpoint.route, params: about },
        ...{ summary: undefined, points: [], seen: seen === undefined ? undefined : parseLook(parseJson(seen)) },
        cost: { requests: poller.requests * perHour, units: poller.units * perHour },
      };
      return [[name, { rule, shown }] as const];
    });
    this.#subjects = new Map(subjects);
    for (const [name] of subjects) this.#measure(name);
    this.#hasNews = true;
    this.#changes.emit();
    this.#read();
  }

  /** Reads what a subject is now. */
  #measure(name: string): void {
    const subject = this.#subjects.get(name);
    if (!subject || subject.rule.rule.grows || !this.#view) return;
    const { endpoint } = subject.rule.rule.watched;
    const { changes } = subject.rule.definition;
    const rows = this.#view.rowsOf(name);
    const clock = { style: "relative", now: this.now(), timeZone: undefined } as const;
    const [row] = rows;
    const isList = returnsList(endpoint) && !endpoint.isMulti;
    const summary = isList
      ? { text: pluralize(rows.length, "row"), value: rows.length }
      : row &&
        summarizeObject(
          endpoint,
          changes === undefined ? row : partOf(row, selectFields(parsePaths(changes, "--changes"))),
          clock,
        );
    const add = summary?.value === undefined ? [] : [summary.value];
    const before = subject.shown.points;
    const points = rows.length === 0 ? before : [...before, ...add].slice(-MAX_LOOKS);
    this.#change(name, { summary, points, problem: undefined });
  }

  /** Opens what is known of the file, if it was ever watched. */
  #openView(): void {
    const { context, path } = this.#options;
    const file = stateFile(context, path);
    if (this.#view || !existsSync(file)) return;
    this.#view = new OutboxView(file);
    this.#read();
  }

  /** Shows what polls have changed, and reads the outbox if it has changed. */
  #look(): void {
    const version = this.#view?.version();
    if (this.#view && version !== this.#version) {
      this.#version = version;
      this.#read();
      if (this.#state.mode === "elsewhere") this.#followPolls(this.#view.nextPolls());
    }
    if (this.#hasNews) this.#changes.emit();
  }

  /** Reads the subjects that another process has polled. */
  #followPolls(polls: ReadonlyMap<string, number>): void {
    const before = this.#nextPolls;
    this.#nextPolls = new Map(polls);
    for (const [name, due] of polls) if (due !== before.get(name)) this.#measure(name);
  }

  #read(): void {
    if (!this.#view) return;
    const { events: before, parked: parkedBefore, totals: totalsBefore } = this.#state;
    const more = this.#view.recent(before.at(-1)?.id ?? 0);
    const [parked, totals] = [this.#view.parked(), this.#view.totals()];
    if (more.length === 0 && isDeepStrictEqual([parked, totals], [parkedBefore, totalsBefore])) return;
    const events = more.length === 0 ? before : [...before, ...more].slice(-MAX_RECENT);
    this.#set({ events, parked, totals });
  }

  /** Changes a subject, which is shown at the next tick: polls are many. */
  #change(name: string, change: Partial<WatchedSubject>): void {
    const subject = this.#subjects.get(name);
    if (!subject) return;
    subject.shown = { ...subject.shown, ...change };
    this.#hasNews = true;
  }

  #set(change: Partial<RulesState>): void {
    this.#state = { ...this.#state, ...change };
    this.#changes.emit();
  }
}

const problemOf = (error: unknown): RulesState["problem"] => ({
  message: errorMessage(error),
  hint: error instanceof SolxError ? error.hint : undefined,
});

/** The dashboard shows events: on its screen, nothing is printed. */
const withoutPrint = (opened: OpenRules): OpenRules => ({
  ...opened,
  rules: opened.rules.map((one) => ({ ...one, definitions: one.definitions.filter((action) => !("print" in action)) })),
});

/** Returns the fields of an object that are selected. */
const partOf = (row: JsonObject, isSelected: (path: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(row).filter(([path]) => isSelected(path)));
