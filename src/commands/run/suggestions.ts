/** Lines that work in place of those that were typed. */
import { AuthError, type SolxError, UsageError } from "../../base/errors.ts";
import { quoteForShell } from "../../catalogue/command-line.ts";

/** Options that name a server or a profile: they contradict the sandbox. */
const ELSEWHERE = /^--(?:base-url|profile|api-key)(=|$)/;

/** A failure for want of a key, or of a command's option beside `explore`, with the line that was typed as one that works. */
export function withOffer(error: SolxError, argv: readonly string[]): SolxError {
  if (isCommandOption(error, argv)) return withCommand(error, argv);
  if (error.code !== "NO_KEY" || argv.includes("auth")) return error;
  const line = ["solx", "--sandbox", ...inSandbox(argv)].map(quoteForShell).join(" ");
  return new AuthError(error.message, {
    code: error.code,
    hint: [error.hint, `Try it without a key: ${line}`].filter(Boolean).join("\n"),
  });
}

/** Whether an option is unknown that may be one of the command whose words follow `explore`. */
function isCommandOption({ message, exit }: SolxError, argv: readonly string[]): boolean {
  const at = argv.indexOf("explore");
  const isCommand = at >= 0 && argv.slice(at + 1, at + 3).filter((word) => /^[a-z][a-z-]*$/.test(word)).length === 2;
  return isCommand && exit === "usage" && message.startsWith("Unknown option");
}

/** Commands take their options themselves, and open in the explorer too. */
function withCommand({ message, code }: SolxError, argv: readonly string[]): SolxError {
  const line = ["solx", ...argv.filter((word) => word !== "explore"), "-i"].map(quoteForShell).join(" ");
  return new UsageError(message, { code, hint: `Options of a command go with the command itself: ${line}` });
}

function inSandbox(argv: readonly string[]): string[] {
  return argv.filter((word, index) => {
    const isValue = /^--[a-z-]+$/.test(argv[index - 1] ?? "") && ELSEWHERE.test(argv[index - 1] ?? "");
    return !isValue && !ELSEWHERE.test(word);
  });
}
