const STAR = 0x2a;

/** Whether `text` matches a glob whose only special character is `*` (any run of characters, or none). Linear, no regex. */
export function matchesGlob(glob: string, text: string): boolean {
  // Most texts differ from the glob's beginning.
  const begin = glob.charCodeAt(0);
  if (begin !== STAR && begin !== text.charCodeAt(0)) return glob === text;
  const pieces = glob.split('*');
  const first = pieces[0] as string;
  if (pieces.length === 1) return text === glob;
  const last = pieces[pieces.length - 1] as string;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

/** Globs with the closest to a text first: a whole name, then the glob with more letters. The order of an object's members means nothing. */
export function closestFirst<T>(byGlob: Readonly<Record<string, T>>): (readonly [glob: string, value: T])[] {
  const weight = (glob: string) => glob.replaceAll('*', '').length + (glob.includes('*') ? 0 : 1000);
  return Object.entries(byGlob).sort(([a], [b]) => weight(b) - weight(a) || (a < b ? -1 : 1));
}
