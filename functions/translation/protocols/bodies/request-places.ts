import { GatewayError, toParam } from '../../../kernel/errors/index.ts';
import { isObject, type JsonPath } from '../../../kernel/json/index.ts';
import { asReadLeniently, HOLD_OTHER_NAMES, KNOWN_NAMES } from './member-names.ts';

/** How the members at a place are read: API fields, any JSON, a JSON schema, or members that the caller names. */
export type Mode = 'api' | 'free' | 'schema' | 'map';

/** The strings of a request that are not plain text, as space-separated lists of names or places. */
export interface PlaceLists {
  /** Members whose strings the API defines or creates: roles, types, ids. */
  readonly fixed?: string;
  /** Members whose strings name tools, functions and files. */
  readonly names?: string;
  /** Places that are fixed with all their members: `tools[].headers`. */
  readonly fixedIn?: string;
  /** Values that may be any JSON: `metadata`. */
  readonly free?: string;
  readonly schemas?: string;
  /** Strings that hold JSON. */
  readonly json?: string;
  /** Base64 or media URLs; `place@type` only in an object of that type. */
  readonly media?: string;
  /** Signatures and ciphertext of the provider, with the same syntax. */
  readonly sealed?: string;
  /** Short strings that no model reads, such as stop sequences. */
  readonly unread?: string;
  /** The API's own members besides those that all APIs have, in the only spelling that is accepted. */
  readonly known?: string;
  /** `from=to`: places that hold the same values. */
  readonly same?: string;
}

/** Longer than any stop sequence. */
const MAX_UNREAD_CHARS = 64;
/** Names that set the prototype of an object if code copies them carelessly. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);
/** JSON schema keywords whose members the caller names. */
const MAPS = new Set('properties $defs definitions patternProperties dependentSchemas dependentRequired'.split(' '));
/** JSON schema keywords whose values are any JSON. */
const VALUES = new Set(['default', 'const', 'enum', 'example', 'examples']);
/** JSON schema keywords whose strings match a fixed pattern. */
const SCHEMA_WORDS: Readonly<Record<string, RegExp>> = {
  type: /^(?:string|number|integer|boolean|object|array|null)$/i,
  format: /^[a-z0-9-]{1,32}$/,
  $ref: /^#[\w/$.%-]*$/,
  $schema: /^https?:\/\/json-schema\.org\/[\w/#.-]*$/,
};
const SCHEMA_NAMES = new Set(['required', 'propertyOrdering']);

/** Where a protocol's requests have names, media and free JSON. A place is a path without indexes: `messages[].content[].text`. */
export class Places {
  private readonly fixed: ReadonlySet<string>;
  private readonly names: ReadonlySet<string>;
  private readonly fixedIn: readonly string[];
  private readonly modes: ReadonlyMap<string, Mode>;
  private readonly json: ReadonlySet<string>;
  private readonly media: ReadonlyMap<string, string | undefined>;
  private readonly sealed: ReadonlyMap<string, string | undefined>;
  private readonly unread: ReadonlySet<string>;
  private readonly same: ReadonlyMap<string, string>;
  private readonly spelling: (name: string) => string;
  /** Known names, and the same by the form in which a lenient server reads them. */
  private readonly known: ReadonlySet<string>;
  private readonly knownAs: ReadonlyMap<string, string>;

  /** @param spelling normalizes a member name */
  constructor(lists: PlaceLists, spelling: (name: string) => string = (name) => name) {
    const { fixed, names, fixedIn, free, schemas, json, media, sealed, unread, known, same } = lists;
    this.fixed = new Set(words(fixed));
    this.names = new Set(words(names));
    this.fixedIn = words(fixedIn).map((place) => `${place}.`);
    this.modes = new Map([
      ...words(free).map((place): [string, Mode] => [place, 'free']),
      ...words(schemas).map((place): [string, Mode] => [place, 'schema']),
    ]);
    this.json = new Set(words(json));
    this.media = typed(media);
    this.sealed = typed(sealed);
    this.unread = new Set(words(unread));
    this.same = new Map(words(same).map((pair) => pair.split('=') as [string, string]));
    this.spelling = spelling;
    const common = KNOWN_NAMES.map(spelling);
    // An API in camelCase has no other names with underscores.
    this.known = new Set(
      known === undefined ? common : [...common.filter((name) => !name.includes('_')), ...words(known)],
    );
    this.knownAs = new Map([...this.known].map((name) => [asReadLeniently(name), name]));
  }

  placeOf(path: JsonPath): string {
    return path.reduce<string>((place, step) => this.under(place, step), '');
  }

  /** The place of a member, or of the elements of an array. */
  under(place: string, step: string | number): string {
    const below =
      typeof step === 'number' ? `${place}[]` : place === '' ? this.nameIn(step) : `${place}.${this.nameIn(step)}`;
    return this.same.get(below) ?? below;
  }

  modeAt(place: string, around: Mode, name = ''): Mode {
    if (around === 'free') return 'free';
    if (around === 'map') return 'schema';
    if (around === 'schema') return MAPS.has(name) ? 'map' : VALUES.has(name) ? 'free' : 'schema';
    return this.modes.get(place) ?? 'api';
  }

  isJson(place: string): boolean {
    return this.json.has(place);
  }

  isSealed(place: string, holder: object | undefined): boolean {
    return isIn(this.sealed, place, holder);
  }

  isMedia(place: string, holder: object | undefined): boolean {
    return isIn(this.media, place, holder);
  }

  isUnread(text: string, place: string): boolean {
    return text.length <= MAX_UNREAD_CHARS && this.unread.has(place);
  }

  isFixed(text: string, place: string, name: string, mode: Mode): boolean {
    if (mode === 'schema') return Object.hasOwn(SCHEMA_WORDS, name) && SCHEMA_WORDS[name]?.test(text) === true;
    return this.fixed.has(this.spelling(name)) || this.fixedIn.some((around) => `${place}.`.startsWith(around));
  }

  isName(name: string, mode: Mode): boolean {
    return mode === 'schema' ? SCHEMA_NAMES.has(name) : this.names.has(this.spelling(name));
  }

  /** A member's name as places spell it: one that looks like a path is quoted. */
  private nameIn(step: string): string {
    return /[.[\]]/.test(step) ? JSON.stringify(step) : this.spelling(step);
  }

  /**
   * Refuses member names that code may mistake for an object's prototype, and other spellings of known names, which a lenient server would
   * read and we would not. Not in free JSON. @param isApi whether the names have the API's meaning @throws GatewayError
   */
  refuseNames(value: unknown, isApi = true): void {
    this.refuseIn(value, '', [], isApi);
  }

  /** `path` is modified during the walk. `isApi`: it leads over known names only, so that names below have the API's meaning. */
  private refuseIn(value: unknown, place: string, path: (string | number)[], isApi: boolean): void {
    if (Array.isArray(value)) {
      const below = this.under(place, 0);
      for (let at = 0; at < value.length; at += 1) {
        if (typeof value[at] !== 'object') continue;
        path.push(at);
        this.refuseIn(value[at], below, path, isApi);
        path.pop();
      }
    } else if (isObject(value)) {
      for (const name of Object.keys(value)) {
        if (RESERVED.has(name)) {
          const param = toParam([...path, name]);
          throw new GatewayError('invalid_value', `The member name '${name}' is not allowed here.`, { param });
        }
        const isKnown = this.known.has(name);
        if (isApi && !isKnown) this.refuseSpelling(name, path);
        if (typeof value[name] !== 'object') continue;
        const below = this.under(place, name);
        // Free JSON and schemas contain no API members.
        if (this.modeAt(below, 'api') !== 'api') continue;
        path.push(name);
        this.refuseIn(value[name], below, path, isApi && isKnown && !HOLD_OTHER_NAMES.has(name));
        path.pop();
      }
    }
  }

  private refuseSpelling(name: string, path: JsonPath): void {
    const known = this.knownAs.get(asReadLeniently(name));
    if (known === undefined) return;
    const message = `'${name}' is another spelling of '${known}', which some servers read: spell it as documented, or remove it.`;
    throw new GatewayError('invalid_value', message, { param: toParam([...path, name]) });
  }
}

function typed(list: string | undefined): ReadonlyMap<string, string | undefined> {
  return new Map(words(list).map((word) => word.split('@') as [string, string | undefined]));
}

function isIn(places: ReadonlyMap<string, string | undefined>, place: string, holder: object | undefined): boolean {
  if (!places.has(place)) return false;
  const type = places.get(place);
  return type === undefined || (holder as { type?: unknown } | undefined)?.type === type;
}

function words(list: string | undefined): string[] {
  return list === undefined ? [] : list.split(/\s+/).filter((word) => word !== '');
}
