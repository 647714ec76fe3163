/**
 * Whether a pipe still has a reader, asked without writing: Node only tells a writer when it writes, and what follows a
 * quiet list may have nothing to write for hours, while every look costs.
 *
 * The system call for it is poll(2). Node offers it to WebAssembly alone (WASI's `poll_oneoff`), so there is a module
 * that does nothing but hand it on.
 */
import { fstatSync } from "node:fs";
import type { Io } from "./io.ts";
import { quietly } from "./young.ts";

/** A module that imports `poll_oneoff` and exports it as `poll`, with one page of memory. */
const MODULE = [
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  // Its type: four integers to one.
  ...section(1, [1, 0x60, 4, 0x7f, 0x7f, 0x7f, 0x7f, 1, 0x7f]),
  ...section(2, [1, ...name("wasi_snapshot_preview1"), ...name("poll_oneoff"), 0, 0]),
  ...section(5, [1, 0, 1]),
  ...section(7, [2, ...name("poll"), 0, 0, ...name("memory"), 2, 0]),
];

function section(id: number, body: readonly number[]): number[] {
  return [id, body.length, ...body];
}

function name(text: string): number[] {
  return [text.length, ...Buffer.from(text)];
}

/** Places in the memory: two subscriptions of 48 bytes, events of 32 bytes, their count. */
const [SUBSCRIPTION, EVENTS, COUNT] = [48, 128, 256];
/** Kinds of subscriptions: a clock, and whether there may be written. */
const [CLOCK, WRITE] = [0, 2];
const MONOTONIC = 1;
/** Nanoseconds that the call takes at most: a pipe that is full tells nothing. */
const PATIENCE = 10_000_000n;

/** Makes a function that says whether a stream is a pipe without a reader; false when in doubt. */
export function readerWatch({ fd }: Io["stdout"] & { readonly fd?: number }): () => boolean {
  try {
    return fd !== undefined && fstatSync(fd).isFIFO() ? watch(fd) : () => false;
  } catch {
    return () => false;
  }
}

/** What the module exports. */
interface Exports {
  readonly poll: (subscriptions: number, events: number, count: number, counted: number) => number;
  readonly memory: { readonly buffer: ArrayBuffer };
}

/** The part of WebAssembly that is used here; its types come with those of browsers, which are not loaded. */
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Exports };
}

function watch(fd: number): () => boolean {
  const wasi = quietly(() => new (process.getBuiltinModule("node:wasi").WASI)({ version: "preview1", stdout: fd }));
  const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: Engine }).WebAssembly;
  const instance = new Instance(new Module(Uint8Array.from(MODULE)), wasi.getImportObject());
  wasi.initialize(instance);
  const { poll, memory } = instance.exports;
  return () => {
    const view = new DataView(memory.buffer);
    new Uint8Array(memory.buffer, 0, COUNT + 4).fill(0);
    view.setUint8(8, WRITE);
    view.setUint32(16, 1, true);
    view.setUint8(SUBSCRIPTION + 8, CLOCK);
    view.setUint32(SUBSCRIPTION + 16, MONOTONIC, true);
    view.setBigUint64(SUBSCRIPTION + 24, PATIENCE, true);
    if (poll(0, EVENTS, 2, COUNT) !== 0 || view.getUint32(COUNT, true) === 0) return false;
    const [error, kind] = [view.getUint16(EVENTS + 8, true), view.getUint8(EVENTS + 10)];
    return kind === WRITE && error !== 0;
  };
}
