import { type FoundValue, kindOf, valuesIn } from './value-kinds.ts';

/** Programs that install packages, and how they are asked to; words after that are package names. */
const INSTALLERS = new Set(
  'npm pnpm yarn bun pip pip3 uv pipx poetry cargo go gem brew apt apt-get dnf yum apk composer conda'.split(' '),
);
const NAMES_INSTALLER = new RegExp(`(?:^|\\s)(?:${[...INSTALLERS].join('|')})(?:\\s|$)`);
const INSTALL = new Set(['install', 'i', 'add', 'get', 'require', 'in']);
const OUTSIDE = /^(?:~|\/(?!tmp\b|dev\/null\b|workspace\b)|\.\.\/\.\.)/;
const ADDRESSES: ReadonlySet<string> = new Set(['url', 'email', 'account']);

/**
 * What a command can do harm with: addresses, paths outside of the workspace, and packages. The command as a whole says
 * nothing: a README gives the commands of its project.
 */
export function valuesInCommand(command: string): FoundValue[] {
  const found = valuesIn(command).filter(
    ({ kind, text }) => ADDRESSES.has(kind) || (kind === 'path' && OUTSIDE.test(text)),
  );
  for (const part of command.split(/[|;&\n]/))
    for (const name of packagesIn(part)) found.push({ kind: kindOf(name), text: name });
  return found;
}

/** The packages that a command installs. */
export function packagesIn(command: string): string[] {
  if (!NAMES_INSTALLER.test(command)) return [];
  const words = command.split(/\s+/).filter((word) => word !== '');
  const installer = words.findIndex((word) => INSTALLERS.has(word));
  if (installer < 0) return [];
  const [verb, ...names] = words.slice(installer + 1).filter((word) => !word.startsWith('-') && word !== 'pip');
  return verb !== undefined && INSTALL.has(verb) ? names.filter((name) => name !== '.') : [];
}

/** Whether a path leads out of the folder that an agent works in. */
export function isOutside(path: string): boolean {
  return OUTSIDE.test(path);
}
