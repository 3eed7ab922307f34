import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { COMMANDS, createProgram } from '../../bin/admin/program.ts';
import { WITHOUT_EVENTS } from '../support/quick-start.ts';
import { runBin } from '../support/run-bin.ts';
import { admin, folder, lines, service, startForCli, testThatNoSecretWasPrinted } from './cli-setup.ts';

startForCli(WITHOUT_EVENTS);

describe('a failed call', () => {
  it('prints the error of the API with the request id, and exits with 1', async () => {
    const none = await admin(['keys', 'show', 'key_none']);
    expect([none.code, none.out, none.error]).toEqual([
      1,
      '',
      expect.stringMatching(
        /^GET \/admin\/keys\/key_none: 404 There is no such key, or it is revoked\. \(req_[0-9a-f]{32}\)\n$/,
      ),
    ]);
    const wrong = await admin(['keys', 'create', 'x', '--permissions', 'chat']);
    expect([wrong.code, wrong.error]).toEqual([
      1,
      expect.stringMatching(/: 400 'permissions\[0\]': must be .* \(req_/),
    ]);
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/v1`;
    closed.close();
    const away = await admin(['keys', 'list', '--url', url]);
    expect([away.code, away.error]).toEqual([
      1,
      `${url} cannot be reached: nothing listens there (ECONNREFUSED). Start the service, or correct SVC_URL.\n`,
    ]);
    const other = await admin(['keys', 'list'], { env: { SVC_ADMIN_KEY: 'x' } });
    expect([other.code, other.error]).toEqual([
      1,
      expect.stringMatching(/401 .* npm run --silent admin-key -- --local, .*\(req_/),
    ]);
    const file = await admin(['policy', 'set', path.join(folder, 'none.json')]);
    expect([file.code, file.error]).toEqual([1, `${path.join(folder, 'none.json')}: no such file or folder\n`]);
  });

  it.each([
    ['no command', [], /^Usage: .*COMMAND/],
    ['a group alone', ['keys'], /^Usage: .* keys COMMAND/],
    [
      'an unknown command',
      ['keys', 'explode'],
      /unknown command 'keys explode'\. 'keys' has list, show, .*\nAdd --help/,
    ],
    ['a misspelt command', ['keys', 'lst'], /unknown command 'keys lst'\. Did you mean 'keys list'\?\nAdd --help/],
    ['a misspelt group', ['webhook', 'lits'], /unknown command 'webhook'\. Did you mean 'webhooks list'\?/],
    ['swapped words', ['list', 'keys'], /unknown command 'list'\. Did you mean 'keys list'\?/],
    ['another word', ['keys', 'delete', 'key_1'], /unknown command 'keys delete'\. Did you mean 'keys revoke'\?/],
    ['no group', ['fly'], /unknown command 'fly'\. The first word is one of keys, alerts, webhooks, /],
    ['a misspelt option', ['keys', 'list', '--stat', 'active'], /unknown option '--stat' \(Did you mean --state\?\)/],
    ['a value that is none', ['keys', 'list', '--state', 'activ'], /one of active, .*\. Did you mean active\?/],
    [
      'an address without /v1',
      ['keys', 'list', '--url', 'http://localhost:8787'],
      /mean 'http:\/\/localhost:8787\/v1'/,
    ],
    ['an address without http', ['keys', 'list', '--url', 'localhost:8787/v1'], /not an http or https address/],
    ['an unknown option', ['keys', 'list', '--color', 'red'], /unknown option '--color'\nAdd --help/],
    ['a switch with a value', ['keys', 'list', '--json=1'], /unknown option '--json'/],
    ['a missing argument', ['keys', 'show'], /missing required argument 'ID'\nAdd --help/],
    ['an argument too many', ['keys', 'list', 'more'], /too many arguments/],
    ['an option without its value', ['keys', 'create', 'x', '--rate'], /'--rate <N\/PERIOD>' argument missing/],
    ['an option in place of a value', ['keys', 'create', 'x', '--rate', '--burst'], /'--rate <.*A value is missing/],
    ['a wrong amount', ['keys', 'create', 'x', '--rate', 'fast'], /--rate must be an amount and a period/],
    ['a wrong duration', ['usage', '--last', 'week'], /--last must be a duration/],
    ['two ranges', ['usage', '--last', '1h', '--from', '2h'], /--last is a complete range/],
    ['nothing to change', ['keys', 'update', 'key_1'], /Name at least one field to change\./],
    ['a mark that is none', ['threats', 'mark', 'thr_1', 'maybe'], /MARK must be/],
    ['a kind that is none', ['events', 'tail', '--only', 'all'], /It must be of threat, blocked, limited\./],
  ])('ends with 2 and says how it is made: %s', async (_what, args, message) => {
    const { code, out, error } = await admin(args);
    expect([code, out, error]).toEqual([2, '', expect.stringMatching(message)]);
  });

  it('is JSON on standard output with --json, and nothing else is printed', async () => {
    const none = await admin(['keys', 'show', 'key_none', '--json']);
    const message = expect.stringMatching(/^GET \/admin\/keys\/key_none: 404 There is no such key/);
    expect([none.code, none.error, JSON.parse(none.out)]).toEqual([
      ...[1, ''],
      { error: { message, type: 'api', status: 404, code: 'not_found', requestId: expect.stringMatching(/^req_/) } },
    ]);
    const wrong = await admin(['--json', 'keys', 'lst']);
    expect([wrong.code, wrong.error, JSON.parse(wrong.out)]).toEqual([
      ...[2, ''],
      { error: { message: "unknown command 'keys lst'. Did you mean 'keys list'?", type: 'usage' } },
    ]);
    const away = await admin(['keys', 'list', '--json', '--url', 'http://127.0.0.1:1/v1']);
    expect([away.code, JSON.parse(away.out).error.type]).toEqual([1, 'unreachable']);
    const file = await admin(['plan', folder, '--json']);
    expect([file.code, JSON.parse(file.out).error]).toEqual([
      1,
      { message: expect.stringContaining('folder'), type: 'file' },
    ]);
  });

  it('without AWS credentials a command that uses a table says what to check', async () => {
    // Nothing listens there, and the SDK does not look for credentials.
    const env = {
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_MAX_ATTEMPTS: '1',
    };
    const { code, out, error } = await runBin('admin', ['audit', 'verify', '--table', 'none'], env);
    expect([code, out, error]).toEqual([
      1,
      '',
      expect.stringMatching(/^audit table: \w+\. Check your AWS credentials .*\n$/),
    ]);
  });

  it('common options may come first', async () => {
    const { code, out } = await admin(['--json', '--url', service.adminUrl, 'keys', 'list'], { env: { SVC_URL: '' } });
    expect([code, JSON.parse(out.split('\n')[0] ?? '').object]).toEqual([0, 'key']);
  });

  it('exits with 2 without an address or a key', async () => {
    expect(await admin(['keys', 'list'], { env: { SVC_URL: '' } })).toMatchObject({
      code: 2,
      error: expect.stringContaining('SVC_URL'),
    });
    expect(await admin(['keys', 'list'], { env: { SVC_ADMIN_KEY: '' } })).toMatchObject({
      code: 2,
      error: expect.stringContaining('SVC_ADMIN_KEY'),
    });
  });

  it('repeats no value of a wrong call', async () => {
    for (const args of [
      ['keys', 'list', '--token=pa$$word'],
      ['keys', 'list', "--token=a'b pa$$word"],
      ['keys', 'list', 'pa$$word'],
      ['keys', 'create', 'x', '--rate', '--pa$$word'],
    ]) {
      const { code, out, error } = await admin(args);
      expect([code, out, error]).toEqual([2, '', expect.not.stringContaining('pa$$word')]);
    }
  });

  it('takes no key as an argument, and repeats none', async () => {
    for (const args of [
      ['keys', 'list', '--key', service.adminKey],
      ['keys', 'list', service.adminKey],
      [`--token=${service.adminKey}`],
    ]) {
      const { code, out, error } = await admin(args);
      expect([code, out, error]).toEqual([2, '', expect.stringMatching(/^A key must not be an argument/)]);
    }
  });
});

it('each command has help with its options and examples', async () => {
  const taken: string[] = [];
  const program = createProgram(COMMANDS, process, async ({ name }) => {
    taken.push(name);
  });
  for (const command of COMMANDS) {
    const words = command.name.split(' ');
    const { code, out } = await admin([...words, '--help']);
    const isGroup = COMMANDS.some(({ name }) => name.startsWith(`${command.name} `));
    const rest = [...command.args.map((arg) => `<${arg}>`), ...(isGroup ? ['[command]'] : [])];
    const call = [command.name, '[options]', ...rest].join(' ');
    expect([code, out.split('\n')[0]]).toEqual([0, `Usage: npm run --silent admin -- ${call}`]);
    for (const option of Object.keys(command.options)) expect(out).toContain(`--${option}`);
    // Its examples are calls that it takes.
    expect(command.examples.length).toBeGreaterThan(0);
    for (const example of command.examples) {
      expect(out).toContain(example);
      const args = [...example.replace(/ (?:>>?|<) \S+$/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
        ([, double, single, word]) => double ?? single ?? word ?? '',
      );
      await program.parseAsync(args, { from: 'user' });
      expect(taken.at(-1)).toBe(command.name);
    }
  }
  const overview = await lines('--help');
  // `routes` is a command, and begins others.
  const calls = overview.flatMap(
    (line) =>
      COMMANDS.filter(({ name }) => line.startsWith(`  ${name} `)).sort((a, b) => b.name.length - a.name.length)[0]
        ?.name ?? [],
  );
  expect(calls).toEqual(COMMANDS.map(({ name }) => name));
  expect((await lines('keys', '--help')).filter((line) => line.startsWith('  keys '))).toHaveLength(13);
});

testThatNoSecretWasPrinted(0);
