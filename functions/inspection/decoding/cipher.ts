import { isLetter } from './leet.ts';
import { type Reading, ReadingBuilder } from './reading.ts';
import { KNOWN, type TokenScan } from './token-scan.ts';
import { MIRRORED, REVERSED, shiftOf, writingOf } from './word-shapes.ts';

const A = 0x61;
const SPACE = 0x20;
const ALPHABET = 26;
/** Weight of a word as evidence for a cipher, by its length: short ones match by chance. */
const WEIGHTS = [0, 0, 0, 1, 2, 3] as const;
const LONG_WORD_WEIGHT = 5;
/** Minimum evidence for one cipher; two ciphers are tried. */
const ENOUGH = 6;
const MIN_WORDS = 2;
const MOST_CIPHERS = 2;
/** Evidence decreases by this factor with every token: in other languages some words are ciphers of English ones. */
const FADING = 0.5;

interface Cipher {
  readonly mirrored: boolean;
  readonly reversed: boolean;
  /** Letters that the alphabet is shifted by. */
  readonly shift: number;
}

/** A passage decoded by the ciphers that its words suggest: a shifted or mirrored alphabet, or reversed words or text. */
export function deciphered(units: Uint16Array, length: number, scan: TokenScan): Reading[] {
  if (scan.disguised < MIN_WORDS) return [];
  const likely = likelyCiphers(units, scan);
  if (likely.length === 0) return [];
  return likely.slice(0, MOST_CIPHERS).flatMap((index) => {
    const cipher = cipherOf(index);
    const isSign = (token: number) =>
      scan.entry[token] !== 0 && (scan.known[token] as number) < KNOWN && cipherAt(units, scan, token) === index;
    return cipher.reversed
      ? [wordsReversed(units, length, scan, cipher, isSign), backwards(units, length, scan, cipher, isSign)]
      : [shifted(units, length, scan, cipher, isSign)];
  });
}

/** The ciphers that nearby words suggest, the most likely first. */
function likelyCiphers(units: Uint16Array, scan: TokenScan): number[] {
  const evidence = new Map<number, { weight: number; most: number; at: number }>();
  for (let token = 0; token < scan.count; token++) {
    if (scan.entry[token] === 0 || (scan.known[token] as number) >= KNOWN) continue;
    const weight = WEIGHTS[(scan.end[token] as number) - (scan.start[token] as number)] ?? LONG_WORD_WEIGHT;
    if (weight === 0) continue;
    const cipher = cipherAt(units, scan, token);
    const { weight: before, most, at } = evidence.get(cipher) ?? { weight: 0, most: 0, at: token };
    const now = Math.max(0, before - (token - at) * FADING) + weight;
    evidence.set(cipher, { weight: now, most: Math.max(most, now), at: token });
  }
  const likely = [...evidence].filter(([, { most }]) => most >= ENOUGH);
  return likely.sort(([, a], [, b]) => b.most - a.most).map(([cipher]) => cipher);
}

function cipherAt(units: Uint16Array, scan: TokenScan, token: number): number {
  const entry = scan.entry[token] as number;
  return writingOf(entry) * ALPHABET + shiftOf(entry, units[scan.start[token] as number] as number);
}

function cipherOf(index: number): Cipher {
  const writing = Math.floor(index / ALPHABET);
  return { mirrored: (writing & MIRRORED) !== 0, reversed: (writing & REVERSED) !== 0, shift: index % ALPHABET };
}

function nameOf({ mirrored, reversed, shift }: Cipher): string[] {
  const alphabet = mirrored ? ['atbash'] : shift === 13 ? ['rot13'] : shift === 0 ? [] : ['caesar'];
  return reversed ? ['reversed', ...alphabet] : alphabet;
}

type IsSign = (token: number) => boolean;

/** Decodes letter by letter. */
function shifted(units: Uint16Array, length: number, scan: TokenScan, cipher: Cipher, isSign: IsSign): Reading {
  const reading = new ReadingBuilder();
  let token = 0;
  for (let at = 0; at < length; at++) {
    if (token < scan.count && at === scan.start[token]) takeToken(reading, scan, token++, isSign);
    reading.put(undo(units[at] as number, cipher), at, at + 1);
  }
  return reading.build('cipher', nameOf(cipher), 'encoded');
}

/** Decodes each run between two spaces in reverse, marks included. */
function wordsReversed(units: Uint16Array, length: number, scan: TokenScan, cipher: Cipher, isSign: IsSign): Reading {
  const reading = new ReadingBuilder();
  let token = 0;
  for (let at = 0; at < length; ) {
    let end = at;
    while (end < length && (units[end] as number) > SPACE) end++;
    while (token < scan.count && (scan.start[token] as number) < end) takeToken(reading, scan, token++, isSign);
    // Each letter of a reversed word maps to the whole word.
    for (let from = end - 1; from >= at; from--) reading.put(undo(units[from] as number, cipher), at, end);
    if (end < length) reading.copy(units, end, end + 1);
    at = end + 1;
  }
  return reading.build('cipher', nameOf(cipher), signalOf(cipher));
}

function takeToken(reading: ReadingBuilder, scan: TokenScan, token: number, isSign: IsSign): void {
  if (isSign(token)) reading.sign();
  if ((scan.known[token] as number) < KNOWN) reading.replace(scan.start[token] as number, scan.end[token] as number);
}

function signalOf({ shift, mirrored }: Cipher): Reading['signal'] {
  return shift === 0 && !mirrored ? 'respelled' : 'encoded';
}

/** Decodes the whole passage in reverse. */
function backwards(units: Uint16Array, length: number, scan: TokenScan, cipher: Cipher, isSign: IsSign): Reading {
  const reading = new ReadingBuilder();
  let token = scan.count - 1;
  for (let at = length - 1; at >= 0; at--) {
    if (token >= 0 && at === (scan.end[token] as number) - 1) takeToken(reading, scan, token--, isSign);
    reading.put(undo(units[at] as number, cipher), at, at + 1);
  }
  return reading.build('cipher', nameOf(cipher), signalOf(cipher));
}

/** The original of a cipher's letter; `shiftOf` counts in the written alphabet, mirrored or not. */
function undo(unit: number, { mirrored, shift }: Cipher): number {
  if (!isLetter(unit)) return unit;
  const letter = (unit - A - shift + ALPHABET) % ALPHABET;
  return A + (mirrored ? ALPHABET - 1 - letter : letter);
}
