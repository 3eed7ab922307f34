/** Somebody is told not to do what attacks ask for. */
const FORBIDDEN =
  /\b(?:never|do not|don't|must not|mustn't|not to|should not|shouldn't|may not|cannot|without) (?:ever |try to |attempt to )?(?:ignor(?:e|ing)|disregard(?:ing)?|bypass(?:ing)?|overrid(?:e|ing)|disabl(?:e|ing)|circumvent(?:ing)?|skip(?:ping)?|defeat(?:ing)?|remov(?:e|ing)|tamper(?:ing)? with|switch(?:ing)? off|turn(?:ing)? off|deactivat(?:e|ing))\b/i;
/** A model that somebody runs, as those speak of it who do. */
const OWN_MODEL =
  /(?:^|(\b[a-z']{2,9}) |[^a-z' ] ?)(?:my|our) (?:[a-z]{2,16} ){0,2}(?:chat ?bots?|bots?|assistants?|agents?|llms?|gpts?)\b/i;
/** With these before it, a model is told what it is to be. */
const CAST = /^(?:are|be|as|become|becoming|being|re|you're|now|into)$/i;
const BEFORE_UNITS = 48;

/** Whether a passage forbids what attacks ask for: "never bypass the interlock", "do not ignore the alarm". English. */
export function isForbidding(text: string, start: number, end: number): boolean {
  return FORBIDDEN.test(around(text, start, end));
}

/** Whether a passage is about a model of the writer's: "my bot tells users its rules". Not "you are my assistant". English. */
export function isAboutOwnModel(text: string, start: number, end: number): boolean {
  const match = OWN_MODEL.exec(around(text, start, end));
  return match !== null && !CAST.test(match[1] ?? '');
}

/** The passage with what stands right before it. */
function around(text: string, start: number, end: number): string {
  return text.slice(Math.max(0, start - BEFORE_UNITS), end);
}
