import { expect, it } from '@jest/globals';
import { recordOf } from '../../../../functions/control/analytics/record.fixture.ts';
import { csvHead, toCsvLine } from './request-csv.ts';

const cellsOf = (name: string) => {
  const line = toCsvLine(recordOf({ keyId: 'key_1' }), new Map([['key_1', name]]));
  return line.split(',')[csvHead().split(',').indexOf('keyName')];
};

it("has the key's name where it is known, as a text that runs no formula", () => {
  expect(cellsOf('Shop')).toBe('Shop');
  expect(cellsOf('=HYPERLINK("x")')).toBe('"\'=HYPERLINK(""x"")"');
  expect(toCsvLine(recordOf({ keyId: 'key_2' }), new Map())).toContain(',key_2,,');
});

it('has the rules for tools that calls violated, each once', () => {
  const location = { part: 'output', message: null, field: 'output', start: 0, end: 0 } as const;
  const of = {
    type: 'tool_misuse',
    rule: 'tool-misuse/tool-policy',
    severity: 'medium',
    score: 0,
    action: 'ask',
    location,
  } as const;
  const findings = [
    of,
    { ...of, policyRule: 'accounts' },
    { ...of, policyRule: 'accounts' },
    { ...of, policyRule: 'amount' },
  ];
  const line = toCsvLine(recordOf({ findings }), new Map());
  expect(line.split(',')[csvHead().split(',').indexOf('policyRules')]).toBe('accounts amount');
});
