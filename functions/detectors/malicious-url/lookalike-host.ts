import { toFolded } from '../../core/inspect/views/characters.ts';
import type { Address } from './address.ts';
import { BRANDS } from './names.ts';

const LATIN = /\p{Script=Latin}/u;
const IMITATES_LATIN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;

const BEYOND_ASCII = /[\u0080-\uffff]/;
/** What looks like other letters, within ASCII. */
const STANDS_IN = /[0135]|rn|vv/i;
const IS_PUNYCODE = /xn--/i;

/** Whether a host as sent may be one: what has none of these letters is read no further. */
export function maybeLookalike(host: string): boolean {
  return BEYOND_ASCII.test(host) || STANDS_IN.test(host) || IS_PUNYCODE.test(host);
}

/** Whether a label of the host imitates a well-known name, or mixes Latin letters with those that look like them. */
export function isLookalike({ labels }: Address): boolean {
  return labels.some((label) => {
    if (!BEYOND_ASCII.test(label)) return STANDS_IN.test(label) && imitates(label);
    return (LATIN.test(label) && IMITATES_LATIN.test(label)) || imitates(label);
  });
}

/** Whether a label reads as a brand but is written otherwise: `paypa1`, `rnicrosoft`, letters of another script. */
function imitates(label: string): boolean {
  if (BRANDS.has(label)) return false;
  const folded = BEYOND_ASCII.test(label)
    ? [...label].map((letter) => (letter === 'ӏ' ? 'l' : toFolded(letter))).join('')
    : label;
  const spellings = [
    folded,
    folded.replace(/0/g, 'o').replace(/1/g, 'l').replace(/3/g, 'e').replace(/5/g, 's'),
    folded.replace(/1/g, 'i'),
    folded.replace(/rn/g, 'm').replace(/vv/g, 'w'),
  ];
  return spellings.some((name) => name !== label && name.length >= 5 && BRANDS.has(name));
}
