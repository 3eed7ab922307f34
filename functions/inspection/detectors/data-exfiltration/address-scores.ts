import { type AddressPart, type CarryingAddress, readCarryingAddress } from './carried-data.ts';

/** Parameters that size, format or version an image, or sign its address. */
const ORDINARY_PARAMETERS: ReadonlySet<string> = new Set(
  'w h s q v t ts dpr fit crop size sz width height quality format fm auto ext resize scale type mode bg color c rect ver version rev raw style logo label theme branch event sanitize cache updated ixlib ixid expires signature sig se sp sv sr st spr skoid sktid skt ske sks skv rscd rsct key-pair-id policy token alt seed chl cht chs repo repos package pkg url src image id itok hash digest etag cb family display client-id center zoom markers'.split(
    ' ',
  ),
);
/** Parameters by which clouds sign addresses and name the file. */
const SIGNING_PARAMETER = /^(?:x-(?:amz|goog)-[\w-]+|response-content-\w+|awsaccesskeyid|googleaccessid)$/i;
const MIN_CARRIED_UNITS = 12;

const TELLING_PARAMETER =
  /^(?:data|daten|d|exfil|leak|secret|secrets|info|payload|content|msg|message|chat|history|conversation|context|prompt|q|query|text|email|user|password|summary|answer)$/i;

/** Parameters that hold a person's words: a search, a caption. */
const LABELLING_PARAMETER = /^(?:label|text|title|alt|caption|name|logo|family)$/i;
const SEARCHING_PARAMETER = /^(?:q|query|search|s|keywords?|k|p|src|tmsrc|ctz)$/i;
/** Names that ordinary links do not have for long values. */
const TELLING_IN_LINK =
  /^(?:data|daten|exfil|leak|dump|stolen|secrets?|payload|chat|transcript|history|conversation|context|ctx|password)$/i;
/** Names that say nothing. */
const CARRYING_IN_LINK = /^(?:[a-jl-prt-z]|info|msg|message|content|note|log|value|track|uid|sid|ref)$/i;
/** Values that no link contains, and with a second one values that only a form would. */
const PRIVATE_PARAMETER =
  /^(?:ssn|social_?security\w*|card|card_?(?:no|num|number)|cc|cc_?num(?:ber)?|cvv2?|cvc|passw(?:or)?d|passphrase|private_?key|secret_?key|iban|diagnosis|salary)$/i;
const PERSONAL_PARAMETER =
  /^(?:e-?mail|mail|phone|tel|(?:full|first|last)_?name|name|address|dob|birth\w*|acct\w*|account\w*|balance|patient\w*|customer\w*|user\w*)$/i;

function isWordy(parameter: string): boolean {
  return LABELLING_PARAMETER.test(parameter) || SEARCHING_PARAMETER.test(parameter);
}

/** A character reference, whose `#` begins no fragment. */
const CHARACTER_REFERENCE = /&#(?:x[\da-f]{1,8}|\d{1,8});?/gi;

/** What an address that leads to another host carries; undefined for others. */
export function readWritten(written: string): CarryingAddress | undefined {
  const address = readCarryingAddress(written.replace(CHARACTER_REFERENCE, '_'));
  return address && { ...address, parts: address.parts.filter(({ name = '' }) => !SIGNING_PARAMETER.test(name)) };
}

/** The highest score of the addresses that a match gives. */
export function highestScore(
  written: readonly string[],
  score: (address: CarryingAddress) => number | undefined,
): number | undefined {
  let highest: number | undefined;
  for (const one of written) {
    const address = readWritten(one);
    const found = address && score(address);
    if (found !== undefined && found > (highest ?? 0)) highest = found;
  }
  return highest;
}

/** The score of an address that is fetched when it is shown, by the content of its host, path and parameters. */
export function fetchedDataScore(
  { parts, isWordy: hasWords, isCollector, hasHiddenLabels, hasPrivateLabels }: CarryingAddress,
  countsUnreadable: boolean,
): number | undefined {
  if (hasHiddenLabels) return 0.87;
  if (hasWords) return undefined;
  if (parts.some(({ carried }) => carried === 'hidden' || carried === 'private' || carried === 'email')) return 0.87;
  let longest = 0;
  let named = false;
  let words = parts.filter(isPathOfWords).length > 1;
  // A badge shows the message in its path.
  const isBadge = parts.some(({ name }) => name === 'label');
  for (const { name, value, carried } of parts) {
    // Words in a path name a file, and in some parameters the text of an image.
    if (name === undefined || LABELLING_PARAMETER.test(name) || (isBadge && name === 'message')) continue;
    words ||= carried === 'words';
    if (ORDINARY_PARAMETERS.has(name.toLowerCase())) continue;
    const isNamed = TELLING_PARAMETER.test(name === '' ? value : name) && value !== '';
    if (isNamed || countsUnreadable) longest = Math.max(longest, value.length);
    named ||= isNamed;
  }
  if (longest >= MIN_CARRIED_UNITS) return named || longest >= 40 ? 0.87 : 0.6;
  return words || isCollector || hasPrivateLabels ? 0.6 : named ? 0.55 : undefined;
}

/** One segment of words is the name of a file or page; two are not. */
function isPathOfWords({ name, value, carried }: AddressPart): boolean {
  return name === undefined && carried === 'words' && !/\.\w{2,4}$/.test(value);
}

/** The score of the address of a reference, which is an image's or a link's. */
export function referenceScore({ parts, isWordy: hasWords, hasHiddenLabels }: CarryingAddress): number | undefined {
  if (hasHiddenLabels) return 0.84;
  if (hasWords) return undefined;
  const queried = parts.filter(({ name }) => name !== undefined);
  if (parts.some(({ carried }) => carried === 'hidden')) return 0.84;
  if (queried.some(({ carried }) => carried === 'private')) return 0.84;
  return queried.some(
    ({ name = '', carried }) => (carried === 'words' || carried === 'email') && !isWordy(name) && name !== 'body',
  )
    ? 0.6
    : undefined;
}

/** The score of an address that is followed by a click. */
export function followedDataScore({
  parts,
  isWordy: hasWords,
  isCollector,
  hasHiddenLabels,
  hasPrivateLabels,
}: CarryingAddress): number | undefined {
  if (hasHiddenLabels || hasPrivateLabels) return 0.6;
  if (hasWords) return undefined;
  const queried = parts.filter(({ name, value }) => name !== undefined && value.length > 2);
  if (parts.some(({ carried }) => carried === 'hidden')) return 0.6;
  if (queried.some(({ carried }) => carried === 'private')) return 0.6;
  if (queried.some(({ name = '', value }) => value.length >= 16 && TELLING_IN_LINK.test(name))) return 0.6;
  if (queried.some(({ name = '', value }) => PRIVATE_PARAMETER.test(name) && /\d|\w{6}/.test(value))) return 0.6;
  if (queried.some(isMessageWithNumbers)) return 0.6;
  if (isCollector && queried.some(({ value }) => value.length >= MIN_CARRIED_UNITS)) return 0.6;
  const personal = queried.filter(({ name = '' }) => PERSONAL_PARAMETER.test(name));
  return personal.length > 1 && personal.some(({ value, carried }) => carried === 'email' || /\d{6}/.test(value))
    ? 0.55
    : undefined;
}

function isMessageWithNumbers({ name = '', value, carried }: AddressPart): boolean {
  return carried === 'words' && CARRYING_IN_LINK.test(name) && /\d{4}|@/.test(value);
}
