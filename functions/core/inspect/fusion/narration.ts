/** Somebody else says it. */
const SAID_BY_OTHERS =
  /(?:^|[^a-z'])(?:he|she|they|it|users?|people|someone|somebody|everybody|everyone|customers?|attackers?|hackers?|students?|players?|kids?|(?:the|my|a|our|his|her) [a-z]{2,16}) (?:says?|said|writes?|wrote|types?|typed|tells?|told|asks?|asked|yells?|shouts?|orders?|claims?|(?:keeps?|kept) (?:saying|telling|asking|writing|typing))(?:[^a-z]|$)/i;
/** The writer says it to somebody else. */
const SAID_TO_OTHERS = /(?:^|[^a-z'])i (?:tell|told|say to|said to|order) (?:the|my|him|her|them|a)(?:[^a-z]|$)/i;
/** It is only named. */
const NAMED = /(?:^|[^a-z'])(?:say|saying|explain|called|phrase|word) ['"‘“]/i;
const BEFORE_UNITS = 48;
const WITHIN_UNITS = 96;

/**
 * Whether a passage is told about rather than said: "users write 'ignore ...'", "I tell the guard: ...". Looks at the
 * passage's beginning and what stands right before it.
 */
export function isNarrated(text: string, start: number, end: number): boolean {
  const told = text.slice(Math.max(0, start - BEFORE_UNITS), Math.min(end, start + WITHIN_UNITS));
  return SAID_BY_OTHERS.test(told) || SAID_TO_OTHERS.test(told) || NAMED.test(told);
}
