import phoneMetadata from 'libphonenumber-js/metadata.min';
import { compileEncodings } from '../../functions/core/inspect/decoding/payloads.ts';
import { writtenShapes } from '../../functions/core/inspect/readings/word-shapes.ts';
import { compileRules } from '../../functions/core/inspect/rules/rule-library.ts';
import { ALL_RULES } from '../../functions/detectors/index.ts';
import { lexicons } from './lexicons.ts';

/** A file that is committed so that no function has to work out its contents while it starts. */
export interface TableFile {
  /** From the repository's root. */
  readonly path: string;
  /** What it is to hold. */
  readonly text: () => string;
}

export const TABLE_FILES: readonly TableFile[] = [
  { path: 'functions/detectors/patterns.generated.json', text: () => toText(compileRules(ALL_RULES)) },
  { path: 'functions/detectors/languages/lexicon.generated.json', text: () => toText(lexicons()) },
  { path: 'functions/core/inspect/decoding/patterns.generated.json', text: () => toText(compileEncodings()) },
  { path: 'functions/core/inspect/readings/word-shapes.generated.json', text: () => toText(writtenShapes()) },
  {
    path: 'functions/detectors/personal-data/phone-metadata.generated.json',
    text: () => toText({ metadata: JSON.stringify(phoneMetadata) }),
  },
];

/** A line for each entry, so that a change of a rule is one line. */
function toText(object: object): string {
  return `${JSON.stringify(object, null, 1)}\n`;
}
