import { ENVIRONMENTS } from '../model/api-key.ts';

/** The environment that a tag means: `production` and `Production` are one, any other text is its own. */
export function environmentOf(tag: string): string {
  return ENVIRONMENTS.find((name) => name.toLowerCase() === tag.toLowerCase()) ?? tag;
}
