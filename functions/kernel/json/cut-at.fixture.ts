/** Splits a text at these offsets; offsets beyond its end are ignored, equal ones give empty pieces. */
export function cutAt(text: string, cuts: readonly number[]): string[] {
  const offsets = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
  return offsets.slice(1).map((end, index) => text.slice(offsets[index], end));
}
