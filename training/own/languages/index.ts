import type { SentenceGrammar } from '../sentence-grammar.ts';
import { BULGARIAN } from './bulgarian.ts';
import { CROATIAN, SERBIAN } from './croatian.ts';
import { CZECH } from './czech.ts';
import { DANISH } from './danish.ts';
import { DUTCH } from './dutch.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { ITALIAN } from './italian.ts';
import { NORWEGIAN } from './norwegian.ts';
import { POLISH } from './polish.ts';
import { PORTUGUESE } from './portuguese.ts';
import { ROMANIAN } from './romanian.ts';
import { RUSSIAN } from './russian.ts';
import { SPANISH } from './spanish.ts';
import { SWEDISH } from './swedish.ts';
import { UKRAINIAN } from './ukrainian.ts';

/** Every language but English. */
export const LANGUAGES: readonly SentenceGrammar[] = [
  BULGARIAN,
  CROATIAN,
  SERBIAN,
  CZECH,
  DANISH,
  DUTCH,
  FRENCH,
  GERMAN,
  ITALIAN,
  NORWEGIAN,
  POLISH,
  PORTUGUESE,
  ROMANIAN,
  RUSSIAN,
  SPANISH,
  SWEDISH,
  UKRAINIAN,
];
