import type { Rule } from '../../core/inspect/rule.ts';
import { SHARED } from './shared.ts';

/**
 * Names and addresses have no check digit and look like any other words, so these stay below what is told by default:
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
  message: "Text may hold a person's name.",
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
  message: 'Text may hold a street address.',
};

export const WEAK_RULES: readonly Rule[] = [PERSON_NAME, STREET_ADDRESS];
