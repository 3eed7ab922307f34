const LETTERS: Readonly<Record<string, string>> = {
  '.-': 'a',
  '-...': 'b',
  '-.-.': 'c',
  '-..': 'd',
  '.': 'e',
  '..-.': 'f',
  '--.': 'g',
  '....': 'h',
  '..': 'i',
  '.---': 'j',
  '-.-': 'k',
  '.-..': 'l',
  '--': 'm',
  '-.': 'n',
  '---': 'o',
  '.--.': 'p',
  '--.-': 'q',
  '.-.': 'r',
  '...': 's',
  '-': 't',
  '..-': 'u',
  '...-': 'v',
  '.--': 'w',
  '-..-': 'x',
  '-.--': 'y',
  '--..': 'z',
  '-----': '0',
  '.----': '1',
  '..---': '2',
  '...--': '3',
  '....-': '4',
  '.....': '5',
  '-....': '6',
  '--...': '7',
  '---..': '8',
  '----.': '9',
  '.-.-.-': '.',
  '--..--': ',',
  '..--..': '?',
  '.----.': "'",
  '-.-.--': '!',
  '-..-.': '/',
  '---...': ':',
  '-....-': '-',
  '.-..-.': '"',
};
/** Of the signs of a ruler or a table most are the same, or none that Morse knows. */
const MIN_DISTINCT = 4;

/** Text in Morse code, words parted by a slash, a bar, a line or more than one space; undefined where it holds none. */
export function readMorse(run: string): string | undefined {
  const spaced = run.replaceAll('\r', ' ').replace(/[|/\n]/g, '  ');
  const words = spaced.split(/ {2,}/).map((word) => word.split(' '));
  const signs = words.flat();
  const known = signs.filter((sign) => LETTERS[sign] !== undefined);
  if (known.length * 8 < signs.length * 7 || new Set(known).size < MIN_DISTINCT) return undefined;
  return words.map((word) => word.map((sign) => LETTERS[sign] ?? '').join('')).join(' ');
}
