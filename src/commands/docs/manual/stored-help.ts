/** The help of the program, which the build stores. */
import { HELP_WIDTH } from "../../run/help.ts";
import { emptyProgram } from "./generate.ts";

/** The help by the columns of a terminal; wider ones than the widest show the same. */
export interface StoredHelp {
  readonly texts: Readonly<Record<string, string>>;
  readonly widest: number;
}

const NARROWEST = 80;

/** Returns the help of the program for every usual width; texts of most widths are the same. */
export function storedHelp(): StoredHelp {
  const widths = Array.from({ length: HELP_WIDTH + 1 - NARROWEST }, (_, at) => NARROWEST + at);
  const text = (width: number) =>
    emptyProgram()
      .configureOutput({ getOutHelpWidth: () => width })
      .helpInformation();
  return { texts: Object.fromEntries(widths.map((width) => [width, text(width)])), widest: HELP_WIDTH };
}
