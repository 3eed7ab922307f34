import { ENCODINGS, type Encoding, INVISIBLE_ENCODINGS } from '../../functions/inspection/decoding/encodings.ts';
import { PassageReader, readings } from '../../functions/inspection/decoding/passage-reader.ts';
import { PayloadReader } from '../../functions/inspection/decoding/payloads.ts';
import type { ReadingKind } from '../../functions/inspection/decoding/reading.ts';
import { Respeller } from '../../functions/inspection/decoding/respelled.ts';
import { TokenScan } from '../../functions/inspection/decoding/token-scan.ts';
import { HARM_RULES, INJECTION_RULES } from '../../functions/inspection/detectors/classifier/classifier.ts';
import { CONVERSATION_SIGNAL_RULES } from '../../functions/inspection/detectors/conversation.ts';
import { ALL_RULES } from '../../functions/inspection/detectors/index.ts';
import type { Rule } from '../../functions/inspection/matching/index.ts';
import { SecondReading } from '../../functions/inspection/matching/second-reading.ts';

const RULES: readonly Rule[] = [...ALL_RULES, ...CONVERSATION_SIGNAL_RULES, ...INJECTION_RULES, ...HARM_RULES];
const KINDS = ['spelling', 'cipher', 'escapes'] as const satisfies readonly ReadingKind[];
/** How a passage was enciphered, as findings name it. All ciphers are found together, so that leaving one out saves no time. */
const CIPHERS = ['reversed', 'rot13', 'caesar', 'atbash'] as const;
const LISTS: readonly Encoding[][] = [ENCODINGS as Encoding[], INVISIBLE_ENCODINGS as Encoding[]];

const SWITCHES: ReadonlyMap<string, () => void> = new Map([
  ...LISTS.flat().map(({ name }) => [`decoding/${name}`, () => removeEncoding(name)] as const),
  ['decoding', withoutPayloads] as const,
  ...KINDS.map((kind) => [`readings/${kind}`, () => withoutKind(kind)] as const),
  ['readings/spelling/leet', () => replaceMethod(Respeller.prototype, 'leetWords', () => [])] as const,
  ['readings/spelling/word-lattice', () => replaceMethod(Respeller.prototype, 'respellAll', () => [])] as const,
  ['readings/spelling/odd-gaps', withoutOddGaps] as const,
  ...CIPHERS.map((name) => [`readings/cipher/${name}`, () => withoutCipher(name)] as const),
  ['readings', withoutReadings] as const,
  ['second-reading', () => replaceMethod(SecondReading.prototype, 'beginsWith', () => false)] as const,
  ['all hidden text', withoutHiddenText] as const,
  ...[...new Set(RULES.map(familyOf))].map((family) => [`rules/${family}`, () => removeRules(family)] as const),
]);

/** Parts of the engine that can be switched off. */
export const PARTS: readonly string[] = [...SWITCHES.keys()];

/**
 * Switches a part off for all inspectors of this process that are created later. The product has no switch for it: this changes its lists
 * and methods before they are used.
 */
export function switchOff(part: string): void {
  const act = SWITCHES.get(part);
  if (act === undefined) throw new RangeError(`no part ${part}; there are ${PARTS.join(', ')}`);
  act();
}

function removeEncoding(removed: string): void {
  for (const list of LISTS) list.splice(0, list.length, ...list.filter(({ name }) => name !== removed));
}

function withoutPayloads(): void {
  replaceMethod(PayloadReader.prototype, 'read', () => []);
  replaceGetter(PayloadReader.prototype, 'needed', () => Number.POSITIVE_INFINITY);
}

function withoutReadings(): void {
  replaceMethod(PassageReader.prototype, 'read', () => []);
  replaceGetter(PassageReader.prototype, 'needed', () => Number.POSITIVE_INFINITY);
}

function withoutHiddenText(): void {
  withoutPayloads();
  withoutReadings();
  switchOff('second-reading');
}

function withoutKind(kind: ReadingKind): void {
  const shared = readings();
  const all = shared.of.bind(shared);
  shared.of = (text, without, words) => all(text, [...without, kind], words);
}

function withoutCipher(name: string): void {
  const shared = readings();
  const all = shared.of.bind(shared);
  shared.of = (text, without, words) => all(text, without, words).filter(({ writing }) => !writing.includes(name));
}

/** The search for marks between words is part of the scan, and costs time still. */
function withoutOddGaps(): void {
  const { read } = TokenScan.prototype;
  TokenScan.prototype.read = function (units, length, words) {
    read.call(this, units, length, words);
    this.oddGaps = 0;
  };
}

/** A rule without surfaces reports nothing, and without patterns none are compiled. */
function removeRules(family: string): void {
  for (const rule of RULES) if (familyOf(rule) === family) Object.assign(rule, { surfaces: [], patterns: [] });
}

function familyOf({ id }: Rule): string {
  return id.split('/', 1)[0] as string;
}

function replaceMethod(prototype: object, name: string, value: () => unknown): void {
  if (!Object.hasOwn(prototype, name)) throw new Error(`no method ${name} to replace`);
  Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
}

function replaceGetter(prototype: object, name: string, get: () => unknown): void {
  if (!Object.hasOwn(prototype, name)) throw new Error(`no getter ${name} to replace`);
  Object.defineProperty(prototype, name, { get, configurable: true });
}
