import type { Rule } from '../../core/inspect/rule.ts';

/** Scores stay below what blocks: an assistant that writes code writes all of this for good reasons. */
const SHARED = {
  type: 'code_injection',
  view: 'exact',
  ignoreCase: true,
  surfaces: ['output'],
  owasp: 'LLM05:2025',
  atlas: null,
} as const;

export const CODE_INJECTION_RULES: readonly Rule[] = [
  {
    ...SHARED,
    id: 'code-injection/script-tag',
    category: 'xss',
    severity: 'medium',
    score: 0.55,
    patterns: ['<script\\b[^<>]*>', '<iframe\\b[^<>]*\\bsrc\\s{0,4}=\\s{0,4}["\']?(?:javascript|data):'],
    message: 'The answer holds a script that runs where it is shown as HTML.',
  },
  {
    ...SHARED,
    id: 'code-injection/event-handler',
    category: 'xss',
    severity: 'high',
    score: 0.75,
    patterns: [
      '<(?:img|svg|body|video|audio|iframe|input|details|marquee|object|embed|math|style|link|base|select|textarea|keygen|a|div|p)\\b[^<>]*[\\s/"\']on(?:error|load|mouseover|focus|toggle|start|begin|animationstart|pageshow|hashchange|wheel|pointer\\w{2,8})\\s{0,4}=',
    ],
    message: 'The answer holds an HTML tag that runs code when it is shown.',
  },
  {
    ...SHARED,
    id: 'code-injection/script-link',
    category: 'xss',
    severity: 'high',
    score: 0.84,
    patterns: [
      '\\]\\(\\s{0,4}<?(?:javascript|vbscript|data:text/html)[:;,]',
      '\\b(?:href|src|action|formaction)\\s{0,4}=\\s{0,4}["\']?\\s{0,4}(?:javascript|vbscript|data:text/html)[:;,]',
    ],
    message: 'The answer holds a link that runs code when it is followed.',
  },
  {
    ...SHARED,
    id: 'code-injection/sql',
    category: 'sql_injection',
    severity: 'medium',
    score: 0.7,
    patterns: [
      '["\']\\)?\\s{0,4}(?:or|and|\\|\\|)\\s{0,4}\\(?["\']?\\d{1,4}["\']?\\s{0,4}=\\s{0,4}["\']?\\d{1,4}',
      '["\'];\\s{0,4}(?:drop|truncate|delete|alter|insert|update|exec)\\s+(?:table|from|database|into|xp_)',
      '["\']?\\)?\\s+union\\s+(?:all\\s+)?select\\s+(?:null|\\d{1,3}|@@version|user\\(\\)|char\\()',
      "\\b(?:waitfor\\s+delay\\s+'|sleep\\(\\d{1,3}\\)\\s{0,4}(?:--|#)|benchmark\\(\\d{4,})",
    ],
    message: 'The answer holds text that breaks out of an SQL statement.',
  },
  {
    ...SHARED,
    id: 'code-injection/template-expression',
    category: 'template_injection',
    severity: 'high',
    score: 0.8,
    patterns: [
      '\\$\\{(?:jndi|\\$\\{::-j\\}):?',
      "\\{\\{\\s{0,4}(?:7\\s{0,2}\\*\\s{0,2}'?7|config\\.__class__|self\\.__|request\\.application|''\\.__class__|\\[\\]\\.__class__|cycler\\.__init__|constructor\\.constructor)",
      '<!entity\\s+%?\\s{0,4}\\w{1,40}\\s+(?:system|public)\\s',
      '<!--#(?:exec|include)\\b',
    ],
    message: 'The answer holds an expression that a template engine, logger or XML parser would run.',
  },
  {
    ...SHARED,
    id: 'code-injection/shell',
    category: 'command_injection',
    severity: 'medium',
    score: 0.6,
    patterns: [
      '\\brm\\s+-(?:rf|fr|r\\s+-f)\\s+(?:--no-preserve-root\\s+)?(?:/|~|\\$home)(?:\\s|\\*|;|$|["\'`])',
      '\\b(?:curl|wget)\\s+[^\\n|;]+\\|\\s{0,4}(?:sudo\\s+)?(?:ba|z|da)?sh\\b',
      '/dev/tcp/\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}/\\d{1,5}',
      ':\\(\\)\\s{0,2}\\{\\s{0,2}:\\|:&\\s{0,2}\\};:',
      '[;&|`]\\s{0,4}(?:cat|type)\\s+/etc/(?:passwd|shadow)\\b',
    ],
    message: 'The answer holds a destructive or remotely loaded shell command.',
  },
];
