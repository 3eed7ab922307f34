import type { RuleExamples } from '../../core/inspect/rule.ts';

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
    positives: ['Card 4111 1111 1111 1111, exp 12/27', '5555-5555-5555-4444', '378282246310005'],
    negatives: [
      { text: 'Order 4111111111111112', reason: 'fails the check digit' },
      { text: '0.4111111111111111', reason: 'a fraction' },
      { text: '1000000000000008', reason: 'no card network starts so' },
    ],
  },
  'personal-data/iban': {
    positives: ['DE89 3704 0044 0532 0130 00', 'Pay to GB82WEST12345698765432 today.'],
    negatives: [{ text: 'DE88 3704 0044 0532 0130 00', reason: 'fails the check digits' }],
  },
  'personal-data/us-ssn': {
    positives: ['SSN: 536-22-8726', 'my number is 212-45-6789'],
    negatives: [
      { text: '000-12-3456', reason: 'never issued' },
      { text: 'part no. 1536-22-87261', reason: 'longer numbers' },
    ],
  },
  'personal-data/phone': {
    positives: ['Call +49 30 901820 now', '(415) 555-2671', '415-555-2671'],
    negatives: [
      { text: 'Between 2019-2021 we sold 1,200.', reason: 'years' },
      { text: 'timestamp 1700000000', reason: 'a timestamp' },
      { text: 'ISBN 978-3-16-148410-0', reason: 'a book' },
    ],
  },
  'personal-data/ipv4': {
    positives: ['Login from 84.112.33.201 failed'],
    negatives: [
      { text: 'server at 192.168.1.20', reason: 'a private network' },
      { text: 'version 10.15.7.201', reason: 'a version' },
      { text: 'resolver 8.8.8.8', reason: 'everybody knows it' },
    ],
  },
  'personal-data/ipv6': {
    positives: ['from 2a02:8108:50bf:e2a4:9d1c:77ff:fe12:3456'],
    negatives: [
      { text: '2001:db8:0:1:2:3:4:5', reason: 'for documentation' },
      { text: 'at 12:30:45', reason: 'a time' },
    ],
  },
};
