/** How rows are shown that name the identifier that they answer, and may be failures. */
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { Shown } from "../run/context.ts";
import { shownAs } from "./answers.ts";

/**
 * The view of an endpoint's rows for many identifiers: rows that do not repeat their identifier show it first. With
 * `inline` all do, and there is a field for the error.
 */
export function shownWithInput(endpoint: Endpoint, inline: boolean): Shown {
  const shown = shownAs(endpoint);
  if (endpoint.echo !== undefined && !inline) return shown;
  const error = inline ? [{ path: "error.message", head: "error" }] : [];
  // What fields there are is known before the first row, so that all rows have the same.
  const entity = async () => {
    const [{ entityWithInput }, entities] = await Promise.all([
      import("./many-entity.ts"),
      import("../../catalogue/entities/index.ts"),
    ]);
    return entityWithInput(entities[endpoint.returns.entity], inline);
  };
  return { columns: ["input", ...endpoint.columns, ...error], entity };
}
