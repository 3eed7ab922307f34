import type { MatchContext, Rule } from '../../core/inspect/rule.ts';
import { isKnownPackage } from './known-packages.ts';
import type { Registry } from './name-filter.ts';
import { importedPackage, packagesIn } from './package-names.ts';

/** Never more than a flag: the list of known names is not all of a registry. */
const SCORE = 0.55;

const SHARED = {
  type: 'code_injection',
  category: 'unknown_package',
  severity: 'low',
  score: SCORE,
  view: 'exact',
  surfaces: ['output'],
  owasp: 'LLM09:2025',
  atlas: 'AML.T0060',
} as const;

/** What may stand before a command: the start of a line, a prompt, a list marker, a quote, another command. */
const COMMAND_START = /(?:^|[\n`$>#|&;:('"!-]|\b(?:RUN|sudo|exec|and|or|run))[ \t]*$/i;
/** Up to what ends a command or quotes it. */
const ARGUMENTS = '[ \\t]+[^\\n\\r;&|`#)(]+';
const MAX_SPECIFIER_UNITS = 200;
/** Of a longer command only so much is looked at. */
const MAX_COMMAND_UNITS = 300;

const NPM_COMMAND =
  '\\b(?:(?:npm|pnpm|yarn|bun)[ \\t]+(?:(?:global|-g)[ \\t]+)?(?:i|install|add)|npx|bunx|(?:pnpm|yarn)[ \\t]+dlx)';
const PIP_COMMAND =
  '\\b(?:(?:uv[ \\t]+)?pip3?[ \\t]+install|pipx[ \\t]+(?:install|run)|(?:poetry|pdm|uv)[ \\t]+add|uvx|uv[ \\t]+tool[ \\t]+(?:install|run))';

function scoreOfCommand(match: string, { before }: MatchContext, registry: Registry): number | undefined {
  if (!COMMAND_START.test(before)) return undefined;
  const [, runs = '', rest = ''] =
    /^(.*?(?:[ \t](?:i|install|add|dlx|run)|npx|bunx|uvx))[ \t]+(.*)$/s.exec(shortened(match)) ?? [];
  const names = packagesIn(rest, registry);
  // What follows the package that is run is its own arguments.
  const judged = /(?:npx|bunx|uvx|dlx|run)$/.test(runs) ? names.slice(0, 1) : names;
  return judged.every((name) => isKnownPackage(registry, name)) ? undefined : SCORE;
}

/** The first of a long command's words. */
function shortened(command: string): string {
  if (command.length <= MAX_COMMAND_UNITS) return command;
  const whole = command.slice(0, MAX_COMMAND_UNITS);
  return whole.slice(0, Math.max(...[' ', '\t', '\n'].map((space) => whole.lastIndexOf(space))) + 1);
}

export const UNKNOWN_PACKAGE_RULES: readonly Rule[] = [
  {
    ...SHARED,
    id: 'unknown-package/npm-command',
    patterns: [NPM_COMMAND + ARGUMENTS],
    check: (match, context) => scoreOfCommand(match, context, 'npm'),
    message: 'The answer installs or runs an npm package that is not known: its name may be made up.',
  },
  {
    ...SHARED,
    id: 'unknown-package/pip-command',
    patterns: [PIP_COMMAND + ARGUMENTS],
    check: (match, context) => scoreOfCommand(match, context, 'pypi'),
    message: 'The answer installs or runs a Python package that is not known: its name may be made up.',
  },
  {
    ...SHARED,
    id: 'unknown-package/script-import',
    patterns: [
      '\\b(?:import|export)[ \\t]{1,4}[\\w*{}$, \\t]+[ \\t]from[ \\t]{0,4}["\'][^"\'\\s]+["\']',
      '\\b(?:require|import)[ \\t]{0,4}\\([ \\t]{0,4}["\'][^"\'\\s]+["\'][ \\t]{0,4}\\)',
      '\\bimport[ \\t]{1,4}["\'][^"\'\\s]+["\']',
    ],
    check: (match) => {
      const [, specifier = ''] = /["']([^"']+)["'][^"']*$/.exec(match.slice(-MAX_SPECIFIER_UNITS)) ?? [];
      const name = importedPackage(specifier);
      return name === undefined || isKnownPackage('npm', name) ? undefined : SCORE;
    },
    message: 'The answer imports an npm package that is not known: its name may be made up.',
  },
];
