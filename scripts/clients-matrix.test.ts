import { expect, test } from '@jest/globals';
import { type JestResults, matrixPage } from './clients-matrix.ts';

type Assertion = JestResults['testResults'][number]['assertionResults'][number];

const TARGETS = ['OpenAI', 'Anthropic', 'Google', 'Bedrock'];

const resultsOf = (assertionResults: Assertion[]): JestResults => ({ testResults: [{ assertionResults }] });

/** A passed test of each target. */
const passed = (client: string, title: string, ...preset: string[]): Assertion[] =>
  TARGETS.map((target) => ({ ancestorTitles: [client, target, ...preset], title, status: 'passed' }));

const AGENTS = resultsOf(passed('Codex (0.169.0)', 'gpt-5.5 under balanced'));

test('a row has what passed, with the reasons for the rest', () => {
  const sdk = 'An SDK (sdk 1.2.3)';
  const [first, ...others] = passed(sdk, 'stream', 'balanced') as [Assertion, ...Assertion[]];
  const limited = 'tool call (no: it has no tools)';
  const clients = resultsOf([
    ...passed(sdk, 'text', 'balanced'),
    ...passed(sdk, 'text', 'strict'),
    { ...first, status: 'failed', failureMessages: ['\u001b[31mError: 500 | no\u001b[39m\n    at x'] },
    ...others,
    { ancestorTitles: [sdk, 'Google', 'balanced'], title: limited, status: 'passed' },
    { ancestorTitles: [sdk, 'Google', 'strict'], title: limited, status: 'passed' },
    { ancestorTitles: ['another test of the suite'], title: 'lists models', status: 'failed' },
  ]);
  const page = matrixPage(clients, AGENTS, '2026-11-26');
  expect(page).toContain('| An SDK | sdk 1.2.3 | all but stream (1) | all | all but tool call (2) | all |');
  expect(page).toContain('1. **Failed** with `balanced`: Error: 500   no\n2. It has no tools.\n');
  expect(page).toContain('| Codex | 0.169.0 | all | all | all | all |');
  expect(page).toContain('on 2026-11-26');
  expect(page).toContain('Features: text, stream, tool call.');
});

test('a test that did not run is not counted as passed', () => {
  const clients = resultsOf(passed('An SDK (1)', 'text', 'strict').map((one) => ({ ...one, status: 'pending' })));
  expect(matrixPage(clients, AGENTS, '2026-11-26')).toContain('1. **Failed** with `strict`: pending');
});

test('a page without results of agents says so', () => {
  const page = matrixPage(resultsOf(passed('An SDK (1)', 'text', 'strict')), undefined, '2026-11-26');
  expect(page).toContain('## Agents\n\nNot generated');
});

test('results without a target or without a suite are no page', () => {
  const some = resultsOf(passed('An SDK (1)', 'text', 'strict').slice(1));
  expect(() => matrixPage(some, AGENTS, '2026-11-26')).toThrow('no results for a target');
  expect(() => matrixPage(resultsOf([]), AGENTS, '2026-11-26')).toThrow('a suite has no results');
});
