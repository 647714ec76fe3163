/** Colours by role. Nothing is told by colour alone: each role goes with a word or a sign. */
import { styleText } from "node:util";

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

/** Paints when `color` is set, else leaves text as it is. */
export function painter(color: boolean): Paint {
  if (!color) return (_role, text) => text;
  return (role, text) =>
    role === undefined || text === "" ? text : styleText(STYLES[role], text, { validateStream: false });
}
