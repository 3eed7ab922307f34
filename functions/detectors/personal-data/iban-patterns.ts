/** Length of an IBAN by country, from SWIFT's registry. */
const COUNTRIES_BY_LENGTH: Readonly<Record<number, string>> = {
  15: 'NO',
  16: 'BE',
  18: 'DK FI FO GL NL SD',
  19: 'MK SI',
  20: 'AT BA EE KZ LT LU XK',
  21: 'CH HR LI LV',
  22: 'BG BH CR DE GB GE IE ME RS VA',
  23: 'AE GI IL IQ OM TL',
  24: 'AD CZ ES MD PK RO SA SE SK TN VG',
  25: 'LY PT ST',
  26: 'IS TR',
  27: 'BI DJ FR GR IT MC MR SM',
  28: 'AL AZ BY CY DO GT HU LB NI PL SV',
  29: 'BR EG PS QA UA',
  30: 'JO KW MU',
  31: 'MT SC',
  32: 'LC',
};

/** One alternative for each length, whole or in groups of four. */
export const IBAN_PATTERNS: readonly string[] = Object.entries(COUNTRIES_BY_LENGTH).map(([length, countries]) => {
  const rest = Number(length) - 4;
  const last = rest % 4 === 0 ? '' : ` ?[A-Z0-9]{${rest % 4}}`;
  return `\\b(?:${countries.replaceAll(' ', '|')})\\d{2}(?: ?[A-Z0-9]{4}){${Math.floor(rest / 4)}}${last}\\b`;
});
