/** Returns what is wrong with the service's output: a line that is not a log entry, or that reports an internal error. */
export function logFault(printed: string): string | undefined {
  const [, log = ''] = printed.split(/^ready .*\n/m);
  for (const line of log.split('\n')) {
    if (line === '') continue;
    const entry = entryOf(line);
    if (entry?.message === undefined) return `a line that is no entry: ${line.slice(0, 300)}`;
    if (entry.code === 'internal_error' || entry.errorCode === 'internal_error') return `a failure inside: ${line}`;
  }
  return undefined;
}

function entryOf(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
