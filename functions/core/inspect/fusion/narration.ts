const SPEAKERS =
  '(?:he|she|they|it|users?|people|someone|somebody|everybody|everyone|customers?|attackers?|hackers?|students?|players?|kids?|(?:the|my|a|our|his|her) [a-z]{2,16})';
const VERBS =
  '(?:says?|said|writes?|wrote|types?|typed|tells?|told|asks?|asked|yells?|shouts?|orders?|claims?|(?:keeps?|kept) (?:saying|telling|asking|writing|typing))';
/** Somebody else says it, or the writer says it to somebody else. */
const NARRATED = new RegExp(
  `(?:^|[^a-z'])(?:${SPEAKERS} ${VERBS}|i (?:tell|told|say to|said to|order) (?:the|my|him|her|them|a)|(?:say|saying|explain|called|phrase|word) ['"‘“])(?:[^a-z]|$)`,
  'i',
);
const BEFORE_UNITS = 48;
const WITHIN_UNITS = 96;

/**
 * Whether a passage is told about rather than said: "users write 'ignore ...'", "I tell the guard: ...". Looks at the
 * passage's beginning and what stands right before it.
 */
export function isNarrated(text: string, start: number, end: number): boolean {
  return NARRATED.test(text.slice(Math.max(0, start - BEFORE_UNITS), Math.min(end, start + WITHIN_UNITS)));
}
