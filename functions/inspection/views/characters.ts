/**
 * Letters of other scripts, and rare Latin ones, that look like an ASCII letter or digit. From Unicode's confusables (UTS #39), reduced to
 * letters that attacks use, with the look-alikes that homoglyph generators add (Cyrillic small ka, em, te, ...) and Braille letters. Without
 * digits and letters of Arabic, Hebrew and Indic scripts, mathematical operators, and all that compatibility decomposition resolves.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'ɑαаΑАᎪᗅꓮᴀ⍺⠁',
  b: 'ƄЬᏏᖯꞴΒВᏴᗷꓐʙвьβƀɓ⠃',
  c: 'ᴄϲⲥсꮯϹⲤСᏟꓚƈ⠉',
  d: 'ԁᏧᑯꓒᎠᗞᗪꓓᴅđɖɗ⠙',
  e: 'ꬲеҽΕЕⴹᎬꓰᴇεєәǝɛ⠑',
  f: 'ꬵꞙẝքꞘϜᖴꓝꜰƒ⠋',
  g: 'ɡᶃցԌᏀᏳꓖɢǥɠ⠛',
  h: 'һհᏂΗⲎНᎻᕼꓧʜнħɦ⠓',
  i: 'ıɪɩιιіꙇӏꭵᎥΙⲒІӀƖɨ⠊',
  j: 'ϳјꞲͿЈᎫᒍꓙᴊɉ⠚',
  k: 'ΚⲔКᏦᛕꓗᴋκкƙ⠅',
  l: 'ǀⵏꓲⳐᏞᒪꓡʟłƚɫ⠇',
  m: 'ΜϺⲘМᎷᗰᛖꓟᴍм⠍',
  n: 'ոռΝⲚꓠɴηпƞɲ⠝',
  o: 'ᴏᴑꬽοσⲟоჿօΟⲞОՕⵔꓳøɵө⠕',
  p: 'ρϱⲣрΡⲢРᏢᑭꓑᴘƥ⠏',
  q: 'ԛգզⵕ⠟',
  r: 'ꭇꭈᴦⲅгꮁƦᎡᏒᖇꓣʀɍ⠗',
  s: 'ꜱƽѕꮪЅՏᏕᏚꓢʂ⠎',
  t: 'ΤⲦТᎢꓔᴛτтŧƭ⠞',
  u: 'ꞟᴜꭎꭒʋυսՍᑌꓴʉ⠥',
  v: 'ᴠνѵꮩѴⴸᏙᐯꓦ⠧',
  w: 'ɯᴡѡԝաꮃԜᎳᏔꓪω⠺',
  x: '᙮хᕁᕽ᙭ꞳΧⲬХⵝꓫχ⠭',
  y: 'ɣᶌʏꭚγүყΥϒⲨУҮᎩᎽꓬуʎ⠽',
  z: 'ᴢꮓΖᏃꓜƶʐ⠵',
  2: 'ƧϨꙄ',
  3: 'ȜƷꝪⳌЗӠз',
  4: 'Ꮞ',
  5: 'Ƽ',
  6: 'ⳒбᏮ',
  8: 'Ȣȣ',
  ae: 'æ',
  oe: 'œ',
  ss: 'ß',
  "'": '‘’‚‛ʼʹʻ′´＇',
  '"': '“”„‟″«»',
  '-': '‐‑‒–—―−',
};

/** The lower-case ASCII text for each look-alike. */
const CONFUSABLES: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([ascii, alike]) => [...alike].map((character) => [character, ascii] as const)),
);

/** Unicode's ignorable characters, control characters except white space, and noncharacters. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters.
  /[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{fff9}-\u{fffb}\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]/u;
const DECOMPOSED_SCRIPTS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]/u;
const SHARED_MARK = /[\p{M}&&\p{Script=Inherited}]/v;
const SPACE = /\p{Zs}/u;

/** Whether it is invisible: zero-width, bidi or other control, soft hyphen, variation selector, tag, filler. */
export function isInvisible(character: string): boolean {
  return INVISIBLE.test(character);
}

/** Whether it is a tag character, which spells ASCII text that is never shown. */
export function isTag(codePoint: number): boolean {
  return codePoint >= 0xe0020 && codePoint <= 0xe007e;
}

/** One character (a code point) as the `exact` view shows it: '' if it is invisible, else its compatibility form. */
export function toExact(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint >= 0x20 && codePoint < 0x7f) return character;
  if (isTag(codePoint)) return String.fromCharCode(codePoint - 0xe0000);
  if (isInvisible(character)) return '';
  if (codePoint === 0x85 || codePoint === 0x2028 || codePoint === 0x2029) return '\n';
  if (codePoint === 0x2800) return ' ';
  const compatible = character.normalize('NFKC');
  // A spacing accent would decompose into a space and a mark, and split the word that contains it.
  return compatible.startsWith(' ') && !SPACE.test(character) ? character : compatible;
}

/** One character (a code point) as the `folded` view shows it: lower case, without accents, look-alikes as ASCII. */
export function toFolded(character: string): string {
  if (character >= ' ' && character < '\x7f') return character.toLowerCase();
  const enclosed = enclosedLetter(character.codePointAt(0) ?? 0);
  if (enclosed !== undefined) return enclosed;
  const whole = CONFUSABLES.get(character);
  if (whole !== undefined) return whole;
  let folded = '';
  for (const part of toExact(character)) {
    const letters = DECOMPOSED_SCRIPTS.test(part) && !part.startsWith(' ') ? part.normalize('NFKD') : part;
    for (const letter of letters) if (!SHARED_MARK.test(letter)) folded += foldLetter(letter);
  }
  return folded;
}

function foldLetter(letter: string): string {
  const lower = letter.toLowerCase();
  return CONFUSABLES.get(letter) ?? CONFUSABLES.get(lower) ?? (lower.length === letter.length ? lower : letter);
}

/** White-on-black letters and regional indicators, which have no compatibility form, and letters in brackets. */
function enclosedLetter(codePoint: number): string | undefined {
  for (const first of [0x249c, 0x1f150, 0x1f170, 0x1f1e6]) {
    if (codePoint >= first && codePoint < first + 26) return String.fromCharCode(0x61 + codePoint - first);
  }
  return undefined;
}
