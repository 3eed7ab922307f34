/**
 * The last part of a path, decoded once. The router decodes paths itself, though not wholly, and a second time would fail on
 * names with a % in them, which callers may give their sessions.
 */
export function lastSegment(pathname: string): string {
  const segment = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
