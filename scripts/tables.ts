/**
 * Writes what a function would else work out while it starts: the codes of the built-in patterns, and the shapes of the
 * words by which disguised text is known. npm run generate tables; with --check writes nothing and ends with 1 where a file is stale,
 * which costs a start time and changes no finding: what is missing is worked out when it is needed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import phoneMetadata from 'libphonenumber-js/metadata.min';
import { compileEncodings } from '../functions/core/inspect/decoding/payloads.ts';
import { writtenShapes } from '../functions/core/inspect/readings/word-shapes.ts';
import { compileRules } from '../functions/core/inspect/rules/rule-library.ts';
import { ALL_RULES } from '../functions/detectors/index.ts';
import { lexicons } from './lexicons.ts';

/** A file that is committed so that no function has to work out its contents while it starts. */
interface TableFile {
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

if (process.argv[1] === import.meta.filename) {
  for (const { path, text } of TABLE_FILES) {
    const url = new URL(`../${path}`, import.meta.url);
    if (!process.argv.includes('--check')) writeFileSync(url, text());
    else if (readFileSync(url, 'utf8') !== text()) {
      console.error(`${path} is stale: npm run generate tables`);
      process.exitCode = 1;
    }
  }
}
