import { ENVIRONMENTS } from './api-key.ts';

/** The environment of a tag: standard names in any case, other text unchanged. */
export function environmentOf(tag: string): string {
  return ENVIRONMENTS.find((name) => name.toLowerCase() === tag.toLowerCase()) ?? tag;
}
