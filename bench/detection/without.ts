import { ENCODINGS, type Encoding, INVISIBLE_ENCODINGS } from '../../functions/inspection/decoding/encodings.ts';
import type { ReadingKind } from '../../functions/inspection/decoding/index.ts';
import { readings } from '../../functions/inspection/decoding/passage-reader.ts';
import type { Reading } from '../../functions/inspection/decoding/reading.ts';
import {
  ALL_RULES,
  CONVERSATION_SIGNAL_RULES,
  HARM_RULES,
  INJECTION_RULES,
} from '../../functions/inspection/detectors/index.ts';
import type { Rule } from '../../functions/inspection/matching/index.ts';
import { SecondReading } from '../../functions/inspection/matching/second-reading.ts';

const RULES: readonly Rule[] = [...ALL_RULES, ...CONVERSATION_SIGNAL_RULES, ...INJECTION_RULES, ...HARM_RULES];
const KINDS = ['spelling', 'cipher', 'escapes'] as const satisfies readonly ReadingKind[];
/** How a passage was written, as findings name it. These are read and then left out: they cost time even when they are off. */
const WRITINGS = ['spacing', 'leetspeak', 'reversed', 'rot13', 'caesar', 'atbash'] as const;
const LISTS: readonly Encoding[][] = [ENCODINGS as Encoding[], INVISIBLE_ENCODINGS as Encoding[]];

const SWITCHES: ReadonlyMap<string, () => void> = new Map([
  ...LISTS.flat().map(({ name }) => [`decoding/${name}`, () => removeEncodings((one) => one === name)] as const),
  ['decoding', () => removeEncodings(() => true)] as const,
  ...KINDS.map((kind) => [`readings/${kind}`, () => withoutReadings([kind], () => true)] as const),
  ...WRITINGS.map(
    (name) => [`writings/${name}`, () => withoutReadings([], ({ writing }) => !writing.includes(name))] as const,
  ),
  ['readings', () => withoutReadings(KINDS, () => true)] as const,
  ['second-reading', withoutSecondReading] as const,
  ...[...new Set(RULES.map(familyOf))].map((family) => [`rules/${family}`, () => removeRules(family)] as const),
]);

/** Parts of the engine that can be switched off. */
export const PARTS: readonly string[] = [...SWITCHES.keys()];

/**
 * Switches a part off for all inspectors of this process that are created later. The product has no switch for it: this changes its lists
 * before they are compiled.
 */
export function switchOff(part: string): void {
  const act = SWITCHES.get(part);
  if (act === undefined) throw new RangeError(`no part ${part}; there are ${PARTS.join(', ')}`);
  act();
}

function removeEncodings(isRemoved: (name: string) => boolean): void {
  for (const list of LISTS) list.splice(0, list.length, ...list.filter(({ name }) => !isRemoved(name)));
}

function withoutReadings(kinds: readonly ReadingKind[], isKept: (reading: Reading) => boolean): void {
  const shared = readings();
  const all = shared.of.bind(shared);
  shared.of = (text, without, words) => all(text, [...without, ...kinds], words).filter(isKept);
}

function withoutSecondReading(): void {
  SecondReading.prototype.beginsWith = () => false;
}

/** A rule without surfaces reads nothing. */
function removeRules(family: string): void {
  for (const rule of RULES) if (familyOf(rule) === family) (rule as { surfaces: Rule['surfaces'] }).surfaces = [];
}

function familyOf({ id }: Rule): string {
  return id.split('/', 1)[0] as string;
}
