/** What answers the requests of a run, by its settings. */
import type { Endpoint } from "../../catalogue/index.ts";
import type { Settings } from "../../config/index.ts";
import { describeSource, type SourceInfo } from "../../sources/index.ts";

/** Returns the source that settings select, without opening it. */
export function sourceOf(settings: Settings): SourceInfo {
  const kind = settings.source;
  const name = {
    // An invalid URL is no problem for who only asks what answers.
    api: () => String(settings.resolve("base-url-v2").value),
    sandbox: () => settings.get("sandbox-seed"),
    index: () => String(settings.get("index")),
    rpc: () => String(settings.node()?.name),
  }[kind]();
  return describeSource({ kind, name });
}

/** Returns a filter of the endpoints that the source of settings answers. */
export function answeredBy(settings: Settings): (endpoint: Endpoint) => boolean {
  const { supports } = sourceOf(settings);
  return (endpoint) => supports(endpoint).level !== "none";
}
