import { hostsOf, isKnownHost } from './call-hosts.ts';
import { isPatch, type LocatedValue, locate, valuesOf } from './call-values.ts';
import { type Conversation, firstOf } from './conversation.ts';
import { fold } from './folded.ts';
import { NO_ORDER } from './parsed-source.ts';
import { around, bestPassage, type Passage, weightOf } from './passages.ts';
import type { TextModels } from './text-models.ts';
import type { Effect } from './tool-meaning.ts';
import { kindOf, type ValueKind, valuesIn } from './value-kinds.ts';
import { CUES, type Cue, VERBS } from './word-groups.ts';
import { overlap, piecesOf, share } from './word-overlap.ts';

/** A call that a model is about to have made. */
export interface Call {
  readonly tool: string;
  readonly arguments: unknown;
}

/** How a call relates to what was said before it. */
export interface CallEvidence {
  /** Numbers by name, most of them 0 to 1: see `call-weights.generated.json` for what each is worth. */
  readonly features: Readonly<Record<string, number>>;
  /** The values that could come from a third party. */
  readonly values: readonly LocatedValue[];
  /** The value that decides most and that the user does not explain. */
  readonly main: LocatedValue | undefined;
  readonly passage: Passage | undefined;
  /** It has no value that could harm by itself: a command of the project, a change of a file in the workspace. */
  readonly isHarmless: boolean;
}

/** Words by which a user would name a value of each kind. */
const CUES_OF: Readonly<Record<ValueKind, readonly Cue[]>> = {
  email: ['email', 'person'],
  url: ['link', 'file', 'package'],
  account: ['account', 'number'],
  phone: ['phone', 'number'],
  id: ['number', 'package', 'command', 'file'],
  number: ['number', 'amount', 'date', 'phone'],
  date: ['date'],
  path: ['file', 'command', 'package'],
  name: ['person', 'place', 'channel', 'package', 'number', 'amount', 'date', 'command'],
  text: ['command', 'place', 'amount', 'file'],
};
const ADDRESSES: ReadonlySet<ValueKind> = new Set(['email', 'url', 'account']);
const CHANGED = CUES.bit('changed');
const ONLY = CUES.bit('only');
const AGENT = CUES.bit('agent');
/** Longer values are texts; their addresses are separate values. */
const LONGEST_VALUE = 300;
/** A text that does more than carry a link. */
const LONG_TEXT = 400;
/** A decisive role: destination, secret, command, link, selector. */
const KEY_WEIGHT = 2;
/** `IBAN: ...` alone, and a line that has room for an order. */
const LONGEST_LABEL_LINE = 60;
const LONG_LINE = 300;
/** Pieces of a call that are looked for, and those that are compared with each sentence. */
const MOST_PIECES = 400;
const MOST_COMPARED = 40;
const MOST_DISGUISED = 20;
/** Characters around a value: of words that describe it, and that say it is new. */
const DESCRIBED = [90, 60] as const;
const NEAR = [120, 120] as const;
/** Who is addressed is often said once, at the start of an order. */
const ADDRESSED = [300, 200] as const;

type Test = (value: LocatedValue) => boolean;
const isShort: Test = ({ text }) => text.length < 3;
const isProseOnly: Test = (one) => !one.isTrusted && one.fields.length === 0 && one.prose.length > 0 && !isShort(one);
const isInBoth: Test = (one) => !one.isTrusted && one.fields.length > 0 && one.prose.length > 0 && !isShort(one);
const isNowhere: Test = (one) => !one.isTrusted && one.fields.length === 0 && one.prose.length === 0;

/** What decides most; of several the one in prose. */
const rankOf = (one: LocatedValue): number => one.weight + (isProseOnly(one) ? 0.5 : 0);
const flag = (value: boolean): number => (value ? 1 : 0);

/**
 * Compares a call with the conversation before it.
 * @param anyOrders how much the recent texts make their reader act, which takes longer to read than all else
 */
export function evidenceOf(
  conversation: Conversation,
  call: Call,
  models: TextModels,
  anyOrders = ordersOf(conversation, models),
): CallEvidence {
  const { meaning, parameters } = conversation.tool(call.tool);
  const values = valuesOf(call.arguments, parameters, meaning.effect).map((value) => locate(conversation, value));
  const atoms = values.filter(
    ({ text, role, kind }) => text.length < LONGEST_VALUE && (role !== 'content' || ADDRESSES.has(kind)),
  );
  const decisive = atoms.filter((value) => !isDetail(value, values));
  const unexplained = decisive.filter((value) => isProseOnly(value) || isNowhere(value) || isInBoth(value));
  const main = unexplained.toSorted((a, b) => rankOf(b) - rankOf(a))[0];
  const passage = bestPassage(meaning, decisive);
  const inProse = flag(main !== undefined && isProseOnly(main));
  const passageOrders = passage === undefined ? NO_ORDER : models.orders(passage.text);
  const defers = models.defers(conversation.latest.slice(-600));
  const isToAgent = passage !== undefined && (CUES.in(around(passage.place, ADDRESSED)) & AGENT) !== 0;
  const isAsked = (VERBS.in(conversation.latest) & meaning.verbs) !== 0;
  const isHarmless = atoms.length === 0 && (meaning.effect === 'execute' || namesFile(call.arguments, meaning.effect));
  const features = {
    isRead: flag(meaning.effect === 'read'),
    isRemove: flag(meaning.effect === 'remove'),
    removeAsked: flag(meaning.effect === 'remove' && isAsked),
    ...ofValues(conversation, decisive, values, unexplained),
    passageVerb: flag(passage?.hasVerb === true),
    passageOrder: flag(passage?.orders === true),
    passageLate: flag(passage !== undefined && passage.place.source.at > conversation.latestAt),
    proseOrders: inProse * passageOrders,
    defers: isToAgent ? Math.min(0, defers) : defers,
    // A document that the user leaves it to addresses the user; one that addresses a model does not speak for them.
    proseDefers: inProse * (isToAgent ? Math.min(0, defers) : defers),
    proseCount: Math.min(3, decisive.filter((one) => isProseOnly(one) && one.weight >= KEY_WEIGHT).length),
    assembled: assembledShare(conversation, decisive),
    anyOrders,
    ...ofTexts(
      conversation,
      isHarmless ? textsIn(call.arguments) : values.map(({ forms }) => forms[0] as string),
      models,
    ),
    ...ofUser(conversation, call, main),
    ...ofMain(conversation, main, passage),
    ...ofLine(decisive, passage, inProse),
  };
  return { features, values: atoms, main, passage, isHarmless };
}

/**
 * Whether a value is a detail of a text that goes to whom the user named: numbers and paths of what was read, and the links of a longer text. A
 * summary is full of them.
 */
function isDetail({ role, weight, argument }: LocatedValue, values: readonly LocatedValue[]): boolean {
  if (role !== 'link' || !values.some((one) => one.role === 'destination' && one.isTrusted)) return false;
  if (weight < KEY_WEIGHT) return true;
  return values.some((one) => one.role === 'content' && one.argument === argument && one.text.length >= LONG_TEXT);
}

/** How much third parties' texts since the user's last message make their reader act. */
export function ordersOf(conversation: Conversation, models: TextModels): number {
  return Math.max(NO_ORDER, ...conversation.recent().map((source) => source.orders(models)));
}

/** The folded texts of arguments: of a command or an edit no value alone says where it comes from. */
function textsIn(args: unknown): string[] {
  const isCompared = (value: unknown) => typeof value === 'string' && value.length < 2 * LONGEST_VALUE;
  const values: unknown[] = Object.values(Object(args));
  return values.filter((value): value is string => isCompared(value)).map(fold);
}

/** Whether an argument is the path of a file, or a patch of files. */
function namesFile(args: unknown, effect: Effect): boolean {
  if (typeof args === 'string') return isPatch(effect, args);
  return Object.values(Object(args)).some(
    (value) => typeof value === 'string' && (kindOf(value) === 'path' || isPatch(effect, value)),
  );
}

/** Where the values come from: by weight, by role, by kind. */
function ofValues(
  conversation: Conversation,
  atoms: readonly LocatedValue[],
  values: readonly LocatedValue[],
  unexplained: readonly LocatedValue[],
) {
  const { latest } = conversation;
  const hosts = hostsOf(unexplained);
  const total = weightOf(atoms) || 1;
  const weight = (test: Test) => weightOf(atoms.filter(test)) / total;
  const hasRole = (role: LocatedValue['role'], test: Test) => flag(atoms.some((one) => one.role === role && test(one)));
  const isKindNowhere = (kind: ValueKind) => flag(atoms.some((one) => one.kind === kind && isNowhere(one)));
  return {
    nowhere: weight(isNowhere),
    inLatest: weight(({ forms, kind }) => firstOf(latest, forms, kind === 'url') >= 0),
    contentInProse: flag(values.some((value) => value.role === 'content' && isProseOnly(value))),
    ofCall: flag(atoms.some((value) => value.isOfCall && value.weight >= KEY_WEIGHT)),
    bothSelector: hasRole('selector', isInBoth),
    trustedAmount: hasRole('amount', ({ isTrusted }) => isTrusted),
    newHost: flag(hosts.some((host) => !isKnownHost(conversation, host))),
    knownHost: flag(hosts.some((host) => isKnownHost(conversation, host))),
    nowhereEmail: isKindNowhere('email'),
    nowhereAccount: isKindNowhere('account'),
    nowhereNumber: isKindNowhere('number'),
    nowhereDate: isKindNowhere('date'),
    nowhereName: isKindNowhere('name'),
  };
}

/** The largest share of the pieces of a value that occurs nowhere but whose pieces are together in prose: a disguised value. */
function assembledShare(conversation: Conversation, atoms: readonly LocatedValue[]): number {
  let most = 0;
  for (const value of atoms.filter(isNowhere).slice(0, MOST_DISGUISED)) {
    const pieces = (value.forms[0] as string).split(/[^\p{L}\p{N}]+/u).filter((piece) => piece.length > 1);
    if (pieces.length < 2) continue;
    const byUser = share(pieces, (piece) => conversation.trusted.includes(piece));
    for (const source of conversation.sources) {
      const { prose } = conversation.read(source);
      const known = pieces.filter((piece) => prose.text.includes(piece));
      for (const { folded } of known.length === 0 ? [] : prose.parts) {
        const inPart = known.filter((piece) => folded.includes(piece)).length / pieces.length;
        most = Math.max(most, ((inPart - byUser) * value.weight) / 3);
      }
    }
  }
  return most;
}

/** What the prose since the user's last message orders, and how much of it the call repeats. */
function ofTexts(conversation: Conversation, texts: readonly string[], models: TextModels) {
  const written = texts.filter(({ length }) => length < 2 * LONGEST_VALUE);
  const pieces = piecesOf(written.join(' ')).slice(0, MOST_PIECES);
  const compared = pieces.filter((piece) => !conversation.trusted.includes(piece)).slice(0, MOST_COMPARED);
  const recent = conversation.recent();
  const unexplained = compared.filter((piece) => !conversation.has('fields', piece));
  const repeated = recent.reduce(
    (best, source) => {
      const one = source.mostRepeating(compared, best.count + 1);
      return one.count > best.count ? one : best;
    },
    { count: 0, text: '' },
  );
  return {
    repeatedOrder:
      repeated.count === 0 ? 0 : (repeated.count / compared.length) * models.orders(repeated.text.slice(0, 500)),
    wordsOfProse: share(unexplained, (piece) => conversation.has('prose', piece)),
    wordsOfLatest: share(pieces, (piece) => conversation.latest.includes(piece)),
  };
}

/** What the user's last message gives, and how much of the call is in it. */
function ofUser({ latest, calls }: Conversation, call: Call, main: LocatedValue | undefined) {
  const written = fold(JSON.stringify(call.arguments ?? null));
  const given = valuesIn(latest).map(({ text }) => fold(text));
  const isUsed = (text: string) => written.includes(text) || calls.some(({ folded }) => folded.includes(text));
  return {
    givenUnused: share(
      given.filter((text) => text.length > 2),
      (text) => !isUsed(text),
    ),
    inUsersWords: overlap(written, latest),
    onlyUnexplained: flag(main !== undefined && (CUES.in(latest) & ONLY) !== 0),
  };
}

/** How the main value occurs in its source, and whether the user left it open. */
function ofMain(conversation: Conversation, main: LocatedValue | undefined, passage: Passage | undefined) {
  const { latest } = conversation;
  const place = main?.prose[0];
  const inProse = flag(main !== undefined && isProseOnly(main));
  const named = main === undefined ? [] : CUES_OF[main.kind];
  const nearest = place ?? passage?.place;
  const isAlwaysLabelled = main !== undefined && main.prose.length > 0 && main.prose.every(isLabelled);
  return {
    mainLabelled: flag(isAlwaysLabelled),
    labelLine: flag(isAlwaysLabelled && (place?.part.folded.length ?? 0) < LONGEST_LABEL_LINE),
    changed: flag(nearest !== undefined && (CUES.in(around(nearest, NEAR)) & CHANGED) !== 0),
    proseNamed: inProse * flag(named.some((cue) => (CUES.in(latest) & CUES.bit(cue)) !== 0)),
    proseNear: inProse * (main === undefined ? 0 : describedShare(main, latest)),
  };
}

/** The line of a main value that only prose has: an order takes room, and speaks of what the user's task is about. */
function ofLine(values: readonly LocatedValue[], passage: Passage | undefined, inProse: number) {
  if (passage === undefined) return { lineLength: 0, lineOfCall: 0 };
  const { folded } = passage.place.part;
  const given = values.filter(({ isTrusted, text }) => isTrusted && text.length > 2);
  return {
    lineLength: inProse * Math.min(1, folded.length / LONG_LINE),
    lineOfCall: inProse * share(given, ({ forms }) => firstOf(folded, forms, true) >= 0),
  };
}

/** Whether a value follows a label: `IBAN: ...`, a cell of a table. */
function isLabelled({ part, at }: LocatedValue['prose'][number]): boolean {
  return /[:=|]$/.test(part.folded.slice(Math.max(0, at - 3), at).trimEnd());
}

/** How many of the words beside a value the user's last message has too: who looks something up describes it. */
function describedShare({ prose: [place], text, forms }: LocatedValue, latest: string): number {
  if (place === undefined) return 0;
  const [before, after] = DESCRIBED;
  return overlap(around(place, [before, text.length + after]).replace(forms[0] as string, ' '), latest);
}
