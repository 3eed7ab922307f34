import { sha256 } from '../../../kernel/crypto/index.ts';
import type { Rule, RuleExamples } from '../../matching/index.ts';
import { SHARED } from './number-checks.ts';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE58_BYTES = 25;
/** Pay to a public key's hash, and to a script's. */
const VERSIONS = [0x00, 0x05];
const CHECKSUM_BYTES = 4;

/** Whether a Base58Check address of the main network has its checksum. */
function passesBase58Check(address: string): boolean {
  let number = 0n;
  for (const character of address) number = number * 58n + BigInt(BASE58.indexOf(character));
  const hex = number.toString(16).padStart(2 * BASE58_BYTES, '0');
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length !== BASE58_BYTES || !VERSIONS.includes(bytes[0] as number)) return false;
  const payload = bytes.subarray(0, -CHECKSUM_BYTES);
  return sha256(sha256(payload)).subarray(0, CHECKSUM_BYTES).equals(bytes.subarray(-CHECKSUM_BYTES));
}

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
/** The prefix `bc` expanded as BIP 173 says. */
const PREFIX = [3, 3, 0, 2, 3];
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
/** Checksum constants of witness version 0 (BIP 173) and of later ones (BIP 350). */
const OF_VERSION_0 = 1;
const OF_LATER = 0x2bc830a3;

/** Whether a segregated witness address has its checksum. */
function passesBech32Check(address: string): boolean {
  const values = [...address.slice('bc1'.length)].map((character) => BECH32.indexOf(character));
  let checksum = 1;
  for (const value of [...PREFIX, ...values]) {
    const top = checksum >>> 25;
    checksum = ((checksum & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of GENERATORS.entries()) if ((top >>> bit) & 1) checksum ^= generator;
  }
  return checksum === (values[0] === 0 ? OF_VERSION_0 : OF_LATER);
}

export const BITCOIN_ADDRESS: Rule = {
  ...SHARED,
  id: 'personal-data/bitcoin-address',
  category: 'bitcoin_address',
  severity: 'medium',
  score: 0.95,
  patterns: [
    '\\b[13][1-9A-HJ-NP-Za-km-z]{25,34}\\b',
    '\\bbc1[02-9ac-hj-np-z]{11,71}\\b',
    '\\bBC1[02-9AC-HJ-NP-Z]{11,71}\\b',
  ],
  check: (match) => {
    const isValid = /^bc1/i.test(match) ? passesBech32Check(match.toLowerCase()) : passesBase58Check(match);
    return isValid ? 0.95 : undefined;
  },
  message: 'Text contains a Bitcoin address.',
};

export const BITCOIN_ADDRESS_EXAMPLES: RuleExamples = {
  positives: [
    'Send it to 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa, please.',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    'BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ],
  negatives: [
    { text: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', reason: 'fails the checksum' },
    { text: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp', reason: 'fails the checksum' },
    { text: '3f1e2d3c4b5a69788796a5b4c3d2e1f0', reason: 'a hash' },
  ],
};
