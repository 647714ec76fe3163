/** `solx openapi`: the document on standard output. */
import { UsageError } from "../../base/errors.ts";
import { FAMILIES, type Family } from "../../catalogue/constants.ts";
import { formatInfo } from "../../output/index.ts";
import type { RunContext } from "../run/context.ts";
import { openapiDocument } from "./document.ts";

/**
 * Prints the document of the whole catalogue or of a family: JSON unless another format is typed.
 * @throws UsageError for a family that there is not, and for a format of rows
 */
export async function openapi(context: RunContext, options: { readonly family?: string }): Promise<void> {
  const family = familyNamed(options.family);
  const { output, jq } = context.globals;
  const format = output === undefined ? "json" : await context.format();
  if (formatInfo(format).isTabular && jq === undefined) {
    throw new UsageError(`An OpenAPI document is no ${format}.`, { hint: "Give -o json or -o yaml." });
  }
  const value = openapiDocument({ version: context.io.version, family });
  await context.print({ kind: "object", value }, {}, { options: { format } });
}

function familyNamed(name: string | undefined): Family | undefined {
  const family = FAMILIES.find((known) => known === name);
  if (name === undefined || family !== undefined) return family;
  throw new UsageError(`There is no family ${name}.`, { hint: `Families: ${FAMILIES.join(", ")}` });
}
