import { toParam } from '../../../kernel/errors/index.ts';
import { isBase64, isObject, type JsonPath } from '../../../kernel/json/index.ts';
import { longNumber } from './request-texts.ts';

/**
 * The content of a place in a response, if it is not ordinary text:
 * - `text`: a string that the protocol's own reader takes
 * - `id`: an id, a name or a switch
 * - `data`: base64 or a sealed value
 * - `address`: a media URL
 * - `free`: any JSON that a model writes, numbers included
 * - `logprobs`: tokens of the text beside it
 */
export type PlaceKind = 'text' | 'id' | 'data' | 'address' | 'free' | 'logprobs';

/** A place of a response, with the places below it. */
export interface Place {
  kind?: PlaceKind;
  items?: Place;
  readonly members: Map<string, Place>;
  /** The last id at this place: nearly every chunk of a stream repeats it (saves 15 % of reading one). */
  lastId?: string;
}

/** Places by kind, such as `choices[].delta.content`, separated by spaces. */
export type PlaceList = Readonly<Partial<Record<PlaceKind, string>>>;

/** The place tree of a response, built from lists under prefixes. */
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

/** An id, name or switch: no space, no URL, too short for a text. */
const ID = /^[\w.:/@+=,~|-]{0,128}$/;
const MEDIA_URL = /^data:(?:image|audio|video)\/[\w.+-]{1,32};base64,/;
const ADDRESS = /^https?:\/\/\S{1,4096}$/;
/** Member names of an API. Secrets and URLs contain digits or other characters, or are longer. */
const NAME = /^(?:[A-Za-z_]{1,64}|[@$A-Za-z_][\w$-]{0,15})$/;
const MAX_INDEX = 1_000_000;
const MAX_KIND_CHARS = 128;
/** Percent-encoded letters, digits and spaces: a signed URL has none, an encoded text does. */
const HIDDEN = /%(?:20|3[0-9]|[46][1-9a-f]|[57][0-9a])/i;
const ENCODED = /(?:%[0-9a-f]{2}){1,96}/gi;

/** A path as findings show it, `choices[0].note`. Member names that may hold text are masked. */
export function placeName(path: JsonPath): string {
  return toParam(path.map((step) => (typeof step === 'number' || NAME.test(step) ? step : '*')));
}

/** A provider's event type as findings show it. */
export function kindName(type: unknown): string {
  return typeof type === 'string' && type.length <= MAX_KIND_CHARS ? placeName(type.split('.')) : '*';
}

/** A provider's list index as findings show it. */
export function indexName(index: unknown): string {
  return Number.isInteger(index) && Math.abs(index as number) <= MAX_INDEX ? String(index) : '*';
}

/**
 * The index that an item of a provider's list names, or its position. A client may join pieces by any value, so one that is no number is refused.
 * @throws SyntaxError
 */
export function indexIn(item: unknown, at: number): number {
  const index = isObject(item) ? item.index : undefined;
  if (typeof index === 'number') return index;
  if (index === undefined || index === null) return at;
  throw new SyntaxError('an index that is no number');
}

/** Whether a text has the form of an id. Anything else is treated as text, wherever it is. */
export function isIdShaped(text: string): boolean {
  return ID.test(text) && !text.includes('//');
}

function isData(text: string): boolean {
  const lead = MEDIA_URL.exec(text)?.[0].length ?? 0;
  return isBase64(text.slice(lead));
}

/** A provider's id or name that the gateway may write elsewhere; undefined if it is not one. */
export function idIn(value: unknown): string | undefined {
  return typeof value === 'string' && isIdShaped(value) ? value : undefined;
}

/** A text that the protocol's own reader does not take. */
export interface UnlistedText {
  readonly path: JsonPath;
  readonly text: string;
  /** The text is the name of the member at the path. */
  readonly isName?: true;
  /** Encodes a changed text for the path. */
  readonly encode?: (text: string) => string;
  /** The text is one of several in an object that are read as one text: a log probability's token, a name in a free value. */
  readonly token?: { readonly of: JsonPath; readonly lead: string };
  /** A token that repeats text inspected elsewhere. */
  readonly isInspected?: true;
}

/**
 * Texts of one piece. Each takes some microseconds, which cannot pause. Log probabilities of 1,000 tokens with 20 alternatives each have
 * 21,000.
 */
export const MAX_TEXTS = 25_000;

function add(found: UnlistedText[], one: UnlistedText): void {
  if (found.length >= MAX_TEXTS) throw new RangeError(`more than ${MAX_TEXTS} texts outside of the message`);
  found.push(one);
}

/**
 * Every string of a response that its places do not exclude, in order. Member names that may hold text are included.
 * @throws RangeError for too many
 */
export function unlistedTexts(value: unknown, place: Place | undefined, path: JsonPath = []): UnlistedText[] {
  const found: UnlistedText[] = [];
  walk(value, place, [...path], found);
  return found;
}

/** `path` is modified during the walk and copied only for results. */
function walk(value: unknown, place: Place | undefined, path: (string | number)[], found: UnlistedText[]): void {
  if (typeof value === 'string') {
    if (value !== '' && !isKnown(value, place)) add(found, { path: [...path], ...textOf(value, place) });
  } else if (typeof value === 'number' || isFree(place)) {
    addFree(value, [...path], found);
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
  found: UnlistedText[],
): void {
  for (const name in value) {
    const member = value[name];
    const below = place?.members.get(name);
    if (below === undefined && !NAME.test(name)) add(found, { path: [...path, name], text: name, isName: true });
    if (typeof member === 'string') {
      if (member === '' || isKnown(member, below)) continue;
    } else if ((typeof member !== 'object' || member === null) && below?.kind !== 'free' && below?.kind !== 'text')
      continue;
    path.push(name);
    if (below?.kind === 'logprobs') addTokens(member, value, path, found);
    else walk(member, below, path, found);
    path.pop();
  }
}

/** Some providers write JSON instead of JSON text. */
function isFree(place: Place | undefined): boolean {
  if (place?.kind === 'free') return true;
  return place?.kind === 'text' && place.items === undefined && place.members.size === 0;
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

/** The inspected form of a text: media URLs are percent-decoded. */
function textOf(text: string, place: Place | undefined): Pick<UnlistedText, 'text' | 'encode'> {
  if (place?.kind !== 'address' || !ADDRESS.test(text)) return { text };
  const shown = text.replace(ENCODED, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
  return { text: shown, encode: encodeURI };
}

/** Separates names, so that two of them form no phrase or number: no rule matches across it. */
const BETWEEN_NAMES = ' § ';

/** Adds every string and long number of a free value, and then all member names as one text. */
function addFree(root: unknown, path: JsonPath, found: UnlistedText[]): void {
  const names: UnlistedText[] = [];
  const token = { of: path, lead: BETWEEN_NAMES };
  const visit = (value: unknown, at: JsonPath): void => {
    if (typeof value === 'string') {
      if (value !== '') add(found, { path: at, text: value });
    } else if (typeof value === 'number') {
      const digits = longNumber(value);
      if (digits !== undefined) add(found, { path: at, text: digits });
    } else if (Array.isArray(value)) {
      value.forEach((item, index) => visit(item, [...at, index]));
    } else if (isObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        const member = [...at, name];
        if (name !== '') names.push({ path: member, text: name, isName: true, token });
        visit(item, member);
      }
    }
  };
  visit(root, path);
  for (const name of names) add(found, name);
}

/** Members of log probabilities in the supported APIs. */
const OF_TOKENS = new Set(
  'content refusal token logprob bytes top_logprobs tokens token_logprobs text_offset topCandidates candidates chosenCandidates tokenId logProbability logProbabilitySum'.split(
    ' ',
  ),
);
/** Alternatives beyond this rank form one text. */
const MAX_RANK = 32;

/** Identifies the text of a token: empty for the chosen text, the rank of an alternative, or their bytes. */
type Series = readonly (string | number)[];
const CHOSEN: Series = [];
const RANKS: readonly Series[] = Array.from({ length: MAX_RANK + 1 }, (_, index) => ['alternatives', index]);

/**
 * The tokens of log probabilities: the chosen ones, the alternatives of each rank, and their bytes if they encode another text. Clients can
 * join each into a text.
 */
class TokenSeries {
  private readonly texts = new Map<Series, UnlistedText[]>();
  private readonly bytes = new Map<Series, { path: JsonPath; all: number[]; tokens: string }>();
  private readonly of: JsonPath;
  /** The place that is read; copied only for results. */
  private readonly at: (string | number)[];
  /** The numbers in that place beyond those of `of`. */
  private depth = 0;

  constructor(of: JsonPath) {
    this.of = of;
    this.at = [...of];
  }

  read(item: unknown, series: Series = CHOSEN): void {
    if (typeof item === 'string') {
      if (item !== '') this.add(series, { path: [...this.at], text: item });
    } else if (Array.isArray(item)) {
      const isOfOne = this.depth > 0;
      this.depth += 1;
      for (let index = 0; index < item.length; index += 1)
        this.readAt(index, item[index], isOfOne ? rank(index) : series);
      this.depth -= 1;
    } else if (isObject(item)) {
      let index = 0;
      for (const name in item) {
        const member = item[name];
        if (!OF_TOKENS.has(name)) this.add(rank(index), { path: [...this.at, name], text: name, isName: true });
        if (name === 'bytes' && member !== null) this.addBytes(series, [...this.at, name], member, item.token);
        else this.readAt(name, member, series);
        index += 1;
      }
    }
  }

  /** All texts except those that only repeat `beside`. */
  otherThan(beside: string): UnlistedText[] {
    const chosen = this.texts.get(CHOSEN) ?? [];
    const isInspected = chosen.length > 0 && chosen.map(({ text }) => text).join('') === beside;
    if (isInspected) {
      const inspected = chosen.map((one) => ({ ...one, isInspected: true as const }));
      this.texts.set(CHOSEN, inspected);
    }
    for (const [series, { path, all, tokens }] of this.bytes) {
      const text = Buffer.from(all).toString();
      if (text !== tokens) this.add([...series, 'bytes'], { path, text });
    }
    return [...this.texts.values()].flat();
  }

  private readAt(step: string | number, item: unknown, series: Series): void {
    if (typeof item !== 'string' && typeof item !== 'object') return;
    this.at.push(step);
    this.read(item, series);
    this.at.pop();
  }

  private add(series: Series, { path, text, isName }: UnlistedText): void {
    let known = this.texts.get(series);
    if (known === undefined) {
      known = [];
      this.texts.set(series, known);
    }
    const token = known[0]?.token ?? { of: [...this.of, ...series], lead: '' };
    known.push(isName ? { path, text, isName, token } : { path, text, token });
  }

  private addBytes(series: Series, path: JsonPath, bytes: unknown, token: unknown): void {
    // Clients read other numbers as bytes too.
    if (!Array.isArray(bytes) || !bytes.every(isByte)) throw new RangeError('bytes of a token that are no bytes');
    let known = this.bytes.get(series);
    if (known === undefined) {
      known = { path, all: [], tokens: '' };
      this.bytes.set(series, known);
    }
    for (const byte of bytes) known.all.push(byte);
    if (typeof token === 'string') known.tokens += token;
  }
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;
}

function rank(index: number): Series {
  return RANKS[Math.min(index, MAX_RANK)] as Series;
}

function addTokens(value: unknown, holder: Record<string, unknown>, path: JsonPath, found: UnlistedText[]): void {
  const series = new TokenSeries([...path]);
  series.read(value);
  for (const one of series.otherThan(textBeside(holder))) add(found, one);
}

/** The text beside log probabilities, in every API. */
function textBeside(holder: Record<string, unknown>): string {
  const { text, delta, refusal, message, content } = holder;
  const holding = isObject(delta) ? delta : isObject(message) ? message : {};
  const parts = isObject(content) && Array.isArray(content.parts) ? content.parts : [];
  const texts = [
    text,
    delta,
    refusal,
    holding.content,
    holding.refusal,
    ...parts.map((part) => Object(part).text as unknown),
  ];
  return texts.filter((part) => typeof part === 'string').join('');
}
