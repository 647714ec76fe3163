/** A key that is typed: what is held of it, and what the screen shows. Never the key itself. No React here. */

/** What was typed, and what is to be done with it. */
export interface KeyField {
  readonly text: string;
  /** Whether it is to be kept, where that is possible. */
  readonly keep: boolean;
  /** Why it is not taken, and why the last paste was not. */
  readonly problem: string | undefined;
  readonly isChecking: boolean;
}

/** What happens to it. */
export type KeyStep =
  | { readonly type: "text" | "paste"; readonly text: string }
  | { readonly type: "erase" | "clear" | "keep" | "check" }
  | { readonly type: "fail"; readonly problem: string };

/** Nothing typed yet. */
export const EMPTY_KEY: KeyField = { text: "", keep: true, problem: undefined, isChecking: false };

/** Characters that are held: more than any key has. */
const MOST = 5000;
const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The field after a step; while a key is checked nothing changes it but the outcome. */
export function keyStep(field: KeyField, step: KeyStep): KeyField {
  if (step.type === "fail") return { ...field, isChecking: false, problem: step.problem };
  if (field.isChecking) return field;
  switch (step.type) {
    case "text":
    case "paste":
      return added(field, step.text);
    case "erase":
      return { ...field, text: [...field.text].slice(0, -1).join(""), problem: undefined };
    case "clear":
      return { ...field, text: "", problem: undefined };
    case "keep":
      return { ...field, keep: !field.keep };
    case "check":
      return { ...field, isChecking: true, problem: undefined };
    default:
      return step satisfies never;
  }
}

/** Blanks and line breaks around a key come with copying it; what cannot be seen inside of one was not meant. */
function added(field: KeyField, given: string): KeyField {
  const text = given.trim();
  const strange = [...text].find((character) => CONTROL.test(character));
  if (strange !== undefined) {
    const code = (strange.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    const what = /[\n\r]/.test(strange) ? "more than one line" : `a character that cannot be seen (U+${code})`;
    return { ...field, problem: `Not taken: it has ${what}. Copy the key alone.` };
  }
  if (field.text.length + text.length > MOST) return { ...field, problem: "Not taken: it is too long for a key." };
  return { ...field, text: field.text + text, problem: undefined };
}

/** Characters of a key of which its end may be shown. */
const LEAST_TOLD = 12;
const TOLD = 4;
const MOST_DOTS = 24;

/** The key as it may be shown: a dot for each character at first, and the end of a long one. */
export function maskedKey(text: string, unicode: boolean): string {
  const dot = unicode ? "•" : "*";
  const { length } = [...text];
  const end = length >= LEAST_TOLD ? text.slice(-TOLD) : "";
  const dots = dot.repeat(Math.min(MOST_DOTS, length - end.length));
  return length === 0 ? "" : `${dots}${end}  (${length} character${length === 1 ? "" : "s"})`;
}
