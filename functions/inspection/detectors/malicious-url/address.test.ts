import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodePunycode, disguisedIp, readAddress } from './address.ts';

describe('an address', () => {
  it('is read into host, registered part and sub-domain', () => {
    expect(readAddress('HTTPS://login.Shop.co.uk:8443/a?b#c')).toMatchObject({
      host: 'login.shop.co.uk',
      registered: ['shop', 'co', 'uk'],
      subDomain: ['login'],
      rest: '/a?b#c',
    });
  });

  it.each(['https:/evil.tld/x', 'https:\\\\evil.tld/x', 'ftp:///evil.tld/x', '="/\\evil.tld/x', '](//%65vil.tld/x'])(
    'is what a browser takes for one: %s',
    (text) => expect(readAddress(text)).toMatchObject({ host: 'evil.tld', rest: '/x' }),
  );

  it('leads to what stands after the last @', () => {
    expect(readAddress('https://bank.tld@mail.tld@evil.tld/x')).toMatchObject({
      userInfo: 'bank.tld@mail.tld',
      host: 'evil.tld',
    });
  });

  it('without a host is none', () => {
    expect(readAddress('https:///')).toBeUndefined();
    expect(readAddress('no address')).toBeUndefined();
  });
});

describe('a disguised IP address', () => {
  it.each([
    ['3232235777', '3232235777'],
    ['0x7f.0.0.1', '127.0.0.1'],
    ['0300.0250.01.01', '192.168.1.1'],
    ['0xc0a80101', '3232235777'],
  ])('is seen in %s', (host, dotted) => expect(disguisedIp(host)).toBe(dotted));

  it.each(['203.0.113.9', 'example.tld', '2048.tld', '1.2', '12'])('is not %s', (host) =>
    expect(disguisedIp(host)).toBeUndefined(),
  );
});

describe('a punycode label', () => {
  it.each([
    ['xn--mnchen-3ya', 'münchen'],
    ['xn--80ak6aa92e', 'аррӏе'],
    ['xn--fsqu00a', '例子'],
    ['plain', 'plain'],
  ])('%s reads %s', (label, letters) => expect(decodePunycode(label)).toBe(letters));

  it('that is broken stays as it is, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (rest) => expect(typeof decodePunycode(`xn--${rest}`)).toBe('string')),
    );
  });

  it('of a name with letters beyond ASCII reads as that name', () => {
    const names = fc.stringMatching(/^[a-zäöüñéа-я]{1,12}$/).filter((name) => /[^a-z]/.test(name));
    fc.assert(
      fc.property(names, (name) => {
        const { hostname } = new URL(`http://${name}.tld`);
        expect(decodePunycode(hostname.split('.')[0] as string)).toBe(name.normalize('NFC'));
      }),
    );
  });
});
