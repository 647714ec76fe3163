/** What the manual says about answers from a Solana node. Everything follows from the catalogue. */

import { pluralize } from "../../../base/index.ts";
import {
  type Endpoint,
  type Field,
  type NodeSupport,
  type NodeSupportLevel,
  nodeSupportOf,
  optionName,
} from "../../../catalogue/index.ts";
import { items, type ManualSection, section, text } from "./page.ts";

/** The meaning of each level, as a sentence about an endpoint. */
export const LEVEL_MEANINGS: Readonly<Record<NodeSupportLevel, string>> = {
  full: "A node answers with all fields.",
  partial: "A node answers without the fields that only the API knows.",
  "per-transaction": "solx reads the signatures of the account, newest first, and with a call each their transactions.",
  none: "A node cannot answer this.",
};

/** Whether a node knows a field. A missing object is missing with all of its fields. */
export function isFromNode({ level, missing = [] }: NodeSupport, { path }: Pick<Field, "path">): boolean {
  const name = path.replaceAll("[]", "");
  return level !== "none" && !missing.some((one) => name === one || name.startsWith(`${one}.`));
}

/** Returns the mark of a field in the manual; empty where a node knows it, and where it knows none. */
export function nodeMark(endpoint: Endpoint, field: Pick<Field, "path">): string {
  const support = nodeSupportOf(endpoint);
  return support.level === "none" || isFromNode(support, field) ? "" : "Only from the API.";
}

/** Returns the section about answers from a node. */
export function nodeSection(endpoint: Endpoint, fields: readonly Pick<Field, "path">[]): ManualSection {
  const support = nodeSupportOf(endpoint);
  const { level, methods, required, refused = [], notes = [] } = support;
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
  const optional = methods.filter((name) => !required.includes(name));
  if (level === "none") return section("From a Solana node", text(`${LEVEL_MEANINGS.none} See [[nodes]].`));
  const absent = fields.filter((field) => !isFromNode(support, field)).length;
  return section(
    "From a Solana node",
    text(
      endpoint.family === "node"
        ? "Only a node answers this: add --rpc. See [[nodes]]."
        : `With --rpc: ${level}. ${LEVEL_MEANINGS[level]} See [[nodes]].`,
    ),
    items(
      `Methods: ${code(methods)}.`,
      ...(optional.length > 0
        ? [`Without one of ${code(optional)}, another one takes its place, or a note says what is missing.`]
        : []),
      ...(absent > 0
        ? [`${pluralize(absent, "field")} of ${fields.length} only from the API: absent, and marked above.`]
        : []),
      ...(refused.length > 0
        ? [`Flags that a node cannot apply: ${refused.map((name) => `--${optionName(name)}`).join(", ")}.`]
        : []),
      ...notes,
    ),
  );
}
