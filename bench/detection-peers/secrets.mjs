/** Detectors of secrets on npm, as their own defaults have them: whether each finds anything in a text. */

import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { beginScanBudget, scan } from './node_modules/@coo-quack/sensitive-canary/dist/lib/rules.js';

const rules = [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }];

async function secretlint(content) {
  const source = { content, filePath: 'text.txt', ext: '.txt', contentType: 'text' };
  const { messages } = await lintSource({ source, options: { config: { rules } } });
  return messages.length > 0;
}

// Its package has no main file: this is what its hook calls.
async function sensitiveCanary(text) {
  beginScanBudget();
  return scan(text).some(({ category }) => category === 'secret');
}

export const PEERS = [
  { name: 'secretlint 13.0.7, recommended preset', detect: secretlint },
  { name: '@coo-quack/sensitive-canary 0.8.1', detect: sensitiveCanary },
];
