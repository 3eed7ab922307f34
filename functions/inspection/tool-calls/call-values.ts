import { isOutside, valuesInCommand } from './command-values.ts';
import { type Conversation, firstOf, type Place, pack } from './conversation.ts';
import { isProse } from './result-parts.ts';
import { type Role, roleOf } from './tool-meaning.ts';
import { formsOf } from './value-forms.ts';
import { kindOf, type ValueKind, valuesIn } from './value-kinds.ts';

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
/** Values of a call that are looked at. */
const MAX_VALUES = 40;
/** A longer part of a result that contains a value is not a field with it: `Name <address>` is. */
const LONGEST_FIELD = 90;

/** Kinds of values that lead out of a file that they are written to. */
const LEADING: ReadonlySet<ValueKind> = new Set(['email', 'url', 'account']);

/** The values of a call. `parameters`: the JSON Schema of its arguments; `runs`: the tool runs commands. */
export function valuesOf(args: unknown, parameters: unknown, runs: boolean): CallValue[] {
  const values: CallValue[] = [];
  addValues(args, '', '', parameters, values);
  const namesFile = values.some(({ role, kind }) => kind === 'path' && role !== 'link' && role !== 'content');
  if (!runs && !namesFile) return values;
  // What an agent writes into the files of its workspace is full of names and numbers.
  return values.filter(
    ({ kind, role, text }) => role === 'command' || (kind === 'path' ? isOutside(text) : LEADING.has(kind)),
  );
}

type Schema = { readonly properties?: Readonly<Record<string, unknown>>; readonly items?: unknown } | undefined;

function addValues(value: unknown, name: string, argument: string, schema: unknown, values: CallValue[]): void {
  if (values.length >= MAX_VALUES || value === null || value === undefined || typeof value === 'boolean') return;
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries())
      addValues(item, name, `${argument}[${at}]`, (schema as Schema)?.items, values);
  } else if (typeof value === 'object') {
    for (const [member, item] of Object.entries(value)) {
      const path = argument === '' ? member : `${argument}.${member}`;
      addValues(item, member, path, (schema as Schema)?.properties?.[member], values);
    }
  } else addText(String(value), roleOf(name, schema), argument, values);
}

function addText(text: string, named: Role, argument: string, values: CallValue[]): void {
  if (named === 'none' || text.trim() === '') return;
  if (named === 'package') {
    values.push(toValue(argument, 'command', kindOf(text), text));
    return;
  }
  if (named === 'command') {
    for (const found of valuesInCommand(text)) values.push(toValue(argument, 'command', found.kind, found.text));
    return;
  }
  const kind = kindOf(text);
  const isAddress = kind === 'email' || kind === 'account' || kind === 'url';
  const isText = named === 'content';
  const role = isAddress && !isText && named !== 'secret' ? 'destination' : named;
  const isLong = kind === 'text' || (isProse(text) && role !== 'destination');
  values.push(toValue(argument, isLong ? 'content' : role, kind, text));
  if (!isLong && !isText) return;
  for (const found of valuesIn(text)) {
    if (found.text !== text && found.text.length > 3) values.push(toValue(argument, 'link', found.kind, found.text));
  }
}

function toValue(argument: string, role: Role, kind: ValueKind, text: string): CallValue {
  return { argument, role, kind, text, forms: formsOf(text, kind), weight: WEIGHTS[role] };
}

/** Finds where a value occurs. */
export function locate(conversation: Conversation, value: CallValue): LocatedValue {
  const { forms, kind } = value;
  const mayBePart = kind === 'url' || kind === 'path';
  const places = conversation.placesOf(forms, mayBePart);
  const isField = ({ part }: Place) =>
    !part.isProse && (forms.includes(part.folded.trim()) || part.folded.length <= LONGEST_FIELD);
  const fields = places.filter(isField);
  const prose = places.filter((place) => !isField(place));
  const firstProse = Math.min(...prose.map(({ source }) => source.at));
  const isOfCall = conversation.calls.some(
    ({ at, folded }) => at < firstProse && firstOf(folded, forms, mayBePart) >= 0,
  );
  const isTrusted = isOfCall || occursIn(conversation.trusted, value, mayBePart);
  return { ...value, isTrusted, isOfCall, fields, prose };
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
