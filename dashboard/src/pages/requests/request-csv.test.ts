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
