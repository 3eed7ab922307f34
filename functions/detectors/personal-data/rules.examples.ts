import type { RuleExamples } from '../../core/inspect/rule.ts';
import { NATIONAL_ID_EXAMPLES } from './national-ids.examples.ts';

export const PERSONAL_DATA_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  'personal-data/email': {
    positives: ['Write to anna.kowalska@poczta.pl please.', "o'brien+news@mail.co.uk"],
    negatives: [
      { text: 'Write to user@example.com.', reason: 'a reserved domain' },
      { text: 'git clone git@github.com:acme/app.git', reason: 'an account of a service' },
      { text: 'background: url(logo@2x.png)', reason: 'a file name' },
      { text: 'postgres://app:pass@db.acme.io/main', reason: 'a password before a host' },
    ],
  },
  'personal-data/payment-card': {
    positives: [
      'Card 4111 1111 1111 1111, exp 12/27',
      '5555-5555-5555-4444',
      '378282246310005',
      '{"n":4111111111111111.0}',
    ],
    negatives: [
      { text: 'Order 4111111111111112', reason: 'fails the check digit' },
      { text: '0.4111111111111111', reason: 'a fraction' },
      { text: '1000000000000008', reason: 'no card network starts so' },
      { text: 'Order id: 4111111111111111', reason: 'an order' },
      { text: 'card 4111-1111-1111-1111-2222', reason: 'goes on' },
    ],
  },
  'personal-data/iban': {
    positives: ['DE89 3704 0044 0532 0130 00', 'Pay to GB82WEST12345698765432 today.', 'gb82west12345698765432'],
    negatives: [{ text: 'DE88 3704 0044 0532 0130 00', reason: 'fails the check digits' }],
  },
  'personal-data/phone': {
    positives: [
      'Call +49 30 901820 now',
      '(415) 555-2671',
      '415-555-2671',
      'Tel.: 020 7946 0958',
      'mobile 07911123456',
      '(251)500-2136x739 fax',
      'call me on 06-10446904',
      'my number is (415) 563-8998',
    ],
    negatives: [
      { text: 'Between 2019-2021 we sold 1,200.', reason: 'years' },
      { text: 'timestamp 1700000000', reason: 'a timestamp' },
      { text: 'ISBN 978-3-16-148410-0', reason: 'a book' },
      { text: 'Order number 415-555-2671', reason: 'an order' },
      { text: 'call 0x 00400621 at 00400625', reason: 'addresses of code' },
      { text: 'due 01-02-2024 or 2024-03-01', reason: 'dates' },
      { text: 'at 52.520008, 13.404954', reason: 'coordinates' },
      { text: '3 + 415-555-2671', reason: 'arithmetic' },
    ],
  },
  'personal-data/bank-account': {
    positives: ['Account number: 70872490', 'routing number 021000021', 'sort code 20-00-00'],
    negatives: [
      { text: 'routing number 021000022', reason: 'fails the check digit' },
      { text: 'account number 123456789', reason: 'a manual' },
      { text: 'Your account has 12345678 points', reason: 'counts points' },
    ],
  },
  'personal-data/passport': {
    positives: ['My passport number is C01X00T47', 'passport no. 533380006', '여권 번호: M12345678'],
    negatives: [
      { text: 'passport office 24', reason: 'no number of one' },
      { text: 'The passport.js 0.7.0 release', reason: 'a library' },
    ],
  },
  'personal-data/driving-licence': {
    positives: ["My driver's license number is A56319335", 'driving licence no: MORGA753116SM9IJ'],
    negatives: [{ text: "driver's license requirements", reason: 'a word' }],
  },
  'personal-data/birth-date': {
    positives: ['DOB: 1987-04-12', 'Date of birth: 3 March 1991', 'She was born on 6/22/1979.', '생년월일: 1990-01-02'],
    negatives: [
      { text: 'He was born on 14 March 1879 in Ulm.', reason: 'history' },
      { text: 'The release of 2024-04-12', reason: 'a date' },
    ],
  },
  'personal-data/person-name': {
    positives: ['My name is Anna Kowalska', 'Dear Mr. Okafor,'],
    negatives: [{ text: 'My name is hard to spell', reason: 'no name' }],
  },
  'personal-data/street-address': {
    positives: ['I live at 221 Baker Street', 'Lindenstraße 14', '12 rue de la Paix'],
    negatives: [{ text: '3 Ways to Street Food', reason: 'a title' }],
  },
  'personal-data/ipv4': {
    positives: ['Login from 84.112.33.201 failed'],
    negatives: [
      { text: 'server at 192.168.1.20', reason: 'a private network' },
      { text: 'version 10.15.7.201', reason: 'a version' },
      { text: 'Chrome/120.109.216.122 Safari', reason: 'a browser' },
      { text: 'resolver 8.8.8.8', reason: 'everybody knows it' },
    ],
  },
  'personal-data/ipv6': {
    positives: ['from 2a02:8108:50bf:e2a4:9d1c:77ff:fe12:3456'],
    negatives: [
      { text: '2001:db8:0:1:2:3:4:5', reason: 'for documentation' },
      { text: 'at 12:30:45', reason: 'a time' },
      { text: '00:1a:2b:3c:4d:5e:6f:70', reason: 'a hardware address' },
    ],
  },
  ...NATIONAL_ID_EXAMPLES,
};
