/** What `--follow` does with news: programs, webhooks and notifications, with untrusted values. */
import { createHmac } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { splitCommand } from "../../../src/base/command-words.ts";
import { InterruptedError } from "../../../src/base/errors.ts";
import { runFollow, runFollowed, WALLET } from "../../support/follow.ts";
import { runInProcess } from "../../support/in-process.ts";
import { sendJson, serve } from "../../support/server.ts";
import { createTempFolder } from "../../support/solx.ts";
import { waitFor } from "../../support/wait-for.ts";

/** A program that appends its arguments and its input to a file; its first runs fail. */
function recorder(failures = 0) {
  const folder = createTempFolder();
  const [script, log] = [join(folder, "record.mjs"), join(folder, "log")];
  writeFileSync(
    script,
    `import { appendFileSync, existsSync, readFileSync } from "node:fs";
     const args = process.argv.slice(2);
     appendFileSync(${JSON.stringify(log)}, JSON.stringify({ args, input: readFileSync(0, "utf8") }) + "\\n");
     if (readFileSync(${JSON.stringify(log)}, "utf8").split("\\n").length - 1 <= ${failures}) process.exit(3);`,
  );
  const runs = () =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [];
  return { command: `"${process.execPath}" "${script}"`, runs, folder };
}

describe("--exec", () => {
  test("runs a program for each new row, in order, with the row on its standard input", async () => {
    const { command, runs } = recorder();
    const { stdout, error } = await runFollow(
      [
        [2, 1],
        [4, 3, 2, 1],
      ],
      {
        until: "30s",
        exec: `${command} 'id {trans_id}' --amount {amount} {signature}`,
      },
    );
    expect(error).toBeUndefined();
    expect(stdout.trim().split("\n")).toHaveLength(4);
    expect(runs().map(({ args }) => args)).toEqual([
      ["id t3", "--amount", "3", "t3"],
      ["id t4", "--amount", "4", "t4"],
    ]);
    expect(JSON.parse(runs()[0].input)).toMatchObject({ trans_id: "t3", amount: 3 });
  });

  test("untrusted values stay one argument, are no option, and have no control characters", async () => {
    const { command, runs, folder } = recorder();
    const marker = join(folder, "owned");
    const hostile = [
      "--exec=sh",
      `$(touch ${marker}); touch ${marker}`,
      "a\u001b]0;x\u0007b",
      "a b' c",
      "-5",
      "\u0000",
    ];
    await runFollowed(
      {
        params: { address: WALLET },
        answer: (_url, waits, response) => {
          const rows = hostile.map((from_address, at) => ({ trans_id: `t${at}`, from_address })).toReversed();
          sendJson(response, JSON.stringify({ success: true, data: waits === 0 ? [] : rows }));
        },
      },
      { until: "30s", exec: `${command} {from_address} "x {from_address}"` },
    );
    const values = runs().map(({ args }) => args);
    expect(values).toHaveLength(hostile.length);
    for (const args of values) expect(args).toHaveLength(2);
    expect(values[0]).toEqual([" --exec=sh", "x --exec=sh"]);
    expect(values[1]?.[0]).toBe(hostile[1]);
    expect(values[2]?.[0]).toMatch(/^a‹U\+001B/);
    expect(values[4]?.[0]).toBe("-5");
    expect(existsSync(marker)).toBe(false);
  });

  test("a program that fails is run again", async () => {
    const { command, runs } = recorder(1);
    const { notes, error } = await runFollow([[1], [3, 2, 1]], { until: "30s", exec: `${command} {amount}` });
    expect(error).toBeUndefined();
    expect(runs().map(({ args }) => args[0])).toEqual(["2", "2", "3"]);
    expect(notes.join()).toContain("ended with code 3. It is tried again.");
  });

  test("a program that does not exist is not run again, and the run ends as incomplete", async () => {
    const { error, notes } = await runFollow([[1], [2, 1]], { until: "30s", exec: "/no/such/program {amount}" });
    expect(error).toMatchObject({ code: "UNDELIVERED", exitCode: 10 });
    expect(notes.join()).toContain("The event was not delivered.");
  });

  test.each([
    ["notify-send {nothing}", /invalid placeholder \{nothing\}/],
    ["notify-send 'x", /unbalanced quote/],
    ["{trans_id}", /invalid command/],
  ])("%s is refused", async (exec, message) => {
    const words = ["account", "transfer", WALLET, "--follow", "--exec", exec];
    const { code, stderr } = await runInProcess(words, { env: { SOLX_SANDBOX: "1", SOLX_SANDBOX_SIZE: "0.02" } });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe("--webhook", () => {
  test("sends signed events, and repeats them under the same key", async () => {
    const received: { body: string; headers: Record<string, unknown> }[] = [];
    const { url, close } = await serve((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += String(chunk);
      });
      request.on("end", () => {
        received.push({ body, headers: request.headers });
        sendJson(response, "{}", received.length === 1 ? 503 : 200);
      });
    });
    const { error } = await runFollowed(
      {
        params: { address: WALLET },
        env: { SOLX_WEBHOOK_SECRET: "secret" },
        answer: (_url, waits, response) => {
          const rows = [3, 2, 1].slice(2 - waits).map((amount) => ({ trans_id: `t${amount}`, amount }));
          sendJson(response, JSON.stringify({ success: true, data: rows }));
        },
      },
      { until: "30s", webhook: url },
    );
    await close();
    expect(error).toBeUndefined();
    expect(received.map(({ body }) => JSON.parse(body).event.amount)).toEqual([2, 2]);
    const [first, second] = received;
    expect(first?.headers["idempotency-key"]).toBe(JSON.parse(first?.body ?? "").key);
    expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
    const [, time, hmac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(second?.headers["solx-signature"])) ?? [];
    expect(hmac).toBe(createHmac("sha256", "secret").update(`${time}.${second?.body}`).digest("hex"));
  });

  test("a receiver that refuses an event gets it once", async () => {
    let requests = 0;
    const { url, close } = await serve((_, response) => {
      requests += 1;
      sendJson(response, "{}", 410);
    });
    const { error } = await runFollow([[1], [2, 1]], { until: "30s", webhook: url });
    await close();
    expect([requests, error?.exitCode]).toEqual([1, 10]);
  });
});

test("--notify writes nothing where standard error is no terminal", async () => {
  const { notes } = await runFollow([[1], [2, 1]], { until: "30s", notify: true });
  expect(notes.join()).not.toContain("\u0007");
});

test("Ctrl-C ends the run and a program that does not end", async () => {
  const folder = createTempFolder();
  const [script, started] = [join(folder, "hang.mjs"), join(folder, "pid")];
  writeFileSync(
    script,
    `import { writeFileSync } from "node:fs";
     writeFileSync(${JSON.stringify(started)}, String(process.pid));
     setInterval(() => {}, 1000);`,
  );
  let polls = 0;
  const { url, close } = await serve((_, response) => {
    polls += 1;
    const data = Array.from({ length: polls }, (_row, at) => ({ trans_id: `t${polls - at}` }));
    sendJson(response, JSON.stringify({ success: true, data }));
  });
  const stop = new AbortController();
  const words = ["account", "transfer", WALLET, "--follow", "2s", "--exec", `"${process.execPath}" ${script}`];
  const env = { SOLX_BASE_URL: url, SOLX_API_KEY: "key", SOLX_BUDGET: "process" };
  const run = runInProcess(words, { env, signal: stop.signal });
  await waitFor(() => expect(readFileSync(started, "utf8")).not.toBe(""));
  const stoppedAt = performance.now();
  stop.abort(new InterruptedError());
  const { code, stderr } = await run;
  expect(code).toBe(130);
  expect(performance.now() - stoppedAt).toBeLessThan(2000);
  expect(stderr).toContain("1 event could not be delivered.");
  const pid = Number(readFileSync(started, "utf8"));
  await waitFor(() => expect(isRunning(pid)).toBe(false));
  await close();
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a command is split into words as shells do, and nothing else has a meaning", () => {
  expect(splitCommand(`a 'b c' "d \\"e" f\\ g $(h) "" i'j'"k"`)).toEqual([
    "a",
    "b c",
    'd "e',
    "f g",
    "$(h)",
    "",
    "ijk",
  ]);
  for (const text of ["'a", '"a', "a\\"]) expect(() => splitCommand(text)).toThrow(/unbalanced/);
});
