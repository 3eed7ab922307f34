/** Marks that open a quotation or string literal, and those that close it. */
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '‘': '’',
  '„': '“”"',
  '«': '»',
  '「': '」',
  '『': '』',
};
const QUOTE = /["'`“‘„«「『]/g;
const LETTER = /[\p{L}\p{M}\p{N}]/u;
/** Longer quotations are texts of a document, no samples. */
const LONGEST_SAMPLE = 240;
/** Minimum part of a passage that is quoted. */
const MOST = 0.5;
/** Distance in which the text names its samples. */
const REACH = 600;
/** Quotations of one word are names: members, labels, verdicts. */
const NAME_AT_MOST = 32;
/**
 * Words by which writers name samples of attacks: as attacks, or as cases of a test. A text that says so also informs a model that these words are
 * no order to it.
 */
const NAMES_SAMPLES = new RegExp(
  [
    // Code of tests.
    '\\b(?:pytest|unittest|parametrize\\w*|assert\\w*|expect(?:s|ed)?|describe|fixtures?|__tests__|testcases?|benign|should_?block\\w*)\\b|@test\\b|\\btest_\\w|\\w(?:_test|test|tests|spec)\\.\\w|\\.(?:spec|test)\\.',
    '(?<![a-z])(?:attacks?|adversarial|jailbreaks?|payloads?|injections?|red[- ]team\\w*|malicious|guardrails?|false positives?|blocklist|denylist|phishing|scams?|frauds?|test (?:cases?|sentences?|set|suite))(?![a-z])',
    // German, Dutch, Nordic.
    '\\b(?:angriff\\w*|angreifer\\w*|injektion\\w*|testf[aä]ll\\w*|fehlalarm\\w*|betrug\\w*|betr[uü]ger\\w*|schadtext\\w*|aanval\\w*|injectie\\w*|angrep\\w*|angreb\\w*)',
    // French, Spanish, Portuguese, Italian.
    '\\b(?:attaques?|attaquants?|faux positifs?|malveillant\\w*|ataques?|atacantes?|maliciosos?|falsos? positivos?|inyecci[oó]n\\w*|inje[cç][aã]o|inje[cç][oõ]es|attacchi|attacco|iniezion\\w*|falsi? positivi?|arnaque\\w*|fraudes?|estafas?|golpes?|golpistas?|truff[ae])',
    // Slavic, Turkish.
    "(?:атак|инъекци|взлом|ін[’']?єкці|\\b(?:atak\\w*|wstrzykni\\w*|útok\\w*|sald[ıi]r[ıi]\\w*|enjeksiyon\\w*))",
    '攻撃|インジェクション|脱獄|誤検知|誤検出|テストケース|攻击|注入|越狱|误报|测试用例|攻擊|공격|인젝션|주입|탈옥|오탐|테스트 케이스',
  ].join('|'),
  'iu',
);

/** Results that tests of guards expect. */
const VERDICT =
  '(?:block(?:s|ed)?|allow(?:s|ed)?|refus(?:e|es|ed|al)|reject(?:s|ed)?|den(?:y|ied)|flag(?:s|ged)?|pass(?:es|ed)?|permit(?:s|ted)?|(?:un)?safe|blockieren|blockiert|zulassen|zul[aä]ssig|erlauben|erlaubt|ablehnen|abgelehnt|bloqu(?:er|é|[eé]e)|refus(?:er|é)?|accept(?:er|é)?|autoris(?:er|é)|bloquea[rd]?o?|permitir|permitido|permite|rechazar|rechazado|rechaza|bloqueia[r]?|bloqueado|recusa[r]?|aceita[r]?|拒否|許可|遮断|ブロック|通過|차단|허용|거부|통과|拦截|放行|拒绝|允许|阻止|通过)';
const MARKUP = '[\\s*_`"\'.✅❌]{0,6}';
/** A row of a table, a line of a list or the arguments of a call with nothing but a verdict beside the sample. */
const VERDICT_BESIDE = {
  cell: new RegExp(`\\|${MARKUP}${VERDICT}${MARKUP}(?:\\||$)`, 'iu'),
  arrow: new RegExp(`(?:→|⇒|=>|->|:)${MARKUP}${VERDICT}${MARKUP}$`, 'iu'),
  argument: new RegExp(`[,;]${MARKUP}${VERDICT}${MARKUP}(?:[),;\\]}]|$)`, 'iu'),
} as const;
const IS_ROW = /^\s{0,8}\|/;

/**
 * Whether a passage of third-party text is a sample of an attack: mostly in quotation marks, near words that name what they quote as such, or
 * with a verdict beside it, as in a table of tests.
 */
export function isAttackSample(text: string, start: number, end: number): boolean {
  const line = lineAround(text, start, end);
  if (line !== undefined && IS_ROW.test(line) && VERDICT_BESIDE.cell.test(line)) return true;
  if (quotedPart(text, start, end) < MOST * (end - start)) return false;
  if (line !== undefined && (VERDICT_BESIDE.arrow.test(line) || VERDICT_BESIDE.argument.test(line))) return true;
  return NAMES_SAMPLES.test(unquoted(text.slice(Math.max(0, start - REACH), end + REACH)));
}

/** The line that holds most of a passage; undefined if it is long. The classifier's windows may reach into the next line. */
function lineAround(text: string, start: number, end: number): string | undefined {
  const middle = Math.floor((start + end) / 2);
  const from = text.lastIndexOf('\n', middle - 1) + 1;
  const newline = text.indexOf('\n', middle);
  const to = newline < 0 ? text.length : newline;
  return to - from > 2 * LONGEST_SAMPLE ? undefined : text.slice(from, to).trimEnd();
}

/** Number of a passage's characters in closed quotations of one line. */
function quotedPart(text: string, start: number, end: number): number {
  const from = Math.max(text.lastIndexOf('\n', start - 1) + 1, start - REACH);
  const newline = text.indexOf('\n', end);
  const around = text.slice(from, Math.min(newline < 0 ? text.length : newline, end + REACH));
  let covered = 0;
  for (const [opening, closing] of quotations(around))
    covered += Math.max(0, Math.min(from + closing + 1, end) - Math.max(from + opening, start));
  return covered;
}

/** The text without its quotations of several words: an attack's own words do not name it as a sample. */
function unquoted(text: string): string {
  let rest = '';
  let at = 0;
  for (const [opening, closing] of quotations(text)) {
    if (closing - opening <= NAME_AT_MOST && !text.slice(opening, closing).includes(' ')) continue;
    rest += `${text.slice(at, opening)} `;
    at = closing + 1;
  }
  return rest + text.slice(at);
}

/** Closed quotations of at most LONGEST_SAMPLE characters, none of which spans lines. */
function* quotations(text: string): Generator<readonly [opening: number, closing: number]> {
  for (let at = 0; at < text.length; ) {
    QUOTE.lastIndex = at;
    const opening = QUOTE.exec(text)?.index;
    if (opening === undefined) return;
    const closing = isInWord(text, opening) ? undefined : closingOf(text, opening);
    if (closing !== undefined) yield [opening, closing];
    at = (closing ?? opening) + 1;
  }
}

function closingOf(text: string, opening: number): number | undefined {
  const marks = CLOSING[text.charAt(opening)] as string;
  const last = Math.min(text.length, opening + LONGEST_SAMPLE);
  for (let at = opening + 1; at < last; at++) {
    const mark = text.charAt(at);
    if (mark === '\n') return undefined;
    if (mark === '\\') at += 1;
    else if (marks.includes(mark) && !isInWord(text, at)) return at;
  }
  return undefined;
}

/** Whether it is an apostrophe. */
function isInWord(text: string, at: number): boolean {
  if (!"'’‘".includes(text.charAt(at))) return false;
  return LETTER.test(text.charAt(at - 1)) && LETTER.test(text.charAt(at + 1));
}
