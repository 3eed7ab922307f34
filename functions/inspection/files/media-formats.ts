import type { Steps } from '../../kernel/tasks/index.ts';

/**
 * The end of the image, audio, video or archive at the start of the bytes; 0 if there is none. Its structure is followed to that end:
 * text after a signature is not an image.
 */
export function* endOfMedium(bytes: Uint8Array): Steps<number> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const end of READERS) {
    const at = yield* end(file);
    if (at > 0) return Math.min(at, file.length);
  }
  return 0;
}

/** Each returns the end of its format, or 0. Each reads lengths and skips the content. */
const READERS: readonly ((file: Buffer) => Steps<number>)[] = [
  png,
  jpeg,
  gif,
  riff,
  isoMedia,
  ogg,
  flac,
  mp3,
  matroska,
  zip,
];

/** More boxes, pages or frames than a file in a request body can have. */
const MAX_BLOCKS = 50_000;
/** These blocks, or bytes, take about a millisecond. */
const STEP_BLOCKS = 1000;
const STEP_BYTES = 256 * 1024;

/** @param next the end of the block at an offset; -1 if there is none */
function* endOfBlocks(from: number, length: number, next: (at: number) => number): Steps<number> {
  let at = from;
  for (let blocks = 0; blocks < MAX_BLOCKS && at < length; blocks += 1) {
    const end = next(at);
    if (end <= at || end > length) break;
    at = end;
    if (blocks % STEP_BLOCKS === 0) yield;
  }
  return at;
}

function* png(file: Buffer): Steps<number> {
  if (file.length < 57 || file.readUInt32BE(0) !== 0x89504e47 || file.readUInt32BE(4) !== 0x0d0a1a0a) return 0;
  let isLast = false;
  const end = yield* endOfBlocks(8, file.length, (at) => {
    if (isLast || at + 12 > file.length) return -1;
    isLast = file.readUInt32BE(at + 4) === 0x49454e44;
    return at + 12 + file.readUInt32BE(at);
  });
  return isLast ? end : 0;
}

function* jpeg(file: Buffer): Steps<number> {
  if (file.length < 4 || file.readUInt16BE(0) !== 0xffd8) return 0;
  let at = 2;
  for (let blocks = 0; blocks < MAX_BLOCKS && at + 4 <= file.length + 2; blocks += 1) {
    if (blocks % STEP_BLOCKS === 0) yield;
    const marker = file[at + 1] ?? 0;
    if (file[at] !== 0xff || marker < 0xc0) return 0;
    if (marker === 0xd9) return at + 2;
    if (marker === 0xff) at += 1;
    else if (at + 4 > file.length) return 0;
    else {
      at += 2 + file.readUInt16BE(at + 2);
      if (marker === 0xda) at = yield* endOfScan(file, at);
    }
  }
  return 0;
}

/** The next marker after a scan: neither an escaped byte nor a restart. */
function* endOfScan(file: Buffer, from: number): Steps<number> {
  for (let at = from; at < file.length; at += 1) {
    if (at % STEP_BYTES === 0) yield;
    if (file[at] !== 0xff) continue;
    const marker = file[at + 1] ?? 0;
    if (marker !== 0 && marker !== 0xff && (marker < 0xd0 || marker > 0xd7)) return at;
  }
  return file.length;
}

function* gif(file: Buffer): Steps<number> {
  if (file.length < 14 || !/^GIF8[79]a$/.test(file.toString('latin1', 0, 6))) return 0;
  let at = 13 + tableLength(file[10] as number);
  for (let blocks = 0; blocks < MAX_BLOCKS && at < file.length; blocks += 1) {
    if (blocks % STEP_BLOCKS === 0) yield;
    const kind = file[at];
    if (kind === 0x3b) return at + 1;
    if (kind !== 0x21 && kind !== 0x2c) return 0;
    at = endOfSubBlocks(file, kind === 0x21 ? at + 2 : at + 11 + tableLength(file[at + 9] ?? 0));
  }
  return 0;
}

function tableLength(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1);
}

function endOfSubBlocks(file: Buffer, from: number): number {
  let at = from;
  while (at < file.length && file[at] !== 0) at += 1 + (file[at] as number);
  return at + 1;
}

/** WebP, WAV and AVI. */
function* riff(file: Buffer): Steps<number> {
  if (file.length < 20 || file.toString('latin1', 0, 4) !== 'RIFF') return 0;
  if (!['WEBP', 'WAVE', 'AVI '].includes(file.toString('latin1', 8, 12))) return 0;
  const end = 8 + file.readUInt32LE(4);
  const chunks = yield* endOfBlocks(12, file.length, (at) =>
    at + 8 > file.length ? -1 : at + 8 + evenly(file.readUInt32LE(at + 4)),
  );
  return chunks >= 20 && chunks <= evenly(end) ? chunks : 0;
}

function evenly(length: number): number {
  return length + (length % 2);
}

/** MP4, MOV, M4A, HEIC and AVIF. */
function* isoMedia(file: Buffer): Steps<number> {
  if (file.length < 16 || file.toString('latin1', 4, 8) !== 'ftyp') return 0;
  let boxes = 0;
  const end = yield* endOfBlocks(0, file.length, (at) => {
    if (at + 8 > file.length || !/^[\w -]{4}$/.test(file.toString('latin1', at + 4, at + 8))) return -1;
    boxes += 1;
    const size = file.readUInt32BE(at);
    if (size === 0) return file.length;
    return size === 1 && at + 16 <= file.length ? at + Number(file.readBigUInt64BE(at + 8)) : at + size;
  });
  return boxes > 1 ? end : 0;
}

function* ogg(file: Buffer): Steps<number> {
  return yield* endOfBlocks(0, file.length, (at) => {
    if (at + 27 > file.length || file.toString('latin1', at, at + 4) !== 'OggS' || file[at + 4] !== 0) return -1;
    const segments = file[at + 26] as number;
    return file.subarray(at + 27, at + 27 + segments).reduce((end, length) => end + length, at + 27 + segments);
  });
}

function* flac(file: Buffer): Steps<number> {
  if (file.toString('latin1', 0, 4) !== 'fLaC') return 0;
  let isLast = false;
  const frames = yield* endOfBlocks(4, file.length, (at) => {
    if (isLast || at + 4 > file.length) return -1;
    isLast = ((file[at] as number) & 0x80) !== 0;
    return at + 4 + file.readUIntBE(at + 1, 3);
  });
  // Frames have no length: everything after the first counts as frames.
  return isLast && frames + 2 <= file.length && (file.readUInt16BE(frames) & 0xfffe) === 0xfff8 ? file.length : 0;
}

const BITRATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const SAMPLE_RATES = [44_100, 48_000, 32_000] as const;

/** Frames of MPEG layer III, with or without an ID3 tag. */
function* mp3(file: Buffer): Steps<number> {
  const start = file.length > 10 && file.toString('latin1', 0, 3) === 'ID3' ? 10 + syncSafe(file, 6) : 0;
  let frames = 0;
  const end = yield* endOfBlocks(start, file.length, (at) => {
    const length = at + 4 > file.length ? 0 : frameLength(file.readUInt32BE(at));
    frames += length > 0 ? 1 : 0;
    return length > 0 ? at + length : -1;
  });
  return frames > 1 ? end : 0;
}

function syncSafe(file: Buffer, at: number): number {
  return file.subarray(at, at + 4).reduce((value, byte) => value * 128 + (byte & 0x7f), 0);
}

function frameLength(head: number): number {
  const version = (head >>> 19) & 3;
  const bitrate = BITRATES[version === 3 ? 0 : 1][(head >>> 12) & 15] ?? 0;
  const rate = SAMPLE_RATES[(head >>> 10) & 3] ?? 0;
  if (head >>> 21 !== 0x7ff || version === 1 || ((head >>> 17) & 3) !== 1 || bitrate === 0 || rate === 0) return 0;
  const divisor = version === 3 ? 1 : version === 2 ? 2 : 4;
  const samples = version === 3 ? 144 : 72;
  return Math.floor((samples * bitrate * 1000 * divisor) / rate) + ((head >>> 9) & 1);
}

/** WebM: an EBML head, and a segment of known or unknown length. */
function* matroska(file: Buffer): Steps<number> {
  yield;
  if (file.length < 32 || file.readUInt32BE(0) !== 0x1a45dfa3) return 0;
  const head = endOfElement(file, 4);
  return head > 0 && head + 12 < file.length && file.readUInt32BE(head) === 0x18538067
    ? endOfElement(file, head + 4)
    : 0;
}

/** The end of the element whose length is at an offset; 0 if there is none. */
function endOfElement(file: Buffer, at: number): number {
  const first = file[at] as number;
  const width = Math.clz32(first) - 23;
  if (width > 8 || at + width > file.length) return 0;
  let length = first & (0xff >> width);
  let isUnknown = length === 0xff >> width;
  for (const byte of file.subarray(at + 1, at + width)) {
    length = length * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return isUnknown ? file.length : at + width + length;
}

/** Also office documents: local entries from the start, and the directory at its declared offset. */
function* zip(file: Buffer): Steps<number> {
  yield;
  if (file.length < 22 || file.readUInt32LE(0) !== 0x04034b50) return 0;
  const at = file.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  if (at < 0 || at + 22 > file.length) return 0;
  const [size, from] = [file.readUInt32LE(at + 12), file.readUInt32LE(at + 16)];
  if (from + size !== at || size < 46 || file.readUInt32LE(from) !== 0x02014b50) return 0;
  return at + 22 + file.readUInt16LE(at + 20);
}
