import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { terminalControl } from "../../../src/ui/terminal/control.ts";

test("reads no input while another program has the terminal", async () => {
  const stdin = new PassThrough() as unknown as NodeJS.ReadStream & PassThrough;
  const listener = () => {};
  stdin.on("readable", listener);
  const terminal = terminalControl(stdin, new PassThrough() as unknown as NodeJS.WriteStream);
  // As Ink does before and after the listener.
  stdin.off("readable", listener);
  const during = await terminal.lend(async () => [stdin.isPaused(), terminal.isReleased()]);
  stdin.on("readable", listener);
  expect(during).toEqual([true, true]);
  expect(terminal.isReleased()).toBe(false);
  stdin.write("j");
  await expect.poll(() => stdin.read()?.toString()).toBe("j");
});

test("a system without SIGTSTP, such as Windows, does not suspend", async () => {
  const streams = [
    new PassThrough() as unknown as NodeJS.ReadStream,
    new PassThrough() as unknown as NodeJS.WriteStream,
  ];
  const terminal = terminalControl(...(streams as [NodeJS.ReadStream, NodeJS.WriteStream]), undefined, { SIGINT: 2 });
  expect([await terminal.suspend(), terminal.isReleased()]).toEqual([false, false]);
});
