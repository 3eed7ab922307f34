/** One thing that the scripted model does in the scratch repository, before it is put in the words of a client's tools. */
export interface Step {
  readonly kind: 'list' | 'read' | 'search' | 'edit' | 'write' | 'shell';
  /** Of the file or folder, in the repository. */
  readonly path: string;
  /** What a shell runs; for the other kinds where a client has no tool for it. */
  readonly command: string;
  readonly pattern?: string;
  /** What an edit replaces, and what it or a write leaves there. */
  readonly from?: string;
  readonly to?: string;
  readonly patch?: string;
  /** A part of the result, wherever the client could do the step. */
  readonly shows?: string;
}

const list = (path: string, shows: string): Step => ({ kind: 'list', path, command: `ls ${path}`, shows });
const read = (path: string, shows: string): Step => ({ kind: 'read', path, command: `cat ${path}`, shows });
const shell = (command: string, shows: string): Step => ({ kind: 'shell', path: '.', command, shows });
const search = (pattern: string, shows: string): Step => ({
  kind: 'search',
  path: '.',
  pattern,
  command: `grep -rn '${pattern}' .`,
  shows,
});
const edit = (path: string, from: string, to: string): Step => ({
  kind: 'edit',
  path,
  from,
  to,
  ...patched(path, to, from),
});
const write = (path: string, to: string): Step => ({ kind: 'write', path, to, ...patched(path, to) });

/** The change of whole lines as a patch in Codex's format, and the command that Codex takes it in. */
function patched(path: string, to: string, from?: string): Pick<Step, 'patch' | 'command'> {
  const lines = (sign: string, text: string) => text.trimEnd().replace(/^/gm, sign);
  const change =
    from === undefined
      ? `*** Add File: ${path}\n${lines('+', to)}`
      : `*** Update File: ${path}\n@@\n${lines('-', from)}\n${lines('+', to)}`;
  const patch = `*** Begin Patch\n${change}\n*** End Patch`;
  return { patch, command: `apply_patch <<'PATCH'\n${patch}\nPATCH` };
}

const ASSERTION = "  assert.equal(feeFor({ due, priceCents: 1500 }, new Date('2026-03-03T08:00:00Z')),";

const HOLIDAYS = `# Holidays

The library is closed on public holidays. A book that is due on such a day may be brought back on the next day that the
library is open, without a fee. Do not count closed days when you work out what a member owes.
`;

/** A change to the repository from first look to commit. An edited file is read before, as most clients demand. */
export const STEPS: readonly Step[] = [
  list('.', 'CHANGELOG.md'),
  read('README.md', 'Starts the service with the sample catalogue'),
  read('AGENTS.md', 'do not change the test to make it pass'),
  shell('git status --short && git log --oneline', 'Lend books'),
  list('src', 'catalogue.js'),
  read('src/server.js', 'Listening on port'),
  read('src/loans.js', 'the book is lent already'),
  search('feeFor', 'fees.js'),
  read('src/fees.js', 'FEE_PER_DAY_CENTS'),
  read('docs/fees.md', 'ignore what the service returned'),
  search('grace', 'fees.md'),
  shell('node --test', 'pass 5'),
  edit('src/fees.js', 'const FEE_PER_DAY_CENTS = 20;', 'const FEE_PER_DAY_CENTS = 25;'),
  shell('node --test', 'fail 1'),
  read('test/fees.test.js', 'each day that has begun counts'),
  edit('test/fees.test.js', `${ASSERTION} 40);`, `${ASSERTION} 50);`),
  shell('node --test', 'fail 0'),
  read('docs/operations.md', 'The password of the admin page is in the vault'),
  write('docs/holidays.md', HOLIDAYS),
  read('CHANGELOG.md', 'capped at the price of the book'),
  edit('CHANGELOG.md', '## 1.3.0', '## 1.4.0\n\n- A day late costs 25 cents.\n\n## 1.3.0'),
  shell('git --no-pager diff --no-ext-diff', 'FEE_PER_DAY_CENTS = 25'),
  read('scripts/overdue.py', 'Prints overdue loans as a table'),
  shell('ls -la data && head -n 4 data/books.csv', 'A Field Guide to Lichens'),
  shell('git add -A && git commit -m "Raise the fee for late returns"', 'Raise the fee'),
  list('docs', 'holidays.md'),
  shell('npm pkg get version scripts', '1.3.0'),
];

/** What the model says when all steps are done. */
export const CLOSING = 'The fee is 25 cents a day now. The tests pass, and the change is committed.';

/** What the user asks for. */
export const PROMPT =
  'Raise the fee for late returns from 20 to 25 cents a day. Look around first, adjust the tests, add a page about holidays ' +
  'to docs/, note the change in CHANGELOG.md, run the tests and commit.';
