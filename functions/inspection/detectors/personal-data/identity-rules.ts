import type { Rule, RuleExamples } from '../../matching/index.ts';
import { BIRTH_DATE, BIRTH_DATE_EXAMPLES } from './birth-date.ts';
import { SHARED } from './number-checks.ts';

const NUMBER_WORD = '(?: ?(?:number|no\\.?|num\\.?|nr\\.?|#|id))?';
const SAYS = '(?: is| was|:|=|,)?[ "\']{0,3}';

const PASSPORT: Rule = {
  ...SHARED,
  id: 'personal-data/passport',
  category: 'passport',
  severity: 'high',
  score: 0.85,
  ignoreCase: true,
  patterns: [
    `\\b(?:passport|passeport|reisepass|pasaporte|passaporto|passaporte|paspoort)${NUMBER_WORD}${SAYS}[a-z]{0,3} ?\\d[0-9a-z]{4,8}\\b`,
    '(?:護照|护照|パスポート|旅券|여권)[^0-9A-Za-z\\n]{0,8}[a-z]{0,3}\\d[0-9a-z]{4,8}\\b',
  ],
  check: (match) => ((match.match(/\d/g)?.length ?? 0) >= 5 ? 0.85 : undefined),
  message: 'Text contains a passport number.',
};

const DRIVING_LICENCE: Rule = {
  ...SHARED,
  id: 'personal-data/driving-licence',
  category: 'driving_licence',
  severity: 'high',
  score: 0.8,
  ignoreCase: true,
  patterns: [
    `\\b(?:driv(?:er'?s?|ers|ing)['’]? ?s? licen[cs]e|f[üu]hrerschein|permis de conduire|patente di guida)${NUMBER_WORD}${SAYS}[a-z0-9][a-z0-9-]{5,17}\\b`,
  ],
  check: (match) => ((match.match(/\d/g)?.length ?? 0) >= 5 ? 0.8 : undefined),
  message: 'Text contains the number of a driving licence.',
};

/**
 * Names and addresses have no check digit and look like other words, so these stay below the default flag threshold:
 * only a policy with a threshold of 0.4 or less for `pii` acts on them.
 */
const PERSON_NAME: Rule = {
  ...SHARED,
  id: 'personal-data/person-name',
  category: 'person_name',
  severity: 'low',
  score: 0.4,
  patterns: [
    '\\b(?:[Mm]y name is|I am called|[Nn]ame:|Mr\\.?|Mrs\\.?|Ms\\.?|Herr|Frau|Monsieur|Madame|Se[ñn]ora?) [A-Z][a-zà-ž]{1,20}(?:[ -][A-Z][a-zà-ž]{1,20}){0,2}\\b',
  ],
  message: "Text may contain a person's name.",
};

const STREET_ADDRESS: Rule = {
  ...SHARED,
  id: 'personal-data/street-address',
  category: 'street_address',
  severity: 'low',
  score: 0.45,
  patterns: [
    '\\b\\d{1,5}[A-Za-z]? (?:[A-Z][A-Za-z]{1,20} ){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Terrace|Way|Square|Sq|Close|Crescent)\\b',
    '\\b[A-ZÄÖÜ][a-zäöüß]{2,20}(?:straße|strasse|str\\.|weg|platz|allee|gasse) ?\\d{1,4}[a-z]?\\b',
    "\\b\\d{1,4},? (?:rue|avenue|boulevard|place|chemin|impasse) (?:[A-Za-zÀ-ž']{1,20} ?){1,4}\\b",
  ],
  message: 'Text may contain a street address.',
};

/** Identity by papers, name and address. */
export const IDENTITY_RULES: readonly Rule[] = [PASSPORT, DRIVING_LICENCE, BIRTH_DATE, PERSON_NAME, STREET_ADDRESS];

export const IDENTITY_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  'personal-data/passport': {
    positives: ['My passport number is C01X00T47', 'passport no. 533380006', '여권 번호: M12345678'],
    negatives: [
      { text: 'passport office 24', reason: 'no number of one' },
      { text: 'The passport.js 0.7.0 release', reason: 'a library' },
    ],
  },
  'personal-data/driving-licence': {
    positives: ["My driver's license number is A56319335", 'driving licence no: MORGA753116SM9IJ'],
    negatives: [{ text: "driver's license requirements", reason: 'a word' }],
  },
  'personal-data/birth-date': BIRTH_DATE_EXAMPLES,
  'personal-data/person-name': {
    positives: ['My name is Anna Kowalska', 'Dear Mr. Okafor,'],
    negatives: [{ text: 'My name is hard to spell', reason: 'no name' }],
  },
  'personal-data/street-address': {
    positives: ['I live at 221 Baker Street', 'Lindenstraße 14', '12 rue de la Paix'],
    negatives: [{ text: '3 Ways to Street Food', reason: 'a title' }],
  },
};
