import { answerDetectors, contextOf } from '../inspect/answer/answer-detectors.ts';
import { underPolicy } from '../inspect/custom/policy-inspector.ts';
import { inspectRequest } from '../inspect/inspect-request.ts';
import type { Policy } from '../inspect/policy.ts';
import { Redaction } from '../inspect/redaction.ts';
import { SecurityReport } from '../inspect/security-report.ts';
import type { TextInspector } from '../inspect/text-inspector.ts';
import { readJsonDocument } from '../json/json-document.ts';
import type { Capture } from '../model/capture.ts';
import { chatRequestTexts } from '../protocols/openai-chat/chat-request-texts.ts';
import { checkChatRequest } from '../protocols/openai-chat/read-chat-request.ts';

const CHAT_ROUTE = '/v1/chat/completions';
/** Channels whose text passes untouched. */
const REASONING = /\.reasoning(?:_content)?$/;

/**
 * What a policy says of the texts of a past exchange: of its input, and of its answer unless the input is blocked.
 * undefined where they are not whole, or are no chat completion.
 */
export function inspectAgain(
  route: string,
  { mode, truncated, request, answer }: Capture,
  policy: Policy,
  inspector: TextInspector,
): SecurityReport | undefined {
  const isWhole = route === CHAT_ROUTE && mode === 'full' && !truncated;
  const texts = isWhole ? textsOf(request) : undefined;
  if (texts === undefined) return undefined;
  const report = new SecurityReport();
  const own = underPolicy(inspector, policy, undefined);
  // No placeholder is ever shown: it need not be secret.
  inspectRequest(texts, own, policy, new Redaction('replay'), report);
  if (report.action === 'block') return report;
  const detectors = answerDetectors(contextOf(texts), policy);
  for (const { channel, text } of answer) {
    const isReadOnly = REASONING.test(channel);
    for (const finding of own.inspect(text, 'output', isReadOnly ? [] : detectors)) {
      const decided = policy.decide(finding, 'output');
      const action = isReadOnly && decided !== 'allow' ? 'flag' : decided;
      const { start, end } = finding;
      report.add(finding, action, { part: 'output', message: null, field: channel, start, end });
    }
  }
  return report;
}

function textsOf(request: string): ReturnType<typeof chatRequestTexts>['texts'] | undefined {
  try {
    return chatRequestTexts(checkChatRequest(readJsonDocument(request))).texts;
  } catch {
    // What was a request then is none by the rules of today: its record judges as well as it can.
    return undefined;
  }
}
