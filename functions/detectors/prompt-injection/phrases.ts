/** Parts that the patterns of instruction overrides are put together from; folded view, so lower case. */

export const DISMISS =
  "(?:ignore|disregard|forget|overlook|neglect|dismiss|disobey|pay no (?:attention|heed) to|(?:do not|don'?t) (?:follow|obey|listen to|comply with)|stop (?:following|obeying|listening to))";

/** Verbs that programs and forms have a use for too. */
export const SET_ASIDE =
  '(?:bypass|override|overrule|skip|discard|set aside|abandon|nullify|erase|cancel|delete|throw (?:away|out))';

export const WHICH =
  '(?:(?:all|any|every|each|the|of|your|my|our|those|these|that|this|them|whatever|absolutely|completely|entirely|about|other|both|and)\\s+)';

const JOINED = '[\\s,]+(?:(?:and|or|&)\\s+)?';

export const GIVEN_EARLIER = `(?:(?:previous|previously|prior|above|above-mentioned|aforementioned|preceding|earlier|foregoing|former|initial|original|system|developer)${JOINED})`;

export const EARLIER = `(?:(?:all|previous|previously|prior|above|above-mentioned|aforementioned|preceding|earlier|foregoing|former|past|existing|initial|original|system|developer|given|old|current|security|safety|hidden|stated|openai'?s|set)${JOINED})`;

/** What turns the model to something else, behind words that a user takes back. */
export const TAKEOVER =
  "(?:you are (?:now|no longer)|you'?re now|from now on|act as|pretend|role ?play|obey|only (?:listen|answer) to me|(?:new|your|following) (?:\\w+ ){0,2}(?:instructions?|rules|prompt|guidelines|task|role|persona)|system prompt|no (?:rules|restrictions|limits)|without (?:any )?(?:rules|restrictions|limits))";

export const INSTRUCTIONS =
  '(?:instructions?|instruct\\b|directives?|directions|prompts?|commands?|rules|guidelines?|guidance|orders|constraints|programming|protocols?)';
