import type { Rule, RuleExamples } from '../../matching/index.ts';
import { isDay, SHARED } from './number-checks.ts';

/** The words for "date of birth". Only ASCII letters ignore their case, so a first letter of another script has both. */
const WORDS = [
  '\\b(?:dates?[_ -]?of[_ -]?birth|birth[_ -]?dat(?:e|um)|birthday|d\\.?o\\.?b\\.?|geburts(?:datum|tag)|geboorte(?:datum|dag)|geb\\.)',
  '\\b(?:date de naissance|fecha de nac(?:imiento|\\.)|data (?:di nascita|de nascimento|de nacemento|de naixement)|jaioteguna)',
  '\\b(?:födelse(?:datum|dag)|fødsels(?:dato|dag)|fæðingardagur|syntymä(?:aika|päivä)|sünni(?:aeg|kuupäev)|dzimšanas datums|gimimo data)',
  '\\b(?:data urodzenia|datum (?:narození|rođenja|rojstva)|dátum narodenia|születési (?:dátum|idő)|data na[șşs]terii|doğum tarihi)',
  '\\b(?:tanggal lahir|tarikh lahir|petsa ng kapanganakan|ngày sinh|tarehe ya kuzaliwa|dáta breithe|dyddiad geni)',
  '(?:[Дд]ата (?:рождения|народження|на раждане)|[Дд]атум рођења|[Ηη]μερομηνία γέννησης)',
  '(?:تاريخ (?:الميلاد|الولادة)|تاریخ (?:تولد|پیدائش)|תאריך לידה|जन्म ?(?:तिथि|तारीख)|জন্ম ?তারিখ|பிறந்த தேதி|วัน(?:เดือนปี)?เกิด)',
  '(?:生年月日|誕生日|出生(?:日期|年月日)|生日|생년월일|생일)',
].join('|');
/** Between the word and the date: a form's hint in brackets, "is", punctuation. */
const BETWEEN =
  '(?: ?[(（][^()（）\\n0-9]{2,24}[)）])?(?: (?:is|was|ist|est|es|jest|är|er|é|è)\\b)?[\\s:：=,|"\'>»_はは、은는-]{0,6}';
const YEAR = '(?:19|20)\\d{2}';
const NUMERIC = `(?:\\d{4} ?[-./] ?\\d{1,2} ?[-./] ?\\d{1,2}|\\d{1,2} ?[-./] ?\\d{1,2} ?[-./] ?(?:${YEAR}|\\d{2})|\\d{4} ?[年년] ?\\d{1,2} ?[月월] ?\\d{1,2}|${YEAR}[01]\\d[0-3]\\d)(?:\\b|T\\d)`;
const MONTH = '[^\\s\\d.,:;/"\'()<>]{2,14}\\.?';
const WRITTEN = [
  `\\d{1,2}(?:st|nd|rd|th|er|\\.|º)? ?(?:of |de |ng )?${MONTH},?(?: de| del)? ${YEAR}`,
  `[a-z]{3,9}\\.? \\d{1,2}(?:st|nd|rd|th)?,? ${YEAR}`,
  `${YEAR}\\.? (?:m\\. )?${MONTH} \\d{1,2}`,
].join('|');
const WAS_BORN =
  '\\b(?:born|née?|geboren|nat[oa]|nacid[oa]|nascid[oa]|född|født|urodzon[ya]|narozen[aý]?)(?: (?:on|le|am|il|el|em|op|den|dnia|dne))?:? {1,2}';
/** Things that are born only in a manner of speaking. */
const NO_PERSON =
  /\b(?:company|firm|startup|start-up|business|brand|project|product|language|idea|band|app|website|unternehmen|firma|entreprise|empresa|azienda)\b[^.!?\n]{0,40}$/i;
/** Earliest year of birth of people who may be alive. */
const EARLIEST_YEAR = 1910;

export const BIRTH_DATE: Rule = {
  ...SHARED,
  id: 'personal-data/birth-date',
  category: 'birth_date',
  severity: 'medium',
  score: 0.7,
  ignoreCase: true,
  patterns: [
    `(?:${WORDS})${BETWEEN}(?:${NUMERIC}|${WRITTEN})`,
    `\\b(?:i|he|she|they) (?:was|were|am|is) born (?:on )?(?:the )?(?:${NUMERIC}|${WRITTEN})`,
    `${WAS_BORN}(?:${NUMERIC})`,
  ],
  check: (match, { before }) => {
    const year = /(?:1[5-9]|20)\d{2}/.exec(match)?.[0];
    // A biography: people born so long ago have no data to protect.
    if (Number(year ?? 1980) < EARLIEST_YEAR || NO_PERSON.test(before)) return undefined;
    const numbers = (match.replace(year ?? '', '').match(/\d{1,2}/g) ?? []).slice(0, 2);
    const [first = 1, second = 1] = numbers.map(Number);
    if (!isDay(first, second) && !isDay(second, first)) return undefined;
    // The first of January is the placeholder of forms and tests.
    if (numbers.length === 2 && first === 1 && second === 1) return undefined;
    return /\bborn\b/i.test(match) ? 0.55 : 0.7;
  },
  message: 'Text contains a date of birth.',
};

export const BIRTH_DATE_EXAMPLES: RuleExamples = {
  positives: [
    'DOB: 1987-04-12',
    'Date of birth: 3 March 1991',
    'Date of birth (DD/MM/YYYY): 12/03/1985',
    '{"dateOfBirth":"1985-03-12T00:00:00Z"}',
    'date_of_birth=19850312',
    'She was born on 6/22/1979.',
    'Anna Kowalska, born 14/03/1985 in Leeds',
    'geboren am 14.03.1985 in Ulm',
    'Date de naissance : 1er mars 1985',
    'Fecha de nacimiento: 12 de marzo de 1985',
    'Data urodzenia: 12.03.1985',
    'Datum narození: 12. 3. 1985',
    'Születési idő: 1985. 03. 12.',
    'Doğum tarihi 12 Mart 1985',
    'Дата рождения: 12 марта 1985',
    'Ημερομηνία γέννησης: 12/03/1985',
    'تاريخ الميلاد: 12/03/1985',
    'जन्म तिथि: 12-03-1985',
    'Ngày sinh: 12/03/1985',
    '생년월일: 1990-01-02',
    '生年月日は1985年3月12日',
  ],
  negatives: [
    { text: 'He was born on 14 March 1879 in Ulm.', reason: 'history' },
    { text: 'The release of 2024-04-12', reason: 'a date' },
    { text: 'Date of birth must be before 2024-04-12', reason: 'a rule for forms' },
    { text: 'date of birth: YYYY-MM-DD', reason: 'a format' },
    { text: 'Our company was born on 12/03/2005.', reason: 'no person' },
    { text: 'Contract date: 12/03/2005', reason: 'a contract' },
    { text: 'dob: 45.67.2005', reason: 'no day' },
    { text: '"dateOfBirth": "2000-01-01"', reason: 'a placeholder' },
    { text: 'Datum der Rechnung: 12.03.2005', reason: 'an invoice' },
    { text: '出荷日: 2005年3月12日', reason: 'a delivery' },
  ],
};
