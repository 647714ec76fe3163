/** The explorer in a window of memory: keys in, frames out. */

import { EventEmitter } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { render } from "ink";
import { expect, onTestFinished } from "vitest";
import { SolxError } from "../../src/base/errors.ts";
import type { Json } from "../../src/base/json.ts";
import type { ParameterValues } from "../../src/catalogue/index.ts";
import type { Client } from "../../src/client/index.ts";
import { App } from "../../src/ui/app/app.tsx";
import { HOME, type Place } from "../../src/ui/app/route.ts";
import type { Services } from "../../src/ui/app/services.ts";
import { createData } from "../../src/ui/data/query-store.ts";
import { type DataStore, type Entry, type Gauge, NOTHING, type Request, type Spent } from "../../src/ui/data/store.ts";
import * as parts from "../../src/ui/lazy.ts";

/** The moment that the explorer of a test lives in. */
export const NOW = Date.UTC(2025, 5, 15, 12);

/** An answer to a route: data, a failure, or undefined for one that is still under way. */
export type Given = Json | SolxError | undefined | ((params: ParameterValues) => Json | SolxError | undefined);

/** A store whose answers are given. */
export interface FakeData extends DataStore {
  /** Every request that was sent, refreshes and prefetches included. */
  readonly asked: readonly Request[];
  /** Gives answers (other ones) from now on, also to what is under way. */
  give(answers: Readonly<Record<string, Given>>): void;
  /** Sets the gauge and what was spent. */
  tell(gauge: Partial<Gauge>, spent?: Spent): void;
  /** Gives addresses a name, as answers do. */
  call(name: string, ...addresses: readonly string[]): void;
}

const keyOf = ({ endpoint, params }: Request) => `${endpoint.route} ${JSON.stringify(params)}`;

/** What a request comes to: the entry that follows the one before. */
function settled(request: Request, given: Json | SolxError | undefined, before: Entry): Entry {
  if (given === undefined) return { ...before, isLoading: true };
  if (given instanceof SolxError) return { ...before, isLoading: false, problem: given };
  return {
    ...NOTHING,
    answer: answerOf(request, given),
    at: NOW,
    ...pagesOf(request, given),
  };
}

/** An answer with this data. */
export function answerOf({ endpoint, params }: Request, data: Json): NonNullable<Entry["answer"]> {
  const { at } = endpoint.returns;
  const inside = at !== undefined && typeof data === "object" && data !== null ? Reflect.get(data, at) : data;
  const rows = endpoint.returns.shape === "object" || !Array.isArray(inside) ? undefined : (inside as readonly Json[]);
  const request = { endpoint, family: endpoint.family, path: endpoint.path, params, query: [], notes: [] };
  return {
    request: request as unknown as NonNullable<Entry["answer"]>["request"],
    status: 200,
    headers: {},
    body: JSON.stringify(data),
    envelope: { success: true, data },
    data,
    rows,
    at: rows === data ? undefined : at,
  };
}

function pagesOf({ endpoint, params }: Request, data: Json): Pick<Entry, "next" | "more"> {
  if (endpoint.paging !== "page" || !Array.isArray(data)) return { next: undefined, more: undefined };
  const page = Number(params.page ?? 1);
  const more = data.length >= Number(params.page_size ?? 10);
  return { more, next: more ? { ...params, page: page + 1 } : undefined };
}

/** A store that answers with what is given, by route. */
export function fakeData(answers: Readonly<Record<string, Given>> = {}): FakeData {
  let given = answers;
  let gauge: Gauge = { requests: undefined, units: undefined, waitingUntil: undefined };
  let spent: Spent = { requests: 0, units: 0 };
  const asked: Request[] = [];
  const entries = new Map<string, { readonly request: Request; entry: Entry; listeners: Set<() => void> }>();
  const told = new Set<() => void>();
  const names = new Map<string, string>();
  const of = (request: Request) => {
    const known = entries.get(keyOf(request)) ?? { request, entry: NOTHING, listeners: new Set() };
    entries.set(keyOf(request), known);
    return known;
  };
  const put = (request: Request, entry: Entry) => {
    const known = of(request);
    known.entry = entry;
    for (const listener of known.listeners) listener();
  };
  const settle = (request: Request) => {
    const answer = given[request.endpoint.route];
    const value = typeof answer === "function" ? answer(request.params) : answer;
    put(request, settled(request, value, of(request).entry));
  };
  const ask = (request: Request) => {
    asked.push(request);
    put(request, { ...of(request).entry, isLoading: true });
    queueMicrotask(() => settle(request));
  };
  return {
    asked,
    give(more) {
      given = { ...given, ...more };
      for (const { request, entry } of entries.values()) {
        if (entry.isLoading) settle(request);
      }
    },
    tell(changed, nowSpent = spent) {
      [gauge, spent] = [{ ...gauge, ...changed }, nowSpent];
      for (const listener of told) listener();
    },
    read: (request) => entries.get(keyOf(request))?.entry ?? NOTHING,
    watch(request, listener) {
      const known = of(request);
      known.listeners.add(listener);
      if (known.entry === NOTHING) ask(request);
      return () => known.listeners.delete(listener);
    },
    refresh: ask,
    cancel: (request) => put(request, { ...of(request).entry, isLoading: false }),
    prefetch(request) {
      if (of(request).entry === NOTHING) ask(request);
    },
    call(name, ...addresses) {
      for (const address of addresses) names.set(address, name);
    },
    nameOf: (address) => names.get(address),
    tokens: () => names,
    addressesOf: (name) =>
      [...names].filter(([, known]) => known.toLowerCase() === name.toLowerCase()).map(([address]) => address),
    renew() {
      for (const { request, entry } of entries.values()) if (entry.problem) ask(request);
    },
    gauge: () => gauge,
    spent: () => spent,
    subscribe(listener) {
      told.add(listener);
      return () => told.delete(listener);
    },
    async close() {},
  };
}

/** Services of nothing outside; what is copied, browsed and saved is told back in words. */
export function fakeServices(more: Partial<Services> = {}): Services {
  return {
    client: () => Promise.reject(new SolxError("unexpected", "There is no client in this test.")),
    identity: {
      profile: undefined,
      sandbox: true,
      hasKey: true,
      plan: "Lite",
      rate: { requests: 1000, seconds: 60 },
      units: 1_000_000,
    },
    now: () => NOW,
    timeZone: "UTC",
    palette: "none",
    unicode: true,
    command: (words) => ["solx", "--sandbox", ...words].join(" "),
    curl: (url) => `curl '${url.href}'`,
    copy: async (text, what) => ({ ok: true, message: `Copied ${what}: ${text}` }),
    browse: async (url) => ({ ok: true, message: `Opened ${url}` }),
    handOff: async () => ({ ok: true, message: "" }),
    save: async (name) => `/tmp/${name}`,
    memory: {
      bookmarks: () => [],
      setBookmarks: async () => {},
      recent: () => [],
      setRecent: async () => {},
      columns: () => ({}),
      setColumns: async () => {},
    },
    log: () => {},
    ...more,
  };
}

/** A keyboard. */
export class Input extends EventEmitter {
  readonly isTTY = true;
  #waiting: string[] = [];

  send(text: string): void {
    this.#waiting.push(text);
    this.emit("readable");
  }

  read(): string | null {
    return this.#waiting.shift() ?? null;
  }

  setEncoding(): void {}
  setRawMode(): void {}
  resume(): void {}
  pause(): void {}
  ref(): void {}
  unref(): void {}
}

/** A window. */
export class Screen extends EventEmitter {
  readonly isTTY = true;
  columns: number;
  rows: number;
  last = "";

  constructor(columns: number, rows: number) {
    super();
    [this.columns, this.rows] = [columns, rows];
  }

  write(text: string): boolean {
    // Mode switches are no frames.
    if (!/^(\u001B\[[?<>][\d;]*[a-z])*$/i.test(text)) this.last = text;
    return true;
  }
}

const SEQUENCES: Readonly<Record<string, string>> = {
  up: "\u001B[A",
  down: "\u001B[B",
  right: "\u001B[C",
  left: "\u001B[D",
  pageup: "\u001B[5~",
  pagedown: "\u001B[6~",
  home: "\u001B[H",
  end: "\u001B[F",
  enter: "\r",
  // As newer terminals send it: a bare escape could be the beginning of something, and is waited for.
  esc: "\u001B[27u",
  tab: "\t",
  "shift+tab": "\u001B[Z",
  backspace: "\u007F",
  delete: "\u001B[3~",
  space: " ",
};

function sequenceOf(key: string): string {
  const control = /^ctrl\+([a-z])$/.exec(key)?.[1];
  if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) - 96);
  return SEQUENCES[key] ?? key;
}

/** Lets everything that waits for a turn have it. */
const turns = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

export interface Explored {
  readonly place?: Place;
  readonly width?: number;
  readonly height?: number;
  /** With a client and without `data`, the store is the real one. */
  readonly client?: Client;
  readonly data?: DataStore;
  readonly services?: Partial<Services>;
}

/** The explorer as it is seen and used. */
export interface Window {
  /** The screen as it is now, without colours. */
  frame(): string;
  /** The same with its escape sequences. */
  styled(): string;
  /** Presses keys, named as in bindings (`j`, `enter`, `ctrl+d`); text of several characters comes at once. */
  press(...keys: string[]): Promise<void>;
  /** Pastes, as a terminal with bracketed paste hands it over. */
  paste(text: string): Promise<void>;
  /** The screen, once it shows this. */
  waitFor(pattern: RegExp | string): Promise<string>;
  resize(width: number, height: number): Promise<void>;
  unmount(): void;
  /** The sentences at the foot so far, and whether the explorer was left. */
  readonly toasts: readonly string[];
  readonly quits: () => number;
}

/** Opens the explorer in a window of memory, closed when the test ends. */
export function renderExplorer({
  place = HOME,
  width = 80,
  height = 24,
  client,
  data,
  services,
}: Explored = {}): Window {
  const [stdin, stdout] = [new Input(), new Screen(width, height)];
  const all = fakeServices({ ...(client && { client: async () => client }), ...services });
  const store = data ?? (client ? createData(all) : fakeData());
  const toasts: string[] = [];
  let quits = 0;
  const app = render(
    <App
      services={all}
      data={store}
      start={place}
      parts={parts}
      quit={() => {
        quits += 1;
      }}
      onToast={(text) => toasts.push(text)}
    />,
    {
      stdin: stdin as unknown as NodeJS.ReadStream,
      stdout: stdout as unknown as NodeJS.WriteStream,
      debug: true,
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
    },
  );
  const frame = () => stripVTControlCharacters(stdout.last);
  const unmount = () => app.unmount();
  onTestFinished(async () => {
    unmount();
    await store.close();
  });
  const send = async (text: string) => {
    stdin.send(text);
    await turns();
  };
  return {
    frame,
    styled: () => stdout.last,
    async press(...keys) {
      for (const key of keys) await send(sequenceOf(key));
    },
    paste: (text) => send(`\u001B[200~${text}\u001B[201~`),
    async waitFor(pattern) {
      await expect.poll(frame, { timeout: 10_000, interval: 5 }).toMatch(pattern);
      return frame();
    },
    async resize(columns, rows) {
      Object.assign(stdout, { columns, rows });
      stdout.emit("resize");
      await turns();
    },
    unmount,
    toasts,
    quits: () => quits,
  };
}
