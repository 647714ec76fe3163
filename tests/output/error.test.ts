import { describe, expect, it } from "vitest";
import { RateLimitError, ServerError, UsageError } from "../../src/base/errors.ts";
import { formatError, resolveTheme } from "../../src/output/index.ts";

const theme = resolveTheme({ theme: "terminal", colorScheme: "dark", depth: 4 }).styles;
const plain = { machine: false };

describe("formatError", () => {
  it("has message, cause and hint for people", async () => {
    const cause = new Error("unexpected token <");
    const error = new ServerError("The answer is not JSON.", { cause, hint: "Try again:\nsolx token meta x" });
    expect(await formatError(error, plain)).toBe(
      "error: The answer is not JSON.\n  because: unexpected token <\n  Try again:\n  solx token meta x\n",
    );
  });

  it("does not repeat the message", async () => {
    for (const cause of ["reset", "Reset.", "it  failed: reset", "Error: It failed: reset.\n at once", ""]) {
      const error = new ServerError("It failed: reset.", { cause: new Error(cause) });
      expect(await formatError(error, plain)).toBe("error: It failed: reset.\n");
    }
  });

  it("is one JSON object on one line for programs", async () => {
    const error = new RateLimitError("Too many requests.\nSlow down.", { code: 429, status: 429, hint: "Wait." });
    const text = await formatError(error, { theme, machine: true });
    expect(text.indexOf("\n")).toBe(text.length - 1);
    expect(JSON.parse(text)).toEqual({
      success: false,
      errors: { code: 429, message: "Too many requests.\nSlow down.", status: 429, retryable: true, hint: "Wait." },
    });
  });

  it("contains nothing that a terminal obeys", async () => {
    const evil = "\u001b[2J\u009b\u202e";
    const error = new UsageError(`bad ${evil}`, { hint: `try ${evil}`, cause: new Error(evil) });
    expect(await formatError(error, plain)).not.toMatch(/[\u001b\u009b\u202e]/);
    expect(await formatError(error, { machine: true })).not.toMatch(/[\u001b\u009b\u202e]/);
  });

  it("uses colour on request only, and words always", async () => {
    const error = new UsageError("No.");
    expect(await formatError(error, { theme, machine: false })).toContain("\u001b[31merror:");
    expect(await formatError(error, plain)).toBe("error: No.\n");
  });
});
