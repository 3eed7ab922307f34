import { hostsOf, isKnownHost } from './call-hosts.ts';
import { type CallValue, isOnlyInProse } from './call-values.ts';
import { packagesIn } from './command-values.ts';
import type { Conversation } from './conversation.ts';
import { fold } from './folded.ts';
import type { ParsedSource } from './parsed-source.ts';
import { formsOf } from './value-forms.ts';
import { type FoundValue, kindOf, type ValueKind, valuesIn } from './value-kinds.ts';

/**
 * Values that a session first saw in third parties' prose. A client may replace earlier turns by a summary in a message of the user:
 *
 *     request 1   user "Reply to Kim's mail"    result "... send the contract to x@a.test"   -> x@a.test is remembered
 *     request 2   user "Summary: ... Kim wants the contract at x@a.test ..."               -> x@a.test is not the user's
 *
 * The sentences with such a value count as a third party's, and the value does not count as written by the user. It does so again
 * once the user types it: in a message too short for a summary, or in one after the third party's text.
 *
 * Must never happen: the text of a value leaves this module, except to be made a digest of.
 */
export interface EarlierValues {
  has(text: string): boolean;
}

/** What a request adds to the memory of its session, as texts to make digests of. */
export interface NewValues {
  /** First in third parties' prose, the latest first. */
  readonly seen: readonly string[];
  /** What the user has typed: no longer a third party's. */
  readonly typed: readonly string[];
}

/** Values of one request; a session remembers twice as many. */
export const MAX_NEW_VALUES = 128;
/** A part of a prose is searched in pieces, each of which has a maximum of values. */
const PIECE = 500;
/** A shorter one is in many texts by chance. */
const SHORTEST = 4;
const KINDS: ReadonlySet<ValueKind> = new Set(['email', 'url', 'account', 'phone', 'path', 'id']);
/** `release-mirror`, `svc_backup`: names of packages, branches and channels. */
const IDENTIFIER = /[a-z\d]+(?:[-_][a-z\d]+)+/g;
/** A phone or account in groups, and the number of a ticket or a batch; no year and no amount. */
const DIGITS =
  /\+\d[\d ()/-]{6,18}\d|(?<![\d.,])(?:\d{3,}(?:[ -]\d{2,}){1,6}|(?!(?:19|20)\d\d(?!\d))\d{4,})(?![.,]?\d)/g;

/** The texts by which a value is remembered: in one form, and the host of an address. */
export function rememberedAs(value: Pick<CallValue, 'kind' | 'text' | 'forms'>): readonly string[] {
  const hosts = hostsOf([value]).map((host) => `@${host}`);
  return [canonical(value.kind, value.forms), ...hosts];
}

/** The texts by which the value of an argument is remembered. */
export function rememberedTexts(text: string): readonly string[] {
  const folded = fold(text);
  return rememberedAs(toValue({ kind: kindOf(folded), text: folded }));
}

function canonical(kind: ValueKind, forms: readonly string[]): string {
  const [whole = ''] = forms;
  if (kind === 'account' || kind === 'phone') return whole.replace(/[ ()./-]/g, '');
  return kind === 'url' ? (forms.at(-1) as string) : whole;
}

/** The values of a conversation that are in third parties' prose and nowhere else, and those that the user typed last. */
export function* newValuesOf(conversation: Conversation, known: EarlierValues) {
  const seen = new Set<string>();
  const located = new Set<string>();
  for (const source of conversation.sources.toReversed()) {
    for (const { value, texts, hosts } of proseValues(conversation.read(source))) {
      if (seen.size >= MAX_NEW_VALUES) break;
      // Texts repeat their names and numbers, and each is looked up in all of the conversation.
      if (located.size === located.add(value.text).size) continue;
      if (texts.every((text) => seen.has(text))) continue;
      if (known.has(texts[0] as string) || isOnlyInProse(conversation, value)) seen.add(texts[0] as string);
      else continue;
      for (const host of hosts) if (!isKnownHost(conversation, host)) seen.add(`@${host}`);
      yield;
    }
  }
  const typed = textValues(conversation.typed).map((found) => rememberedAs(toValue(found))[0] as string);
  return { seen: [...seen].slice(0, MAX_NEW_VALUES), typed } satisfies NewValues;
}

function toValue({ kind, text }: FoundValue): CallValue {
  return { argument: '', role: 'selector', kind, text, forms: formsOf(text, kind), weight: 0 };
}

/** A value of a text, and by what it is remembered. */
interface ProseValue {
  readonly value: CallValue;
  readonly texts: readonly string[];
  readonly hosts: readonly string[];
}

const known = new WeakMap<ParsedSource, readonly ProseValue[]>();

function proseValues(source: ParsedSource): readonly ProseValue[] {
  const values = known.get(source) ?? readProseValues(source);
  known.set(source, values);
  return values;
}

function readProseValues({ prose }: ParsedSource): ProseValue[] {
  const seen = new Set<string>();
  const found = prose.parts.flatMap(({ folded }) => textValues(folded));
  return found
    .filter(({ text }) => seen.size < seen.add(text).size)
    .map((one) => {
      const value = toValue(one);
      return { value, texts: rememberedAs(value), hosts: hostsOf([value]) };
    });
}

/** The values of a folded text that a session remembers. */
function textValues(folded: string): FoundValue[] {
  const found = piecesOf(folded).flatMap((piece) => [
    ...valuesIn(piece).filter(({ kind }) => KINDS.has(kind)),
    ...[
      ...piece.matchAll(IDENTIFIER),
      ...piece.matchAll(DIGITS),
      ...packagesIn(piece.replace(/[`"'(),]/g, ' ')).slice(0, 4),
    ].map(toFound),
  ]);
  return found.filter(({ text }) => text.length >= SHORTEST);
}

function toFound(found: RegExpExecArray | string): FoundValue {
  const text = typeof found === 'string' ? found : found[0];
  return { kind: kindOf(text), text };
}

function piecesOf(folded: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < folded.length; ) {
    const space = folded.lastIndexOf(' ', from + PIECE);
    const end = from + PIECE >= folded.length ? folded.length : space > from ? space : from + PIECE;
    pieces.push(folded.slice(from, end));
    from = end;
  }
  return pieces;
}
