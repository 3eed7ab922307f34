import { isObject, type JsonPath } from '../../../kernel/json/index.ts';
import { type Author, isProse, type RequestText, SURFACE_OF } from '../../../kernel/model/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import type { Mode, Places } from './request-places.ts';

/** The shortest integer that can identify a person, an account or a card. */
const MIN_NUMBER = 100_000_000;
/** Ids, switches and names have no spaces and are ASCII: other scripts can write sentences without spaces. */
const WORD = /^[\x21-\x7e]+$/;
const WEB_ADDRESS = /^https?:\/\//;
/** Base64, plain or as a data URL. */
const MEDIA = /^(?:data:[\w.+-]+\/[\w.+-]+(?:;[\w=.+-]+)*;base64,)?[A-Za-z0-9+/_-]*={0,2}$/;
/** A shorter string is not a real signature or ciphertext. */
const MIN_SEALED_CHARS = 8;
const SEALED = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** Words in the base64 alphabet, such as placeholders that providers accept as a signature. */
const WORDS = /[a-z]{2,}_[a-z]{2,}_[a-z]{2,}/;
/** In a longer text such words occur by chance. */
const MAX_WORDS_CHARS = 256;

/** Who wrote a value of a request, and where. */
export interface TextOrigin {
  readonly author: Author;
  readonly message: number | null;
  readonly turnsAgo: number;
  /** Whether provider signatures and ciphertext can occur here. */
  readonly seals?: boolean;
  readonly isContent?: (place: string) => boolean;
  readonly isReadOnly?: (place: string) => boolean;
  /** The value is a document in the user's message. */
  readonly isDocument?: boolean;
}

/** A long integer as text; undefined for any other number. JSON parsers round beyond 2^53. */
export function longNumber(value: number): string | undefined {
  return Math.abs(value) >= MIN_NUMBER && Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Whether a value is a signature or ciphertext by which a provider recognizes its own output. */
export function isSealed(value: unknown): boolean {
  return typeof value === 'string' && value.length >= MIN_SEALED_CHARS && SEALED.test(value) && !hasWords(value);
}

function hasWords(base64: string): boolean {
  return base64.length <= MAX_WORDS_CHARS && WORDS.test(base64);
}

/** An origin outside the messages. */
export function outsideMessages(author: Author): TextOrigin {
  return { author, message: null, turnsAgo: 0 };
}

/** A value's place and what is known about it. */
interface Node {
  readonly place: string;
  readonly mode: Mode;
  /** The member that holds the value, or the array that contains it. */
  readonly name: string;
  readonly holder: object | undefined;
  /** Previous elements have the same member names. */
  readonly isRepeat: boolean;
}

/** So many objects and lists are read in about a millisecond. */
const STEP_VALUES = 256;
/** The same for strings of a list. */
const STEP_ITEMS = 1024;

/** Collects every string and every member name of a parsed request, in order. */
export class RequestTextReader {
  readonly texts: RequestText[] = [];
  private readonly places: Places;
  private values = 0;
  /** Member names of the API by author. */
  private readonly known = new Map<Author, Set<string>>();
  private origin: TextOrigin = outsideMessages('user');
  /** Path of the current value: modified in place and copied only for a text. */
  private path: (string | number)[] = [];

  constructor(places: Places) {
    this.places = places;
  }

  /** Reads the value at `path` with one origin, of which a request may have tens of thousands. */
  *read(value: unknown, path: JsonPath, origin: TextOrigin): Steps<void> {
    this.origin = origin;
    this.path = [...path];
    const place = this.places.placeOf(path);
    const mode = this.places.modeAt(place, 'api');
    const name = path.findLast((step): step is string => typeof step === 'string') ?? '';
    yield* this.walk(value, { place, mode, name, holder: undefined, isRepeat: false });
  }

  private *walk(value: unknown, node: Node): Steps<void> {
    if (typeof value !== 'object') {
      this.leaf(value, node);
      return;
    }
    this.values += 1;
    if (this.values % STEP_VALUES === 0) yield;
    if (Array.isArray(value)) yield* this.items(value, node);
    else if (isObject(value)) yield* this.members(value, node);
  }

  private leaf(value: unknown, node: Node): void {
    if (typeof value === 'string') {
      if (value !== '') this.string(value, node);
    } else if (typeof value === 'number') {
      const digits = node.mode === 'free' ? longNumber(value) : undefined;
      if (digits !== undefined) this.add(digits, node.place);
    }
  }

  private *items(items: readonly unknown[], around: Node): Steps<void> {
    const node = { ...around, place: this.places.under(around.place, 0) };
    const repeated = around.isRepeat ? node : { ...node, isRepeat: true };
    for (let at = 0; at < items.length; at += 1) {
      const item = items[at];
      // Embedding tokens are long lists of numbers.
      if (typeof item === 'number' && Math.abs(item) < MIN_NUMBER) continue;
      this.path.push(at);
      if (typeof item === 'object') yield* this.walk(item, repeatsNames(items, at) ? repeated : node);
      else this.leaf(item, node);
      if (at % STEP_ITEMS === STEP_ITEMS - 1) yield;
      this.path.pop();
    }
  }

  private *members(holder: Readonly<Record<string, unknown>>, around: Node): Steps<void> {
    const { mode, isRepeat } = around;
    const isFixed = mode === 'api' || mode === 'schema';
    const kind = { name: 'member', ...(isFixed && { isFixed }) } as const;
    // Places have no meaning in free JSON.
    const inFree = mode === 'free' ? `${around.place}.*` : undefined;
    for (const name of Object.keys(holder)) {
      const item = holder[name];
      if (item === undefined) continue;
      const place = inFree ?? this.places.under(around.place, name);
      this.path.push(name);
      if (!isRepeat && !(isFixed && this.isKnown(name))) this.add(name, place, kind);
      const node = { place, mode: this.places.modeAt(place, mode, name), name, holder, isRepeat };
      if (typeof item === 'object') yield* this.walk(item, node);
      else this.leaf(item, node);
      this.path.pop();
    }
  }

  /** Whether an author's name of a member came before: each message has the same ones, which are inspected once. */
  private isKnown(name: string): boolean {
    const known = this.known.get(this.origin.author) ?? new Set();
    this.known.set(this.origin.author, known);
    if (known.has(name)) return true;
    // Prose is inspected by itself, at each place.
    if (!isProse(name)) known.add(name);
    return false;
  }

  private string(text: string, node: Node): void {
    const { kind, isJson } = this.kindOf(text, node);
    if (kind === 'opaque') return;
    if (kind === 'name') this.add(text, node.place, { name: 'value' });
    else if (kind === 'fixed') this.add(text, node.place, { name: 'value', isFixed: true });
    else if (this.places.isUnread(text, node.place)) this.add(text, node.place, { isUnread: true });
    else {
      this.add(text, node.place, isJson ? { isJson } : undefined);
      if (isJson || this.origin.author === 'tool') this.namesIn(text, node.place);
    }
  }

  private kindOf(text: string, { place, mode, name, holder }: Node): { kind: string; isJson?: true } {
    const { places, origin } = this;
    if (places.isJson(place)) return { kind: 'text', isJson: true };
    if (mode === 'free' || mode === 'map') return { kind: 'text' };
    if (places.isSealed(place, holder) && origin.seals && isSealed(text)) return { kind: 'opaque' };
    if (places.isMedia(place, holder)) {
      if (MEDIA.test(text) && !hasWords(text)) return { kind: 'opaque' };
      return { kind: WORD.test(text) && (WEB_ADDRESS.test(text) || !isProse(text)) ? 'fixed' : 'text' };
    }
    if (!WORD.test(text)) return { kind: 'text' };
    if (places.isFixed(text, place, name, mode)) return { kind: 'fixed' };
    return { kind: places.isName(name, mode) && !isProse(text) ? 'name' : 'text' };
  }

  /** Member names in a text that is JSON: a model reads them like those of an object. */
  private namesIn(text: string, place: string): void {
    const value = parsed(text);
    const visit = (item: unknown): void => {
      if (Array.isArray(item)) {
        for (const [at, one] of item.entries()) if (!repeatsNames(item, at)) visit(one);
      } else if (isObject(item)) {
        for (const [name, member] of Object.entries(item)) {
          if (!isProse(name)) this.add(name, place, { name: 'member' });
          visit(member);
        }
      }
    };
    visit(value);
  }

  private add(text: string, place: string, kind?: Pick<RequestText, 'name' | 'isFixed' | 'isJson' | 'isUnread'>): void {
    const { author, message, turnsAgo, isContent, isReadOnly, isDocument } = this.origin;
    const isText = kind?.name === undefined;
    this.texts.push({
      path: [...this.path],
      text,
      surface: SURFACE_OF[author],
      author,
      message,
      turnsAgo,
      isContent: isText && (isContent?.(place) ?? false),
      ...(isText && isReadOnly?.(place) && { isReadOnly: true as const }),
      ...(isText && isDocument && { isDocument: true as const }),
      ...kind,
    });
  }
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether an element has the same member names as the two before it, like rows of a table: its names are then not read again. */
function repeatsNames(items: readonly unknown[], at: number): boolean {
  return at >= 2 && haveSameNames(items[at], items[at - 1]) && haveSameNames(items[at], items[at - 2]);
}

function haveSameNames(a: unknown, b: unknown): boolean {
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(b);
    const entries = Object.entries(a);
    return (
      entries.length === names.length &&
      entries.every(([name, value], at) => name === names[at] && haveSameNames(value, b[name]))
    );
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    const [longer, shorter] = a.length < b.length ? [b, a] : [a, b];
    return longer.every((item, at) => haveSameNames(item, shorter[at]));
  }
  return hasNoNames(a) && hasNoNames(b);
}

function hasNoNames(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(hasNoNames);
  return !isObject(value) || Object.keys(value).length === 0;
}

/** The names of the fields outside the messages that hold texts. */
export function fieldsOutsideMessages(texts: readonly RequestText[]): string[] {
  const fields = new Set<string>();
  for (const { message, isFixed, path } of texts) if (message === null && !isFixed) fields.add(String(path[0]));
  return [...fields];
}
