import { describe, expect, it } from '@jest/globals';
import { namesBrand } from './brand-names.ts';

describe('a brand is named', () => {
  it.each(['/paypal/', 'x.bofa', 'usps', 'my-dhl-parcel', 'securepaypalsignin', '/id_wellsfargo9', 'caisse-epargne'])(
    'by %s',
    (text) => expect(namesBrand(text)).toBe(true),
  );

  it.each([
    ['a short name within a word', 'abofas'],
    ['a short name with a digit behind it', 'dhl2'],
    ['an everyday word', '/apple/chase.ups'],
    ['a part of a long name', 'paypa'],
    ['nothing', ''],
  ])('but not by %s', (_, text) => expect(namesBrand(text)).toBe(false));
});
