import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { ATTACK, AWS_ID, BLOCK, FLAG, folder, line, REDACT, SCAN, SSN, scan, write } from './scan-command.ts';

describe('outputs', () => {
  const INPUT = `Hello\nsay ${FLAG}\n${BLOCK} ${AWS_ID}\n${SSN}\n`;

  it('writes CSV with a row for each text, safe in a spreadsheet', () => {
    write({ 'a.jsonl': line({ id: '=cmd()', text: `${FLAG} ${AWS_ID}` }) + line({ id: 'a,"b"', text: 'Hello' }) });
    const { stdout, status } = scan(['a.jsonl', '--format', 'csv']);
    expect(status).toBe(0);
    const [header = '', first, second, ...rest] = stdout.split('\r\n');
    expect(header.split(',').slice(0, 9).join()).toBe(
      'id,file,line,action,threat_score,types,rules,examples,prompt_injection',
    );
    expect(header.split(',')).toHaveLength(21);
    expect(first).toMatch(
      /^"'=cmd\(\)",a\.jsonl,1,flag,1,prompt_injection,test-text\/flag,secrets\/aws-access-key,1,0,/,
    );
    expect(second).toMatch(/^"a,""b""",a\.jsonl,2,allow,/);
    expect(rest).toEqual(['']);
  });

  it('writes SARIF for code scanning, with the place of each finding', () => {
    write({ 'a dir/b#1.txt': INPUT, 'c.jsonl': line({ text: 'Hello' }) + line({ text: `x ${REDACT}` }), 'd.txt': 'x' });
    const outside = path.join(folder, '..', `svc-scan-${process.pid}.txt`);
    writeFileSync(outside, FLAG);
    const { stdout, status } = scan(['a dir', 'c.jsonl', 'd.txt', outside, '--format', 'sarif']);
    rmSync(outside);
    expect(status).toBe(0);
    const sarif = JSON.parse(stdout);
    expect(sarif).toMatchObject({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0' });
    expect(sarif.runs).toHaveLength(1);
    const [run] = sarif.runs;
    expect(run).toMatchObject({
      columnKind: 'utf16CodeUnits',
      invocations: [{ executionSuccessful: true }],
      tool: { driver: { name: 'svc', semanticVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/) } },
    });
    const { rules } = run.tool.driver;
    expect(new Set(rules.map(({ id }: { id: string }) => id)).size).toBe(rules.length);
    for (const rule of rules) {
      for (const text of ['shortDescription', 'fullDescription', 'help']) expect(rule[text].text).toMatch(/\S/);
      expect(Number(rule.properties['security-severity'])).toBeGreaterThan(0);
      expect(rule.properties.tags).toContain('security');
    }
    for (const { ruleId, ruleIndex, message } of run.results) {
      expect(rules[ruleIndex].id).toBe(ruleId);
      expect(message.text).toMatch(/\.$/);
    }
    const uri = 'a%20dir/b%231.txt';
    const region = (startLine: number, startColumn: number, endColumn: number) => ({
      startLine,
      startColumn,
      endLine: startLine,
      endColumn,
    });
    const places = run.results
      .filter(({ ruleId }: { ruleId: string }) => !ruleId.startsWith('classifier/'))
      .map(
        ({
          ruleId,
          level,
          locations,
        }: {
          ruleId: string;
          level: string;
          locations: { physicalLocation: object }[];
        }) => [ruleId, level, locations[0]?.physicalLocation],
      );
    const inRoot = (file: string) => ({ uri: file, uriBaseId: '%SRCROOT%' });
    expect(places).toEqual([
      ['test-text/flag', 'warning', { artifactLocation: inRoot(uri), region: region(2, 5, 5 + FLAG.length) }],
      ['test-text/block', 'error', { artifactLocation: inRoot(uri), region: region(3, 1, 1 + BLOCK.length) }],
      ['secrets/aws-access-key', 'note', { artifactLocation: inRoot(uri), region: region(3, 21, 41) }],
      ['personal-data/us-ssn', 'note', { artifactLocation: inRoot(uri), region: region(4, 1, 12) }],
      [
        'test-text/redact',
        'warning',
        { artifactLocation: inRoot('c.jsonl'), region: { startLine: 2, startColumn: 1 } },
      ],
      [
        'test-text/flag',
        'warning',
        { artifactLocation: { uri: pathToFileURL(path.resolve(outside)).href }, region: region(1, 1, 1 + FLAG.length) },
      ],
    ]);
  });

  it('describes a rule by its findings, not by an example', () => {
    const real = ['AKIA', 'Q3EGRVWM5Z2T45KL'].join('');
    const { runs } = JSON.parse(scan(['--format', 'sarif'], `${AWS_ID}\n${real}\n${AWS_ID}\n`).stdout);
    const { rules } = runs[0].tool.driver;
    expect(
      rules.map(({ id, fullDescription }: { id: string; fullDescription: object }) => [id, fullDescription]),
    ).toEqual([['secrets/aws-access-key', { text: 'Text contains what looks like a real AWS access key id.' }]]);
    expect(rules[0].properties['security-severity']).toBe('9.5');
    expect(runs[0].results.map(({ level }: { level: string }) => level)).toEqual(['note', 'warning', 'note']);
  });

  it('writes SARIF without results, and one that says that inputs are missing', () => {
    const { runs } = JSON.parse(scan(['--format', 'sarif'], 'Hello').stdout);
    expect([runs[0].results, runs[0].tool.driver.rules]).toEqual([[], []]);
    const failed = scan(['missing', '--format', 'sarif']);
    expect(failed.status).toBe(2);
    expect(JSON.parse(failed.stdout).runs[0].invocations).toEqual([{ executionSuccessful: false }]);
  });

  it('writes a report with counts and the worst texts', () => {
    write({
      'a.txt': `x\n${FLAG}`,
      'b.jsonl': line({ text: 'Hello' }) + line({ text: `${BLOCK} ${SSN}` }),
      'c.txt': REDACT,
    });
    const { stdout, stderr, status } = scan(['a.txt', 'b.jsonl', 'c.txt', '--format', 'report']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^4 texts in 3 inputs, \d+\.\d s, [\d,]+ texts\/s$/),
      'actions: 1 block, 1 redact, 1 flag, 1 allow',
      'findings: 2 prompt_injection, 1 secret',
      'documented examples: 1, score 0',
      'worst texts:',
      '  block  1.00  b.jsonl:2  test-text/block',
      '  redact 1.00  c.txt:1:1  test-text/redact',
      '  flag   1.00  a.txt:2:1  test-text/flag',
      '',
    ]);
  });

  it('lists the ten worst texts only', () => {
    const { stdout } = scan(['--format', 'report'], `${`${FLAG}\n`.repeat(15)}${BLOCK}\n`);
    const worst = stdout.split('\n').filter((one) => one.startsWith('  '));
    expect(worst).toHaveLength(10);
    expect(worst[0]).toContain('block  1.00  stdin:16:1');
    expect(worst[9]).toContain('flag   1.00  stdin:9:1');
  });

  it('prints the summary beside other formats, unless it is to be quiet, and no progress without a terminal', () => {
    const loud = scan(['--format', 'jsonl'], 'Hello');
    expect(loud.stderr).toMatch(/^1 text in 1 input, .*\nactions: 1 allow\nfindings: none\n$/);
    expect(scan(['--quiet'], 'Hello').stderr).toBe('');
  });

  it.each(['jsonl', 'csv', 'sarif', 'report'])('never prints a scanned text: %s', (format) => {
    const secret = ['AKIA', 'Q3EGRVWM5Z2T45KL'].join('');
    write({ 'policy.json': JSON.stringify({ evidence: true, preset: 'strict' }) });
    const { stdout, stderr } = scan(
      ['--format', format, '--policy', 'policy.json'],
      `key ${secret} ${AWS_ID} ${SSN} ${ATTACK}`,
    );
    expect(stdout.length).toBeGreaterThan(0);
    expect(stdout + stderr).not.toMatch(/AKIA|078-05|Ignore all|KL\b|\*\*\*/);
    if (format !== 'report') expect(stdout).toContain('secrets/aws-access-key');
  });

  it('ends without a message when its reader ends', async () => {
    const child = spawn(process.execPath, [...SCAN, '--quiet'], { cwd: folder });
    let stderr = '';
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    child.stdin.on('error', () => {});
    child.stdin.end(`${FLAG}\n`.repeat(20_000));
    child.stdout.once('data', () => child.stdout.destroy());
    const status = await new Promise((resolve) => child.once('close', resolve));
    expect([status, stderr]).toEqual([0, '']);
  });

  const fullDisk = process.platform === 'linux' ? it : it.skip;
  fullDisk('reports a full disk', () => {
    expect(scan(['--out', '/dev/full', '--quiet'], 'Hello')).toMatchObject({
      status: 2,
      stderr: '/dev/full: no space left on the disk\n',
    });
    expect(scan(['--out', 'no/such/folder.csv'], 'Hello')).toMatchObject({
      status: 2,
      stderr: 'error: --out: the folder no/such does not exist. Create it, or name another file.\n',
    });
  });
});

describe('documented examples', () => {
  it('are listed with score 0 and never reach --fail-on', () => {
    const { status, results } = scan(['--policy', 'strict', '--fail-on', 'flag'], `${AWS_ID}\n${SSN}\n`);
    expect(status).toBe(0);
    expect(results().map(({ action, scores }) => [action, scores.secret, scores.pii])).toEqual([
      ['allow', 0, 0],
      ['allow', 0, 0],
    ]);
    const listed = results().map(({ detected_threats }) =>
      detected_threats.map(({ rule, score, action, example }) => [rule, score, action, example]),
    );
    expect(listed).toEqual([
      [['secrets/aws-access-key', 0, 'allow', true]],
      [['personal-data/us-ssn', 0, 'allow', true]],
    ]);
  });
});
