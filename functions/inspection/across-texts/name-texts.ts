import { type Author, isProse, type RequestText, type Surface, type ThreatType } from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import { isHexNumber } from '../decoding/index.ts';
import { isClassifierFinding } from '../fusion/index.ts';
import type { Finding, TextInspector } from '../matching/index.ts';
import { holdsWebEscapes } from '../views/index.ts';
import { type ConcatenatedText, ConcatenatedTextBuilder } from './concatenated-text.ts';

/** A finding in fewer words of names is no instruction. */
const MIN_WORDS = 3;
/** Names that take about a millisecond. */
const STEP_NAMES = 1000;
/** Many names are joined in parts of about `units` that overlap, so that a conversation's next turn changes the last part alone. */
const PART = { units: 2048, overlap: 256 };
/** Of names that the API defines: each call's id comes last, so the last part is new in each turn. */
const FIXED_PART = { units: 512, overlap: 256 };
/** Words of a name, by separators. */
const WORDS = /[^\s_\-./\\:|+~,;=#*]+/g;
/** Words of a name, by separators and changes of letter case. */
const CASED_WORDS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\s_\-./\\:|+~,;=#*\p{Lu}]+/gu;

const UPPER_CASE = /\p{Lu}/u;
const NOT_ASCII = /\P{ASCII}/u;

/** Types that count in names. Rules of other types inspect values: `drop_table` is a valid name for a tool. */
const TYPES_IN_NAMES: ReadonlySet<ThreatType> = new Set([
  'prompt_injection',
  'indirect_injection',
  'jailbreak',
  'system_prompt_leak',
]);

/** Whether a text is a name that rules inspect joined with its neighbours, without the classifier. Ids and addresses may be long. */
export function isInspectedAsName({ name, isFixed, text }: RequestText): boolean {
  return name !== undefined && ((name === 'value' && isFixed === true) || !isProse(text));
}

/** Whether a text is also inspected by itself; of text that the API defines, only addresses with escapes. */
export function isInspectedAlone(text: RequestText): boolean {
  return !isInspectedAsName(text) || (text.name === 'value' && (text.isFixed !== true || holdsWebEscapes(text.text)));
}

/** Inspects names by rules alone, and equal names once, since names repeat. */
export function createNameInspector(
  inspector: TextInspector,
): (text: string, surface: Surface) => Steps<readonly Finding[]> {
  const bySurface = new Map<Surface, Map<string, readonly Finding[]>>();
  return function* (text, surface) {
    const known = bySurface.get(surface) ?? new Map<string, readonly Finding[]>();
    bySurface.set(surface, known);
    let findings = known.get(text);
    if (findings === undefined) {
      findings = yield* inspector.inspectSteps(text, surface, [], BY_RULES);
      known.set(text, findings);
    }
    return findings;
  };
}

const BY_RULES = { isNew: () => true, isClassified: false };

/** Whether a finding counts in a name by itself. Joined words are no disguise there. */
export function countsInSingleName({ isFixed }: RequestText, finding: Finding): boolean {
  const { type } = finding.rule;
  // An address may contain the name of its user.
  return !isClassifierFinding(finding) && type !== 'obfuscation' && !(isFixed && type === 'pii');
}

/** Whether a finding that spans `words` words counts in joined names. */
export function countsInConcatenatedNames(joined: ConcatenatedText, finding: Finding, words: number): boolean {
  const { rule, decodedFrom, start, end } = finding;
  // Two words name a thing: `developer_mode`. One may be a whole sentence, joined or in a script without spaces.
  const isLong = words === 1 && decodedFrom.length > 0;
  const isSentence = words >= MIN_WORDS || isLong || NOT_ASCII.test(joined.text.slice(start, end));
  return isSentence && TYPES_IN_NAMES.has(rule.type) && !isClassifierFinding(finding);
}

/**
 * The names of each message, and of each definition or field outside the messages, joined in order and word by word. Names that the API
 * defines are joined separately and once, since they repeat in every message.
 */
export function* concatenateNames(texts: readonly RequestText[]): Steps<ConcatenatedText[]> {
  const all: ConcatenatedText[] = [];
  for (const sources of (yield* groupsOf(texts)).values()) {
    const plain = yield* joined(texts, sources, WORDS);
    all.push(...plain);
    if (!sources.some((source) => UPPER_CASE.test((texts[source] as RequestText).text))) continue;
    const cased = yield* joined(texts, sources, CASED_WORDS);
    all.push(...cased.filter(({ text }, at) => text !== plain[at]?.text));
  }
  return all;
}

function* groupsOf(texts: readonly RequestText[]): Steps<Map<string, number[]>> {
  const groups = new Map<string, number[]>();
  const fixed = new Map<Author, Set<string>>();
  for (let source = 0; source < texts.length; source += 1) {
    const { name, isFixed, author, message, path, text } = texts[source] as RequestText;
    if (source % STEP_NAMES === STEP_NAMES - 1) yield;
    if (name === undefined) continue;
    if (isFixed) {
      const known = fixed.get(author) ?? new Set();
      fixed.set(author, known);
      // Most names are known: every message has them.
      if (known.has(text)) continue;
      known.add(text);
    }
    // Each definition of a list is a group: `tools[3]`.
    const definition = typeof path[1] === 'number' ? `${path[0]}[${path[1]}]` : path[0];
    const group = `${author} ${isFixed ? 'fixed' : (message ?? definition)}`;
    const sources = groups.get(group);
    if (sources === undefined) groups.set(group, [source]);
    else sources.push(source);
  }
  return groups;
}

function* joined(texts: readonly RequestText[], sources: readonly number[], words: RegExp): Steps<ConcatenatedText[]> {
  const parts: ConcatenatedText[] = [];
  const close = () => {
    const built = builder.build();
    if (built !== undefined) parts.push(built);
  };
  const first = texts[sources[0] as number] as RequestText;
  const part = first.isFixed ? FIXED_PART : PART;
  let builder = new ConcatenatedTextBuilder(first.surface);
  for (const [at, source] of sources.entries()) {
    if (at % STEP_NAMES === STEP_NAMES - 1) yield;
    const { text } = texts[source] as RequestText;
    for (const { 0: word, index } of text.matchAll(words)) {
      // Most ids. They contain nothing, and take five times as long as words: each is decoded and respelled.
      if (isHexNumber(word)) continue;
      builder.add(source, text, index, index + word.length, ' ');
      if (builder.length < part.units) continue;
      close();
      builder = builder.withEnd(part.overlap);
    }
  }
  close();
  return parts;
}
