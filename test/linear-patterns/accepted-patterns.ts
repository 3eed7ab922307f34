/** A pattern that recheck does not prove, and why it is harmless all the same. */
export interface AcceptedPattern {
  readonly file: string;
  /** How the pattern begins. */
  readonly begins: string;
  readonly reason: string;
}

const ONE_CHARACTER = 'one character class without repetition; recheck does not read the flag v';
const COUNTED =
  'no repetition without a bound, so that an attempt reads so many characters at most; recheck counts for too long';
const ANCHORED = 'one attempt, at the start, whose runs end at a character that they do not hold';
const APART =
  'each attempt begins at a character that its runs do not hold, so that no two read the same; recheck knows no look-around';
const SAME_AGAIN = 'a run of one character; an attempt ends at the first other one; recheck knows no back references';
const SHORT_CONTEXT = "reads a match's context: at most 64 characters";
const OPERATOR = "reads the operator's own setting, once";

/** The only list of patterns that recheck calls slow or cannot classify. */
export const ACCEPTED_PATTERNS: readonly AcceptedPattern[] = [
  { file: 'functions/core/inspect/hidden-findings.ts', begins: '[\\p{Script=Latin}--', reason: ONE_CHARACTER },
  {
    file: 'functions/core/inspect/requests/names.ts',
    begins: '\\p{Lu}+(?!',
    reason: 'gives back one character of a run at most; recheck knows no look-around',
  },
  {
    file: 'functions/core/protocols/bodies/request-texts.ts',
    begins: '[a-z]{2,}_[a-z]{2,}',
    reason: 'reads at most 256 characters',
  },
  { file: 'functions/core/inspect/views/characters.ts', begins: '[\\p{M}&&', reason: ONE_CHARACTER },
  { file: 'functions/core/inspect/requests/conversation-signals.ts', begins: '(?:[=:]|', reason: COUNTED },
  { file: 'functions/core/inspect/requests/conversation-signals.ts', begins: '(?:\\b(?:part|', reason: COUNTED },
  { file: 'functions/core/pattern-engine/parse-pattern.ts', begins: '^(?:P?<', reason: ANCHORED },
  { file: 'functions/detectors/denial-of-wallet.ts', begins: '\\b(?:why|does', reason: SHORT_CONTEXT },
  { file: 'functions/detectors/match-context.ts', begins: '(?:\\bnot|', reason: SHORT_CONTEXT },
  { file: 'functions/detectors/match-context.ts', begins: '\\b(?:such as|', reason: SHORT_CONTEXT },
  { file: 'functions/detectors/malicious-url/phishing-signs.ts', begins: '(?:^|\\.)(?:000webhostapp', reason: COUNTED },
  { file: 'functions/detectors/malicious-url/phishing-signs.ts', begins: '\\/(?:\\.(?!well-known)', reason: APART },
  { file: 'functions/detectors/malicious-url/phishing-signs.ts', begins: '\\/\\.(?!well-known)', reason: APART },
  {
    file: 'functions/detectors/malicious-url/phishing-signs.ts',
    begins: '(?:^|[^0-9a-z])[0-9a-f]{24,}(?=',
    reason: APART,
  },
  { file: 'functions/detectors/malicious-url/rules.ts', begins: ':\\/\\/\\S*$', reason: SHORT_CONTEXT },
  { file: 'functions/detectors/personal-data/financial-rules.ts', begins: '^(.)\\1+$', reason: SAME_AGAIN },
  { file: 'functions/detectors/personal-data/national-ids-americas.ts', begins: '^(.)\\1+$', reason: SAME_AGAIN },
  { file: 'functions/detectors/personal-data/phone.ts', begins: '^(?!00)', reason: ANCHORED },
  { file: 'functions/detectors/personal-data/phone.ts', begins: '(?:\\b(?:phone|', reason: SHORT_CONTEXT },
  { file: 'functions/detectors/personal-data/phone.ts', begins: '\\b(?:call(?:ed|', reason: SHORT_CONTEXT },
  {
    file: 'functions/detectors/secrets/assigned-secret.ts',
    begins: 'aws[',
    reason: 'reads at most 464 characters: a context of 64 and a name within a match cut at 400',
  },
  {
    file: 'functions/detectors/secrets/assigned-secret.ts',
    begins: '[.](?:[a-z_]{3,}',
    reason: 'reads a value within a match cut at 400 characters',
  },
  {
    file: 'functions/detectors/secrets/password-rules.ts',
    begins: '^(?:[\\w-]+\\.)?(?:example',
    reason:
      'its open runs are anchored at the start, and the other alternatives have none; recheck needs too long for so many',
  },
  { file: 'functions/detectors/secrets/randomness.ts', begins: '([^A])\\1{5,}', reason: SAME_AGAIN },
  { file: 'functions/detectors/match-context.ts', begins: '\\b(?:words?|', reason: SHORT_CONTEXT },
  {
    file: 'functions/detectors/secrets/randomness.ts',
    begins: 'example|placeholder|',
    reason: 'alternatives without nested or adjoining repetition; recheck needs too long for so many',
  },
  { file: 'functions/detectors/unknown-packages/rules.ts', begins: '^(?:@[a-z0-9~]', reason: ANCHORED },
  { file: 'functions/detectors/unknown-packages/rules.ts', begins: '(?<=.)@', reason: APART },
  { file: 'functions/adapters/env.ts', begins: '^arn:aws(?:-[a-z]+)*:secretsmanager', reason: OPERATOR },
  { file: 'functions/gateway/env.ts', begins: '^(?:[a-z0-9]{1,64}|arn', reason: OPERATOR },
  { file: 'functions/gateway/env.ts', begins: '^(?:[\\w.:*-]{1,256}|arn', reason: OPERATOR },
  { file: 'functions/providers/configured-providers.ts', begins: '\\/+$', reason: OPERATOR },
];

/** Files that may put a pattern together at run time. */
export const ACCEPTED_BUILDERS: readonly Pick<AcceptedPattern, 'file' | 'reason'>[] = [
  {
    file: 'functions/core/pattern-engine/char-set.ts',
    reason: 'one property of checked name, without repetition, tried on single characters',
  },
  {
    file: 'functions/detectors/personal-data/national-id.ts',
    reason: "a rule's own patterns, none with an open repetition, on a match of them: a few dozen characters",
  },
  {
    file: 'functions/core/inspect/fusion/attack-sample.ts',
    reason: 'words without nested repetition, on at most 1,300 characters around a finding or on one line of 480',
  },
  {
    file: 'functions/core/inspect/output/provider-keys.ts',
    reason: "the operator's keys as they are, with a fixed number of spellings of each character, without repetition",
  },
  {
    file: 'functions/detectors/prompt-injection.ts',
    reason: "the end of a rule's own match: a list of words",
  },
  {
    file: 'functions/detectors/published-examples.ts',
    reason:
      'published values, without an open repetition, on a match of their rule; whole texts only in the guard and scan',
  },
  {
    file: 'functions/providers/fit-names.ts',
    reason: 'one anchored character class with a maximum length',
  },
];
