import { toParam } from '../../kernel/errors/index.ts';
import type { RequestText, ShownThreat, Surface } from '../../kernel/model/index.ts';
import type { Finding, TextInspector } from '../matching/index.ts';
import { decidingSurface, type Policy } from '../policy/index.ts';
import { MAX_LISTED } from './security-report.ts';

/** What was inspected: the texts of a request, or a response with its name in findings. */
export type Inspected = readonly RequestText[] | { readonly output: string; readonly field: string };

/** A text, and its place in findings. */
interface PlacedText {
  readonly text: string;
  readonly surface: Surface;
  readonly part: 'input' | 'output';
  readonly message: number | null;
  readonly field: string;
}

const MESSAGE = 'Text contains a value that documentation publishes as an example.';

/**
 * The listed findings, followed by the documented examples in the texts that none of them covers. Examples change no score, action or
 * count: a caller who tries the gateway with one sees that it was recognized.
 */
export function withExamples(
  listed: readonly ShownThreat[],
  inspected: Inspected,
  inspector: TextInspector,
  policy: Policy,
): readonly ShownThreat[] {
  const examples = placed(inspected).flatMap((text) =>
    inspector
      .findExamples(text.text, text.surface)
      .filter(({ rule }) => !policy.ignores(rule.type, text.surface))
      .map((finding) => toThreat(finding, text))
      .filter((example) => !listed.some((threat) => covers(threat, example))),
  );
  return examples.length === 0 ? listed : [...listed, ...examples].slice(0, MAX_LISTED);
}

function placed(inspected: Inspected): PlacedText[] {
  if ('output' in inspected) {
    const { output: text, field } = inspected;
    return [{ text, surface: 'output', part: 'output', message: null, field }];
  }
  return inspected
    .filter(({ name }) => name === undefined)
    .map((text) => ({
      text: text.text,
      surface: decidingSurface(text),
      part: 'input',
      message: text.message,
      field: toParam(text.path),
    }));
}

function toThreat({ rule, start, end }: Finding, { part, message, field }: PlacedText): ShownThreat {
  const { id, type, category, owasp, atlas } = rule;
  const location = { part, message, field, start, end };
  return {
    type,
    category,
    score: 0,
    severity: 'low',
    action: 'allow',
    rule: id,
    message: MESSAGE,
    location,
    owasp,
    atlas,
    example: true,
  };
}

function covers(threat: ShownThreat, { type, location: { field, start, end } }: ShownThreat): boolean {
  const { location } = threat;
  return threat.type === type && location.field === field && location.start < end && location.end > start;
}
