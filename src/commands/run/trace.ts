/** Events of the client as lines for standard error. Events never contain the key. */
import { toSentence } from "../../base/index.ts";
import { type ClientEvent, durationText } from "../../client/index.ts";

/** Returns the line of an event; undefined for warnings, which are notes, and without `verbose` for all but waits and retries. */
export function formatEvent(event: ClientEvent, verbose: boolean): string | undefined {
  switch (event.type) {
    case "retry":
      return `${toSentence(event.error)} Retrying in ${seconds(event.seconds)}.`;
    case "wait":
      return `Waiting${event.seconds === undefined ? "" : ` ${seconds(event.seconds)}`} for the ${event.reason === "export" ? "next export" : "rate limit"}.`;
    case "note":
      return verbose ? event.text : undefined;
    case "warning":
      return undefined;
    case "request":
      return verbose
        ? [[">", event.method, event.url, event.rpc].filter(Boolean).join(" "), ...headers(">", event.headers)].join(
            "\n",
          )
        : undefined;
    case "response":
      return verbose
        ? [
            `< ${event.status}, ${event.size} characters in ${event.milliseconds} ms`,
            ...headers("<", event.headers),
          ].join("\n")
        : undefined;
    case "cached":
      return verbose ? `= ${event.url}, from the cache, ${durationText(event.age)} old` : undefined;
    case "export":
      return event.window === event.of ? undefined : exportLine(event);
    case "drift":
      return verbose ? `Undocumented response: ${event.problems.join("; ")}` : undefined;
  }
}

/** Seconds of a wait that is hardly noticed. */
const SHORT_WAIT = 1;

/** Returns a filter for waits that are worth a line: simultaneous waits of many requests are reported once. */
export function createWaitFilter(): (event: ClientEvent, now: number) => boolean {
  let until = Number.NEGATIVE_INFINITY;
  return (event, now) => {
    if (event.type !== "wait") return true;
    const { seconds: span = SHORT_WAIT } = event;
    if (span < SHORT_WAIT || now < until) return false;
    until = now + span * 1000;
    return true;
  };
}

function exportLine({ window, of, rows, seconds: left }: ClientEvent & { readonly type: "export" }): string {
  return `Export ${window} of about ${of}, ${rows} rows; about ${Math.ceil(left / 60)} min left.`;
}

function headers(mark: string, values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([name, value]) => `${mark} ${name}: ${value}`);
}

function seconds(value: number): string {
  return `${value < 10 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)} s`;
}
