import type { MatchContext, Rule, RuleExamples } from '../../matching/index.ts';
import { isKnownPackage, type Registry } from './known-packages.ts';

/** Only flags: the list of known names is not the whole registry. */
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

/** What may precede a command: the start of a line, a prompt, a list marker, a quote, another command. */
const COMMAND_START = /(?:^|[\n`$>#|&;:('"!-]|\b(?:RUN|sudo|exec|and|or|run))[ \t]*$/i;
/** Up to the end of a command or of its quotation. */
const ARGUMENTS = '[ \\t]+[^\\n\\r;&|`#)(]+';
const MAX_SPECIFIER_UNITS = 200;
/** Characters of a longer command that are read. */
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
  // The arguments after a package that is run are its arguments.
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
    message: 'The response installs or runs an npm package that is not known: its name may be invented.',
  },
  {
    ...SHARED,
    id: 'unknown-package/pip-command',
    patterns: [PIP_COMMAND + ARGUMENTS],
    check: (match, context) => scoreOfCommand(match, context, 'pypi'),
    message: 'The response installs or runs a Python package that is not known: its name may be invented.',
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
    message: 'The response imports an npm package that is not known: its name may be invented.',
  },
];

const NPM_NAME = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9][\w.-]{0,127}$/;
const PYPI_NAME = /^[a-z0-9][\w.-]{0,127}$/i;
const SOURCE_FILE = /\.(?:tsx?|jsx|vue|svelte|astro|s?css|svg|png)$/;
/** Options whose value is no package. */
const WITH_VALUE =
  /^(?:-[rcieftwCb]|--(?:requirement|constraint|index-url|extra-index-url|find-links|target|prefix|registry|workspace|filter|python|cwd|editable|group|extra|tag|loglevel|cache-dir|proxy))$/;

/** The packages that an install command names, up to the end of the command. */
function packagesIn(commandArguments: string, registry: Registry): string[] {
  const names: string[] = [];
  const words = commandArguments.split(/[ \t]+/).filter((word) => word !== '');
  for (let at = 0; at < words.length; at++) {
    const quoted = words[at] as string;
    const word = quoted.replace(/^["']|["']$/g, '');
    if (WITH_VALUE.test(word)) at += 1;
    else if (!word.startsWith('-')) {
      const name = packageName(word, registry);
      // A path, an address, a variable, or the prose around the command.
      if (name === undefined) break;
      names.push(name);
      // The quotation of the command ends here.
      if (/^[^"'].*["']$/.test(quoted)) break;
    }
  }
  return names;
}

/** The name in `name@1.2`, `name==1.2`, `name[extra]`; undefined where it is no name of a package to fetch. */
function packageName(word: string, registry: Registry): string | undefined {
  if (registry === 'npm') {
    const name = word.replace(/(?<=.)@[\w.^~<>=*-]*$/, '');
    return NPM_NAME.test(name) ? name : undefined;
  }
  const [name = ''] = word.split(/[[=<>~!]/, 1);
  return PYPI_NAME.test(name) && !/\.(?:txt|whl|gz|zip|toml|cfg|py)$/i.test(name) ? name : undefined;
}

/** The npm package of an import specifier; undefined for files, aliases and modules of other languages. */
function importedPackage(specifier: string): string | undefined {
  const parts = specifier.split('/');
  const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] as string);
  // With a dot in its name: a file, or a module of Lua, which has `require` too.
  return NPM_NAME.test(name) && !name.includes('.') && !SOURCE_FILE.test(specifier) ? name : undefined;
}

export const UNKNOWN_PACKAGE_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  'unknown-package/npm-command': {
    positives: [
      'Run:\n\n```sh\nnpm install express react-quantum-form-guard\n```',
      'Then `npx -y svelte-turbo-migrator-pro --all`.',
      '$ yarn add -D eslint-plugin-zebra-order@^2.1.0',
      'pnpm add @zebra-quantum-tools/core',
    ],
    negatives: [
      { text: 'npm install', reason: 'names none' },
      { text: 'npm install --save-dev typescript@5.9 @types/node @aws-sdk/client-s3', reason: 'known ones' },
      { text: 'npm install ./packages/zebra-quantum-core', reason: 'a path' },
      { text: 'npm install zebra-quantum/form-guard-tool', reason: 'a repository' },
      { text: 'npm install your-package-name', reason: 'a placeholder' },
      { text: 'npx jest zebra-quantum-form-guard', reason: 'an argument of what runs' },
      { text: 'We let npm install zebra-quantum-things for us.', reason: 'prose' },
    ],
  },
  'unknown-package/pip-command': {
    positives: [
      '```\npip install requests pandas-quantum-optimizer-x\n```',
      'Use `uv add "fastapi-zebra-guard[all]>=1.0"`.',
      '$ pipx run zebra-quantum-linter src',
    ],
    negatives: [
      { text: 'pip install -r zebra-quantum-list.txt', reason: 'a file' },
      {
        text: 'pip install "uvicorn[standard]" Flask_SQLAlchemy python-dateutil==2.9',
        reason: 'known, however spelled',
      },
      { text: 'pip install git+https://git.example/zebra-quantum', reason: 'an address' },
      { text: 'pip install --upgrade pip', reason: 'itself' },
    ],
  },
  // With escaped quotes, so that test/architecture.test.ts takes these for no imports of this file.
  'unknown-package/script-import': {
    positives: [
      'import { guard } from \u0027react-quantum-form-guard\u0027;',
      'const guard = require(\u0027express-zebra-quantum-guard/lib\u0027);',
      'await import(\u0027@zebra-quantum-tools/core\u0027)',
    ],
    negatives: [
      {
        text: 'import { readFile } from \u0027node:fs/promises\u0027; import os from \u0027os\u0027;',
        reason: "the platform's",
      },
      {
        text: 'import x from \u0027./zebra-quantum-guard\u0027; import y from \u0027@/zebra-quantum-guard\u0027;',
        reason: 'local',
      },
      { text: 'import get from \u0027lodash/get\u0027; import { z } from \u0027zod\u0027;', reason: 'known ones' },
      { text: 'local m = require("zebra.quantum.guard")', reason: 'another language' },
      { text: 'We translated it from "zebra-quantum-guard" by hand.', reason: 'prose' },
    ],
  },
};
