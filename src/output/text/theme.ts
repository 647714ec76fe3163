/** Styles by role. Colour is never the only sign: each role also has a word or a symbol. */
import { styleText } from "node:util";
import { toAscii } from "./ascii.ts";

const STYLES = {
  heading: "bold",
  title: "bold",
  key: "dim",
  missing: "dim",
  note: "dim",
  good: "green",
  bad: "red",
  warning: "yellow",
} as const;

/** The role of a piece of text, which determines its style. */
export type Role = keyof typeof STYLES;

/** Styles text by its role. */
export type Paint = (role: Role | undefined, text: string) => string;

/** Returns a function that styles text when `color` is set, and replaces symbols by ASCII without `unicode`. */
export function createPainter(color: boolean, unicode = true): Paint {
  const draw = unicode ? (text: string) => text : toAscii;
  if (!color) return (_role, text) => draw(text);
  return (role, text) =>
    role === undefined || text === "" ? draw(text) : styleText(STYLES[role], draw(text), { validateStream: false });
}
