/** The names of forms of answers, which the help reads without the code that makes them. */

/** Forms of answers in which servers differ, and what each changes in those of the sandbox. */
export const SHAPES = {
  bare: "chaininfo and analytics without success and data around them",
  enveloped: "legacy answers with success and data around them",
  rows: "rows alone, where they are in an object with a cursor or a total",
  text: "as text, where servers have numbers or text, such as changeAmount",
  numbers: "as numbers, where servers have numbers or text",
} as const;

/** The name of a form. */
export type ShapeName = keyof typeof SHAPES;
