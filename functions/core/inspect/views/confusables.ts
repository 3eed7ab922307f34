/**
 * Letters of other scripts, and rare Latin ones, that a reader takes for an ASCII letter or digit. The facts are those of
 * Unicode's confusables (UTS #39), cut to letters that attacks use, with the look-alikes that homoglyph generators add
 * (Cyrillic small ka, em, te, ...) and Braille letters. Left out: digits and letters of Arabic, Hebrew and Indic scripts, mathematical
 * operators, and everything that compatibility decomposition resolves already.
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
  "'": '‘’‚‛ʼʹʻ′`´＇',
  '"': '“”„‟″«»',
  '-': '‐‑‒–—―−',
};

/** One look-alike to the lower-case ASCII text it is read as. */
export const CONFUSABLES: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([ascii, alike]) => [...alike].map((character) => [character, ascii] as const)),
);
