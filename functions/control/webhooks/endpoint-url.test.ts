import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findUrlFault } from './endpoint-url.ts';

const deployed = (url: string) => findUrlFault(url, { allowLoopback: false });
const local = (url: string) => findUrlFault(url, { allowLoopback: true });

describe('the address of an endpoint', () => {
  it.each([
    'https://alerts.example.com/svc',
    'https://example.com:8443/a/b?token=x',
    'HTTPS://Example.com',
    'https://hooks.münchen.example/x',
    'https://8.8.8.8/hook',
    'https://[2606:4700::1111]/hook',
    'https://localhost.example.com/',
    'https://notlocalhost/',
  ])('may be %s', (url) => {
    expect(deployed(url)).toBeUndefined();
    expect(local(url)).toBeUndefined();
  });

  it.each([
    ['', 'must be an http or https URL'],
    ['example.com/hook', 'must be an http or https URL'],
    ['https://', 'must be an http or https URL'],
    ['http://example.com/', 'must begin with https://'],
    ['ftp://example.com/', 'must be an http or https URL'],
    ['javascript:alert(1)', 'must be an http or https URL'],
    ['https://user:password@example.com/', 'must hold no user name'],
    ['https://user@example.com/', 'must hold no user name'],
    ['https://:password@example.com/', 'must hold no user name'],
    ['https://example.com/#there', 'must hold no fragment'],
    ['https://example.com/#', 'must hold no fragment'],
    ['https://example.com/hook\n', 'must hold no white space'],
    ['https://exam\r\nple.com/hook', 'must hold no white space'],
    ['https://example.com/a b', 'must hold no white space'],
    [' https://example.com/', 'must hold no white space'],
    ['https://example.com/\t', 'must hold no white space'],
    ['https://example.com\\hook', 'must hold no white space'],
    ['https://example.com/\u202e', 'must hold no white space'],
    ['https://example.com/\0', 'must hold no white space'],
    ['https://example.com/\v', 'must hold no white space'],
    ['https://exa\u00admple.com/', 'must hold no white space'],
    ['https://exa\u034fmple.com/', 'must hold no white space'],
    ['https://exa\ufe0fmple.com/', 'must hold no white space'],
    ['https://example.com/\u00a0', 'must hold no white space'],
    ['https://example.com/\u2028', 'must hold no white space'],
    ['https://example.com/\u3000', 'must hold no white space'],
    ['https://example.com/\u3164', 'must hold no white space'],
    ['https://example.com/\u{e0041}', 'must hold no white space'],
    ['https:example.com/hook', 'must be an http or https URL'],
    [`https://example.com/${'a'.repeat(2_048 - 19)}`, 'must have at most 2048'],
  ])('may not be %s', (url, fault) => expect(deployed(url)).toContain(fault));

  it.each([
    'https://localhost/',
    'https://localhost./',
    'https://api.localhost/',
    'https://LOCALHOST/',
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://127.0.0.1。/',
    'https://①②⑦.0.0.1/',
  ])('may lead to this machine on one machine alone: %s', (url) => {
    expect(deployed(url)).toBe('must not lead to this machine');
    expect(local(url)).toBeUndefined();
    expect(local(url.replace('https', 'http'))).toBeUndefined();
  });

  it.each([
    'https://10.0.0.1/',
    'https://0xa000001/',
    'https://192.168.1.1/',
    'https://172.16.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://2852039166/',
    'https://0251.0376.0251.0376/',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://0/',
    'https://224.0.0.1/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://[::]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[2002:a9fe:a9fe::]/',
  ])('may be private nowhere: %s', (url) => {
    for (const fault of [deployed(url), local(url), local(url.replace('https', 'http'))]) {
      expect(fault).toBe('must be an address of the public internet');
    }
  });

  it('is refused or read, and never breaks what reads it', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.ipV4().map((ip) => `https://${ip}/`),
      fc.ipV6().map((ip) => `https://[${ip}]/`),
    );
    fc.assert(
      fc.property(anything, (url) => {
        const fault = deployed(url);
        // An address that a deployment allows is also allowed locally.
        if (fault === undefined) expect(local(url)).toBeUndefined();
      }),
    );
  });
});
