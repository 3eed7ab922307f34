import type { SentenceGrammar } from '../../own/sentence-grammar.ts';
import { toWishGrammar } from '../written-wishes.ts';
import { EAST_ASIAN } from './east-asian.ts';
import { NORTH_EAST_EUROPEAN } from './north-east-european.ts';
import { ROMANCE } from './romance.ts';
import { SOUTH_ASIAN } from './south-asian.ts';

/** Wishes in languages other than English. */
export const HARM_BY_LANGUAGE: readonly SentenceGrammar[] = [
  ...ROMANCE,
  ...NORTH_EAST_EUROPEAN,
  ...EAST_ASIAN,
  ...SOUTH_ASIAN,
].map(toWishGrammar);
