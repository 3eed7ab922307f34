/**
 * Writes tables that a function would otherwise compute at start: npm run generate tables. With --check it writes nothing and
 * exits with 1 if a file is stale. A stale file only slows the start: missing entries are computed when they are needed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import phoneMetadata from 'libphonenumber-js/metadata.min';
import { compileEncodings } from '../functions/inspection/decoding/payloads.ts';
import { writtenShapes } from '../functions/inspection/decoding/word-shapes.ts';
import { ALL_RULES } from '../functions/inspection/detectors/index.ts';
import { compileRules } from '../functions/inspection/matching/rule-library.ts';
import { lexicons } from './lexicons.ts';

/** A committed table. */
interface TableFile {
  /** From the repository's root. */
  readonly path: string;
  /** The current content. */
  readonly text: () => string;
}

export const TABLE_FILES: readonly TableFile[] = [
  { path: 'functions/inspection/detectors/patterns.generated.json', text: () => toText(compileRules(ALL_RULES)) },
  { path: 'functions/inspection/detectors/languages/lexicon.generated.json', text: () => toText(lexicons()) },
  { path: 'functions/inspection/decoding/patterns.generated.json', text: () => toText(compileEncodings()) },
  { path: 'functions/inspection/decoding/word-shapes.generated.json', text: () => toText(writtenShapes()) },
  {
    path: 'functions/inspection/detectors/personal-data/phone-metadata.generated.json',
    text: () => toText({ metadata: JSON.stringify(phoneMetadata) }),
  },
];

/** One line per entry, so that a changed rule is one changed line. */
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
