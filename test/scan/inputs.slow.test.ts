import { spawn } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { BLOCK, FLAG, folder, inFolder, line, SCAN, scan, write } from './scan-command.ts';

describe('inputs', () => {
  it('reads JSONL: text, input, messages, a named and a nested field, with the id or the position', () => {
    write({
      'a.jsonl':
        line({ id: 'x', text: FLAG, input: 'no' }) +
        line({ input: FLAG, messages: [] }) +
        '\n' +
        line({
          id: 0,
          messages: [
            { role: 'system', content: BLOCK },
            { role: 'user', content: FLAG },
          ],
        }) +
        line({ id: null, text: null, input: 'Hello' }),
      'b.ndjson': line({ body: { prompt: FLAG }, text: 'no' }) + line({ 'body.prompt': 'Hi', body: { prompt: FLAG } }),
    });
    expect(scan(['a.jsonl']).actions()).toEqual([
      ['x', 'flag'],
      ['a.jsonl:2', 'flag'],
      [0, 'flag'],
      ['a.jsonl:5', 'allow'],
    ]);
    const [, , conversation] = scan(['a.jsonl']).results();
    expect(conversation?.detected_threats.map(({ rule, action, location }) => [rule, action, location.field])).toEqual([
      ['test-text/block', 'flag', 'messages[0].content'],
      ['test-text/flag', 'flag', 'messages[1].content'],
    ]);
    expect(scan(['b.ndjson', '--field', 'body.prompt']).actions()).toEqual([
      ['b.ndjson:1', 'flag'],
      ['b.ndjson:2', 'allow'],
    ]);
  });

  it('reads tools of a conversation and text files in it, and counts what holds no text', () => {
    const file = { filename: 'a.txt', file_data: `data:text/plain;base64,${btoa(`${FLAG} in a file`)}` };
    const image = { type: 'image_url', image_url: { url: 'https://a.example/b.png' } };
    const tools = [{ type: 'function', function: { name: 'f', description: FLAG } }];
    write({
      'a.jsonl':
        line({ messages: [{ role: 'user', content: [{ type: 'file', file }, image] }] }) +
        line({ messages: [{ role: 'user', content: 'Hi' }], tools }),
    });
    const { results, stderr } = scan(['a.jsonl']);
    expect(results().map(({ action }) => action)).toEqual(['flag', 'flag']);
    expect(results()[1]?.detected_threats[0]?.location.field).toBe('tools[0].function.description');
    expect(stderr).toContain('not scanned: 1 part of conversations without text\n');
  });

  it('reports invalid lines with their position, without their text, and reads on', () => {
    const secret = 'hunter22-not-to-be-shown';
    write({
      'a.jsonl': [
        `{"text":"${secret}"`,
        `{"text":"x" "${secret}"}`,
        `${secret}`,
        '[]',
        `"${secret}"`,
        line({ [secret]: 1 }).trim(),
        line({ text: 5 }).trim(),
        line({ text: [secret] }).trim(),
        line({ messages: [{ role: secret, content: 'x' }] }).trim(),
        `{"messages":[{"role":"user","content":${'['.repeat(50_000)}${']'.repeat(50_000)}}]}`,
        line({ id: 'last', text: FLAG }).trim(),
      ].join('\n'),
    });
    const { status, stdout, stderr, actions } = scan(['a.jsonl', '--fail-on', 'flag']);
    expect(status).toBe(2);
    expect(actions()).toEqual([['last', 'flag']]);
    const lines = stderr.split('\n');
    expect(lines.slice(0, 10)).toEqual([
      'a.jsonl:1: not valid JSON (column 35)',
      'a.jsonl:2: not valid JSON (column 13)',
      'a.jsonl:3: not valid JSON',
      'a.jsonl:4: not a JSON object',
      'a.jsonl:5: not a JSON object',
      'a.jsonl:6: no field "text", "input", "messages" or "contents"',
      'a.jsonl:7: no text and no list of messages in "text"',
      'a.jsonl:8: no text and no list of messages in "text"',
      expect.stringMatching(/^a\.jsonl:9: 'messages\[0\]\.role': role must be one of /),
      expect.stringMatching(/^a\.jsonl:10: .*deep/),
    ]);
    expect(stderr).toContain('not scanned: 10 errors\n');
    expect(stdout + stderr).not.toContain(secret);
  });

  it('names the missing field', () => {
    write({ 'a.jsonl': line({ text: 'x' }) });
    expect(scan(['a.jsonl', '--field', 'prompt'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('a.jsonl:1: no field "prompt"\n'),
    });
  });

  it('keeps line separators of Unicode inside a JSON string', () => {
    const text = JSON.stringify({ id: 1, text: `a\u2028b\u2029${FLAG}` });
    expect(scan([], `${text}\n`).actions()).toEqual([[1, 'flag']]);
  });

  it('reads CSV with any text in its cells', () => {
    write({
      'a.csv': `\ufeffID,Text,n\r\n=1,"a ""quoted""\r\n${FLAG}, text",2\r\n,Hello,3\r\nshort\r\n4,${FLAG},5\r\n`,
      'b.tsv': `title\tbody\n${FLAG}\tHello\nHello\t${FLAG}\n`,
      'c.csv': 'a;b\n1;2\n',
      'd.csv': 'id,text\n1,"open',
    });
    const done = scan(['a.csv']);
    expect(done.actions()).toEqual([
      ['=1', 'flag'],
      ['a.csv:4', 'allow'],
      ['4', 'flag'],
    ]);
    expect([done.status, done.stderr]).toEqual([
      2,
      expect.stringContaining('a.csv:5: a row without the column of the text\n'),
    ]);
    expect(scan(['b.tsv', '--field', 'BODY']).actions()).toEqual([
      ['b.tsv:2', 'allow'],
      ['b.tsv:3', 'flag'],
    ]);
    expect(scan(['c.csv']).stderr).toContain('c.csv:1: no column "text" or "input" (name one with --field)\n');
    expect(scan(['c.csv', '--field', 'x']).stderr).toContain('c.csv:1: no column "x"\n');
    expect(scan(['d.csv']).stderr).toContain('d.csv:2: a quote without its end\n');
  });

  it('reads a JSON array by its elements, and other JSON as one text', () => {
    write({
      'a.json': `[\n {"text": "}],[{\\"", "id": "x"},\n {"input":"${FLAG}"} ]`,
      'b.json': JSON.stringify(['Hello', FLAG]),
      'c.json': JSON.stringify({ text: 'Hello', note: FLAG }),
      'd.json': JSON.stringify([{ other: FLAG }]),
      'e.json': '[]',
      'f.json': '{"broken',
    });
    expect(scan(['a.json']).actions()).toEqual([
      ['x', 'allow'],
      ['a.json[1]', 'flag'],
    ]);
    expect(scan(['a.json', '--format', 'csv', '--quiet']).stdout).toContain('\r\na.json[1],a.json,3,flag,');
    expect(scan(['b.json', 'c.json', 'd.json', 'e.json', 'f.json']).actions()).toEqual([
      ['b.json[0]', 'allow'],
      ['b.json[1]', 'flag'],
      ['c.json', 'flag'],
      ['d.json', 'flag'],
      ['e.json', 'allow'],
      ['f.json', 'allow'],
    ]);
  });

  it('reads a text file as one text, or by its lines', () => {
    write({ 'a.txt': `Hello\r\n\r\n${FLAG}\r\n`, 'b.md': Buffer.from(`\ufeff${FLAG}`, 'utf16le'), 'empty.txt': '' });
    expect(scan(['a.txt', 'b.md', 'empty.txt']).actions()).toEqual([
      ['a.txt', 'flag'],
      ['b.md', 'flag'],
    ]);
    expect(scan(['a.txt', '--input-format', 'lines']).actions()).toEqual([
      ['a.txt:1', 'allow'],
      ['a.txt:3', 'flag'],
    ]);
    expect(scan(['a.txt', '--input-format', 'lines']).results()[1]?.detected_threats[0]?.location).toMatchObject({
      start: 0,
      end: FLAG.length,
    });
  });

  it('reads folders in order, without binary files, .git, node_modules, links and its own output', () => {
    write({
      'd/b.txt': FLAG,
      'd/a/z.jsonl': line({ text: FLAG }),
      'd/a.txt': 'Hello',
      'd/.git/config': FLAG,
      'd/node_modules/x/index.js': FLAG,
      'd/sub/node_modules/x.js': FLAG,
      'd/.hidden': FLAG,
      'd/image.png': new Uint8Array([0x89, 0x50, 0, 1]),
      'd/out.jsonl': 'old content, which is no JSON',
      'other.txt': FLAG,
    });
    symlinkSync(inFolder('other.txt'), inFolder('d/link.txt'));
    symlinkSync(inFolder('d'), inFolder('d/loop'));
    const done = scan(['d', '--out', 'd/out.jsonl']);
    expect([done.status, done.stdout]).toEqual([0, '']);
    expect(done.results(readFileSync(inFolder('d/out.jsonl'), 'utf8')).map(({ id }) => id)).toEqual([
      'd/.hidden',
      'd/a/z.jsonl:1',
      'd/a.txt',
      'd/b.txt',
    ]);
    expect(done.stderr).toContain('not scanned: 1 binary file\n');
  });

  it('reports files that it cannot read, and scans the others', () => {
    write({ 'a.bin': new Uint8Array([65, 0, 65]), 'b.txt': FLAG });
    const { status, stderr, actions } = scan(['missing.txt', 'a.bin', 'b.txt']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^missing\.txt: no such file or folder\na\.bin: a binary file\n/);
    expect(actions()).toEqual([['b.txt', 'flag']]);
  });

  test.each([
    ['JSONL', `\n ${line({ id: 1, text: 'Hello' })}no json\n`, 2, [[1, 'allow']]],
    [
      'lines',
      `Hello\n{"text":"x"}\n\n${FLAG}`,
      0,
      [
        ['stdin:1', 'allow'],
        ['stdin:2', 'allow'],
        ['stdin:4', 'flag'],
      ],
    ],
    ['lines, of a number', '5\n', 0, [['stdin:1', 'allow']]],
    ['nothing', '', 0, []],
  ])('reads standard input as %s', (_, input, status, actions) => {
    for (const args of [[], ['-']]) {
      const done = scan(args, input);
      expect([done.status, done.actions()]).toEqual([status, actions]);
    }
  });

  it('reads standard input beside files, in another format where one is named', () => {
    write({ 'a.txt': 'Hello' });
    expect(scan(['a.txt', '-'], FLAG).actions()).toEqual([
      ['a.txt', 'allow'],
      ['stdin:1', 'flag'],
    ]);
    expect(scan(['--input-format', 'csv'], `text\n"${FLAG}\nx"\n`).actions()).toEqual([['stdin:2', 'flag']]);
    expect(scan(['--input-format', 'text'], `a\n${FLAG}`).actions()).toEqual([['stdin', 'flag']]);
    expect(scan(['--input-format', 'json'], `["${FLAG}"]`).actions()).toEqual([['stdin[0]', 'flag']]);
  });

  it('returns a result for each text, in order, whatever the texts are', () => {
    const text = fc
      .string({ unit: 'binary', maxLength: 12 })
      .map((one) => (one.length % 3 === 0 ? `${one}${FLAG}` : one));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 60 }), (texts) => {
        const expected = texts.map((one, id) => [String(id), one.includes(FLAG)]);
        const quoted = texts.map((one, id) => `${id},"${one.replaceAll('"', '""')}"\r\n`);
        const inputs = {
          jsonl: texts.map((one, id) => line({ id: String(id), text: one })).join(''),
          json: JSON.stringify(texts.map((one, id) => ({ id: String(id), text: one }))),
          csv: `id,text\r\n${quoted.join('')}`,
        };
        for (const [format, input] of Object.entries(inputs)) {
          const { status, results } = scan(['--input-format', format], input);
          const flagged = results().map(({ id, detected_threats }) => [
            id,
            detected_threats.some(({ rule }) => rule === 'test-text/flag'),
          ]);
          expect([status, flagged]).toEqual([0, expected]);
        }
      }),
      { numRuns: 4 },
    );
  });
});

describe('long inputs', () => {
  it('are read in pieces, and a line above 32 Mi characters is reported', async () => {
    const child = spawn(process.execPath, ['--max-old-space-size=128', ...SCAN], { cwd: folder });
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (data) => (printed[name] += data));
    const mebibyte = 'x'.repeat(1024 * 1024);
    const pieces = function* () {
      for (let at = 0; at < 200; at += 1) yield line({ other: mebibyte });
      for (let at = 0; at < 40; at += 1) yield mebibyte;
      yield '\n';
      yield line({ id: 'last', text: FLAG });
    };
    await pipeline(Readable.from(pieces()), child.stdin);
    const status = await new Promise((resolve) => child.once('close', resolve));
    const lines = printed.stderr.split('\n');
    expect([lines[0], lines[199], lines[200]]).toEqual([
      'stdin:1: no field "text", "input", "messages" or "contents"',
      'stdin:200: no field "text", "input", "messages" or "contents"',
      'stdin:201: longer than 32 Mi characters',
    ]);
    expect([status, JSON.parse(printed.stdout).id, lines.length]).toEqual([2, 'last', 208]);
  });

  it('are refused as one text, with the way to read them', () => {
    write({ 'a.txt': 'x '.repeat(16 * 1024 * 1024 + 1) });
    expect(scan(['a.txt'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(
        'a.txt: longer than 32 Mi characters; --input-format lines reads it line by line\n',
      ),
    });
  });
});
