/** Letters of a marker: 75 bits. */
export const MARKER_LETTERS = 16;

/** The text that plants a marker in a system prompt: short, and without instructions for the model. */
export function plantedText(marker: string): string {
  return `[ref ${marker}]`;
}
