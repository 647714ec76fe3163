import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InterruptedError } from "../../src/base/errors.ts";
import { promptHidden, readPipedKey } from "../../src/config/prompt.ts";

/** A terminal: what is sent to it, what it shows, and whether it is in raw mode. */
class Terminal extends PassThrough {
  isRaw = false;
  readonly modes: boolean[] = [];
  readonly screen = new PassThrough();

  setRawMode(raw: boolean): this {
    this.isRaw = raw;
    this.modes.push(raw);
    return this;
  }

  async output(): Promise<string> {
    return await text(this.screen.end());
  }
}

function ask(...chunks: (string | Buffer)[]) {
  const terminal = new Terminal();
  const answer = promptHidden("Key: ", terminal, terminal.screen);
  for (const chunk of chunks) terminal.write(chunk);
  return { terminal, answer };
}

describe("a hidden prompt", () => {
  test.each([
    ["typed and entered", ["a", "b", "c", "\r"], "abc"],
    ["pasted with a line break", ["abcdef\n"], "abcdef"],
    ["pasted with more after the line break", ["abc\r\nrm -rf /\r\n"], "abc"],
    ["pasted with a blank line before", ["\r\n\nabc\n"], "abc"],
    ["corrected", ["abx\u007fc\b\bbc", "\r"], "abc"],
    ["corrected further to the left", ["ac\u001b[Db\u001b[C\r"], "abc"],
    ["started again", ["wrong\u0015right\r"], "right"],
    ["between keys without text", ["ab\u001bOAc\u001b[1;5C\r"], "abc"],
    ["in marks of pasted text", ["\u001b[200~abc\u001b[201~\r"], "abc"],
    ["with an escape sequence cut in two", ["a\u001b", "[2", "00~b\r"], "ab"],
    ["ended with Ctrl-D", ["\u0004"], ""],
    ["not given", ["\r"], ""],
  ])("%s", async (_about, chunks, expected) => {
    const { terminal, answer } = ask(...chunks);
    expect(await answer).toBe(expected);
    expect(terminal.modes).toEqual([true, false]);
  });

  test("joins a character that arrives in two chunks", async () => {
    const bytes = Buffer.from("é\r");
    expect(await ask(bytes.subarray(0, 1), bytes.subarray(1)).answer).toBe("é");
  });

  test("prints the prompt and no input", async () => {
    const { terminal, answer } = ask("secret\r");
    await answer;
    expect(await terminal.output()).toBe("Key: \n");
  });

  test("Ctrl-C interrupts and restores the terminal", async () => {
    const { terminal, answer } = ask("abc\u0003");
    await expect(answer).rejects.toBeInstanceOf(InterruptedError);
    expect([terminal.isRaw, terminal.isPaused()]).toEqual([false, true]);
  });

  test("the signal interrupts, before and during the prompt", async () => {
    const terminal = new Terminal();
    const controller = new AbortController();
    const answer = promptHidden("Key: ", terminal, terminal.screen, controller.signal);
    controller.abort();
    await expect(answer).rejects.toBeInstanceOf(InterruptedError);
    expect(terminal.isRaw).toBe(false);
    const late = promptHidden("Key: ", terminal, terminal.screen, controller.signal);
    await expect(late).rejects.toBeInstanceOf(InterruptedError);
  });

  test("ends when the terminal is closed", async () => {
    const { terminal, answer } = ask("abc");
    terminal.end();
    expect(await answer).toBe("abc");
  });

  test("chunks make no difference", async () => {
    const pieces = fc.constantFrom("a", "Z", "9", "\b", "\u0015", "\u001b[A", "\u001b[200~", "é", "\t", "\u0001");
    await fc.assert(
      fc.asyncProperty(fc.array(pieces), fc.array(fc.nat()), async (parts, cuts) => {
        const characters = [...parts.join("")];
        const ends = cuts.map((cut) => cut % (characters.length + 1)).sort((a, b) => a - b);
        const chunks = [...ends, characters.length].map((end, at) => characters.slice(ends[at - 1] ?? 0, end).join(""));
        expect(await ask(...chunks, "\r").answer).toBe(await ask(parts.join(""), "\r").answer);
      }),
    );
  });
});

describe("a key from standard input", () => {
  const piped = (...chunks: (string | Buffer)[]) => {
    const input = new PassThrough();
    for (const chunk of chunks) input.write(chunk);
    return input;
  };

  test.each([
    ["with a line break", "abc\n"],
    ["without one", "abc"],
    ["from Windows", "\ufeffabc\r\n"],
    ["with lines after it", "abc\nsecond\n"],
    ["with blanks around it", "  abc \t\n"],
  ])("%s", async (_about, sent) => {
    const input = piped(sent);
    input.end();
    expect(await readPipedKey(input)).toBe("abc");
  });

  test("is complete with its line, without waiting for the end", async () => {
    expect(await readPipedKey(piped("ab", "c\n"))).toBe("abc");
  });

  test.each([
    ["empty", ""],
    ["blank", " \n"],
  ])("%s input is refused", async (_about, sent) => {
    const input = piped(sent);
    input.end();
    await expect(readPipedKey(input)).rejects.toMatchObject({
      ...{ message: "Standard input contains no key.", code: "NO_KEY", exitCode: 3 },
    });
  });

  test("input over 4 KiB is refused without reading more", async () => {
    const error = await readPipedKey(piped("x".repeat(5000))).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "NO_KEY", exitCode: 3, message: expect.stringContaining("4 KiB") });
  });

  test("a key that never arrives times out", async () => {
    const input = piped();
    await expect(readPipedKey(input, { limit: 20 })).rejects.toThrow("within 0.02 seconds");
    expect(input.listenerCount("data")).toBe(0);
  });

  test("the signal interrupts", async () => {
    const controller = new AbortController();
    const key = readPipedKey(piped(), { signal: controller.signal });
    controller.abort();
    await expect(key).rejects.toBeInstanceOf(InterruptedError);
    await expect(readPipedKey(piped("abc\n"), { signal: controller.signal })).rejects.toBeInstanceOf(InterruptedError);
  });
});
