/** Command lines that are printed: how solx is called on this machine, without keys and passwords. */
import { existsSync } from "node:fs";
import { delimiter, join, relative, resolve, sep } from "node:path";
import { isSingleExecutable } from "../../base/index.ts";
import { quoteForShell } from "../../catalogue/index.ts";
import { maskValue } from "../../config/index.ts";
import type { Io, RunContext } from "./context.ts";

/** Returns a command line that can be pasted: how solx is called, the words, and the server of this run. */
export function suggestCommand({ io, globals }: Pick<RunContext, "io" | "globals">, words: readonly string[]): string {
  return [...programName(io), ...words, ...serverOptions(globals)].map(quoteForShell).join(" ");
}

/** Returns the options that select what answers a run; a node is named by its host. */
export const serverOptions = ({ sandbox, profile, rpc, index }: RunContext["globals"]): readonly string[] => [
  ...(sandbox ? ["--sandbox"] : []),
  ...(profile === undefined ? [] : ["--profile", profile]),
  ...(rpc === undefined ? [] : ["--rpc", maskNode(rpc)]),
  ...(index === undefined ? [] : ["--index", index]),
];

/** Returns the words that start solx from anywhere and without a PATH. */
export const programPath = (): readonly string[] =>
  isSingleExecutable() ? [process.execPath] : [process.execPath, resolve(process.argv[1] ?? "")];

/**
 * Returns the words that start solx: its name if it is installed, else as it was started. An npm script has folders in its
 * PATH that the calling shell does not have, and runs in the folder of the package.
 */
export function programName({ env }: Pick<Io, "env">): readonly string[] {
  const isScript = env.npm_lifecycle_event !== undefined;
  if (!isScript && isInstalled(env)) return ["solx"];
  if (isSingleExecutable()) {
    const path = relative("", process.execPath);
    return [path.includes(sep) ? path : `.${sep}${path}`];
  }
  const started = relative((isScript && env.INIT_CWD) || process.cwd(), process.argv[1] ?? "");
  return started === "" ? ["solx"] : ["node", started];
}

function isInstalled(env: Io["env"]): boolean {
  const names = process.platform === "win32" ? ["solx.cmd", "solx.exe"] : ["solx"];
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter(Boolean);
  return folders.some((folder) => names.some((name) => existsSync(join(folder, name))));
}

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

/** Returns the command that resumes a run, quoted for a shell; keys and passwords are masked. */
export function resumeCommand(argv: readonly string[]): string {
  const end = argv.indexOf("--");
  const options = end < 0 ? argv : argv.slice(0, end);
  const words = options.filter((word) => word !== "--force" && word !== "--resume");
  return ["solx", ...maskArguments(words), "--resume", ...(end < 0 ? [] : argv.slice(end))]
    .map(quoteForShell)
    .join(" ");
}
