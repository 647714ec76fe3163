/** Renders the explorer and its components in the terminal of ink-testing-library. */

import { stripVTControlCharacters } from "node:util";
import { Box } from "ink";
import { render } from "ink-testing-library";
import type { ReactElement } from "react";
import { expect, onTestFinished } from "vitest";
import { SolxError } from "../../src/base/errors.ts";
import type { Json } from "../../src/base/json.ts";
import { type Coverage, type ParameterValues, returnsList } from "../../src/catalogue/index.ts";
import { createNames, nameText, textWidth } from "../../src/output/index.ts";
import { type ConnectedClient, describeSource } from "../../src/sources/index.ts";
import { App } from "../../src/ui/app/app.tsx";
import * as lazy from "../../src/ui/app/lazy.ts";
import { ListLoadStore } from "../../src/ui/data/list-loads.ts";
import { NameLoadStore } from "../../src/ui/data/names.ts";
import { createDataStore } from "../../src/ui/data/query-store.ts";
import { TIMERS } from "../../src/ui/data/timers.ts";
import {
  type DataStore,
  type EndpointRequest,
  IDLE_QUERY,
  type QueryState,
  type QuotaView,
  type SessionUsage,
  type VisiblePrices,
} from "../../src/ui/navigation/data-store.ts";
import { HOME, type Route } from "../../src/ui/navigation/route.ts";
import type { Services } from "../../src/ui/navigation/services.ts";
import type { TerminalControl } from "../../src/ui/terminal/control.ts";

/** The time in tests of the explorer. */
export const NOW = Date.UTC(2025, 5, 15, 12);

/** An answer to a route: data, an error, or undefined for a request that stays in flight. */
export type FakeAnswer = Json | SolxError | undefined | ((params: ParameterValues) => Json | SolxError | undefined);

/** A store whose answers are set by the test. */
export interface FakeData extends DataStore {
  /** All requests sent, including refreshes and prefetches. */
  readonly requests: readonly EndpointRequest[];
  /** Changes answers, also those of requests in flight. */
  setAnswers(answers: Readonly<Record<string, FakeAnswer>>): void;
  /** Sets quota and session usage. */
  setQuota(quota: Partial<QuotaView>, sessionUsage?: SessionUsage): void;
  /** Names addresses, as answers do. */
  setName(name: string, ...addresses: readonly string[]): void;
}

const keyOf = ({ endpoint, params }: EndpointRequest) => `${endpoint.route} ${JSON.stringify(params)}`;

/** Returns the state after an answer. */
function nextState(request: EndpointRequest, byRoute: Json | SolxError | undefined, before: QueryState): QueryState {
  if (byRoute === undefined) return { ...before, isLoading: true };
  if (byRoute instanceof SolxError) return { ...before, isLoading: false, problem: byRoute };
  return {
    ...IDLE_QUERY,
    answer: answerOf(request, byRoute),
    at: NOW,
    ...pagesOf(request, byRoute),
  };
}

/** Returns an answer with data. */
export function answerOf({ endpoint, params }: EndpointRequest, data: Json): NonNullable<QueryState["answer"]> {
  const { at } = endpoint.returns;
  const inside = at !== undefined && typeof data === "object" && data !== null ? Reflect.get(data, at) : data;
  const rows = !returnsList(endpoint) || !Array.isArray(inside) ? undefined : (inside as readonly Json[]);
  const cost = endpoint.cost.units;
  const request = { endpoint, family: endpoint.family, path: endpoint.path, params, query: [], notes: [], cost };
  return {
    request: request as unknown as NonNullable<QueryState["answer"]>["request"],
    status: 200,
    headers: {},
    body: JSON.stringify(data),
    envelope: { success: true, data },
    data,
    rows,
    at: rows === data ? undefined : at,
  };
}

function pagesOf({ endpoint, params }: EndpointRequest, data: Json): Pick<QueryState, "next" | "hasMore"> {
  if (endpoint.paging !== "page" || !Array.isArray(data)) return { next: undefined, hasMore: undefined };
  const page = Number(params.page ?? 1);
  const more = data.length >= Number(params.page_size ?? 10);
  return { hasMore: more, next: more ? { ...params, page: page + 1 } : undefined };
}

/** No prices beside tokens: their requests would be among those of the pages. */
const NO_PRICES: VisiblePrices<never> = {
  isAvailable: () => false,
  isOn: () => false,
  toggle: () => {},
  of: () => undefined,
  show: () => {},
  version: () => 0,
  subscribe: () => () => {},
  close: () => {},
};

/** Creates a store that answers by route. */
export function fakeData(answers: Readonly<Record<string, FakeAnswer>> = {}, coverage?: Coverage): FakeData {
  let byRoute = answers;
  let quota: QuotaView = { requests: undefined, units: undefined, waitingUntil: undefined };
  let sessionUsage: SessionUsage = { requests: 0, units: 0 };
  const requests: EndpointRequest[] = [];
  const entries = new Map<
    string,
    { readonly request: EndpointRequest; entry: QueryState; listeners: Set<() => void> }
  >();
  const listeners = new Set<() => void>();
  const names = createNames();
  const entryOf = (request: EndpointRequest) => {
    const known = entries.get(keyOf(request)) ?? { request, entry: IDLE_QUERY, listeners: new Set() };
    entries.set(keyOf(request), known);
    return known;
  };
  const publish = (request: EndpointRequest, entry: QueryState) => {
    const known = entryOf(request);
    known.entry = entry;
    for (const listener of known.listeners) listener();
  };
  const settle = (request: EndpointRequest) => {
    const answer = byRoute[request.endpoint.route];
    const value = typeof answer === "function" ? answer(request.params) : answer;
    const plain = nextState(request, value, entryOf(request).entry);
    const state = plain.answer && coverage ? { ...plain, answer: { ...plain.answer, coverage } } : plain;
    for (const part of [state.answer?.data, state.answer?.envelope?.metadata])
      if (part !== undefined) names.learn(part);
    publish(request, state);
  };
  const send = (request: EndpointRequest) => {
    requests.push(request);
    publish(request, { ...entryOf(request).entry, isLoading: true });
    queueMicrotask(() => settle(request));
  };
  /** The pages of a list, each as an answer of the test. */
  async function* pages(
    endpoint: EndpointRequest["endpoint"],
    params: ParameterValues,
    { resume }: { readonly resume?: { readonly page: number } } = {},
  ) {
    for (let page = (resume?.page ?? 0) + 1, more = true; more; page += 1) {
      const request = { endpoint, params: { ...params, page_size: 100, page } };
      const known = byRoute[endpoint.route];
      const data = typeof known === "function" ? known(request.params) : known;
      if (data instanceof SolxError) throw data;
      const answer = answerOf(request, data ?? []);
      more = pagesOf(request, data ?? []).hasMore === true;
      yield { rows: answer.rows ?? [], answer, more, state: () => ({ page }) };
    }
  }
  const loads = new ListLoadStore({
    client: async () => ({ pages }) as unknown as ConnectedClient,
    timing: TIMERS,
    onAnswer: () => {},
    onEnd: () => {},
  });
  const client = async () => Promise.reject(new SolxError("unexpected", "There is no client in this test."));
  const nameLoads = new NameLoadStore({
    services: { ...fakeServices(), client, supports: () => true },
    names,
    quota: () => quota,
    onAnswer: () => {},
  });
  return {
    loads,
    nameLoads,
    trends: NO_PRICES,
    prices: NO_PRICES,
    requests,
    setAnswers(more) {
      byRoute = { ...byRoute, ...more };
      for (const { request, entry } of entries.values()) {
        if (entry.isLoading) settle(request);
      }
    },
    setQuota(changed, nowSpent = sessionUsage) {
      [quota, sessionUsage] = [{ ...quota, ...changed }, nowSpent];
      for (const listener of listeners) listener();
    },
    read: (request) => entries.get(keyOf(request))?.entry ?? IDLE_QUERY,
    watch(request, listener) {
      const known = entryOf(request);
      known.listeners.add(listener);
      if (known.entry === IDLE_QUERY) send(request);
      return () => known.listeners.delete(listener);
    },
    refresh: send,
    cancel: (request) => publish(request, { ...entryOf(request).entry, isLoading: false }),
    prefetch(request) {
      if (entryOf(request).entry === IDLE_QUERY) send(request);
    },
    setName(name, ...addresses) {
      names.restore(addresses.map((address) => ({ address, kind: "token", name })));
    },
    names,
    nameOf: (address) => nameText(names.of(address)),
    onKeyChanged() {
      for (const { request, entry } of entries.values()) if (entry.problem) send(request);
    },
    quota: () => quota,
    sessionUsage: () => sessionUsage,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {},
  };
}

/** The identity of services for the API, where {@link fakeServices} are for the sandbox. */
export const apiIdentity = () => ({ ...fakeServices().identity, isSandbox: false });

/** A control without a terminal. */
export const NO_TERMINAL: TerminalControl = {
  askBackground: () => {},
  mouse: () => false,
  setMouse: () => {},
  requestMouse: () => {},
  isReleased: () => false,
  suspend: async () => false,
  lend: (work) => work(),
  onSignals: () => () => {},
};

/** Returns services without effects; copying, browsing and saving return messages. */
export function fakeServices(more: Partial<Services> = {}): Services {
  return {
    client: () => Promise.reject(new SolxError("unexpected", "There is no client in this test.")),
    identity: {
      profile: undefined,
      isSandbox: true,
      hasKey: true,
      plan: "Lite",
      rate: { requests: 1000, seconds: 60 },
      units: 1_000_000,
    },
    source: describeSource({ kind: "sandbox", name: "solx" }),
    supports: ({ family }) => family !== "node",
    now: () => NOW,
    timeZone: "UTC",
    colorScheme: "none",
    unicode: true,
    command: (words) => ["solx", "--sandbox", ...words].join(" "),
    curl: (url) => `curl '${url.href}'`,
    copy: async (text, what) => ({ ok: true, message: `Copied ${what}: ${text}` }),
    browse: async (url) => ({ ok: true, message: `Opened ${url}` }),
    openExternally: async () => ({ ok: true, message: "" }),
    save: async (name) => `/tmp/${name}`,
    memory: {
      bookmarks: () => [],
      setBookmarks: async () => {},
      recent: () => [],
      setRecent: async () => {},
      lists: () => ({}),
      setLists: async () => {},
      switches: () => ({}),
      setSwitch: async () => {},
    },
    log: () => {},
    ...more,
  };
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
  // As newer terminals send it: a bare escape could start a sequence, which delays it.
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

/** Lets everything run that waits for the event loop. */
const settle = async () => {
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Escape sequences that only switch modes of the terminal. */
const MODE_SWITCHES = /^(\u001B\[[?<>][\d;]*[a-z])*$/i;

/** A component in a terminal, and how a test uses it. */
export interface TestTerminal {
  /** Returns the screen as it is now, without escape sequences. */
  frame(): string;
  /** Returns the screen with its escape sequences. */
  styled(): string;
  /** Presses keys, named as in bindings (`j`, `enter`, `ctrl+d`); text of several characters is sent at once. */
  press(...keys: string[]): Promise<void>;
  /** Pastes text as a terminal with bracketed paste does. */
  paste(text: string): Promise<void>;
  /** Uses the mouse at the first character of a text on the screen, where it occurs first; throws when it does not. */
  mouse(type: "click" | "up" | "down" | "move", text: string | RegExp): Promise<void>;
  /** Resolves with the screen once it matches. */
  waitFor(pattern: RegExp | string): Promise<string>;
  resize(width: number, height: number): Promise<void>;
  unmount(): void;
}

/** Renders a component in a terminal of this size; it is unmounted when the test ends. */
export function renderInTerminal(tree: ReactElement, width: number, height: number): TestTerminal {
  const { stdin, stdout, frames, rerender, unmount } = render(<Box />);
  // Every part of a screen that reads the window size listens for `resize`.
  stdout.setMaxListeners(0);
  const size = { columns: width, rows: height };
  Object.defineProperties(stdout, { columns: { get: () => size.columns }, rows: { get: () => size.rows } });
  rerender(tree);
  onTestFinished(unmount);
  const styled = () => frames.findLast((text) => !MODE_SWITCHES.test(text)) ?? "";
  const frame = () => stripVTControlCharacters(styled());
  const send = async (text: string) => {
    stdin.write(text);
    await settle();
  };
  return {
    frame,
    styled,
    async press(...keys) {
      for (const key of keys) await send(sequenceOf(key));
    },
    async mouse(type, text) {
      const lines = frame().split("\n");
      const pattern = typeof text === "string" ? new RegExp(text.replace(/\W/gu, "\\$&")) : text;
      const y = lines.findIndex((line) => pattern.test(line));
      const before = (lines[y] ?? "").split(pattern)[0] ?? "";
      if (y < 0) throw new Error(`There is no ${pattern} on the screen:\n${frame()}`);
      await send(`\u001B[<${{ click: 0, up: 64, down: 65, move: 35 }[type]};${textWidth(before) + 1};${y + 1}M`);
    },
    paste: (text) => send(`\u001B[200~${text}\u001B[201~`),
    async waitFor(pattern) {
      await expect.poll(frame, { interval: 5 }).toMatch(pattern);
      return frame();
    },
    async resize(columns, rows) {
      Object.assign(size, { columns, rows });
      stdout.emit("resize");
      await settle();
    },
    unmount,
  };
}

/** What the explorer is rendered with. */
export interface ExplorerOptions {
  readonly route?: Route;
  readonly width?: number;
  readonly height?: number;
  /** With a client and without `data`, the store is the real one. */
  readonly client?: ConnectedClient;
  readonly data?: DataStore;
  readonly services?: Partial<Services>;
  readonly terminal?: TerminalControl;
}

/** The explorer in a terminal. */
export interface TestExplorer extends TestTerminal {
  /** The notices shown in the footer so far. */
  readonly toasts: readonly string[];
  /** Returns how often the user quit. */
  readonly quits: () => number;
}

/** Opens the explorer in a terminal of a test. */
export function renderExplorer({
  route = HOME,
  width = 80,
  height = 24,
  client,
  data,
  services,
  terminal: control = NO_TERMINAL,
}: ExplorerOptions = {}): TestExplorer {
  const all = fakeServices({ ...(client && { client: async () => client }), ...services });
  const store = data ?? (client ? createDataStore(all) : fakeData());
  const toasts: string[] = [];
  let quits = 0;
  const terminal = renderInTerminal(
    <App
      services={all}
      data={store}
      initialRoute={route}
      lazy={lazy}
      terminal={control}
      quit={() => {
        quits += 1;
      }}
      onToast={(text) => toasts.push(text)}
    />,
    width,
    height,
  );
  onTestFinished(() => store.close());
  return { ...terminal, toasts, quits: () => quits };
}
