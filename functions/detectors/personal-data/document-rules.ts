import type { Rule } from '../../core/inspect/rule.ts';
import { SHARED } from './shared.ts';

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
  message: 'Text holds a passport number.',
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
  message: 'Text holds the number of a driving licence.',
};

const DATE =
  '(?:\\d{4}[-./]\\d{1,2}[-./]\\d{1,2}|\\d{1,2}[-./]\\d{1,2}[-./](?:19|20)?\\d{2}|\\d{1,2}(?:st|nd|rd|th|\\.)? ?(?:of )?[a-zà-ž]{3,10}\\.?,? (?:19|20)\\d{2}|[a-z]{3,9}\\.? \\d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\\d{2})';

const BIRTH_DATE: Rule = {
  ...SHARED,
  id: 'personal-data/birth-date',
  category: 'birth_date',
  severity: 'medium',
  score: 0.7,
  ignoreCase: true,
  patterns: [
    `\\b(?:date of birth|birth ?date|dob|d\\.o\\.b\\.|geburtsdatum|date de naissance|fecha de nacimiento|data di nascita|data de nascimento|geboortedatum)(?: is| was)?[:= "'-]{0,4}${DATE}`,
    `\\b(?:i|he|she|they) (?:was|were|am|is) born (?:on )?(?:the )?${DATE}`,
    '(?:生年月日|出生日期|생년월일|дата рождения)[^0-9\\n]{0,6}\\d{4}[-./年년] ?\\d{1,2}[-./月월] ?\\d{1,2}',
  ],
  check: (match) => {
    // Somebody's biography: who was born so long ago has no data to protect.
    const year = Number(/(?:1[5-9]|20)\d{2}/.exec(match)?.[0] ?? 1980);
    if (year < 1910) return undefined;
    return /born/i.test(match) ? 0.55 : 0.7;
  },
  message: 'Text holds a date of birth.',
};

/** What papers say about a person. */
export const DOCUMENT_RULES: readonly Rule[] = [PASSPORT, DRIVING_LICENCE, BIRTH_DATE];
