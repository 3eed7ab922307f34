/** One row of a gateway in the load tables of bench/results.md. */
export interface LoadRow {
  readonly requestsPerSecond: number;
  /** CPU of the gateway's process for one request, milliseconds. */
  readonly cpuMs: number;
}

export interface LoadResults {
  readonly date: string;
  readonly machine: string;
  /** svc's, unless another is named. */
  readonly row: (kind: 'JSON' | 'SSE', atOnce: number, prompt: string, name?: string) => LoadRow;
}

/** Reads the figures that other pages repeat from bench/results.md; throws where a row is missing. */
export function readLoadResults(page: string): LoadResults {
  const fact = (name: string) => find(page, new RegExp(`^\\| ${name} \\| (.+?) \\|$`, 'm'), name)[0];
  return {
    date: fact('Date'),
    machine: fact('Machine'),
    row: (kind, atOnce, prompt, name = 'svc') => {
      const section = find(page, new RegExp(`^### ${kind}\\n([^#]+)`, 'm'), kind)[0];
      const row = new RegExp(`^\\| ${atOnce} \\| ${prompt} \\| ${name} \\| ([\\d.]+) \\| ([\\d.]+) \\|`, 'm');
      const [requestsPerSecond, cpuMs] = find(section, row, `${kind}, ${atOnce} at once, ${prompt}, ${name}`);
      return { requestsPerSecond: Number(requestsPerSecond), cpuMs: Number(cpuMs) };
    },
  };
}

function find(text: string, pattern: RegExp, what: string): [string, string] {
  const match = pattern.exec(text);
  if (match === null) throw new Error(`bench/results.md has no ${what}`);
  return [match[1] ?? '', match[2] ?? ''];
}
