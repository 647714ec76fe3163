/**
 * Frees an executable for Linux from `libatomic.so.1`, which minimal systems lack. Official builds of Node need it since
 * version 25, for one function: the function is put into the executable instead.
 */

import { readFileSync, writeFileSync } from "node:fs";

const LIBRARY = "libatomic.so.1";
const FUNCTION = "__atomic_compare_exchange";

/** What depends on the processor: its number in ELF, its relocation to a fixed address, and the function. */
interface Processor {
  readonly machine: number;
  readonly relative: number;
  /** Compares and exchanges 8 bytes, without a lock as libatomic does, and stops the process for other sizes. */
  readonly code: Buffer;
}

const PROCESSORS: readonly Processor[] = [
  {
    machine: 62,
    relative: 8,
    code: Buffer.from(
      [
        "4883ff08 7512", //   cmp rdi, 8; jne other
        "488b09 488b02", //   mov rcx, [rcx]; mov rax, [rdx]
        "f0480fb10e", //      lock cmpxchg [rsi], rcx
        "488902 0f94c0 c3", // mov [rdx], rax; sete al; ret
        "0f0b", //      other: ud2
      ]
        .join("")
        .replaceAll(" ", ""),
      "hex",
    ),
  },
  {
    machine: 183,
    relative: 1027,
    code: Buffer.from(
      Uint32Array.of(
        ...[0xf100201f, 0x540001c1], //       cmp x0, 8; b.ne other
        ...[0xf9400063, 0xf9400044], //       ldr x3, [x3]; ldr x4, [x2]
        ...[0xc85ffc25, 0xeb0400bf], // again: ldaxr x5, [x1]; cmp x5, x4
        ...[0x540000a1, 0xc806fc23], //       b.ne different; stlxr w6, x3, [x1]
        ...[0x35ffff86, 0x52800020], //       cbnz w6, again; mov w0, 1
        ...[0xd65f03c0, 0xd5033f5f], //       ret; different: clrex
        ...[0xf9000045, 0x52800000], //       str x5, [x2]; mov w0, 0
        ...[0xd65f03c0, 0xd4200000], //       ret; other: brk 0
      ).buffer,
    ),
  },
];

const LOADED = 1;
const DYNAMIC = 2;
const EXECUTABLE = 1;

/** Tags of the dynamic section. */
const TAGS = { needed: 1, strings: 5, symbols: 6, needs: 0x6ffffffe, needCount: 0x6fffffff };
const RELOCATIONS = [
  { at: 7, size: 8 },
  { at: 23, size: 2 },
];

/** Changes an executable that needs the library. Throws when it needs more of the library than this contains. */
export function embedLibatomic(path: string): void {
  const file = readFileSync(path);
  const number = (at: number) => Number(file.readBigUInt64LE(at));
  const segments = Array.from({ length: file.readUInt16LE(56) }, (_, index) => {
    const header = number(32) + index * file.readUInt16LE(54);
    const [type, flags] = [file.readUInt32LE(header), file.readUInt32LE(header + 4)];
    return { header, type, flags, at: number(header + 8), address: number(header + 16), size: number(header + 32) };
  });
  const positionOf = (address: number) => {
    const segment = segments.find(
      (one) => one.type === LOADED && address - one.address < one.size && address >= one.address,
    );
    if (segment === undefined) throw new Error(`No segment contains the address ${address}.`);
    return segment.at + address - segment.address;
  };

  const dynamic = segments.find(({ type }) => type === DYNAMIC);
  if (dynamic === undefined) return;
  const entries = Array.from({ length: dynamic.size / 16 }, (_, index) => dynamic.at + index * 16);
  const entryOf = (tag: number) => entries.find((at) => number(at) === tag) ?? -1;
  const dynamicValue = (tag: number) => number(entryOf(tag) + 8);
  const strings = positionOf(dynamicValue(TAGS.strings));
  const text = (offset: number) => file.toString("latin1", strings + offset, file.indexOf(0, strings + offset));

  const needed = entries.find((at) => number(at) === TAGS.needed && text(number(at + 8)) === LIBRARY);
  if (needed === undefined) return;
  const processor = PROCESSORS.find(({ machine }) => machine === file.readUInt16LE(18));
  const code = segments.find(({ type, flags }) => type === LOADED && flags & EXECUTABLE);
  if (processor === undefined || code === undefined) throw new Error("The processor is not supported.");

  // The rest of the last page of the code is loaded too.
  const start = Math.ceil(code.size / 16) * 16;
  const size = start + processor.code.length;
  if (file.subarray(code.at + code.size, code.at + size).some((byte) => byte !== 0))
    throw new Error(`No room for ${FUNCTION}.`);
  processor.code.copy(file, code.at + start);
  for (const field of [32, 40]) file.writeBigUInt64LE(BigInt(size), code.header + field);

  const symbols = positionOf(dynamicValue(TAGS.symbols));
  for (const { at, size } of RELOCATIONS) {
    const table = positionOf(dynamicValue(at));
    for (let position = table; position < table + dynamicValue(size); position += 24) {
      const name = text(file.readUInt32LE(symbols + file.readUInt32LE(position + 12) * 24));
      if (!name.startsWith("__atomic_")) continue;
      if (name !== FUNCTION) throw new Error(`Node needs ${name} of ${LIBRARY}.`);
      file.writeBigUInt64LE(BigInt(processor.relative), position + 8);
      file.writeBigUInt64LE(BigInt(code.address + start), position + 16);
    }
  }

  removeVersions(file, positionOf(dynamicValue(TAGS.needs)), text);
  file.writeBigUInt64LE(BigInt(dynamicValue(TAGS.needCount) - 1), entryOf(TAGS.needCount) + 8);
  // The count is in the header of the section, too.
  const sections = Array.from({ length: file.readUInt16LE(60) }, (_, index) => number(40) + index * 64);
  const section = sections.find((header) => file.readUInt32LE(header + 4) === TAGS.needs);
  if (section !== undefined) file.writeUInt32LE(dynamicValue(TAGS.needCount), section + 44);
  file.copyWithin(needed, needed + 16, dynamic.at + dynamic.size);
  writeFileSync(path, file);
}

/** Removes the library from the list of versions that are needed of each library: records refer to the next one. */
function removeVersions(file: Buffer, first: number, text: (offset: number) => string): void {
  let previous = first;
  let position = first;
  const next = () => file.readUInt32LE(position + 12);
  while (text(file.readUInt32LE(position + 4)) !== LIBRARY) {
    previous = position;
    position += next();
  }
  const distance = next();
  if (position !== first) {
    file.writeUInt32LE(distance === 0 ? 0 : position - previous + distance, previous + 12);
    return;
  }
  // The first record becomes a copy of the second, whose distances are relative to it.
  file.copyWithin(first, first + distance, first + distance + 16);
  file.writeUInt32LE(file.readUInt32LE(first + 8) + distance, first + 8);
  if (next() !== 0) file.writeUInt32LE(next() + distance, first + 12);
}
