import type { RuleExamples } from '../../core/inspect/rule.ts';

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
  'unknown-package/script-import': {
    positives: [
      "import { guard } from 'react-quantum-form-guard';",
      "const guard = require('express-zebra-quantum-guard/lib');",
      "await import('@zebra-quantum-tools/core')",
    ],
    negatives: [
      { text: "import { readFile } from 'node:fs/promises'; import os from 'os';", reason: "the platform's" },
      { text: "import x from './zebra-quantum-guard'; import y from '@/zebra-quantum-guard';", reason: 'local' },
      { text: "import get from 'lodash/get'; import { z } from 'zod';", reason: 'known ones' },
      { text: 'local m = require("zebra.quantum.guard")', reason: 'another language' },
      { text: 'We translated it from "zebra-quantum-guard" by hand.', reason: 'prose' },
    ],
  },
};
