/**
 * Lists words that CONTRIBUTING.md ("Style") replaces by standard terms, in pages, comments and product texts; fails where there is one:
 * node scripts/wording.mjs [--count] [PATHS]
 *
 * Reads what git tracks or would track. Strings count only in product code: tests and detection data quote what attackers and models write.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Each pattern with the words to use in its place. */
export const REPLACED_WORDS = [
  [/\b(?:tells?|told|telling)\b/gi, 'report, return, log, distinguish'],
  [/\bstands?\b/gi, 'is, is stored'],
  [/\b(?:nobody|somebody|anybody|whoever)\b/gi, 'no client, a client, the caller'],
  [/\bof (?:its|their|his|her|our|your|one's) own\b/gi, 'separate, own + noun, custom'],
  [/\bthe very\b/gi, 'exactly'],
  [/\bas (?:it is|it was|they are|they were)\b/gi, 'unchanged'],
  [/\b(?:be|get|got) rid of\b/gi, 'remove'],
  [/\breckon\w*/gi, 'compute, count'],
  [/\banswer(?:s|ed|ing)?\b/gi, 'response, respond, return'],
  [/\bjudg(?:e|es|ed|ing|ement|ements)\b/gi, 'inspect, score, verdict'],
  [/\b(?:he|him|his)\b/gi, 'they, them, their'],
  [/\bspoken\b/gi, 'supported'],
  [/\bforeign (?:words|text|texts)\b/gi, 'third-party text'],
  [/\bafterwards\b/gi, 'later, after that'],
  [/\bbehind the (?:answer|response)s?\b/gi, 'in a background task'],
  [/\bout of reach\b/gi, 'unavailable'],
  [/\bwhole again\b/gi, 'available again'],
  [/\b(?:is|are|was|were) (?:forgotten|noted)\b/gi, 'is deleted, is recorded'],
  [/\bin the place of\b/gi, 'instead of'],
  [/\bthat is asked\b|\bwhat is asked\b|\bwho asks\b/gi, 'the request, the caller'],
];

/** Files whose strings are detection data or quoted text. */
const DATA = /^(?:functions\/inspection\/detectors\/|training\/|functions\/inspection\/custom-rules\/attack-samples)/;
const STRINGS = /^(?:functions|lib|bin|scripts|dashboard\/src)\//;
const TESTS = /\.(?:test|fixture|cases|pages)\.tsx?$/;
const CODE = /\.(?:ts|tsx|mts|mjs|js)$/;
const COMMENT_LINE = /^\s*(?:\/\/|\/\*|\*)/;
/** A comment at the end of a line, a string or a part of a template, JSX text; or any other character. */
const CODE_PARTS =
  /(?<=\s)(\/\/ .*$)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*(?:`|$)|^[^`]*`$)|(?<=>|^\s+)([A-Z][\w ,.'-]+)(?=<|$)|[\s\S]/g;
const SELF = /^scripts\/wording\./;

/** The parts of a file that people read, as the whole file with everything else blank, so that offsets stay. */
export function textOf(file, content) {
  if (file.endsWith('.md')) return proseOf(content);
  const hasStrings = STRINGS.test(file) && !TESTS.test(file) && !DATA.test(file);
  return content
    .split('\n')
    .map((line) => (COMMENT_LINE.test(line) ? quotesBlank(line) : codeLine(line, hasStrings)))
    .join('\n');
}

/** Prose of a Markdown page: code blocks, inline code and link targets left out. */
function proseOf(content) {
  return content
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, blank)
    .replace(/`[^`\n]*`/g, blank)
    .replace(/\]\([^)\n]*\)/g, blank);
}

/** A line of code: its comment at the end, and its strings and JSX text that have a space. */
function codeLine(line, hasStrings) {
  return line.replace(CODE_PARTS, (part, comment, string, jsx) => {
    if (comment !== undefined) return quotesBlank(comment);
    if (hasStrings && (string ?? jsx) !== undefined && /\S \S/.test(part)) return part;
    return blank(part);
  });
}

/** Inline code in a comment names identifiers, which have words of their own field. */
function quotesBlank(text) {
  return text.replace(/`[^`]*`/g, blank);
}

function blank(text) {
  return text.replace(/[^\n]/g, ' ');
}

/** Every use of a replaced word in a file: line, words, advice. */
export function usesIn(file, content) {
  const text = textOf(file, content);
  return REPLACED_WORDS.flatMap(([pattern, advice]) =>
    [...text.matchAll(pattern)].map((match) => ({
      file,
      line: text.slice(0, match.index).split('\n').length,
      words: match[0],
      advice,
    })),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [first, ...rest] = process.argv.slice(2);
  const isCount = first === '--count';
  const paths = isCount || first === undefined ? rest : [first, ...rest];
  const files = execFileSync('git', ['ls-files', '-zco', '--exclude-standard', '--', ...paths], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\0')
    .filter(
      (file) => (CODE.test(file) || file.endsWith('.md')) && !SELF.test(file) && existsSync(path.join(ROOT, file)),
    );
  const uses = files.flatMap((file) => usesIn(file, readFileSync(path.join(ROOT, file), 'utf8')));
  if (isCount) {
    const counts = new Map();
    for (const { file } of uses) {
      const folder = file.split('/').slice(0, 3).join('/');
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    for (const [folder, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`${count}\t${folder}`);
  } else {
    for (const { file, line, words, advice } of uses) console.log(`${file}:${line}: "${words}": use one of: ${advice}`);
  }
  console.log(`${uses.length} uses of words that have a standard term`);
  process.exitCode = uses.length === 0 ? 0 : 1;
}
