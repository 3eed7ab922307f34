export interface WordUse {
  readonly file: string;
  readonly line: number;
  readonly words: string;
  readonly advice: string;
}
export const REPLACED_WORDS: readonly (readonly [pattern: RegExp, advice: string])[];
export function textOf(file: string, content: string): string;
export function usesIn(file: string, content: string): WordUse[];
