const INSTRUCTIONS = [
  'FROM',
  'WORKDIR',
  'COPY',
  'RUN',
  'ENV',
  'USER',
  'VOLUME',
  'EXPOSE',
  'STOPSIGNAL',
  'HEALTHCHECK',
  'CMD',
];

/**
 * The stages of a Dockerfile, each with its instructions in order. Knows the forms that our Dockerfile uses, and throws for others: what it
 * does not understand would be missing in the root file system.
 */
export function parseDockerfile(text) {
  const stages = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, instruction, rest] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (!INSTRUCTIONS.includes(instruction)) throw new Error(`not understood: ${line}`);
    if (instruction === 'FROM') {
      const [, image, name] = /^(?:--platform=\S+ )?(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
      if (image === undefined) throw new Error(`not understood: ${line}`);
      stages.push({ image, name, steps: [] });
    } else stages.at(-1).steps.push({ instruction, ...readStep(instruction, rest) });
  }
  return stages;
}

function readStep(instruction, rest) {
  if (instruction === 'RUN' || instruction === 'CMD') return { command: JSON.parse(rest) };
  if (instruction === 'HEALTHCHECK') return { command: JSON.parse(rest.slice(rest.indexOf('CMD ') + 4)) };
  if (instruction === 'ENV') {
    const [name, value] = rest.split('=');
    return { name, value };
  }
  if (instruction !== 'COPY') return { value: rest };
  const words = rest.split(' ');
  const options = Object.fromEntries(
    words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=')),
  );
  const paths = words.filter((word) => !word.startsWith('--'));
  return { ...options, sources: paths.slice(0, -1), target: paths.at(-1) };
}

/** Whether a .dockerignore leaves a path (`lib/local/a.ts`) in the build context: the last rule that matches it or a parent decides. */
export function isInContext(ignored, file) {
  const parts = file.split('/');
  const parents = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  let isKept = true;
  for (const line of ignored.split('\n')) {
    const rule = line.trim();
    if (rule === '' || rule.startsWith('#')) continue;
    const isException = rule.startsWith('!');
    const expression = toExpression(isException ? rule.slice(1) : rule);
    if (parents.some((parent) => expression.test(parent))) isKept = isException;
  }
  return isKept;
}

function toExpression(pattern) {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(?:.*/)?');
  return new RegExp(`^${source}$`);
}
