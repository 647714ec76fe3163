/**
 * The pages of entities as records: what a page requests, what its header says, and its tabs. The full-screen explorer
 * and plain mode show the same records, so nothing here needs React.
 */
import type { JsonObject } from "../../../base/index.ts";
import { type Column, type Endpoint, type ParameterValues, positionalOf } from "../../../catalogue/index.ts";
import type { Clock, NameOf } from "../../../output/index.ts";
import type { PaneNeeds } from "../../frame/pane-layout.ts";
import type { DataStore, EndpointRequest, QueryState } from "../../navigation/data-store.ts";
import type { Services } from "../../navigation/services.ts";
import type { TextLine } from "../../navigation/theme/text-line.ts";
import { answerObject, relativeClock } from "../../widgets/cells.ts";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import type { Fact } from "./header.ts";

type PageAnswers<N extends string = string> = Readonly<Record<N, JsonObject | undefined>>;

/** What a page knows of its entity. */
export interface EntityView<N extends string = string> {
  readonly id: string;
  /** The states of the requests by name, and the objects in their answers. */
  readonly states: Readonly<Record<N, QueryState>>;
  readonly answers: PageAnswers<N>;
  /** The period that the user chose, in days. */
  readonly days: number;
  readonly clock: Clock;
  readonly nameOf: NameOf;
  readonly unicode: boolean;
  readonly width: number;
  /** Whether amounts have values. */
  readonly hasPrices: boolean;
}

/** A request of a page. */
export interface PageRequest<N extends string = string> {
  readonly endpoint: Endpoint;
  /** Returns its parameters (default: the identifier). */
  readonly params?: (id: string, days: number, answers: PageAnswers<N>) => ParameterValues;
  /** Returns whether other answers call for it (default: always). */
  readonly isNeeded?: (answers: PageAnswers<N>) => boolean;
  /** Whether the header reports problems of it, as it does of the first request. */
  readonly isReported?: boolean;
}

/** A tab of an entity. The list or the object of its endpoint, unless the page has a component for it. */
export interface TabRecord<N extends string = string, T extends string = string> {
  readonly name: T;
  /** What it shows; without an answer to it, the tab is left out. */
  readonly endpoint: Endpoint;
  /** Returns its parameters (default: the identifier). */
  readonly params?: (id: string, answers: PageAnswers<N>) => ParameterValues;
  /** Returns whether the entity has it (default: always). */
  readonly isActive?: (answers: PageAnswers<N>) => boolean;
  /**
   * Returns its rows as plain mode prints them, where they are more than the answer of the endpoint.
   * @param own what the endpoint answered, where no request of the page has it
   */
  rows?(view: EntityView<N>, own: JsonObject | undefined): readonly TreeRow[];
  /** Reads its rows as plain mode prints them, where they take more than one answer. @throws SolxError */
  readonly readRows?: (id: string, context: RowsContext) => Promise<readonly TreeRow[]>;
  readonly columns?: readonly Column[];
}

/** A tab that is a pane beside others where the window is large enough; the key of the tab shows it alone. */
export interface PaneRecord<T extends string = string> extends PaneNeeds {
  readonly tab: T;
}

/** What rows are read with. */
export interface RowsContext {
  readonly services: Services;
  readonly data: DataStore;
  readonly signal: AbortSignal;
}

/** A page of an entity: the names of its requests, and of its tabs. */
export interface EntityRecord<N extends string = string, T extends string = string> {
  /** What the header is made from, by name; the first one is the entity itself. */
  readonly requests: Readonly<Record<N, PageRequest<N>>>;
  title?(view: EntityView<N>): TextLine;
  /** Returns what the reader has to know first, such as an imitated name. */
  notes?(view: EntityView<N>): readonly TextLine[];
  facts(view: EntityView<N>): readonly Fact[];
  readonly tabs: readonly TabRecord<N, T>[];
  /** The most important first; where there is no space, the last ones are left out. */
  readonly panes?: readonly PaneRecord<NoInfer<T>>[];
  /** The period of its numbers in days, until the user chooses another one. */
  readonly days?: number;
  /** Whether keys show the entity before or after, whose lists have states of their own. */
  readonly hasNeighbours?: boolean;
}

/** Returns a record; the names of its requests are those of the answers in its functions. */
export function entityRecord<N extends string, T extends string>(record: EntityRecord<N, T>): EntityRecord<N, T> {
  return record;
}

function identifierParams(endpoint: Endpoint, id: string): ParameterValues {
  const [name, param] = positionalOf(endpoint) ?? [];
  return name === undefined ? {} : { [name]: param?.arity === "list" ? [id] : id };
}

/** Returns a request of a page. */
export function pageRequest(
  { endpoint, params }: PageRequest,
  id: string,
  days: number,
  answers: PageAnswers,
): EndpointRequest {
  return { endpoint, params: params?.(id, days, answers) ?? identifierParams(endpoint, id) };
}

/** Returns the request of a tab. */
export function tabRequest({ endpoint, params }: TabRecord, id: string, answers: PageAnswers): EndpointRequest {
  return { endpoint, params: params?.(id, answers) ?? identifierParams(endpoint, id) };
}

/** Returns the request about the entity itself. */
export function mainRequest({ requests, days = 1 }: EntityRecord, id: string): EndpointRequest | undefined {
  const [first] = Object.values(requests);
  return first && pageRequest(first, id, days, {});
}

/** Returns the objects of answers. */
export function answersOf<N extends string>(states: Readonly<Record<N, QueryState>>): PageAnswers<N> {
  const answers = Object.entries<QueryState>(states).map(([name, state]) => [name, answerObject(state)] as const);
  return Object.fromEntries(answers) as PageAnswers<N>;
}

/** Returns the tabs that an entity has in this run. */
export function activeTabs<N extends string, T extends string>(
  { tabs }: EntityRecord<N, T>,
  answers: PageAnswers<N>,
  supports: Services["supports"],
): readonly TabRecord<N, T>[] {
  return tabs.filter(({ endpoint, isActive }) => supports(endpoint) && (isActive?.(answers) ?? true));
}

/** Returns what a page knows, from the states of its requests. */
export function entityView<N extends string>(
  id: string,
  states: Readonly<Record<N, QueryState>>,
  services: Services,
  about: Pick<EntityView, "nameOf" | "width" | "days">,
): EntityView<N> {
  const { unicode, source } = services;
  const answers = answersOf(states);
  const { hasPrices } = source.facts;
  return { id, states, answers, clock: relativeClock(services), unicode, hasPrices, ...about };
}
