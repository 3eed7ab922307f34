import type { SentenceGrammar } from '../sentence-grammar.ts';
import { DANISH } from './danish.ts';
import { DUTCH } from './dutch.ts';
import { GERMAN } from './german.ts';
import { NORWEGIAN } from './norwegian.ts';
import { SWEDISH } from './swedish.ts';

/** Every language but English. */
export const LANGUAGES: readonly SentenceGrammar[] = [DANISH, DUTCH, GERMAN, NORWEGIAN, SWEDISH];
