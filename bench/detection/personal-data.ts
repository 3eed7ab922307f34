import path from 'node:path';
import { type Row, readSets } from '../../training/read-sets.ts';
import { comparison, type Sample } from './compare.ts';
import { FLAG_FROM } from './figures.ts';
import { NO_PEERS, peersOf } from './installed-peers.ts';
import { ordinarySamples } from './ordinary.ts';
import type { BenchContext, Section } from './section.ts';
import { personalDataLookAlikes, syntheticPersonalData } from './synthetic-personal-data.ts';

/** Kinds of the labelled sets that have a structure, so that rules can be asked for them. */
const STRUCTURED: ReadonlySet<string> = new Set([
  ...['PHONE_NUMBER', 'CREDIT_CARD', 'US_SSN', 'EMAIL_ADDRESS', 'IBAN_CODE', 'US_DRIVER_LICENSE'],
  ...['phone_number', 'credit_card_number', 'ssn', 'email', 'iban', 'ipv4', 'ipv6'],
]);

/** Personal data with a structure, beside other detectors of it. */
export const PERSONAL_DATA: Section = {
  name: 'personal-data',
  write: async (context) => {
    const ours = {
      name: 'ours',
      detect: (text: string) =>
        context.inspector.inspect(text, 'tool').some(({ rule, score }) => rule.type === 'pii' && score >= FLAG_FROM),
    };
    const peers = await peersOf('personal-data.mjs');
    const tables = await comparison(samples(context), [ours, ...peers]);
    return `## Personal data

A labelled text counts as found where a detector reports anything in the piece that holds it, cut out with 60 characters
before it and 20 after. Labelled sets hold numbers that fail their check digits, addresses of \`example.com\` and private
networks, which ours leaves alone on purpose: \`gretel\` is machine-made and machine-translated. Synthetic numbers have the
check digits that their issuers publish; look-alikes are orders, versions, times, hashes, coordinates and the like.
E-mail addresses in documents are counted as false alarms here although they are real.

${[tables, ...(peers.length === 0 ? [NO_PEERS] : [])].join('\n\n')}`;
  },
};

function samples(context: BenchContext): Sample[] {
  const labelled = [
    ...readSets(path.join(context.data, 'train'), context.families).filter(({ set }) => set.startsWith('presidio_gen')),
    ...readSets(path.join(context.data, 'dev'), context.families).filter(({ set }) => set.startsWith('gretel_pii')),
  ];
  const pieces = Map.groupBy(labelled.flatMap(piecesOf), ({ name }) => name);
  const synthetic = [...syntheticPersonalData(20)];
  return [
    ...[...pieces].map(([name, own]): Sample => ({ name, kind: 'recall', texts: own.map(({ text }) => text) })),
    ...synthetic.map(([kind, texts]): Sample => ({ name: `synthetic: ${kind}`, kind: 'recall', texts })),
    { name: 'synthetic: all', kind: 'recall', texts: synthetic.flatMap(([, texts]) => texts) },
    { name: 'look-alikes', kind: 'false alarms', texts: personalDataLookAlikes(20) },
    ...ordinarySamples(context),
  ];
}

/** The surroundings of each structured piece of a row; spans count code points. */
function piecesOf({ set, text, spans = [] }: Row): { name: string; text: string }[] {
  const points = [...text];
  return spans
    .filter(({ type }) => STRUCTURED.has(type))
    .map(({ start, end, type }) => ({
      name: `${set.replace(/_(?:large|small)$/, '')}: ${type}`,
      text: points.slice(Math.max(0, start - 60), end + 20).join(''),
    }));
}
