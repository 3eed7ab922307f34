const ENDS = new Set(Array.from('.!?\n。！？।؟۔', (character) => character.charCodeAt(0)));

/** Whether a sentence ends with a code unit, in any script: what follows is another one. */
export function isSentenceEnd(unit: number): boolean {
  return ENDS.has(unit);
}
