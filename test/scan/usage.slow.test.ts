import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from '@jest/globals';
import { ATTACK, BLOCK, FLAG, inFolder, line, REDACT, scan, write } from './scan-command.ts';

describe('npm run scan with --in and --out', () => {
  const run = (input: string, ...args: string[]) => {
    write({ 'in.jsonl': input });
    const done = scan(['--in', 'in.jsonl', '--out', 'out.jsonl', ...args]);
    return { ...done, results: () => done.results(readFileSync(inFolder('out.jsonl'), 'utf8')) };
  };

  it('scores each line in order as the gateway does, and prints nothing', () => {
    const input =
      line({ id: 'a', text: 'Hello there' }) + line({ id: 2, text: ATTACK }) + line({ id: 'c', text: FLAG });
    const { status, stdout, results } = run(input);
    expect([status, stdout]).toEqual([0, '']);
    const found = results();
    expect(found.map(({ id, action }) => [id, action])).toEqual([
      ['a', 'allow'],
      [2, 'block'],
      ['c', 'flag'],
    ]);
    for (const one of found) {
      const { scores, threat_score, micros, detected_threats } = one;
      expect(Object.keys(one)).toEqual([
        'id',
        'file',
        'line',
        'threat_score',
        'action',
        'scores',
        'detected_threats',
        'micros',
      ]);
      expect(Object.keys(scores)).toHaveLength(13);
      expect(threat_score).toBe(Math.max(...Object.values<number>({ ...scores, pii: 0, secret: 0, toxicity: 0 })));
      expect(micros).toBeGreaterThanOrEqual(0);
      expect(Array.isArray(detected_threats)).toBe(true);
    }
    expect(found[1]?.scores.prompt_injection).toBeGreaterThanOrEqual(0.85);
  });

  it('scores with another author and another policy', () => {
    const attack = line({ id: 'a', text: ATTACK });
    expect(run(attack, '--as', 'system').results()[0]?.action).toBe('flag');
    expect(run(attack, '--policy', 'monitor').results()[0]?.action).toBe('flag');
    const output = run(attack, '--as', 'output').results()[0];
    expect(output?.detected_threats.map(({ rule }) => rule)).toEqual(['classifier/answer-injection']);
    expect(output?.action).toBe('flag');
  });
});

describe('exit codes', () => {
  test.each([
    ['flag', 'Hello', 0],
    ['flag', FLAG, 1],
    ['flag', REDACT, 1],
    ['flag', BLOCK, 1],
    ['block', FLAG, 0],
    ['block', REDACT, 0],
    ['block', `${BLOCK}\nHello`, 1],
    ['block', '', 0],
  ])('--fail-on %s with %j: %i', (failOn, input, expected) => {
    expect(scan(['--fail-on', failOn, '--input-format', 'lines'], input).status).toBe(expected);
  });

  test('without --fail-on no finding fails', () => {
    expect(scan([], BLOCK).status).toBe(0);
  });
});

describe('policies', () => {
  it('applies the rules of a file, as of a key', () => {
    const rules = [{ id: 'zeus', literals: ['zeus'], action: 'block' }];
    const allowed = ['AKIA', 'Q3EGRVWM5Z2T45KL'].join('');
    write({ 'p.json': JSON.stringify({ preset: 'monitor', rules, allow: [{ literal: allowed }] }) });
    const { results } = scan(['--policy', 'p.json'], `zeus\n${allowed}\n${ATTACK}\n`);
    expect(results().map(({ action, detected_threats }) => [action, detected_threats[0]?.rule])).toEqual([
      ['block', 'custom/zeus'],
      ['allow', undefined],
      ['flag', expect.any(String)],
    ]);
  });

  it.each([
    ['{"preset":"mild"}', "'preset': "],
    ['{"input":{"pii":{"action":"flagg"}}}', "'input.pii.action': "],
    ['{"colour":1}', "Unknown field 'colour'."],
    ['{"rules":[{"id":"a","pattern":"(","action":"flag"}]}', "'rules[0].pattern': is refused at character "],
    ['{', 'p.json:1: not valid JSON (column 2)'],
    ['[]', 'p.json: '],
  ])('names the fault of %s', (json, message) => {
    write({ 'p.json': json });
    const { status, stdout, stderr } = scan(['--policy', 'p.json'], 'Hello');
    expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
    expect(stderr).toMatch(/^error: --policy: p\.json/);
  });
});

describe('usage', () => {
  it.each([
    ['an unknown author', ['--as', 'someone'], 'Allowed choices are user, tool, output, system.'],
    ['an unknown format', ['--format', 'xml'], 'Allowed choices are jsonl, csv, sarif, report.'],
    ['an unknown option', ['--polcy', 'strict'], '(Did you mean --policy?)'],
    ['no value', ['--out'], "option '--out <FILE>' argument missing"],
    ['no policy', ['--policy', 'mild'], 'mild: no preset (monitor, balanced, strict) and no readable file'],
    [
      'an output that is an input',
      ['in.txt', '--out', './in.txt'],
      '--out: in.txt: an input, which the output would empty',
    ],
    ['an input twice', ['-', '-'], 'an input is given twice'],
  ])('refuses %s', (_, args, message) => {
    write({ 'in.txt': FLAG });
    const { status, stdout, stderr } = scan(args);
    expect(readFileSync(inFolder('in.txt'), 'utf8')).toBe(FLAG);
    expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
    expect(stderr).toContain('Add --help to see options and examples.');
  });

  it('explains itself', () => {
    const { status, stdout, stderr } = scan(['--help']);
    expect([status, stderr]).toEqual([0, '']);
    for (const part of [
      'Usage: npm run --silent scan -- [FILES...]',
      '--fail-on <ACTION>',
      '.jsonl',
      'Examples:',
      'Exit codes:',
    ]) {
      expect(stdout).toContain(part);
    }
  });
});
