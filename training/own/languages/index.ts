import type { SentenceGrammar } from '../sentence-grammar.ts';
import { ARABIC } from './arabic.ts';
import { BENGALI } from './bengali.ts';
import { BULGARIAN } from './bulgarian.ts';
import { CHINESE } from './chinese.ts';
import { CROATIAN, SERBIAN } from './croatian.ts';
import { CZECH } from './czech.ts';
import { DANISH } from './danish.ts';
import { DUTCH } from './dutch.ts';
import { FINNISH } from './finnish.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { GREEK } from './greek.ts';
import { HEBREW } from './hebrew.ts';
import { HINDI } from './hindi.ts';
import { HINGLISH } from './hinglish.ts';
import { HUNGARIAN } from './hungarian.ts';
import { INDONESIAN } from './indonesian.ts';
import { ITALIAN } from './italian.ts';
import { JAPANESE } from './japanese.ts';
import { JAVANESE } from './javanese.ts';
import { KOREAN } from './korean.ts';
import { MALAY } from './malay.ts';
import { NORWEGIAN } from './norwegian.ts';
import { PERSIAN } from './persian.ts';
import { POLISH } from './polish.ts';
import { PORTUGUESE } from './portuguese.ts';
import { ROMANIAN } from './romanian.ts';
import { RUSSIAN } from './russian.ts';
import { SPANISH } from './spanish.ts';
import { SWAHILI } from './swahili.ts';
import { SWEDISH } from './swedish.ts';
import { TAGALOG } from './tagalog.ts';
import { TAMIL } from './tamil.ts';
import { TELUGU } from './telugu.ts';
import { THAI } from './thai.ts';
import { TURKISH } from './turkish.ts';
import { UKRAINIAN } from './ukrainian.ts';
import { VIETNAMESE } from './vietnamese.ts';

/** Every language but English. */
export const LANGUAGES: readonly SentenceGrammar[] = [
  ARABIC,
  BENGALI,
  BULGARIAN,
  CHINESE,
  CROATIAN,
  SERBIAN,
  CZECH,
  DANISH,
  DUTCH,
  FINNISH,
  FRENCH,
  GERMAN,
  GREEK,
  HEBREW,
  HINDI,
  HINGLISH,
  HUNGARIAN,
  INDONESIAN,
  ITALIAN,
  JAPANESE,
  JAVANESE,
  KOREAN,
  MALAY,
  NORWEGIAN,
  PERSIAN,
  POLISH,
  PORTUGUESE,
  ROMANIAN,
  RUSSIAN,
  SPANISH,
  SWAHILI,
  SWEDISH,
  TAGALOG,
  TAMIL,
  TELUGU,
  THAI,
  TURKISH,
  UKRAINIAN,
  VIETNAMESE,
];
