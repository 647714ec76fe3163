/** The results for a command line in the palette: the view that it opens, and what completes its last word. */
import { quoteForShell } from "../../catalogue/index.ts";
import { type Names, nameText, safeText } from "../../output/index.ts";
import { entityPage } from "../navigation/entity-pages.ts";
import { describeRoute, endpointOfRoute, type Route } from "../navigation/route.ts";
import type { LineCompletions, LineCorrection, LineProblem, LineView, Services } from "../navigation/services.ts";
import { type Candidate, formatCost } from "./candidates.ts";
import { suggestIdentifiers } from "./known-identifiers.ts";
import { searchKnownNames } from "./known-names.ts";
import type { PromptMessage } from "./palette-lines.ts";
import type { EntityRef, Prompt } from "./prompt.ts";

/** Returns the problem of a mistyped line, and a candidate for each line that it may stand for. */
export function correctionResults({ message, hint, lines }: LineCorrection): LineResults {
  return {
    candidates: lines.map((text) => ({
      kind: "completion",
      title: safeText(text),
      about: "",
      keywords: "",
      action: { type: "fill", text: `${text} ` },
    })),
    messages: problemMessages({ message, hint }),
    ghost: "",
  };
}

function problemMessages({ message, hint }: LineProblem): readonly PromptMessage[] {
  const bad: PromptMessage = { text: safeText(message), role: "bad" };
  return hint === undefined ? [bad] : [bad, { text: safeText(hint), role: "note" }];
}

/** A command line that was interpreted. */
export interface InterpretedLine {
  readonly text: string;
  readonly view: LineView;
  readonly completions: LineCompletions;
}

/** What the results depend on beside the line. */
export interface LineSources {
  readonly names: Names;
  /** Identifiers of the current view, and recent and bookmarked routes. */
  readonly known: readonly EntityRef[];
  readonly routes: readonly Route[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly source: Services["source"];
}

/** The results of a line. */
export interface LineResults {
  readonly candidates: readonly Candidate[];
  readonly messages: readonly PromptMessage[];
  /** What the first completion adds to the line. */
  readonly ghost: string;
}

/** Returns the view of a line as the first candidate, then its completions. */
export function lineResults(line: InterpretedLine, sources: LineSources): LineResults {
  const { text, view, completions } = line;
  const opening = openingCandidate(line, sources);
  const words = completions.candidates.map(
    ([word, about]): Candidate => ({
      kind: "completion",
      title: safeText(word.trimEnd()),
      about: safeText(about),
      keywords: "",
      action: { type: "fill", text: completions.start + word },
    }),
  );
  const all = [...words, ...identifierCandidates(completions, text, sources)];
  const typed = text.slice(completions.start.length);
  const ready = opening === undefined ? [] : [opening];
  const [first] = all;
  const whole = first?.action.type === "fill" ? first.action.text : "";
  return {
    candidates: [...ready, ...all.filter(({ action }) => action.type !== "fill" || action.text.trimEnd() !== text)],
    messages: messagesOf(view, first !== undefined && (typed !== "" || !first.title.startsWith("-"))),
    ghost: typed !== "" && whole.startsWith(text) ? whole.slice(text.length).trimEnd() : "",
  };
}

function openingCandidate({ text, view }: InterpretedLine, { names, source }: LineSources): Candidate | undefined {
  const { route, problem } = view;
  if (problem) return undefined;
  if (!route) {
    const line = text.trim();
    return {
      kind: "line",
      title: safeText(line),
      about: "Looks the symbol up",
      keywords: "",
      action: { type: "line", line },
    };
  }
  const endpoint = endpointOfRoute(route);
  const nameOf = (address: string) => nameText(names.of(address));
  return {
    kind: "line",
    title: titleOf(route),
    ...(route.kind === "entity" && { role: entityPage(route.entity).role }),
    about: route.kind === "page" ? "" : [endpoint?.summary, describeRoute(route, nameOf)].filter(Boolean).join(" · "),
    keywords: "",
    ...(endpoint && { aside: { text: formatCost(endpoint, source), role: "note" } }),
    action: { type: "open", route },
  };
}

const titleOf = (route: Route) =>
  route.kind === "page" ? route.page : route.kind === "entity" ? route.entity : (endpointOfRoute(route)?.command ?? "");

/** Returns the identifiers that the last word may be: those of the view, recent ones, and those with a name. */
function identifierCandidates(
  { parameter, start }: LineCompletions,
  text: string,
  { names, known, routes, now }: LineSources,
): readonly Candidate[] {
  const { endpoint, name } = parameter ?? {};
  const param = name === undefined ? undefined : endpoint?.query[name];
  if (!endpoint || !param || name === undefined) return [];
  const prompt: Prompt = { target: { kind: "endpoint", endpoint }, name, param, values: {} };
  const typed = text.slice(start.length);
  const recent = suggestIdentifiers(prompt, known, routes, now).filter(
    ({ id }) => id.startsWith(typed) && id !== typed,
  );
  const named =
    param.type === "address"
      ? searchKnownNames(names, typed).flatMap(({ action }) =>
          action.type === "open" && action.route.kind === "entity" ? [action.route] : [],
        )
      : [];
  const all = new Map([...named, ...recent].map(({ entity, id }) => [id, entity]));
  return [...all].map(([id, entity]): Candidate => {
    const title = nameText(names.of(id));
    return {
      kind: "completion",
      title: safeText(title ?? id),
      role: entityPage(entity).role,
      about: title === undefined ? entity : `${entity} ${safeText(id)}`,
      keywords: "",
      action: { type: "fill", text: `${start}${quoteForShell(id)} ` },
    };
  });
}

/** Returns why a line opens nothing; not yet an error while its last word can be completed. */
function messagesOf({ problem, ignored }: LineView, canComplete: boolean): readonly PromptMessage[] {
  if (problem) {
    return canComplete ? [{ text: safeText(problem.message), role: "note" }] : problemMessages(problem);
  }
  if (ignored.length === 0) return [];
  return [{ text: `No effect here: ${ignored.join(", ")}`, role: "warning" }];
}
