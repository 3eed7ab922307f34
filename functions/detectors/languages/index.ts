import { AFRICAN } from './african.ts';
import { EAST_ASIAN } from './east-asian.ts';
import { GERMANIC } from './germanic.ts';
import { OTHER_EUROPEAN } from './other-european.ts';
import { ROMANCE } from './romance.ts';
import { SLAVIC } from './slavic.ts';
import { SOUTH_ASIAN } from './south-asian.ts';
import { SOUTH_EAST_ASIAN } from './south-east-asian.ts';
import { WEST_ASIAN } from './west-asian.ts';
import type { LanguageWords } from './words.ts';

/** The languages other than English whose orders to a model are known. */
export const LANGUAGES: readonly LanguageWords[] = [
  ...GERMANIC,
  ...ROMANCE,
  ...SLAVIC,
  ...OTHER_EUROPEAN,
  ...WEST_ASIAN,
  ...SOUTH_ASIAN,
  ...SOUTH_EAST_ASIAN,
  ...EAST_ASIAN,
  ...AFRICAN,
];
