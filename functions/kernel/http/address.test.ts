import { describe, expect, it } from '@jest/globals';
import { addressSchema, findAddressFault, normalizedAddress } from './address.ts';

describe('an address', () => {
  it.each([
    'https://example.com',
    'http://127.0.0.1:4318/v1/',
    'HTTPS://Example.com/a?b=c%20d',
    'https://müller.example/x',
    'https://[2606:4700::1111]/',
  ])('may be %j, and is kept', (text) => expect(addressSchema.parse(text)).toBe(text));

  it.each([
    ['a line end', 'https://example.com/a\n'],
    ['a line end within', 'https://exa\r\nmple.com/'],
    ['a tab', 'https://example.com/\tx'],
    ['a space', 'https://example.com/a b'],
    ['a space before', ' https://example.com/'],
    ['another space', 'https://example.com/\u00a0'],
    ['a line separator', 'https://example.com/\u2028'],
    ['a control character', 'https://example.com/\u0000'],
    ['a soft hyphen', 'https://exam\u00adple.com/'],
    ['a mark of direction', 'https://example.com/\u202etxt'],
    ['a zero-width space', 'https://example\u200b.com/'],
    ['half a character', 'https://example.com/\ud800'],
    ['a backslash', 'https://example.com\\@evil.example/'],
  ])('holds no odd character: %s', (_, text) => {
    expect(findAddressFault(text)).toBe('must hold no white space, backslash or invisible character');
  });

  it.each([
    ['', 'URL'],
    ['example.com', 'URL'],
    ['https:example.com', 'URL'],
    ['https:/example.com', 'URL'],
    ['https:///example.com', 'URL'],
    ['ftp://example.com', 'URL'],
    ['javascript:alert(1)', 'URL'],
    ['https://', 'URL'],
    ['https://exa mple', 'white space'],
    ['https://*.example.com/', 'pattern'],
    ['https://a..b/', 'pattern'],
    ['https://-a.example/', 'pattern'],
    ['http://localhost:80@evil.example/', 'user name'],
    ['https://user@example.com/', 'user name'],
    ['https://example.com/#a', 'fragment'],
    ['https://example.com/#', 'fragment'],
  ])('is not %j', (text, fault) => expect(addressSchema.safeParse(text).error?.issues[0]?.message).toContain(fault));

  it('is written as the URL standard writes it', () => {
    expect(normalizedAddress('HTTPS://Exämple.com:443/a/../b?c=ü')).toBe('https://xn--exmple-cua.com/b?c=%C3%BC');
    expect(normalizedAddress('no address')).toBe('no address');
  });
});
