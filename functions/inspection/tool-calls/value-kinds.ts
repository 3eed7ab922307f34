export type ValueKind = 'email' | 'url' | 'account' | 'phone' | 'id' | 'number' | 'date' | 'path' | 'name' | 'text';

export interface FoundValue {
  readonly kind: ValueKind;
  readonly text: string;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const TOP_LEVEL_DOMAINS = words(
  'com org net edu gov mil int info biz name pro io dev ai app co me tv cc xyz site online store shop tech cloud club link live news page web email systems services solutions support agency digital group world center zone one top icu example test invalid localhost local internal intranet corp lan home onion eu de at ch fr be nl lu es pt it pl cz sk hu ro bg gr hr si rs ua ru by kz lt lv ee fi se no dk is ie uk us ca mx br ar cl pe au nz jp cn kr tw hk sg in id th vn my ph tr il ae sa za ng ke eg',
);
const FILE_EXTENSIONS = words(
  'txt doc docx xls xlsx ppt pptx pdf py js ts jsx tsx cjs mjs cts mts md json csv png jpg jpeg svg htm html yml yaml toml ini sh java go rs c h cpp rb php sql log lock cfg conf env xml ics zip gz tar kt swift vue',
);
const CURRENCIES = words('€ $ £ ¥ eur usd gbp pln chf jpy cny rub zł руб 円 元 %');
/** Longest text that has a kind. */
const LONGEST = 200;
const LONGEST_ID = 64;

/** What a short value looks like. */
export function kindOf(text: string): ValueKind {
  const value = text.trim();
  if (value.length > LONGEST) return 'text';
  const isWord = !/\s/.test(value);
  const hasDigit = /\d/.test(value);
  if (isWord && isEmail(value)) return 'email';
  if (hasDigit) {
    if (isDate(value)) return 'date';
    if (isAccount(value)) return 'account';
    if (isNumber(value)) return 'number';
    if (isPhone(value)) return 'phone';
  }
  if (isWord) {
    if (isFile(value)) return 'path';
    if (isUrl(value)) return 'url';
    if (/^(?:~|\.{1,2})?\/\S/.test(value) || /^[a-z]:\\/i.test(value)) return 'path';
    if (hasDigit && value.length <= LONGEST_ID) return 'id';
  }
  return value.length <= 80 && !value.includes('\n') && value.split(/\s+/).length <= 7 ? 'name' : 'text';
}

function isEmail(value: string): boolean {
  const at = value.indexOf('@');
  const dot = value.lastIndexOf('.');
  return at > 0 && dot > at + 1 && value.length - dot > 2 && value.indexOf('@', at + 1) < 0 && !/[<>"']/.test(value);
}

/** An ISO date with or without a time, a date in figures, a time. */
function isDate(value: string): boolean {
  if (/^\d{4}-\d\d-\d\d(?:$|[T ]\d\d:\d\d(?:$|[:Z+-]))/.test(value)) return true;
  return (
    value.length <= 10 && (/^\d\d?[./-]\d\d?[./-](?:\d\d|\d{4})$/.test(value) || /^\d\d?:\d\d(?::\d\d)?$/.test(value))
  );
}

/** An IBAN, the long number of an account or a card in groups, or an address of a blockchain. */
function isAccount(value: string): boolean {
  const groups = value.split(/[ -]/);
  const bare = groups.length === 1 ? value : groups.join('');
  if (bare.length < 12) return false;
  if (groups.length > 2 && /^\d{16,34}$/.test(bare)) return true;
  if (/^0x[a-f\d]+$/i.test(bare)) return bare.length >= 18;
  if (groups.length > 1 && groups.some((group) => group.length === 0 || group.length > 4)) return false;
  return bare.length <= 36 && /^[a-z]{2}\d\d[a-z\d]+$/i.test(bare) && /\d{6}/.test(bare);
}

function isNumber(value: string): boolean {
  const amount = withoutCurrency(value);
  return /^[-+]?\d[\d.,' ]*$/.test(amount) && amount.replace(/\D/g, '').length < 9;
}

/** Whether a text is the name of a currency. */
export function isCurrency(text: string): boolean {
  return CURRENCIES.has(text.trim().toLowerCase());
}

function withoutCurrency(value: string): string {
  if (CURRENCIES.has(value.charAt(0))) return value.slice(1).trim();
  const unit = [3, 2, 1].find((length) => CURRENCIES.has(value.slice(-length).toLowerCase()));
  return unit === undefined ? value : value.slice(0, -unit).trim();
}

function isPhone(value: string): boolean {
  return value.length >= 8 && value.length <= 24 && /^\+?\d[\d ()./-]+$/.test(value) && /\d$/.test(value);
}

function isFile(value: string): boolean {
  const extension = value.slice(value.lastIndexOf('.') + 1).toLowerCase();
  return extension.length < value.length && FILE_EXTENSIONS.has(extension) && !value.includes('://');
}

function isUrl(value: string): boolean {
  const scheme = value.indexOf('://');
  if (scheme > 0) return value.length > scheme + 3 && /^[a-z][a-z0-9+.-]*$/i.test(value.slice(0, scheme));
  return /^www\../i.test(value) || isHost(value.split(/[/?#]/, 1)[0] as string);
}

/** A name with a known top-level domain, and a port or none. */
function isHost(value: string): boolean {
  const labels = value.toLowerCase().split(':', 1)[0]?.split('.') ?? [];
  return (
    labels.length > 1 &&
    TOP_LEVEL_DOMAINS.has(labels.at(-1) as string) &&
    labels.every((one) => /^[\p{L}\d-]+$/u.test(one))
  );
}

/** What values are made of: no white space, quotes, brackets, nor letters of scripts that are written without spaces. */
const TOKENS =
  /[^\s"'`´“”„‘’«»<>()[\]{};|，、。：；！？（）「」『』【】《》…\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]+/gu;
const EDGES = new Set('.,:;!?*_~#№=-–—·•\\&');
/** What every value has, and most words do not. */
const OF_VALUES = /[\d@./~]/;
/** Most values that are read in one text. */
const MAX_VALUES = 48;
/** Of a longer text the start is read: no step may take long. */
const LONGEST_READ = 256 * 1024;
/** Groups of an account. */
const MAX_GROUPS = 9;

/** Addresses, accounts, paths, ids and numbers in a longer text. */
export function valuesIn(text: string): FoundValue[] {
  const found: FoundValue[] = [];
  const rest = text.slice(0, LONGEST_READ).matchAll(TOKENS);
  // The next tokens: a long text has many more than are read.
  const tokens: RegExpExecArray[] = [];
  while (found.length < MAX_VALUES) {
    while (tokens.length < MAX_GROUPS) {
      const { value } = rest.next();
      if (value === undefined) break;
      if (OF_VALUES.test(value[0])) tokens.push(value);
    }
    if (tokens.length === 0) break;
    const groups = groupsFrom(tokens);
    const taken = tokens.splice(0, groups).map(([token]) => token);
    if (groups > 1) {
      const value = withoutEdges(taken.join(' '));
      found.push({ kind: kindOf(value), text: value });
    } else found.push(...valuesOfToken(taken[0] as string));
  }
  return found;
}

/** How many of the first tokens are the groups of one account: `DE12 5001 0517 0648 4898 90`. */
function groupsFrom(tokens: readonly RegExpExecArray[]): number {
  if (!/^[a-z]{2}\d\d$/i.test((tokens[0] as RegExpExecArray)[0])) return 1;
  let end = 1;
  for (; end < tokens.length; end++) {
    const { 0: token, index } = tokens[end] as RegExpExecArray;
    const before = tokens[end - 1] as RegExpExecArray;
    if (index - before.index - before[0].length !== 1 || before[0].length < 4) break;
    if (!/^[a-z\d]{1,4}[.,;:!?]?$/i.test(token) || !/\d/.test(token)) break;
  }
  return end >= 4 ? end : 1;
}

function valuesOfToken(token: string): FoundValue[] {
  if (!OF_VALUES.test(token) || token.length > 4 * LONGEST) return [];
  const value = withoutEdges(token);
  if (value.length < 2) return [];
  if (value.includes('://')) return [{ kind: 'url', text: value }];
  const kind = kindOf(value);
  // `iban=DE12...`, `to:kim@post.example`, `a1,b2`
  if (kind !== 'number' && kind !== 'date' && /[=:,]/.test(value) && !isUrl(value))
    return value.split(/[=:,]/).flatMap(valuesOfToken);
  const isValue = kind === 'name' ? /[a-z\d]\/[a-z\d]/i.test(value) : kind !== 'text';
  return isValue ? [{ kind, text: value }] : [];
}

/** A token without the punctuation around it. */
function withoutEdges(token: string): string {
  let from = 0;
  let end = token.length;
  while (end > from && EDGES.has(token.charAt(end - 1))) end--;
  while (from < end && EDGES.has(token.charAt(from)) && !/^\.{1,2}\//.test(token.slice(from, from + 3))) from++;
  return token.slice(from, end);
}
