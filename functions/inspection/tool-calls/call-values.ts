import { isOutside, valuesInCommand } from './command-values.ts';
import { type Conversation, firstOf, type Place, pack } from './conversation.ts';
import { patchedFiles } from './patched-files.ts';
import { isProse } from './result-parts.ts';
import { spelledOut } from './spelled.ts';
import { type Effect, type Role, roleOf } from './tool-meaning.ts';
import { formsOf } from './value-forms.ts';
import { isCurrency, kindOf, type ValueKind, valuesIn } from './value-kinds.ts';

/** A value of a call: a whole argument, or an address or id inside one. */
export interface CallValue {
  /** Path of its argument: `to[0]`. */
  readonly argument: string;
  readonly role: Role;
  readonly kind: ValueKind;
  readonly text: string;
  /** How it may be written elsewhere, folded. */
  readonly forms: readonly string[];
  /** How much it decides about what the call does. */
  readonly weight: number;
}

/** A value and where it occurs. */
export interface LocatedValue extends CallValue {
  /** The operator or the user wrote it, or an earlier call had it before any prose did. */
  readonly isTrusted: boolean;
  readonly isOfCall: boolean;
  /** Whole fields of results, and prose. */
  readonly fields: readonly Place[];
  readonly prose: readonly Place[];
}

const WEIGHTS: Readonly<Record<Role, number>> = {
  destination: 3,
  secret: 3,
  command: 3,
  link: 2,
  selector: 2,
  amount: 1,
  time: 1,
  content: 1,
  package: 3,
  none: 0,
};
/** Values of a call that are looked at: of more, those that decide most. */
const MAX_VALUES = 40;
/** Destinations and the like, which an attacker may put behind many others. */
const MAX_DECISIVE = 200;
const DECISIVE_WEIGHT = 3;
/** Different values that are read at all. */
const MAX_READ = 2_000;
/** A longer part of a result that contains a value is not a field with it: `Name <address>` is. */
const LONGEST_FIELD = 90;

/** Kinds of values that lead out of a file that they are written to. */
const LEADING: ReadonlySet<ValueKind> = new Set(['email', 'url', 'account']);

/** The values of a call. `parameters`: the JSON Schema of its arguments; `effect`: that of the tool. */
export function valuesOf(args: unknown, parameters: unknown, effect: Effect): CallValue[] {
  const found = new FoundValues();
  addValues(args, { name: '', argument: '', schema: parameters, effect }, found);
  const values = [...found.most()];
  const namesFile = values.some(({ role, kind }) => kind === 'path' && role !== 'link' && role !== 'content');
  if (effect !== 'execute' && !namesFile) return values;
  // What an agent writes into the files of its workspace is full of names and numbers.
  return values.filter(
    ({ kind, role, text }) => role === 'command' || (kind === 'path' ? isOutside(text) : LEADING.has(kind)),
  );
}

/** Collects the values of a call. */
class FoundValues {
  /** The first ones; one more than are looked at, if there are more. */
  private readonly first: CallValue[] = [];
  /** Each text in a role once. */
  private readonly distinct = new Map<string, CallValue>();

  get isFull(): boolean {
    return this.distinct.size >= MAX_READ;
  }

  add(argument: string, role: Role, kind: ValueKind, text: string): void {
    const key = `${role} ${text}`;
    const known = this.distinct.get(key);
    if (known !== undefined && this.first.length > MAX_VALUES) return;
    const value = known === undefined ? toValue(argument, role, kind, text) : { ...known, argument };
    if (this.first.length <= MAX_VALUES) this.first.push(value);
    if (known === undefined) this.distinct.set(key, value);
  }

  /** All of a call with few values; of another one those that decide most. */
  most(): readonly CallValue[] {
    if (this.first.length <= MAX_VALUES) return this.first;
    const isDecisive = ({ weight }: CallValue) => weight >= DECISIVE_WEIGHT;
    const all = [...this.distinct.values()];
    const decisive = all.filter(isDecisive).slice(0, MAX_DECISIVE);
    const others = all.filter((value) => !isDecisive(value)).toSorted((a, b) => b.weight - a.weight);
    return [...decisive, ...others.slice(0, Math.max(0, MAX_VALUES - decisive.length))];
  }
}

type Schema = { readonly properties?: Readonly<Record<string, unknown>>; readonly items?: unknown } | undefined;

/** Where a value of a call is. */
interface Argument {
  readonly name: string;
  readonly argument: string;
  readonly schema: unknown;
  readonly effect: Effect;
}

function addValues(value: unknown, at: Argument, values: FoundValues): void {
  if (values.isFull || value === null || value === undefined || typeof value === 'boolean') return;
  const { name, argument, effect } = at;
  const schema = at.schema as Schema;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      addValues(item, { ...at, argument: `${argument}[${index}]`, schema: schema?.items }, values);
  } else if (typeof value === 'object') {
    for (const [member, item] of Object.entries(value)) {
      const path = argument === '' ? member : `${argument}.${member}`;
      addValues(item, { name: member, argument: path, schema: schema?.properties?.[member], effect }, values);
    }
  } else if (isPatch(effect, value)) addPatch(String(value), argument, values);
  else addText(String(value), roleOf(name, schema, effect === 'read'), argument, values);
}

/** Whether a value is a patch that the tool applies; a mail may contain one. */
export function isPatch(effect: Effect, value: unknown): boolean {
  return effect !== 'send' && typeof value === 'string' && patchedFiles(value).length > 0;
}

/** The files that a patch changes, and what leads out of them. */
function addPatch(text: string, argument: string, values: FoundValues): void {
  for (const file of patchedFiles(text)) values.add(argument, 'selector', 'path', file);
  for (const found of valuesIn(text)) {
    if (LEADING.has(found.kind)) values.add(argument, 'link', found.kind, found.text);
  }
}

function addText(text: string, named: Role, argument: string, values: FoundValues): void {
  if (named === 'none' || text.trim() === '' || isCurrency(text)) return;
  if (named === 'package') {
    values.add(argument, 'command', kindOf(text), text);
    return;
  }
  if (named === 'command') {
    for (const found of valuesInCommand(text)) values.add(argument, 'command', found.kind, found.text);
    return;
  }
  const kind = kindOf(text);
  const isText = named === 'content';
  const role = roleOfKind(named, kind);
  const isLong = kind === 'text' || (isProse(text) && role !== 'destination');
  values.add(argument, isLong ? 'content' : role, kind, text);
  if (!isLong && !isText) return;
  for (const found of valuesIn(text)) {
    if (found.text !== text && found.text.length > 3) values.add(argument, 'link', found.kind, found.text);
  }
}

/** The role of a value: its form says more than the name of its argument, in which "customer" has "custom" and "personas" is a number. */
function roleOfKind(named: Role, kind: ValueKind): Role {
  if (named === 'content' || named === 'secret') return named;
  if (kind === 'email' || kind === 'account' || kind === 'url') return 'destination';
  if (kind === 'date') return 'time';
  if (named === 'amount' || named === 'time') return kind === 'number' ? named : 'selector';
  return named === 'destination' && kind === 'number' ? 'selector' : named;
}

function toValue(argument: string, role: Role, kind: ValueKind, text: string): CallValue {
  // A text that an agent writes is full of numbers and names; an address in it leads somewhere.
  const isMinor = role === 'link' && kind !== 'phone' && !LEADING.has(kind);
  const weight = isMinor ? WEIGHTS.content : WEIGHTS[role];
  return { argument, role, kind, text, forms: formsOf(text, kind), weight };
}

/** Finds where a value occurs. */
export function locate(conversation: Conversation, value: CallValue): LocatedValue {
  const { forms, kind } = value;
  const mayBePart = isPartly(kind);
  const places = conversation.placesOf(forms, mayBePart);
  const fields = places.filter((place) => isField(place, value));
  const written = places.filter((place) => !isField(place, value));
  const isOfUser = occursIn(conversation.trusted, value, mayBePart);
  const spelled = isOfUser || written.length > 0 ? [] : spelledPlaces(conversation, value);
  const prose = [...written, ...spelled];
  const firstProse = Math.min(...prose.map(({ source }) => source.at));
  const isOfCall = conversation.calls.some(
    ({ at, folded }) => at < firstProse && firstOf(folded, forms, mayBePart) >= 0,
  );
  const isTrusted = isOfCall || isOfUser;
  return { ...value, isTrusted, isOfCall, fields, prose };
}

function isField({ part }: Place, { forms }: CallValue): boolean {
  return !part.isProse && (forms.includes(part.folded.trim()) || part.folded.length <= LONGEST_FIELD);
}

/** Whether prose has a value, and neither a field nor the user nor an earlier call: `locate` without all the places. */
export function isOnlyInProse(conversation: Conversation, value: CallValue): boolean {
  const { forms, kind } = value;
  const mayBePart = isPartly(kind);
  if (occursIn(conversation.trusted, value, mayBePart)) return false;
  let isWritten = false;
  for (const place of conversation.eachPlaceOf(forms, mayBePart, 'fields')) {
    if (isField(place, value)) return false;
    isWritten = true;
  }
  if (conversation.calls.some(({ folded }) => firstOf(folded, forms, mayBePart) >= 0)) {
    const { isTrusted, prose } = locate(conversation, value);
    return !isTrusted && prose.length > 0;
  }
  if (isWritten || conversation.eachPlaceOf(forms, mayBePart, 'prose').next().done !== true) return true;
  return spelledPlaces(conversation, value).length > 0;
}

/** Whether a value may be a part of a word: `example.org` in `https://example.org/a`. */
function isPartly(kind: ValueKind): boolean {
  return kind === 'url' || kind === 'path';
}

/** The least letters and digits of a value that are looked for without what is between them. */
const FEWEST_LETTERS = 6;

const SPELLED: ReadonlySet<ValueKind> = new Set(['email', 'url', 'account', 'phone', 'id', 'number', 'path']);

/** Where prose has a value only by its letters and digits, also backwards. */
function spelledPlaces(conversation: Conversation, { kind, forms }: CallValue): Place[] {
  if (!SPELLED.has(kind)) return [];
  const letters = spelledOut(forms.at(kind === 'url' ? -1 : 0) as string);
  if (letters.length < FEWEST_LETTERS) return [];
  const places = conversation.spelledPlacesOf(letters);
  return places.length > 0 ? places : conversation.spelledPlacesOf([...letters].reverse().join(''));
}

/** Whether a text contains a value, in its own form or as people write it. */
function occursIn(text: string, { kind, role, forms }: CallValue, mayBePart: boolean): boolean {
  if (firstOf(text, forms, mayBePart) >= 0) return true;
  const value = forms[0] as string;
  if (kind === 'account' || kind === 'phone') return pack(text).includes(pack(value));
  if (kind === 'path') return namesFile(text, value);
  if (kind === 'date') return namesDay(text, value);
  return (kind === 'name' || role === 'destination') && namesAll(text, value.split(/[\s._@/-]+/));
}

/** "the changelog" for CHANGELOG.md. */
function namesFile(text: string, value: string): boolean {
  const name = value.split('/').at(-1) as string;
  const stem = name.replace(/\.[a-z0-9]+$/, '');
  return (
    (name.length > 3 && firstOf(text, [name], false) >= 0) || (stem.length > 4 && firstOf(text, [stem], false) >= 0)
  );
}

/** Whether the day of a date is in a text, whatever the month is called. */
function namesDay(text: string, value: string): boolean {
  const day = /^\d{4}-\d{2}-(\d{2})/.exec(value)?.[1];
  return (
    day !== undefined &&
    (text.match(/\d+/g) ?? []).some((digits) => digits.length < 3 && Number(digits) === Number(day))
  );
}

/** Whether all words of a value start a word of the text: "Marty Żak" for "Marta Żak". */
function namesAll(text: string, parts: readonly string[]): boolean {
  const words = parts.filter((word) => word.length > 1);
  const stem = (word: string) => (word.length > 4 ? word.slice(0, Math.max(4, word.length - 2)) : word);
  return words.length < 8 && words.some((word) => word.length > 3) && words.every((word) => text.includes(stem(word)));
}
