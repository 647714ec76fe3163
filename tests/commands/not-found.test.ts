/** Things that do not exist: the API answers with an empty object, solx reports that nothing was found. */
import { expect, test } from "vitest";
import { isObject, parseJson } from "../../src/base/json.ts";
import { runInProcess } from "../support/in-process.ts";
import { useSandbox } from "../support/running-sandbox.ts";

const NOWHERE = "4vKke3yeNm4CEDvxyq2auVVuCHzmSeFn3tzaPP4DZyA";
const NEVER_SENT = "2".repeat(88);
const sandbox = useSandbox();
const solx = (...argv: string[]) => runInProcess(argv, { env: sandbox.env() });

test.each([
  ["token meta", NOWHERE],
  ["market info", NOWHERE],
  ["market volume", NOWHERE],
  ["transaction detail", NEVER_SENT],
  ["transaction actions", NEVER_SENT],
  ["block detail", "1"],
  ["legacy token meta", NOWHERE],
  ["legacy market token-detail", NOWHERE],
  ["legacy transaction detail", NEVER_SENT],
  ["show", NEVER_SENT],
])("%s of something unknown is exit 5 without output", async (command, id) => {
  const { code, stdout, stderr } = await solx(...command.split(" "), id);
  expect([code, stdout]).toEqual([5, ""]);
  const { errors } = JSON.parse(stderr);
  expect(errors).toMatchObject({ code: 404, status: 404, message: `The API has no data for ${id}.` });
  if (id === NOWHERE) expect(errors.hint).toBe(`Check what this address is: solx show ${NOWHERE}`);
});

test.each([["token holders"], ["token transfer"], ["token price"], ["account transfer"]])(
  "%s of something unknown is an empty list",
  async (command) => {
    const { code, stdout } = await solx(...command.split(" "), NOWHERE, "--output", "ndjson");
    expect([code, stdout]).toEqual([0, ""]);
  },
);

test("an unknown address is an empty wallet, and a raw request prints what the API answers", async () => {
  const account = await solx("show", NOWHERE);
  expect([account.code, isObject(parseJson(account.stdout))]).toEqual([0, true]);
  const raw = await solx("api", `/token/meta?address=${NOWHERE}`);
  expect([raw.code, parseJson(raw.stdout)]).toEqual([0, {}]);
});

test.each(["token meta", "market info"])("%s of several reports each unknown one", async (command) => {
  const ids = [NOWHERE, NOWHERE.replace("4v", "5v")];
  const { code, stdout } = await solx(...command.split(" "), ...ids, "--batch", "inline");
  expect(code).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject(
    ids.map((input) => ({ input, error: { message: `The API has no data for ${input}.` } })),
  );
});
