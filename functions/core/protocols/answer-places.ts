import { isMoreThanName } from '../inspect/names.ts';
import { isObject } from '../json/is-object.ts';
import type { JsonPath } from '../json/json-splice.ts';
import { toParam } from './first-fault.ts';
import { MIN_NUMBER } from './request-texts.ts';

/**
 * What a place of an answer holds, where it is not ordinary text:
 * `text`: a string that the protocol's own reader takes; `id`: an id, a name or a switch; `data`: base64 or a sealed value;
 * `address`: where media is; `free`: what a model fills as it likes, numbers included; `logprobs`: tokens of the text beside it.
 */
export type PlaceKind = 'text' | 'id' | 'data' | 'address' | 'free' | 'logprobs';

/** A place of an answer, with the places below it. */
export interface Place {
  kind?: PlaceKind;
  items?: Place;
  readonly members: Map<string, Place>;
  /** The id that was here last: nearly every chunk of a stream repeats it (saves 15 % of reading one). */
  lastId?: string;
}

/** Places by kind, each such as `choices[].delta.content`, separated by spaces. */
export type PlaceList = Readonly<Partial<Record<PlaceKind, string>>>;

/** The places of an answer, the lists below each prefix. */
export function placesOf(lists: Readonly<Record<string, PlaceList>>): Place {
  const root: Place = { members: new Map() };
  for (const [prefixes, list] of Object.entries(lists)) {
    for (const prefix of prefixes.split(' ')) {
      for (const [kind, places] of Object.entries(list)) {
        for (const place of places.split(' ')) placeAt(root, `${prefix}.${place}`).kind = kind as PlaceKind;
      }
    }
  }
  return root;
}

function placeAt(root: Place, name: string): Place {
  let place = root;
  for (const step of name.match(/[^.[\]]+|\[\]/g) ?? []) {
    if (step === '[]') {
      place.items ??= { members: new Map() };
      place = place.items;
      continue;
    }
    const known = place.members.get(step) ?? { members: new Map() };
    place.members.set(step, known);
    place = known;
  }
  return place;
}

/** An id, name or switch: no space, no address, not long enough for a text. */
const ID = /^[\w.:/@+=,~|-]{0,128}$/;
const MEDIA_URL = /^data:(?:image|audio|video)\/[\w.+-]{1,32};base64,/;
const DATA = /^[\w.:+/=-]*$/;
const ADDRESS = /^https?:\/\/\S{1,4096}$/;
/** Letters, digits and spaces that are encoded: a signed address has none, a text in one has. */
const HIDDEN = /%(?:20|3[0-9]|[46][1-9a-f]|[57][0-9a])/i;
const ENCODED = /(?:%[0-9a-f]{2}){1,96}/gi;
const WORDS = /^[A-Za-z_]+$/;
const NAME = /^(?:[A-Za-z_]{1,64}|[\w-]{1,16})$/;

/** A path as findings name it, `choices[0].note`: a member's name that may hold text is not repeated there. */
export function placeName(path: JsonPath): string {
  return toParam(path.map((step) => (typeof step === 'number' || NAME.test(step) ? step : '*')));
}

/** Whether a text has the shape of an id: anything else is a text, wherever it is. */
export function isIdShaped(text: string): boolean {
  return ID.test(text) && !text.includes('//');
}

function isData(text: string): boolean {
  const lead = MEDIA_URL.exec(text)?.[0].length ?? 0;
  return DATA.test(text.slice(lead));
}

/** A provider's id or name as the gateway may write it elsewhere; undefined where it is none. */
export function idIn(value: unknown): string | undefined {
  return typeof value === 'string' && isIdShaped(value) ? value : undefined;
}

/** A text outside of those that a protocol's own reader takes. */
export interface OtherText {
  readonly path: JsonPath;
  readonly text: string;
  /** The name of the member at the path. */
  readonly isName?: true;
  /** What stands at the path for another text. */
  readonly encode?: (text: string) => string;
  /** A log probability's token: one text with those of the same `of`. */
  readonly token?: { readonly of: JsonPath; readonly lead: string };
}

/** Every string of an answer that its places do not say otherwise of, in order, names of members that are more than names too. */
export function otherTexts(value: unknown, place: Place | undefined, path: JsonPath = []): OtherText[] {
  const found: OtherText[] = [];
  walk(value, place, [...path], found);
  return found;
}

/** `path` is changed on the way and copied only for what is found. */
function walk(value: unknown, place: Place | undefined, path: (string | number)[], found: OtherText[]): void {
  if (typeof value === 'string') {
    if (value !== '' && !isKnown(value, place)) found.push({ path: [...path], ...textOf(value, place) });
  } else if (place?.kind === 'free') {
    addStrings(value, [...path], found, true);
  } else if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const item: unknown = value[at];
      // Embeddings are long lists of numbers.
      if (typeof item === 'number') continue;
      path.push(at);
      walk(item, place?.items, path, found);
      path.pop();
    }
  } else if (isObject(value)) {
    walkMembers(value, place, path, found);
  }
}

function walkMembers(
  value: Record<string, unknown>,
  place: Place | undefined,
  path: (string | number)[],
  found: OtherText[],
): void {
  for (const name in value) {
    const member = value[name];
    const below = place?.members.get(name);
    if (below === undefined && mayHoldText(name)) found.push({ path: [...path, name], text: name, isName: true });
    if (typeof member === 'string') {
      if (member === '' || isKnown(member, below)) continue;
    } else if ((typeof member !== 'object' || member === null) && below?.kind !== 'free') continue;
    path.push(name);
    if (below?.kind === 'logprobs') addTokens(member, value, path, found);
    else walk(member, below, path, found);
    path.pop();
  }
}

/** No API names a member so long with digits in it; secrets and addresses are. */
function mayHoldText(name: string): boolean {
  return isMoreThanName(name) || (name.length > 16 && !WORDS.test(name));
}

function isKnown(text: string, place: Place | undefined): boolean {
  switch (place?.kind) {
    case 'text':
      return true;
    case 'id':
      if (place.lastId === text) return true;
      if (!isIdShaped(text)) return false;
      place.lastId = text;
      return true;
    case 'data':
      return isData(text);
    case 'address':
      return (ADDRESS.test(text) && !HIDDEN.test(text)) || isData(text);
    default:
      return false;
  }
}

/** A text as it is inspected: of media's addresses what they say without their encoding. */
function textOf(text: string, place: Place | undefined): Pick<OtherText, 'text' | 'encode'> {
  if (place?.kind !== 'address' || !ADDRESS.test(text)) return { text };
  const shown = text.replace(ENCODED, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
  return { text: shown, encode: encodeURI };
}

/** Adds every string of a value, every member name that is more than a name, and long numbers where asked for. */
function addStrings(value: unknown, path: JsonPath, found: OtherText[], withNumbers: boolean): void {
  if (typeof value === 'string') {
    if (value !== '') found.push({ path, text: value });
  } else if (typeof value === 'number') {
    if (withNumbers && value >= MIN_NUMBER && Number.isSafeInteger(value)) found.push({ path, text: String(value) });
  } else if (Array.isArray(value)) {
    value.forEach((item, at) => addStrings(item, [...path, at], found, withNumbers));
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      const at = [...path, name];
      if (isMoreThanName(name)) found.push({ path: at, text: name, isName: true });
      addStrings(item, at, found, withNumbers);
    }
  }
}

/** The tokens of log probabilities, unless they spell the text beside them; the alternatives to each are read in any case. */
function addTokens(value: unknown, holder: Record<string, unknown>, path: JsonPath, found: OtherText[]): void {
  const of = [...path];
  const all: OtherText[] = [];
  addStrings(value, of, all, false);
  const isChosen = ({ path: at }: OtherText) =>
    at.filter((step) => typeof step === 'number').length === numbersIn(of) + 1;
  const chosen = all.filter((one) => isChosen(one));
  const spelled = chosen.map(({ text }) => text).join('') === spokenBy(holder);
  if (!spelled) found.push(...chosen.map((one) => ({ ...one, token: { of, lead: '' } })));
  const others = all.filter((one) => !isChosen(one));
  found.push(...others.map((one) => ({ ...one, token: { of: [...of, 'alternatives'], lead: ' ' } })));
}

function numbersIn(path: JsonPath): number {
  return path.filter((step) => typeof step === 'number').length;
}

/** The text that stands beside log probabilities, in every API. */
function spokenBy(holder: Record<string, unknown>): string {
  const { text, delta, refusal, message, content } = holder;
  const said = isObject(delta) ? delta : isObject(message) ? message : {};
  const parts = isObject(content) && Array.isArray(content.parts) ? content.parts : [];
  const spoken = [
    text,
    delta,
    refusal,
    said.content,
    said.refusal,
    ...parts.map((part) => Object(part).text as unknown),
  ];
  return spoken.filter((part) => typeof part === 'string').join('');
}
