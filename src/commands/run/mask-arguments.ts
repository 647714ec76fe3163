/** Command lines that are printed: they repeat no key. */
import { maskValue } from "../../config/index.ts";

/** Replaces secrets in printed commands. */
const MASK = "***";

/** Returns a command line without passwords and what may be the key of a node's provider. */
export function maskArguments(argv: readonly string[]): readonly string[] {
  return argv.map((word, at) => {
    if (argv[at - 1] === "--rpc") return maskNode(word);
    return word
      .replace(/^--rpc=(.*)$/s, (_, node: string) => `--rpc=${maskNode(node)}`)
      .replace(/(:\/\/[^/@\s]*:)[^/@\s]*@/, `$1${MASK}@`);
  });
}

/**
 * Returns a command line with an option of another value, in place of the one that was typed, if any; without a value,
 * the option is left out.
 */
export function withOption(argv: readonly string[], name: string, value?: string): readonly string[] {
  const end = argv.indexOf("--");
  const options = end < 0 ? argv : argv.slice(0, end);
  const others = options.filter(
    (word, at) => word !== name && options[at - 1] !== name && !word.startsWith(`${name}=`),
  );
  const words = value?.startsWith("-") ? [`${name}=${value}`] : value === undefined ? [] : [name, value];
  return [...others, ...words, ...(end < 0 ? [] : argv.slice(end))];
}

/** Returns a node as it is printed: its name, or the host of its URL. */
export const maskNode = (node: string): string => String(maskValue("rpc-url", node));
