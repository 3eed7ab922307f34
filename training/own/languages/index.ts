import type { SentenceGrammar } from '../sentence-grammar.ts';
import { DANISH } from './danish.ts';
import { DUTCH } from './dutch.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { ITALIAN } from './italian.ts';
import { NORWEGIAN } from './norwegian.ts';
import { PORTUGUESE } from './portuguese.ts';
import { ROMANIAN } from './romanian.ts';
import { SPANISH } from './spanish.ts';
import { SWEDISH } from './swedish.ts';

/** Every language but English. */
export const LANGUAGES: readonly SentenceGrammar[] = [
  DANISH,
  DUTCH,
  FRENCH,
  GERMAN,
  ITALIAN,
  NORWEGIAN,
  PORTUGUESE,
  ROMANIAN,
  SPANISH,
  SWEDISH,
];
