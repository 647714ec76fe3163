/** Without a key, what was typed can be tried all the same: the sandbox needs none. */
import { AuthError, type SolxError } from "../base/errors.ts";
import { shellWord } from "../catalogue/command-line.ts";

/** Options that name a server or a profile: they contradict the sandbox. */
const ELSEWHERE = /^--(?:base-url|profile|api-key)(=|$)/;

/** A failure for want of a key, with the line that was typed as one that works. */
export function withOffer(error: SolxError, argv: readonly string[]): SolxError {
  if (error.code !== "NO_KEY" || argv.includes("auth")) return error;
  const line = ["solx", "--sandbox", ...inSandbox(argv)].map(shellWord).join(" ");
  return new AuthError(error.message, {
    code: error.code,
    hint: [error.hint, `Try it without a key: ${line}`].filter(Boolean).join("\n"),
  });
}

function inSandbox(argv: readonly string[]): string[] {
  return argv.filter((word, index) => {
    const isValue = /^--[a-z-]+$/.test(argv[index - 1] ?? "") && ELSEWHERE.test(argv[index - 1] ?? "");
    return !isValue && !ELSEWHERE.test(word);
  });
}
