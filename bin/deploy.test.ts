import { describe, expect, test } from '@jest/globals';
import { readDeployArguments } from './deploy.ts';

describe('removes the stage and passes on all other arguments', () => {
  test.each<[args: string[], stage: string | undefined, passedOn: string[]]>([
    [[], undefined, []],
    [['--stage', 'Production'], 'Production', []],
    [['--stage=Staging', '--hotswap'], 'Staging', ['--hotswap']],
    [['-c', 'stage=Production', '-c', 'other=1'], 'Production', ['-c', 'other=1']],
    [['--context', 'stage=Staging'], 'Staging', []],
    [['--context=stage=Staging', '--context=a=b'], 'Staging', ['--context=a=b']],
    [
      ['--require-approval', 'never', '--stage', 'Staging', '--outputs-file', 'o.json'],
      'Staging',
      ['--require-approval', 'never', '--outputs-file', 'o.json'],
    ],
    [['--stage', 'Staging', '-c', 'stage=Staging'], 'Staging', []],
  ])('%j', (args, stage, passedOn) => {
    expect(readDeployArguments(args)).toEqual({ stage, passedOn, profile: undefined });
  });

  test('returns a profile and passes it on', () => {
    const { profile, passedOn } = readDeployArguments(['--profile', 'ops', '--stage', 'Staging']);
    expect([profile, passedOn]).toEqual(['ops', ['--profile', 'ops']]);
  });
});

test.each([[['--stage']], [['--stage', '--hotswap']], [['--stage=']]])(
  'a stage without a name is refused: %j',
  (args) => {
    expect(() => readDeployArguments(args)).toThrow('--stage: name a stage');
  },
);

test('two stages are refused', () => {
  expect(() => readDeployArguments(['--stage', 'Staging', '-c', 'stage=Production'])).toThrow('Staging and Production');
});
