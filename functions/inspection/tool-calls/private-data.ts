import type { Steps } from '../../kernel/tasks/index.ts';
import type { Call } from './call-evidence.ts';
import { hostsOf } from './call-hosts.ts';
import type { LocatedValue } from './call-values.ts';
import type { Conversation, Place, Source } from './conversation.ts';
import { fold } from './folded.ts';
import { wordsOf } from './tool-meaning.ts';
import { formsOf } from './value-forms.ts';
import { type ValueKind, valuesIn } from './value-kinds.ts';
import { CUES } from './word-groups.ts';

/** What is known about data beside the conversation. */
export interface DataKnowledge {
  /** Whether the results of a tool are private; undefined if only its name says so. */
  isPrivate(tool: string): boolean | undefined;
  /** The passwords, keys and so on in a text. */
  secretsIn(text: string): Steps<readonly string[]>;
}

/** Data of results that a call takes to a destination that neither the user nor the operator named. */
export interface PrivateData {
  readonly destination: LocatedValue;
  readonly places: readonly Place[];
  readonly hasSecret: boolean;
}

const ADDRESSES: ReadonlySet<ValueKind> = new Set(['email', 'url', 'account', 'phone']);
const DATA: ReadonlySet<ValueKind> = new Set(['email', 'account', 'phone', 'id', 'number']);
const SHORTEST_DATUM = 4;
/** A text of so many characters is in two texts because one was copied; every such run has one of half its length. */
const RUN = 40;
const MOST_RUNS = 32;
const MOST_TEXTS = 40;
/** Words of tools that read public pages. */
const PUBLIC = new Set('web browser browse http internet google bing'.split(' '));
/** Names of nothing but these words do so too: `search_mail` does not. */
const PUBLIC_ALONE = new Set('mcp search fetch'.split(' '));
const LINK = CUES.bit('link');

/** Whether the name of a tool says that it reads public pages: `web_search`, `fetch_page`, `fetch`. */
export function namesPublic(tool: string): boolean {
  const words = wordsOf(tool);
  if (words.some((word) => PUBLIC.has(word) || (CUES.ofWord(word) & LINK) !== 0)) return true;
  return words.every((word) => PUBLIC_ALONE.has(word));
}

/** The address or account that a call leads to, if neither the user nor the operator named it. */
function destinationOf(conversation: Conversation, values: readonly LocatedValue[]): LocatedValue | undefined {
  const isNamedHost = (host: string) =>
    conversation.trusted.includes(host) || conversation.calls.some(({ folded }) => folded.includes(host));
  return values.find(
    (value) =>
      ADDRESSES.has(value.kind) &&
      // An address in a text is data.
      (value.role === 'destination' || value.role === 'command' || value.role === 'selector') &&
      !value.isTrusted &&
      !(value.kind === 'url' && hostsOf([value]).some(isNamedHost)),
  );
}

/** Finds the data that a call takes out. `values`: its values as they occur in the conversation. */
export function* privateDataOf(
  conversation: Conversation,
  { tool, arguments: args }: Call,
  values: readonly LocatedValue[],
  knowledge: DataKnowledge,
): Steps<PrivateData | undefined> {
  if (!conversation.tool(tool).meaning.isOutbound) return undefined;
  const destination = destinationOf(conversation, values);
  if (destination === undefined) return undefined;
  const texts = textsOf(args);
  const secrets = yield* secretPlaces(conversation, texts, knowledge);
  if (secrets.length > 0) return { destination, places: secrets, hasSecret: true };
  const own = new Set([...destination.fields, ...destination.prose].map(({ source }) => source));
  const isPrivate = ({ tool: read }: Source) => read !== undefined && (knowledge.isPrivate(read) ?? !namesPublic(read));
  const data = [
    ...valuePlaces(values, destination),
    ...queryPlaces(conversation, destination),
    ...runPlaces(conversation, texts),
  ];
  const places = data
    .filter((all) => !all.some(({ source }) => own.has(source)))
    .flatMap((all) => all.filter(({ source }) => isPrivate(source)));
  return places.length === 0 ? undefined : { destination, places, hasSecret: false };
}

/** The texts in the arguments of a call. */
function textsOf(args: unknown, texts: string[] = []): readonly string[] {
  if (texts.length >= MOST_TEXTS) return texts;
  if (typeof args === 'string') texts.push(args);
  else if (typeof args === 'object' && args !== null) for (const item of Object.values(args)) textsOf(item, texts);
  return texts;
}

function* secretPlaces(
  conversation: Conversation,
  texts: readonly string[],
  { secretsIn }: DataKnowledge,
): Steps<readonly Place[]> {
  const places: Place[] = [];
  for (const text of texts)
    for (const secret of yield* secretsIn(text)) {
      const form = fold(secret).trim();
      if (!conversation.trusted.includes(form))
        places.push(...conversation.placesOf([form], true).filter(({ source }) => source.tool !== undefined));
    }
  return places;
}

/** Where the values of a call that identify something are, beside its destinations. */
function valuePlaces(values: readonly LocatedValue[], destination: LocatedValue): (readonly Place[])[] {
  const isDatum = (value: LocatedValue) =>
    value !== destination &&
    !value.isTrusted &&
    value.role !== 'destination' &&
    value.role !== 'command' &&
    isDistinctive(value);
  return values.filter(isDatum).map(({ fields, prose }) => [...fields, ...prose]);
}

function isDistinctive({ kind, text }: Pick<LocatedValue, 'kind' | 'text'>): boolean {
  if (!DATA.has(kind)) return false;
  const significant = kind === 'number' ? text.replace(/\D/g, '') : text;
  return significant.length >= SHORTEST_DATUM;
}

/** Data that are in the address itself. */
function queryPlaces(conversation: Conversation, { kind, text }: LocatedValue): (readonly Place[])[] {
  const start = text.search(/[^:/][/?#]/);
  if (kind !== 'url' || start < 0) return [];
  return valuesIn(text.slice(start + 2).replace(/[?&=/#]/g, ' '))
    .filter(isDistinctive)
    .map((value) => formsOf(value.text, value.kind))
    .filter((forms) => !forms.some((form) => conversation.trusted.includes(form)))
    .map((forms) => conversation.placesOf(forms, false));
}

/** Where texts of a call were copied from. */
function runPlaces(conversation: Conversation, texts: readonly string[]): (readonly Place[])[] {
  return texts.flatMap((text) => {
    const folded = fold(text);
    const step = Math.max(RUN / 2, Math.ceil(folded.length / MOST_RUNS));
    const found: (readonly Place[])[] = [];
    for (let at = 0; at + RUN <= folded.length; at += step) {
      const run = folded.slice(at, at + RUN);
      if (!conversation.trusted.includes(run)) found.push(conversation.placesOf([run], true));
    }
    return found;
  });
}
