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
const REACH = 1_500;
/** Quotations of one word are names: members, labels, verdicts. */
const NAME_AT_MOST = 32;
/**
 * Words by which writers name samples of attacks: as attacks, or as cases of a test. A text that says so also informs a model that these words are
 * no order to it.
 */
const NAMES_SAMPLES = new RegExp(
  [
    // Code of tests.
    '\\b(?:pytest|unittest|parametrize\\w*|assert\\w*|expect(?:s|ed)?|describe|fixtures?|__tests__|testcases?|benign|should_?block\\w*|func Test\\w*|got, want|want)\\b|@test\\b|\\btest_\\w|\\w(?:_test|test|tests|spec)\\.\\w|\\.(?:spec|test)\\.|(?:^|\\n)(?:>>> |[ \\t-]{0,16}(?:tests?|patterns?|cases?):)|\\b(?:it|test|prueba|teste)\\((?:["\'`]| ,)|(?:^|\\n)[ \\t]{0,16}(?:Scenario|Szenario|Sc[eé]nario|Escenario|Cen[aá]rio)\\b[^\\n:]{0,16}:',
    '(?<![a-z])(?:attacks?|adversarial|jailbreaks?|payloads?|injections?|red[- ]team\\w*|malicious|guardrails?|(?:true|false)[ _-](?:positives?|negatives?)|detectors?|classifiers?|(?:content|safety|prompt|input|output) (?:filters?|guards?)|mod[eé]ra(?:tion|ção|ción)|heur[ií]stics?|heur[ií]sticas?|(?:forbidden|banned|blocked) (?:words?|phrases?|terms?)|false alarms?|regexp?|blocklist|denylist|phishing|scams?|frauds?|test (?:cases?|sentences?|set|suite))(?![a-z])',
    // Heads of tables that state an expected result.
    '\\b(?:erwartet\\w*|attendue?s?|esperad[oa]s?|attes[oi]|beklenen|oczekiwan\\w*|verwacht\\w*)\\b|ожидае|期望|预期|預期|期待|기대',
    // German, Dutch, Nordic.
    '\\b(?:angriff\\w*|angreifer\\w*|injektion\\w*|testf[aä]ll\\w*|fehlalarm\\w*|manipulation\\w*|moderation\\w*|sperrlist\\w*|eingabefilter\\w*|pr[uü]ff[aä]ll\\w*|betrug\\w*|betr[uü]ger\\w*|schadtext\\w*|aanval\\w*|injectie\\w*|angrep\\w*|angreb\\w*)',
    // French, Spanish, Portuguese, Italian.
    '\\b(?:attaques?|attaquants?|faux positifs?|malveillant\\w*|ataques?|atacantes?|maliciosos?|falsos? positivos?|inyecci[oó]n\\w*|manipulaci[oó]n|manipula[cç][aã]o|manipulazion\\w*|moderador\\w*|(?:frases|palabras) prohibidas|(?:frases|palavras) proibidas|(?:phrases|mots) interdites?|inje[cç][aã]o|inje[cç][oõ]es|attacchi|attacco|iniezion\\w*|falsi? positivi?|arnaque\\w*|fraudes?|estafas?|golpes?|golpistas?|truff[ae])',
    // Slavic, Turkish.
    "(?:атак|инъекци|взлом|ін[’']?єкці|\\b(?:atak\\w*|wstrzykni\\w*|útok\\w*|sald[ıi]r[ıi]\\w*|enjeksiyon\\w*))",
    '攻撃|インジェクション|脱獄|誤検知|誤検出|テスト(?:ケース|データ|項目)|モデレーション|NGワード|禁止(?:語|ワード)|ガードレール|検知器|攻击|注入|越狱|误报|测试(?:用例|数据)|内容审核|违禁词|敏感词|护栏|攻擊|공격|인젝션|주입|탈옥|오탐|탐지기|금칙어|모더레이션|가드레일|테스트 (?:케이스|데이터)',
  ].join('|'),
  'iu',
);

/** Results by which tests of guards expect a refusal. An attack is no near miss, so `allow` beside it names no sample. */
const REFUSAL =
  '(?:block(?:s|ed)?|refus(?:e|es|ed|al)|reject(?:s|ed)?|den(?:y|ied)|flag(?:s|ged)?|annotate[ds]?|unsafe|halt(?:ed)?|stop(?:s|ped|pen|pt)?|anhalten|stopp(?:en|t)?|blockieren|blockiert|ablehnen|abgelehnt|bloqu(?:er|é|[eé]e)|refus(?:er|é)?|bloquea[rd]?o?|rechazar|rechazado|rechaza|detener|detenido|detiene|arr[eê]ter|arr[eê]t[eé]e?|bloqueia[r]?|bloqueado|recusa[r]?|拒否|遮断|停止|ブロック|차단|거부|거절|중단|拦截|拒绝|阻止|阻断|标注)';
const MARKUP = '[\\s*_`"\'.✅❌]{0,6}';
/** A row of a table with a cell that holds only a refusal. */
const REFUSED_ROW = new RegExp(`^\\s{0,8}\\|.*\\|${MARKUP}${REFUSAL}${MARKUP}(?:\\||$)`, 'iu');

/**
 * Whether a passage of third-party text is a sample of an attack: mostly in quotation marks or in a row of a table that expects a refusal, near
 * words that name what they quote as such. A verdict alone names nothing.
 */
export function isAttackSample(text: string, start: number, end: number): boolean {
  if (isQuotation(text, start, end))
    return NAMES_SAMPLES.test(unquoted(text.slice(Math.max(0, start - REACH), end + REACH)));
  const line = lineAround(text, start, end);
  return (
    line !== undefined &&
    REFUSED_ROW.test(text.slice(line.start, line.end)) &&
    isNamedAround(text, line.start, line.end)
  );
}

const IS_ROW = /^\s{0,8}\|/;
/** Item of a list, line of a quoted mail, member of a mapping; row of values with commas and no spaces between. */
const IS_ITEM = /^(?:[ \t]{0,16}(?:[-*+>•]|\d{1,3}[.)]|[\w.-]{1,24}:[ \t])|[^,]{0,40},\S)/;
/** An odd number of these before a passage: it is in a fenced block. */
const FENCE = /(?:^|\n)[ \t]{0,8}(?:```|~~~)/g;
const FENCED_WITHIN = 2_000;
/** In JSON quotation marks hold all text, and in a tag they hold its attributes. */
const JSON_STARTS = /^\s*[[{]/;
const JSON_ENDS = /[\]}]\s*$/;
const JSON_EDGE = 64;
const IN_TAG = /<[a-z!/][^<>]{0,400}$/i;

/**
 * Whether third-party text only shows a passage: it quotes it, has it in a row of a table, or in an item of a list or a fenced block near words that name
 * samples of attacks. Texts about attacks and tests of guards show several.
 */
export function isShownAsSample(text: string, start: number, end: number): boolean {
  if (isQuotation(text, start, end) && !isSyntax(text, start)) return true;
  const range = lineAround(text, start, end);
  if (range === undefined) return false;
  const line = text.slice(range.start, range.end);
  if (IS_ROW.test(line)) return true;
  return (IS_ITEM.test(line) || isFenced(text, range.start)) && isNamedAround(text, range.start, range.end);
}

/** Whether quotation marks around a place are syntax that holds any text. */
function isSyntax(text: string, start: number): boolean {
  if (JSON_STARTS.test(text.slice(0, JSON_EDGE)) && JSON_ENDS.test(text.slice(-JSON_EDGE))) return true;
  return IN_TAG.test(text.slice(Math.max(0, start - REACH), start));
}

function isFenced(text: string, start: number): boolean {
  return [...text.slice(Math.max(0, start - FENCED_WITHIN), start).matchAll(FENCE)].length % 2 === 1;
}

/** Whether a passage is mostly in quotation marks: the words of others, or a string. */
function isQuotation(text: string, start: number, end: number): boolean {
  return quotedPart(text, start, end) >= MOST * (end - start);
}

/** Whether the text around a range names samples of attacks, in words that are not quoted. */
function isNamedAround(text: string, start: number, end: number): boolean {
  const around = [text.slice(Math.max(0, start - REACH), start), text.slice(end, end + REACH)];
  return around.some((part) => NAMES_SAMPLES.test(unquoted(part)));
}

/** The line that holds most of a passage; undefined if it is long. The classifier's windows may reach into the next line. */
function lineAround(text: string, start: number, end: number): { start: number; end: number } | undefined {
  const middle = Math.floor((start + end) / 2);
  const from = text.lastIndexOf('\n', middle - 1) + 1;
  const newline = text.indexOf('\n', middle);
  const to = newline < 0 ? text.length : newline;
  return to - from > 2 * LONGEST_SAMPLE ? undefined : { start: from, end: to };
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
