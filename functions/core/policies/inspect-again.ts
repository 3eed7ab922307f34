import { filesOf } from '../files/find-files.ts';
import { lacksReader, readTextFiles } from '../files/read-files.ts';
import { answerDetectors, contextOf } from '../inspect/answer/answer-detectors.ts';
import { underPolicy } from '../inspect/custom/policy-inspector.ts';
import { inspectRequest } from '../inspect/inspect-request.ts';
import type { Policy } from '../inspect/policy.ts';
import { Redaction } from '../inspect/redaction.ts';
import { SecurityReport } from '../inspect/security-report.ts';
import type { TextInspector } from '../inspect/text-inspector.ts';
import { type JsonDocument, readJsonDocument } from '../json/json-document.ts';
import type { Capture } from '../model/capture.ts';
import { MESSAGES_PROTOCOL } from '../protocols/anthropic-messages/messages-protocol.ts';
import { geminiProtocol } from '../protocols/gemini/gemini-protocol.ts';
import { CHAT_PROTOCOL } from '../protocols/openai-chat/chat-protocol.ts';
import { COMPLETIONS_PROTOCOL } from '../protocols/openai-completions/completions-protocol.ts';
import { EMBEDDINGS_PROTOCOL } from '../protocols/openai-embeddings/embeddings-protocol.ts';
import { IMAGES_PROTOCOL } from '../protocols/openai-images/images-protocol.ts';
import { RESPONSES_PROTOCOL } from '../protocols/openai-responses/responses-protocol.ts';
import { TRANSCRIPTIONS_PROTOCOL } from '../protocols/openai-transcriptions/transcriptions-protocol.ts';
import type { Protocol, RequestTexts } from '../protocols/protocol.ts';

/** Which model is called, and how it answers, makes no difference to what was said. */
const GEMINI = geminiProtocol('a model', false);
/** How requests of a route are read. */
const TEXTS_OF: ReadonlyMap<string, (document: JsonDocument) => RequestTexts> = new Map([
  ['/v1/chat/completions', textsBy(CHAT_PROTOCOL)],
  ['/v1/responses', textsBy(RESPONSES_PROTOCOL)],
  ['/v1/messages', textsBy(MESSAGES_PROTOCOL)],
  ['/v1/completions', textsBy(COMPLETIONS_PROTOCOL)],
  ['/v1/embeddings', textsBy(EMBEDDINGS_PROTOCOL)],
  ['/v1/images/generations', textsBy(IMAGES_PROTOCOL)],
  ['/v1/audio/transcriptions', textsBy(TRANSCRIPTIONS_PROTOCOL)],
  ['/v1/models/{call}', textsBy(GEMINI)],
  ['/v1beta/models/{call}', textsBy(GEMINI)],
]);

/**
 * What a policy says of the texts of a past exchange: of its input, and of its answer unless the input is blocked.
 * undefined where they are not whole, of a route that is not read here, or with a PDF, which is not read here.
 */
export function inspectAgain(
  route: string,
  { mode, truncated, request, answer }: Capture,
  policy: Policy,
  inspector: TextInspector,
): SecurityReport | undefined {
  const read = mode === 'full' && !truncated ? textsOf(route, request) : undefined;
  if (read === undefined || lacksReader(read)) return undefined;
  const { texts, skipped } = read;
  const report = new SecurityReport();
  const own = underPolicy(inspector, policy, undefined);
  // No placeholder is ever shown: it need not be secret.
  inspectRequest(texts, own, policy, new Redaction('replay'), report).addUnread(skipped);
  if (report.action === 'block') return report;
  const detectors = answerDetectors(contextOf(texts), policy);
  for (const { channel, text, isReadOnly } of answer) {
    for (const finding of own.inspect(text, 'output', isReadOnly ? [] : detectors)) {
      const decided = policy.decide(finding, 'output');
      const action = isReadOnly && decided !== 'allow' ? 'flag' : decided;
      const { start, end } = finding;
      report.add(finding, action, { part: 'output', message: null, field: channel, start, end });
    }
  }
  return report;
}

function textsBy<Body>(protocol: Protocol<Body>): (document: JsonDocument) => RequestTexts {
  return (document) => readTextFiles(document.value, protocol.texts(protocol.check(document)), filesOf(document));
}

function textsOf(route: string, request: string): RequestTexts | undefined {
  try {
    return TEXTS_OF.get(route)?.(readJsonDocument(request));
  } catch {
    // What was a request then is none by the rules of today: its record judges as well as it can.
    return undefined;
  }
}
