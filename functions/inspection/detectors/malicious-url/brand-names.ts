import { toFolded } from '../../views/index.ts';
import type { Address } from './address.ts';

/** Names that phishing imitates, in the form of a domain label. */
export const BRANDS: ReadonlySet<string> = new Set(
  [
    'paypal apple icloud itunes appleid microsoft office365 outlook onedrive hotmail sharepoint google gmail',
    'youtube facebook instagram whatsapp twitter linkedin netflix spotify steam steamcommunity amazon ebay',
    'alibaba aliexpress walmart allegro mercadolibre americanas dropbox adobe docusign wetransfer yahoo github',
    'gitlab openai chatgpt slack zoom telegram discord dhl fedex ups usps royalmail correos laposte chronopost',
    'ameli impots irs hmrc dvla chase wellsfargo bankofamerica bofa citibank capitalone americanexpress amex',
    'usbank bbva santander hsbc barclays lloyds natwest halifax rbs tsb monzo revolut caixabank bankia',
    'unicredit intesasanpaolo postepay bnpparibas creditagricole societegenerale caisse-epargne orange',
    'sparkasse volksbank commerzbank postbank n26 ing rabobank abnamro postfinance ubs swisscom itau bradesco',
    'nubank banrural bancolombia interac scotiabank rbc desjardins anz westpac commbank nab hdfcbank icicibank',
    'sbi paytm maybank dbs ocbc rakuten mufg smbc viabcp mtbonline royalbank caixa bmo dpd hermes tesco aruba',
    'ionos coinbase binance kraken blockchain metamask ledger trezor opensea myetherwallet localbitcoins att',
    'verizon comcast xfinity centurylink vodafone telekom godaddy visa mastercard westernunion',
  ]
    .join(' ')
    .split(' '),
);

/** Brands with so few or such common letters that they count only as whole labels of a host. */
export const EVERYDAY: ReadonlySet<string> = new Set(
  [
    'ups irs att ing ubs nab anz sbi dbs rbs tsb rbc orange chase apple steam zoom slack visa ledger amazon',
    'google discord telegram kraken blockchain n26 correos caixa hermes aruba americanas gitlab github',
    'sharepoint outlook openai docusign',
  ]
    .join(' ')
    .split(' '),
);

/** Several times as many slots as names. */
const SLOT_BITS = 12;
const SLOTS = 1 << SLOT_BITS;
const LETTERS = 3;
const SHORTEST_LONG = 6;
/** By their first letters. */
const NAMES = Map.groupBy(
  [...BRANDS].filter((brand) => !EVERYDAY.has(brand)),
  slotOf,
);
/** 1 where a name may begin, by its first letters. */
const MAY_BEGIN = Uint8Array.from({ length: SLOTS }, (_, slot) => (NAMES.has(slot) ? 1 : 0));

/** Whether a lower-case text contains a brand's name: as a word, or, if it is long, anywhere. One table lookup per character. */
export function namesBrand(text: string): boolean {
  const { length } = text;
  let slot = 0;
  for (let end = 0; end < length; end++) {
    slot = nextSlot(slot, text.charCodeAt(end));
    if (end + 1 < LETTERS || MAY_BEGIN[slot] === 0) continue;
    const at = end + 1 - LETTERS;
    if (NAMES.get(slot)?.some((name) => isNameAt(name, text, at))) return true;
  }
  return false;
}

function isNameAt(name: string, text: string, start: number): boolean {
  if (!text.startsWith(name, start)) return false;
  if (name.length >= SHORTEST_LONG) return true;
  const end = start + name.length;
  return !isOfWord(text.charCodeAt(start - 1)) && !isOfWord(text.charCodeAt(end));
}

function isOfWord(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

/** The slot of the last letters, independent of earlier ones. */
function nextSlot(slot: number, unit: number): number {
  return ((slot << (SLOT_BITS / LETTERS)) ^ unit) & (SLOTS - 1);
}

function slotOf(letters: string): number {
  let slot = 0;
  for (let at = 0; at < LETTERS; at++) slot = nextSlot(slot, letters.charCodeAt(at));
  return slot;
}

const LATIN = /\p{Script=Latin}/u;
const IMITATES_LATIN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;

const BEYOND_ASCII = /[\u0080-\uffff]/;
/** ASCII characters that look like other letters. */
const STANDS_IN = /[0135]|rn|vv/i;
const IS_PUNYCODE = /xn--/i;

/** Whether a host as sent may imitate one: without these letters it is not read further. */
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

/** Whether a label reads as a brand but is written differently: `paypa1`, `rnicrosoft`, letters of another script. */
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
