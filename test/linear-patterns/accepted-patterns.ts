/** A pattern that recheck does not prove, and why it is harmless all the same. */
export interface AcceptedPattern {
  readonly file: string;
  /** How the pattern begins. */
  readonly begins: string;
  readonly reason: string;
}

const ONE_CHARACTER = 'one character class without repetition; recheck does not read the flag v';
const SHORT_CONTEXT = "reads a match's context: at most 64 characters";

/** The one place where a pattern may stand that recheck calls slow or cannot judge. */
export const ACCEPTED_PATTERNS: readonly AcceptedPattern[] = [
  { file: 'functions/core/inspect/disguise.ts', begins: '[\\p{Script=Latin}--', reason: ONE_CHARACTER },
  { file: 'functions/core/inspect/view/read-character.ts', begins: '[\\p{M}&&', reason: ONE_CHARACTER },
  { file: 'functions/detectors/discourse.ts', begins: '(?:\\bnot|', reason: SHORT_CONTEXT },
  { file: 'functions/detectors/discourse.ts', begins: '\\b(?:such as|', reason: SHORT_CONTEXT },
  { file: 'functions/detectors/malicious-url/rules.ts', begins: ':\\/\\/\\S*$', reason: SHORT_CONTEXT },
  { file: 'functions/detectors/personal-data/phone.ts', begins: '(?:\\b(?:phone|', reason: SHORT_CONTEXT },
  { file: 'functions/detectors/personal-data/phone.ts', begins: '\\b(?:call(?:ed|', reason: SHORT_CONTEXT },
  {
    file: 'functions/detectors/secrets/assigned-secret.ts',
    begins: 'aws[',
    reason: 'reads at most 464 characters: a context of 64 and a name within a match cut at 400',
  },
  { file: 'functions/detectors/toxicity/context.ts', begins: '\\b(?:words?|', reason: SHORT_CONTEXT },
  {
    file: 'functions/detectors/secrets/randomness.ts',
    begins: 'example|placeholder|',
    reason: 'alternatives without nested or adjoining repetition; recheck needs too long for so many',
  },
  {
    file: 'functions/gateway/providers.ts',
    begins: '\\/+$',
    reason: "reads the operator's own setting, once",
  },
];

/** Files that may put a pattern together at run time. */
export const ACCEPTED_BUILDERS: readonly Pick<AcceptedPattern, 'file' | 'reason'>[] = [
  {
    file: 'functions/detectors/personal-data/national-id.ts',
    reason: "a rule's own patterns, none with an open repetition, on a match of them: a few dozen characters",
  },
  {
    file: 'functions/core/inspect/pattern/unicode-property.ts',
    reason: 'one property of checked name, without repetition, tried on single characters',
  },
];
