import { fold } from './folded.ts';
import { CUES, type Cue, VERBS, type Verb } from './word-groups.ts';

/** What a call of a tool does; the strongest that applies. */
export type Effect = 'read' | 'write' | 'send' | 'execute' | 'remove';

/** A tool as the client declares it. */
export interface DeclaredTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments. */
  readonly parameters?: unknown;
}

export interface ToolMeaning {
  readonly effect: Effect;
  /** Groups of VERBS by which a user would ask for a call. */
  readonly verbs: number;
  /** The same without the things in its name: a question about a mail is no request to delete one. */
  readonly deeds: number;
  /** Whether data may leave with a call. */
  readonly isOutbound: boolean;
  /** Words of the name, folded. */
  readonly words: readonly string[];
}

/** Whether a call does more than read, or may take data out: others are not scored. */
export function hasEffect({ effect, isOutbound }: ToolMeaning): boolean {
  return effect !== 'read' || isOutbound;
}

/** Verbs that name a thing in most names of tools: they say what a tool does only if no other word does. */
export const NOUNS: ReadonlySet<string> = new Set(
  'mail mails email emails message messages comment comments order orders post posts record records note notes log logs event events ticket tickets file files booking bookings payment payments transfer transfers account accounts list set tag tags label labels share shares invoice invoices contact contacts draft drafts access report reports test tests project bank vendor batch batches issue issues user users group permission permissions notification notifications subscription reservation refund refunds purchase schedule schedules release releases archive build builds deployment deployments transaction transactions member members attendee subscriber call'.split(
    ' ',
  ),
);
const EFFECTS: Readonly<Record<Verb, Effect>> = {
  pay: 'send',
  send: 'send',
  publish: 'send',
  grant: 'send',
  enrol: 'write',
  create: 'write',
  buy: 'send',
  remove: 'remove',
  change: 'write',
  decide: 'write',
  execute: 'execute',
  read: 'read',
};
/** Verbs that say less than the thing that is made: `create_payment` pays. */
const MAKES = VERBS.bit('create') | VERBS.bit('execute') | VERBS.bit('decide');
const MONEY = VERBS.bit('pay') | VERBS.bit('buy');
/** What may follow such a thing in a name. */
const FORMS = new Set('intent request instruction v1 v2 v3'.split(' '));
/** Words between two verbs of a name. */
const JOINS = new Set('and or then und oder et ou puis y o e ed i lub и или'.split(' '));
const READ = VERBS.bit('read');
const EXECUTE = VERBS.bit('execute');
const cuesOf = (...cues: Cue[]) => cues.reduce((set, cue) => set | CUES.bit(cue), 0);
const ADDRESSES = cuesOf('email', 'link', 'account', 'phone');
const PEOPLE = cuesOf('person', 'channel');
const PROGRAM = /^(?:command|cmd|code|script|shell|sql|expression|program)$/i;
const RECIPIENT = /^(?:to|cc|bcc|recipients?|url|uri|webhook)$/i;

/** The words of a name: `createTicket`, `gmail.messages.send`, `kontakt_anlegen`. Folded. */
export function wordsOf(name: string): string[] {
  return fold(name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** What a tool does, by the verbs of its name, else of its description, and by its arguments. What stays unknown counts as a write. */
export function meaningOf({ name, description = '', parameters }: DeclaredTool): ToolMeaning {
  const words = wordsOf(name);
  const groups = words.map((word) => VERBS.ofWord(word));
  const own = groups[verbAt(words, groups)];
  const sentence = fold(description.split(/[.\n。]/)[0] ?? '');
  const described = VERBS.in(sentence);
  const members = Object.keys((parameters as { properties?: object } | undefined)?.properties ?? {});
  const paid = moneyIn(words, groups, own);
  const isProgram = members.some((member) => PROGRAM.test(member));
  const effect = isProgram ? 'execute' : paid !== 0 ? 'send' : effectOf(own ?? firstVerbs(sentence));
  const all = groups.reduce((set, group) => set | group, described) & ~READ;
  const verbs = effect === 'execute' ? all | EXECUTE : all & ~(EXECUTE & ~(own ?? described));
  const isAddressed = members.some((one) => RECIPIENT.test(one) || (CUES.in(wordsOf(one).join(' ')) & ADDRESSES) !== 0);
  const asked = effect === 'read' ? READ : verbs || own || described;
  return {
    effect,
    verbs: asked,
    deeds: effect === 'remove' && own !== undefined ? own : asked,
    isOutbound: effect === 'send' || effect === 'execute' || isAddressed,
    words: words.filter((word) => word.length > 2),
  };
}

function effectOf(verbs: number): Effect {
  if ((verbs & READ) !== 0) return 'read';
  const verb = VERBS.first(verbs);
  return verb === undefined ? 'write' : EFFECTS[verb];
}

/** The groups of the payment or purchase that a tool makes: of the last thing in its name, if its verb is one such as "create". */
function moneyIn(words: readonly string[], groups: readonly number[], own = 0): number {
  if ((own & MAKES) === 0) return 0;
  const last = words.findLastIndex((word, at) => !FORMS.has(word) && groups[at] !== own);
  return (groups[last] ?? 0) & MONEY;
}

/** The groups of verbs in a text, without those of words that name a thing there: "mail Kim" and "please mail it", not "my mail". */
export function deedsIn(text: string): number {
  let before = '';
  const deeds = fold(text).replace(WORD_OR_BORDER, (found, word: string | undefined) => {
    const isThing = word !== undefined && NOUNS.has(word) && before !== '' && !BEFORE_VERBS.has(before);
    before = word ?? '';
    return isThing ? '' : found;
  });
  return VERBS.in(deeds);
}

/** A word, or what ends a clause. */
const WORD_OR_BORDER = /([\p{L}\p{M}\p{N}]+)|[.,:;!?\n]/gu;
const BEFORE_VERBS = new Set('please to and then you also or will must should i we just'.split(' '));

/** The groups of the first verb in a folded sentence. */
function firstVerbs(sentence: string): number {
  for (const word of sentence.split(/[^\p{L}\p{M}]+/u)) {
    const verbs = VERBS.ofWord(word);
    if (verbs !== 0) return verbs;
  }
  return 0;
}

/**
 * The word that says what a tool does: the first verb, or that with which it goes on (`find_and_pay`) if the first one reads; a noun only if
 * there is no other. -1 if there is none.
 */
function verbAt(words: readonly string[], groups: readonly number[]): number {
  const isVerb = (word: string, at: number) => groups[at] !== 0 && !NOUNS.has(word);
  const verb = words.findIndex(isVerb);
  if (verb >= 0) {
    const reads = (at: number) => ((groups[at] ?? 0) & READ) !== 0;
    const next = words.findIndex(
      (word, at) => at > verb && JOINS.has(words[at - 1] ?? '') && !reads(at) && isVerb(word, at),
    );
    return reads(verb) && next >= 0 ? next : verb;
  }
  const list = words.lastIndexOf('list');
  return list >= 0 ? list : groups.findLastIndex((group) => group !== 0);
}

/** What an argument is for. `none`: it has no value that a text could give, such as a page size. */
export type Role =
  | 'destination'
  | 'secret'
  | 'command'
  | 'link'
  | 'selector'
  | 'amount'
  | 'time'
  | 'content'
  | 'package'
  | 'none';

/** Names of arguments, and words that they start with, whose values decide nothing. What an edit replaces is in the file already. */
const SETTINGS = new Set(
  'offset page size topk top_k n order_by format lang language encoding verbose recursive view_range reason thought explanation dry_run force'.split(
    ' ',
  ),
);
const SETTING_STARTS = ['sort', 'timeout'];
/** How much a search returns; how much a card may spend if the tool acts. */
const BOUNDS = ['limit', 'max', 'min'];
const SEARCHED = new Set('old search find pattern match query q needle'.split(' '));
const SECRET = /pass(?:word|wd|phrase)|secret|token|api_?key|^pin$|credential/;
const PACKAGES = new Set(
  'package packages package_name dependency dependencies module modules pakete paket paquet paquets paquete paquetes pacote pacotes pacchetto pacchetti pakiet pakiety пакет пакеты'.split(
    ' ',
  ),
);
const COMMANDS = new Set('command cmd code script sql shell expression program query_sql'.split(' '));
const DESTINATIONS = new Set(
  'recipient recipients to cc bcc email emails mail mails url urls uri link links host hosts domain endpoint webhook channel channels account iban payee beneficiary participant participants attendee attendees invitee invitees guest guests member members phone destination user users username usernames principal chat room repo bucket server receiver contact assignee owner delegate remote registry source package target'.split(
    ' ',
  ),
);
const CONTENT =
  /body|content|^text|message$|msg|subject|title|description|comment|note|summary|caption|payload|html|markdown|new_str|inhalt|betreff|texto?|corpo|tresc|cuerpo|asunto|oggetto|objet|titre|titulo|tytul|тема|текст|内容|标题|正文|件名|本文/;
const AMOUNT = CUES.bit('amount');
const DATE = CUES.bit('date');

/** The role of an argument by its name and schema. `isRead`: its tool only reads. */
export function roleOf(name: string, schema: unknown, isRead = false): Role {
  const { enum: choices, type } = (schema ?? {}) as { enum?: unknown; type?: unknown };
  if (choices !== undefined || type === 'boolean') return 'none';
  const key = fold(name.replace(/([a-z\d])([A-Z])/g, '$1_$2')).replace(/[\s.-]/g, '_');
  const parts = key.split('_');
  if (SETTINGS.has(key) || SEARCHED.has(parts[0] as string) || SETTING_STARTS.some((one) => key.startsWith(one)))
    return 'none';
  if (BOUNDS.some((one) => key.startsWith(one))) return isRead ? 'none' : 'amount';
  if (SECRET.test(key)) return 'secret';
  if (PACKAGES.has(key)) return 'package';
  if (COMMANDS.has(key)) return 'command';
  if (namesDestination(parts)) return 'destination';
  if (CONTENT.test(key)) return 'content';
  const cues = CUES.in(wordsOf(name).join(' '));
  if ((cues & AMOUNT) !== 0) return 'amount';
  if ((cues & (ADDRESSES | PEOPLE)) !== 0) return 'destination';
  return (cues & DATE) !== 0 ? 'time' : 'selector';
}

/** `to`, `forward_to`, `user_name`; `user_id` selects one instead. */
function namesDestination(parts: readonly string[]): boolean {
  const last = parts.length - 1;
  return parts.some(
    (part, at) => (DESTINATIONS.has(part) && !(at === last - 1 && parts[last] === 'id')) || part.startsWith('forward'),
  );
}
