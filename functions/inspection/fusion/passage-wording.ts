import { isSentenceEnd } from '../matching/index.ts';

/** Introductions of reported text: each ends with a quotation mark, a colon, or the word before the report. */
const LEADS: readonly RegExp[] = [
  // One speaker: `the robot claims: ...`.
  /\b(?:he|she|it|someone|somebody|everybody|everyone|(?:the|my|a|an|our|his|her|one|another) [a-z]{2,16}(?: [a-z]{2,16})?) (?:just |often |always |simply |then |only )?(?:says|said|writes|wrote|types|typed|tells|told|asks|asked|yells|shouts|orders|claims|claimed|enters|entered|sends|sent|posts|posted|pastes|pasted|reads|answered|replied|responded)(?: [a-z]{1,16}){0,3}(?:[:,]? ?["“‘«„`']|: | that )/gi,
  // A repeated statement: `my bot keeps telling customers its rules`.
  /\b[a-z]{2,16} keeps? (?:saying|telling|asking|writing|typing|answering|repeating) /gi,
  // Several speakers: `users write '...'`.
  /\b(?:they|users|people|customers|visitors|attackers|hackers|strangers|students|players|kids|some|(?:the|my|our|some|most|many|his|her|their) [a-z]{2,16}s) (?:just |often |always |simply |then |only |might |may |could |can |will |would )?(?:say|said|write|wrote|type|typed|tell|told|ask|asked|yell|shout|claim|claimed|enter|entered|send|sent|post|posted|paste|pasted|answered|replied|responded)(?: [a-z]{1,16}){0,3}(?:[:,]? ?["“‘«„`']|: | that )/gi,
  // The writer addresses another person: `I tell the guard: ...`.
  /\bi (?:tell|told|say to|said to|order|ordered|ask|asked|shout at|whisper to) (?:the|my|him|her|them|a|an)(?! (?:ai|bot|chatbot|assistant|model|llm|system|machine)\b)(?: [a-z]{2,16}){0,3}?(?:[:,]? ?["“‘«„`']|: | to | that )/gi,
  // An example: `phrases like "..."`.
  /\b(?:phrases?|lines?|sentences?|strings?|messages?|inputs?|texts?|prompts?|requests?|words|comments?|tricks?|attacks?|payloads?) (?:like|such as|saying|of the form|that (?:say|says|read|reads))[:,]? ?["“‘«„`']/gi,
  // The subject of a question: `does "..." help?`, `what does "..." mean?`, `the meaning of "..."`.
  /(?:^|[.!?:;\n] {0,2}|\b(?:why|how|what|when) )(?:does|do|did|is|are|was|were|would|will|should|could) (?:(?:a|an|the|this|that|something) )?(?:[a-z]{3,16} )?(?:like )?["“‘«„`']/gi,
  /\b(?:meaning of|explain) ["“‘«„`']/gi,
];
/** Introductions of text for other readers, who received a letter by mistake. */
const TO_OTHERS: readonly RegExp[] = [
  /\b(?:if you (?:are|were) not|unless you are) (?:the|an?) (?:intended|named|right) (?:recipient|addressee)s?,? ?/gi,
  /\bif you (?:have |had )?(?:received|got|get|receive) (?:this|it)(?: [a-z-]{2,16}){0,2} (?:in error|by (?:mistake|accident)),? ?/gi,
];
/** A cheap first check: every introduction contains one of these, and most texts contain none. */
const IN_ANY_LEAD = /["“‘«„`':]| (?:that|to) |\bkeeps? |recipient|addressee|error|mistake|accident/i;
/** Before an introduction: a condition, not a report (`if the user says "..."`). */
const CONDITION = /\b(?:if|when|whenever|whatever|what|once|until|unless|than|as|after|before|time|should) (?:the )?$/i;
/** In an introduction: it addresses the reader. */
const TO_READER = /\byou\b/i;

const CLOSING: Readonly<Record<string, string>> = { '“': '”', '‘': '’', '«': '»', '„': '“' };
const QUOTATION_MARKS = '"“‘«„`\'';
const SENTENCE_END = /[.!?\n]/g;
/** Context before a passage, which may begin in the middle of a sentence. */
const BEFORE_UNITS = 80;
const LONGEST = 800;
/** Minimum part of a passage. */
const MOST = 0.4;

/**
 * Whether a passage is reported rather than addressed to the model: `users write 'ignore ...'`, `I tell the guard: ...`, `does '...' work?`.
 * At least the part MOST of it must be quoted or reported. English.
 */
export function isNarrated(text: string, start: number, end: number): boolean {
  const from = Math.max(0, start - BEFORE_UNITS);
  const stop = Math.min(end, start + LONGEST);
  const narrated = narratedIn(text.slice(from, stop));
  const covered = narrated.reduce(
    (sum, range) => sum + Math.max(0, Math.min(from + range.end, stop) - Math.max(from + range.start, start)),
    0,
  );
  return covered >= MOST * (stop - start);
}

/** Whether a quotation or report is open at the end of a text. */
export function opensNarration(before: string): boolean {
  return narratedIn(before).some(({ end }) => end === before.length);
}

interface NarratedRange {
  readonly start: number;
  readonly end: number;
}

/** The ranges of a text that are quoted, reported, or addressed to other readers. */
function narratedIn(text: string): NarratedRange[] {
  if (!IN_ANY_LEAD.test(text)) return [];
  const reported = LEADS.flatMap((lead) =>
    [...text.matchAll(lead)].filter(
      (match) => !TO_READER.test(match[0]) && !CONDITION.test(text.slice(0, match.index)),
    ),
  );
  const toOthers = TO_OTHERS.flatMap((lead) => [...text.matchAll(lead)]);
  return [...reported, ...toOthers].map((match) => {
    const start = match.index + match[0].length;
    return { start, end: endOfNarrated(text, start) };
  });
}

/** The end of the quotation or report; the end of the text if it is not closed. */
function endOfNarrated(text: string, start: number): number {
  const opening = text[start - 1] as string;
  if (!QUOTATION_MARKS.includes(opening)) return endOfSentence(text, start);
  const closing = CLOSING[opening] ?? opening;
  for (let at = text.indexOf(closing, start); at >= 0; at = text.indexOf(closing, at + 1)) {
    // Within a word it is an apostrophe.
    if (closing !== "'" || !/[a-z]/i.test(text[at + 1] ?? '')) return at;
  }
  return text.length;
}

function endOfSentence(text: string, start: number): number {
  SENTENCE_END.lastIndex = start;
  return SENTENCE_END.exec(text)?.index ?? text.length;
}

/** Whether the part MOST of a passage is sentences for which `isSuch` returns true. */
export function isMostly(isSuch: (sentence: string) => boolean, text: string, start: number, end: number): boolean {
  const stop = Math.min(end, start + LONGEST);
  let covered = 0;
  for (let from = sentenceStart(text, start); from < stop; ) {
    const to = sentenceEnd(text, from);
    if (isSuch(text.slice(from, to))) covered += Math.min(to, stop) - Math.max(from, start);
    from = to + 1;
  }
  return covered >= MOST * (stop - start);
}

function sentenceStart(text: string, at: number): number {
  const first = Math.max(0, at - BEFORE_UNITS);
  let start = at;
  while (start > first && !isSentenceEnd(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function sentenceEnd(text: string, from: number): number {
  const last = Math.min(text.length, from + LONGEST);
  let end = from;
  while (end < last && !isSentenceEnd(text.charCodeAt(end))) end += 1;
  return end;
}

/** Forbids the reader what attacks request. */
const FORBIDDEN =
  /\b(?:never|do not|don't|must not|mustn't|not to|should not|shouldn't|may not|cannot|without) (?:ever |try to |attempt to )?(?:ignor(?:e|ing)|disregard(?:ing)?|bypass(?:ing)?|overrid(?:e|ing)|disabl(?:e|ing)|circumvent(?:ing)?|skip(?:ping)?|defeat(?:ing)?|remov(?:e|ing)|tamper(?:ing)? with|switch(?:ing)? off|turn(?:ing)? off|deactivat(?:e|ing))\b/i;
/** A model that the writer operates. */
const OWN_MODEL =
  /(?:^|(\b[a-z']{2,9}) |[^a-z' ] ?)(?:my|our) (?:[a-z]{2,16} ){0,2}(?:chat ?bots?|bots?|assistants?|agents?|llms?|gpts?)\b/i;
/** Words before OWN_MODEL that assign a role to the model. */
const CAST = /^(?:are|be|as|become|becoming|being|re|you're|now|into)$/i;
const MENTION_UNITS = 48;

/** Whether a passage forbids what attacks request: "never bypass the interlock", "do not ignore the alarm". English. */
export function isForbidding(text: string, start: number, end: number): boolean {
  return FORBIDDEN.test(around(text, start, end));
}

/** Whether a passage is about the writer's own model: `my bot tells users its rules`. Not `you are my assistant`. English. */
export function isAboutOwnModel(text: string, start: number, end: number): boolean {
  const match = OWN_MODEL.exec(around(text, start, end));
  return match !== null && !CAST.test(match[1] ?? '');
}

/** The passage with the text right before it. */
function around(text: string, start: number, end: number): string {
  return text.slice(Math.max(0, start - MENTION_UNITS), end);
}
