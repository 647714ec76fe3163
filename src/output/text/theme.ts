/** Colours by role. Nothing is told by colour alone: each role goes with a word or a sign. */
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

/** What a piece of text is, as far as its looks go. */
export type Role = keyof typeof STYLES;

/** Dresses text for its role. */
export type Paint = (role: Role | undefined, text: string) => string;

/** Paints when `color` is set; signs of ours become ASCII without `unicode`. */
export function createPainter(color: boolean, unicode = true): Paint {
  const draw = unicode ? (text: string) => text : toAscii;
  if (!color) return (_role, text) => draw(text);
  return (role, text) =>
    role === undefined || text === "" ? draw(text) : styleText(STYLES[role], draw(text), { validateStream: false });
}
