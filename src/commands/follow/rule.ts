/** A rule: what is watched, and which of its news are events. A command with `--follow` is one, a file has many. */
import type { Json, JsonObject } from "../../base/index.ts";
import { type Endpoint, loadEntityShape, returnsList, type Shape } from "../../catalogue/index.ts";
import type { KeyedRow, PollTimes, SubjectNews, Watched } from "../../client/index.ts";
import { type OutputOptions, parsePaths } from "../../output/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import {
  deriveFields,
  displayFor,
  displayWithInput,
  identifiedFields,
  labelRow,
  selectsInput,
} from "../endpoint/answers.ts";
import { parseInterval } from "../number-option.ts";
import { rowSchema } from "../row-schema.ts";
import type { DisplayOptions, FollowedQuery, RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { openMatcher } from "./conditions.ts";
import { checkFollow } from "./followable.ts";

/** An opened rule. */
export interface Rule {
  readonly context: RunContext;
  readonly client: ConnectedClient;
  /** Whose data it is: rules of one scope can share polls. */
  readonly scope: string;
  readonly watched: Watched;
  /** Whether new rows are events; otherwise changes are. */
  readonly grows: boolean;
  readonly times: PollTimes;
  readonly display: DisplayOptions;
  /** The shape of its events. */
  readonly shape: () => Promise<Shape>;
  readonly output: Partial<OutputOptions>;
  /** Returns the events of news: rows with the added fields and their identifier, those that match. */
  select(news: SubjectNews): Promise<readonly KeyedRow[]>;
}

/** The polling interval in seconds. */
const INTERVAL = { min: 2, default: 30 };

async function openCalendar(text: string, { io }: RunContext): Promise<PollTimes | undefined> {
  const { isCron, parseCron } = await import("./cron.ts");
  return isCron(text) ? parseCron(text, io.now()) : undefined;
}

/**
 * Opens the rule of a command line with `--follow`.
 * @throws UsageError when it cannot be followed
 */
export async function openRule(context: RunContext, { endpoint, params, inputs }: FollowedQuery): Promise<Rule> {
  const { follow, changes, when } = context.globals;
  const grows = checkFollow(endpoint, params, context.globals);
  const calendar = typeof follow === "string" ? await openCalendar(follow, context) : undefined;
  const times = calendar ?? { interval: parseInterval("--follow", follow ?? true, INTERVAL) };
  const { scope } = sourceOf(await context.session.settings()).facts;
  const matches =
    when === undefined ? undefined : await openMatcher(context, context.onFollow ? "when" : "--when", when);
  const derived = await deriveFields(context, endpoint);
  const isLabelled = inputs !== undefined && selectsInput(context, endpoint);
  const isSelected = changes === undefined ? undefined : selectFields(parsePaths(changes, "--changes"));
  const label = inputs && createLabel(endpoint, grows, isLabelled);
  const display = label ? labelledDisplay(endpoint, grows, isLabelled) : ownDisplay(endpoint, grows);
  const fields = inputs === undefined ? {} : await identifiedFields(context, { printsFailures: false, isLabelled });
  return {
    ...{ context, grows, times },
    client: await context.session.client(),
    // A calendar is of its rule: what is polled at other times has cursors of its own.
    scope: calendar ? `${scope} ${follow}` : scope,
    watched: { endpoint, params, inputs },
    display: derived?.extend(display) ?? display,
    shape: async () => {
      const own = grows ? await loadEntityShape(endpoint.returns.entity) : await changeShape();
      return derived?.extendShape(own) ?? own;
    },
    output: fields,
    async select({ input, events: all }) {
      const events = isSelected ? all.filter(({ row }) => isSelected((row as JsonObject).field)) : all;
      const own = events.map(({ row }) => row);
      const rows = (await derived?.add(own)) ?? own;
      const labelled = input === undefined || !label ? rows : rows.map((row) => label(row, input));
      const verdicts = await matches?.(labelled);
      return labelled.flatMap((row, at) => {
        const { key } = events[at] as KeyedRow;
        return verdicts?.[at] === false ? [] : [{ row, key }];
      });
    },
  };
}

/** Returns whether a change counts: of a field or of one inside it, or of a whole row, which has none. */
export const selectFields = (fields: readonly string[]) => (path?: Json) =>
  typeof path !== "string" || fields.some((field) => path === field || path.startsWith(`${field}.`) || field === "");

/** Returns what adds the identifier to rows; undefined for changes of objects, whose key it is. */
function createLabel(endpoint: Endpoint, grows: boolean, isLabelled: boolean) {
  if (grows) return (row: Json, input: string) => labelRow(endpoint, row, input, isLabelled);
  const isObject = !returnsList(endpoint) || endpoint.isMulti;
  return isObject ? undefined : (row: Json, input: string) => ({ input, ...(row as object) }) as Json;
}

const CHANGE_COLUMNS = ["key", "field", "old", "new", "difference", "change_pct"] as const;

/** Rows of changes. */
const changeSchema = rowSchema((f) => ({
  input: f.text("The identifier that was asked for").optional(),
  key: f.text("What has changed: the identifier, or that of a row"),
  change: f.text("added or removed (a row of a list), or changed (a field)"),
  field: f.text("Path of the field").nullable(),
  old: f.json("Value before"),
  new: f.json("Value now"),
  difference: f.number("Difference of two numbers").nullable(),
  change_pct: f.change("Difference in percent of the value before").nullable(),
}));

/** Returns the shape of changes. */
export const changeShape = async (): Promise<Shape> =>
  (await import("../../catalogue/schemas.ts")).deriveShape(await changeSchema());

const ownDisplay = (endpoint: Endpoint, grows: boolean): DisplayOptions =>
  grows ? displayFor(endpoint) : { columns: CHANGE_COLUMNS, entity: changeSchema, identifier: "key" };

const labelledDisplay = (endpoint: Endpoint, grows: boolean, isLabelled: boolean): DisplayOptions =>
  grows
    ? displayWithInput(endpoint, { printsFailures: false, isLabelled, hasOneRowEach: false })
    : { columns: ["input", ...CHANGE_COLUMNS], entity: changeSchema, identifier: "key" };
