/** Fields that all rules of this family share. */
export const SHARED = {
  type: 'pii',
  view: 'exact',
  surfaces: ['user', 'tool', 'output'],
  owasp: 'LLM02:2025',
  atlas: 'AML.T0057',
} as const;

/** Words before numbers that count or name things: orders, parts, versions. */
const NAMES_A_THING =
  /(?:order|invoice|ticket|case|ref(?:erence)?|tracking|serial|part|model|sku|item|article|product|batch|lot|version|build|commit|revision|isbn|issn|doi|ean|upc|gtin|barcode|flight|booking|confirmation|transaction|trace|request|session|port|rfc|bug|issue|pr|id)\.?\s?(?:no|num(?:ber)?|nr|id|code|#)?\.?\s?(?:is|was)?[\s:#=("'-]{0,4}$/i;

const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const FIRST_LETTER = 0x41;

/** Whether the text before a number makes it the number of a thing. */
export function namesAThing(before: string): boolean {
  return mayEndInWords(before) && NAMES_A_THING.test(before);
}

/**
 * Whether the text after the last digit could contain words: in rows of numbers there are none, and no list of
 * words has to be searched.
 */
export function mayEndInWords(before: string): boolean {
  for (let at = before.length - 1; at >= 0; at--) {
    const unit = before.charCodeAt(at);
    if (unit >= FIRST_LETTER) return true;
    if (unit >= DIGIT_0 && unit <= DIGIT_9) return false;
  }
  return false;
}

/** Whether digits, other characters left out, end with the check digit of payment cards. */
export function passesLuhn(text: string): boolean {
  let sum = 0;
  let double = false;
  for (let at = text.length - 1; at >= 0; at--) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) continue;
    const value = double ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
    double = !double;
  }
  return sum % 10 === 0;
}

/** Whether an IBAN without spaces, in upper case, leaves 1 modulo 97 (ISO 13616). */
export function passesIbanCheck(iban: string): boolean {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** The sum of the leading digits, each times its weight. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0);
}

/** The check digit of ISO 7064 MOD 11,10 over the digits. */
export function mod1110(digits: string): number {
  let product = 10;
  for (const digit of digits) {
    const sum = (Number(digit) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (11 - product) % 10;
}

/** Rows are those of the dihedral group of order ten. */
const DIHEDRAL = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
];
const PERMUTATIONS = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
];

/** Whether digits end with Verhoeff's check digit. */
export function passesVerhoeff(digits: string): boolean {
  let check = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    check = Number(DIHEDRAL[check]?.[Number(PERMUTATIONS[at % 8]?.[digit])]);
  }
  return check === 0;
}

/** Whether such a day exists, with only the last two digits of the year known. */
export function isDay(month: string | number, day: string | number): boolean {
  const [m, d] = [Number(month), Number(day)];
  return m >= 1 && m <= 12 && d >= 1 && d <= (m === 2 ? 29 : [4, 6, 9, 11].includes(m) ? 30 : 31);
}
