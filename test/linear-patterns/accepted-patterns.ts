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
const SHORT_LEAD = 'reads at most 128 characters before the sign of an address';
const SHORT_ID = 'reads at most 256 characters';
const WORDS = 'alternatives without nested or adjoining repetition; recheck needs too long for so many';
const COMMAND = 'reads a command cut at 600 characters';
const SENTENCE = 'reads a match of at most 240 characters and 256 before it';
const OPERATOR = "reads the operator's own setting, once";

/** The only list of patterns that recheck calls slow or cannot classify. */
export const ACCEPTED_PATTERNS: readonly AcceptedPattern[] = [
  { file: 'functions/inspection/matching/hit-findings.ts', begins: '[\\p{Script=Latin}--', reason: ONE_CHARACTER },
  {
    file: 'functions/inspection/across-texts/name-texts.ts',
    begins: '\\p{Lu}+(?!',
    reason: 'gives back one character of a run at most; recheck knows no look-around',
  },
  {
    file: 'functions/translation/protocols/bodies/request-texts.ts',
    begins: '[a-z]{2,}_[a-z]{2,}',
    reason: SHORT_ID,
  },
  { file: 'functions/inspection/views/characters.ts', begins: '[\\p{M}&&', reason: ONE_CHARACTER },
  { file: 'functions/inspection/across-texts/conversation-signals.ts', begins: '(?:[=:]|', reason: COUNTED },
  { file: 'functions/inspection/across-texts/conversation-signals.ts', begins: '(?:\\b(?:part|', reason: COUNTED },
  { file: 'functions/inspection/pattern-engine/parse-pattern.ts', begins: '^(?:P?<', reason: ANCHORED },
  { file: 'functions/inspection/detectors/denial-of-wallet.ts', begins: '\\b(?:why|does', reason: SHORT_CONTEXT },
  { file: 'functions/inspection/detectors/match-context.ts', begins: '(?:\\bnot|', reason: SHORT_CONTEXT },
  { file: 'functions/inspection/detectors/match-context.ts', begins: '\\b(?:such as|', reason: SHORT_CONTEXT },
  {
    file: 'functions/inspection/detectors/malicious-url/phishing-signs.ts',
    begins: '(?:^|\\.)(?:000webhostapp',
    reason: COUNTED,
  },
  {
    file: 'functions/inspection/detectors/malicious-url/phishing-signs.ts',
    begins: '\\/(?:\\.(?!well-known)',
    reason: APART,
  },
  {
    file: 'functions/inspection/detectors/malicious-url/phishing-signs.ts',
    begins: '\\/\\.(?!well-known)',
    reason: APART,
  },
  {
    file: 'functions/inspection/detectors/malicious-url/phishing-signs.ts',
    begins: '(?:^|[^0-9a-z])[0-9a-f]{24,}(?=',
    reason: APART,
  },
  { file: 'functions/inspection/detectors/malicious-url/rules.ts', begins: '\\b(?:https?|wss?', reason: SHORT_CONTEXT },
  { file: 'functions/inspection/detectors/personal-data/financial-rules.ts', begins: '^(.)\\1+$', reason: SAME_AGAIN },
  {
    file: 'functions/inspection/detectors/personal-data/national-ids-americas.ts',
    begins: '^(.)\\1+$',
    reason: SAME_AGAIN,
  },
  { file: 'functions/inspection/detectors/personal-data/phone.ts', begins: '^(?!00)', reason: ANCHORED },
  { file: 'functions/inspection/detectors/personal-data/phone.ts', begins: '(?:\\b(?:phone|', reason: SHORT_CONTEXT },
  { file: 'functions/inspection/detectors/personal-data/phone.ts', begins: '\\b(?:call(?:ed|', reason: SHORT_CONTEXT },
  {
    file: 'functions/inspection/detectors/secrets/assigned-secret.ts',
    begins: 'aws[',
    reason: 'reads at most 464 characters: a context of 64 and a name within a match cut at 400',
  },
  {
    file: 'functions/inspection/detectors/secrets/assigned-secret.ts',
    begins: '[.](?:[a-z_]{3,}',
    reason: 'reads a value within a match cut at 400 characters',
  },
  {
    file: 'functions/inspection/detectors/secrets/password-rules.ts',
    begins: '^(?:[\\w-]+\\.)?(?:example',
    reason:
      'its open runs are anchored at the start, and the other alternatives have none; recheck needs too long for so many',
  },
  { file: 'functions/inspection/detectors/secrets/randomness.ts', begins: '([^A])\\1{5,}', reason: SAME_AGAIN },
  { file: 'functions/inspection/detectors/match-context.ts', begins: '\\b(?:words?|', reason: SHORT_CONTEXT },
  {
    file: 'functions/inspection/detectors/secrets/randomness.ts',
    begins: 'example|placeholder|',
    reason: WORDS,
  },
  { file: 'functions/inspection/detectors/unknown-packages/rules.ts', begins: '^(?:@[a-z0-9~]', reason: ANCHORED },
  { file: 'functions/inspection/detectors/unknown-packages/rules.ts', begins: '(?<=.)@', reason: APART },
  { file: 'functions/adapters/env.ts', begins: '^arn:aws(?:-[a-z]+)*:secretsmanager', reason: OPERATOR },
  { file: 'functions/gateway/env.ts', begins: '^(?:[a-z0-9]{1,64}|arn', reason: OPERATOR },
  { file: 'functions/adapters/shared-settings.ts', begins: '^(?:[\\w.:*-]{1,256}|arn', reason: OPERATOR },
  { file: 'functions/translation/providers/configured-providers.ts', begins: '\\/+$', reason: OPERATOR },
  { file: 'functions/inspection/output/provider-keys.ts', begins: '^[^a-z\\d]+|', reason: OPERATOR },
  { file: 'functions/inspection/detectors/code-injection.ts', begins: '(?:^|\\n)[^\\n]{0,40}', reason: SHORT_CONTEXT },
  {
    file: 'functions/inspection/detectors/code-injection.ts',
    begins: '(?:^|\\n)\\s{0,20}(?:RUN',
    reason: SHORT_CONTEXT,
  },
  { file: 'functions/inspection/detectors/code-injection.ts', begins: '["\'](?:rm -', reason: APART },
  { file: 'functions/inspection/detectors/indirect-injection.ts', begins: '\\b(?:you|your|we', reason: WORDS },
  { file: 'functions/inspection/detectors/jailbreak.ts', begins: '\\b(?:ai|gpt', reason: WORDS },
  {
    file: 'functions/inspection/detectors/prompt-injection/instruction-overrides.ts',
    begins: '\\b(?:your|yours',
    reason: WORDS,
  },
  { file: 'functions/inspection/detectors/match-context.ts', begins: '\\b(?:jailbreaks?|', reason: SHORT_CONTEXT },
  { file: 'functions/inspection/detectors/data-exfiltration/command-rules.ts', begins: '\\s(?:-i|', reason: COMMAND },
  { file: 'functions/inspection/detectors/data-exfiltration/command-rules.ts', begins: '^https?:', reason: COMMAND },
  {
    file: 'functions/inspection/detectors/data-exfiltration/command-rules.ts',
    begins: '^["\']?[\\w.-]*',
    reason: COMMAND,
  },
  {
    file: 'functions/inspection/detectors/data-exfiltration/command-rules.ts',
    begins: '\\b(?:attack',
    reason: SHORT_CONTEXT,
  },
  {
    file: 'functions/inspection/detectors/data-exfiltration/written-addresses.ts',
    begins: '([a-z][\\w:.-]{0,40})[',
    reason: 'a run of spaces is read once for each of 41 characters before it at most; values need no end',
  },
  {
    file: 'functions/inspection/detectors/data-exfiltration/written-addresses.ts',
    begins: '[\\t-\\r ]+(?:[\\d.]+[whx],)?',
    reason: 'every attempt on a run matches all of it, since the rest may be absent; recheck knows no look-around',
  },
  {
    file: 'functions/inspection/detectors/personal-data/contact-rules.ts',
    begins: '@(?:v?',
    reason: 'reads a match of at most 254 characters',
  },
  {
    file: 'functions/inspection/detectors/personal-data/contact-rules.ts',
    begins: '[a-z0-9]:\\/\\/',
    reason: SHORT_CONTEXT,
  },
  {
    file: 'functions/inspection/detectors/secrets/assigned-secret.ts',
    begins: '[$#]\\{',
    reason: 'reads a value within a match cut at 400 characters',
  },
  { file: 'functions/inspection/files/find-files.ts', begins: '^\\s*[a-z]', reason: ANCHORED },
  { file: 'functions/inspection/files/resolve-text.ts', begins: '<!ENTITY', reason: APART },
  {
    file: 'functions/inspection/files/xml-entities.ts',
    begins: '<!ENTITY',
    reason:
      'an attempt reads to the next quote of its kind, and each later attempt that reads so far has a quote itself',
  },
  { file: 'functions/inspection/addresses/character-references.ts', begins: '&(?:amp;){0,4}(?:#x0*', reason: APART },
  { file: 'functions/inspection/addresses/link-reader.ts', begins: '\\b(?:alt|', reason: SHORT_LEAD },
  { file: 'functions/inspection/addresses/link-reader.ts', begins: '\\b(?:url|', reason: SHORT_LEAD },
  { file: 'functions/inspection/addresses/link-reader.ts', begins: '(?:\\](?:[\\t ]?\\(|:)', reason: SHORT_LEAD },
  { file: 'functions/inspection/addresses/link-reader.ts', begins: '\\x1b[', reason: SHORT_LEAD },
  { file: 'functions/inspection/addresses/link-reader.ts', begins: '(?:\\b(?:url|', reason: SHORT_LEAD },
  { file: 'functions/inspection/addresses/link-reader.ts', begins: '(?:\\]\\(|', reason: SHORT_LEAD },
  { file: 'functions/inspection/addresses/link-reader.ts', begins: '(?<!\\\\)(?:', reason: SHORT_LEAD },
  {
    file: 'functions/inspection/output/lost-values.ts',
    begins: '[a-z][^\\d]*',
    reason: 'reads the last 64 characters',
  },
  { file: 'functions/inspection/detectors/languages/clauses.ts', begins: '[\\s。', reason: SENTENCE },
  { file: 'functions/translation/protocols/bodies/reference-names.ts', begins: '^\\/*(?:projects', reason: SHORT_ID },
  { file: 'functions/translation/protocols/bodies/reference-names.ts', begins: '^[a-z]{1,24}', reason: SHORT_ID },
  { file: 'functions/server/http-host.ts', begins: '^::ffff:', reason: ANCHORED },
];

/** Files that may put a pattern together at run time. */
export const ACCEPTED_BUILDERS: readonly Pick<AcceptedPattern, 'file' | 'reason'>[] = [
  {
    file: 'functions/inspection/addresses/tag-reader.ts',
    reason: 'the end tag of a name that a fixed list has, without repetition',
  },
  {
    file: 'functions/inspection/policy/redaction.ts',
    reason: 'the words of a placeholder of ours, with bounded separators, on 48 characters',
  },
  {
    file: 'functions/inspection/detectors/languages/clauses.ts',
    reason: 'the syllables of a Korean past, without an open repetition, on a sentence of limited length',
  },
  {
    file: 'functions/inspection/pattern-engine/char-set.ts',
    reason: 'one property of checked name, without repetition, tried on single characters',
  },
  {
    file: 'functions/inspection/detectors/personal-data/national-id.ts',
    reason: "a rule's own patterns, none with an open repetition, on a match of them: a few dozen characters",
  },
  {
    file: 'functions/inspection/fusion/attack-sample.ts',
    reason: 'words without nested repetition, on at most 1,300 characters around a finding or on one line of 480',
  },
  {
    file: 'functions/inspection/output/provider-keys.ts',
    reason: "the operator's keys as they are, with a fixed number of spellings of each character, without repetition",
  },
  {
    file: 'functions/inspection/detectors/prompt-injection/instruction-overrides.ts',
    reason: "the end of a rule's own match: a list of words",
  },
  {
    file: 'functions/inspection/detectors/published-examples.ts',
    reason:
      'published values, without an open repetition, on a match of their rule; whole texts only in the guard and scan',
  },
  {
    file: 'functions/translation/providers/fit-names.ts',
    reason: 'one anchored character class with a maximum length',
  },
];
