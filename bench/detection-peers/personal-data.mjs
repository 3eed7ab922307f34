/** Detectors of personal data on npm, as their own defaults have them but for names: whether each finds anything in a text. */
import { OpenRedaction } from 'openredaction';
import { beginScanBudget, scan } from './node_modules/@coo-quack/sensitive-canary/dist/lib/rules.js';

const redactor = new OpenRedaction({ includeNames: false });

async function openredaction(text) {
  const { detections } = await redactor.detect(text);
  return detections.length > 0;
}

async function sensitiveCanary(text) {
  beginScanBudget();
  return scan(text).some(({ category }) => category === 'pii');
}

export const PEERS = [
  { name: 'openredaction 1.1.5, without names', detect: openredaction },
  { name: '@coo-quack/sensitive-canary 0.8.1', detect: sensitiveCanary },
];
