import type { SentenceGrammar } from '../sentence-grammar.ts';
import { ARABIC } from './arabic.ts';
import { BULGARIAN } from './bulgarian.ts';
import { CHINESE } from './chinese.ts';
import { CROATIAN, SERBIAN } from './croatian.ts';
import { CZECH } from './czech.ts';
import { DANISH } from './danish.ts';
import { DUTCH } from './dutch.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { HEBREW } from './hebrew.ts';
import { ITALIAN } from './italian.ts';
import { JAPANESE } from './japanese.ts';
import { KOREAN } from './korean.ts';
import { NORWEGIAN } from './norwegian.ts';
import { PERSIAN } from './persian.ts';
import { POLISH } from './polish.ts';
import { PORTUGUESE } from './portuguese.ts';
import { ROMANIAN } from './romanian.ts';
import { RUSSIAN } from './russian.ts';
import { SPANISH } from './spanish.ts';
import { SWEDISH } from './swedish.ts';
import { TURKISH } from './turkish.ts';
import { UKRAINIAN } from './ukrainian.ts';

/** Every language but English. */
export const LANGUAGES: readonly SentenceGrammar[] = [
  ARABIC,
  BULGARIAN,
  CHINESE,
  CROATIAN,
  SERBIAN,
  CZECH,
  DANISH,
  DUTCH,
  FRENCH,
  GERMAN,
  HEBREW,
  ITALIAN,
  JAPANESE,
  KOREAN,
  NORWEGIAN,
  PERSIAN,
  POLISH,
  PORTUGUESE,
  ROMANIAN,
  RUSSIAN,
  SPANISH,
  SWEDISH,
  TURKISH,
  UKRAINIAN,
];
