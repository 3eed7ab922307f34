/**
 * Characters that JSON leaves unescaped and a terminal or line reader interprets: C1 controls, line ends, bidirectional and invisible
 * characters.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of one line with every character visible. JSON keeps its value. */
export function escapeUnseen(line: string): string {
  return line.replace(UNSEEN, escapedUnits);
}

function escapedUnits(text: string): string {
  return text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
