/**
 * What Slack, Teams and PagerDuty refuse of a message, by their documentation. Each returns the status and the text of the service's response.
 */
interface Refusal {
  readonly status: number;
  readonly text: string;
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= max;
const hasOnly = (value: Json, names: readonly string[]) => Object.keys(value).every((name) => names.includes(name));

/** Markup of Slack besides its three escapes: mentions and links begin with `<`. */
const SLACK_MARKUP = /[<>]|&(?!(?:amp|lt|gt);)/;

/**
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks and https://docs.slack.dev/reference/block-kit/blocks: at most 50
 * blocks; a header has 150 characters of plain text; a section 3,000, and at most ten fields of 2,000.
 */
export function slackRefusal(body: unknown): Refusal | undefined {
  const refuse = (text: string) => ({ status: 400, text });
  if (!isObject(body)) return refuse('invalid_payload');
  const { text, blocks } = body;
  if (!isText(text, 40_000)) return refuse('no_text');
  if (SLACK_MARKUP.test(text)) return refuse('markup in the text');
  if (!Array.isArray(blocks) || blocks.length === 0 || blocks.length > 50) return refuse('invalid_blocks');
  const isTextObject = (value: unknown, max: number) => {
    if (!isObject(value) || !isText(value.text, max)) return false;
    if (value.type === 'plain_text') return hasOnly(value, ['type', 'text', 'emoji']);
    return value.type === 'mrkdwn' && hasOnly(value, ['type', 'text', 'verbatim']) && !SLACK_MARKUP.test(value.text);
  };
  const isBlock = (block: unknown) => {
    if (!isObject(block)) return false;
    if (block.type === 'header') {
      return (
        isTextObject(block.text, 150) && (block.text as Json).type === 'plain_text' && hasOnly(block, ['type', 'text'])
      );
    }
    const { type, text: shown, fields = [] } = block;
    const isSection = type === 'section' && Array.isArray(fields) && fields.length <= 10;
    return isSection && isTextObject(shown, 3_000) && fields.every((field) => isTextObject(field, 2_000));
  };
  return blocks.every(isBlock) ? undefined : refuse('invalid_blocks');
}

/**
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using: a message with adaptive cards of at most
 * 28 KB; https://adaptivecards.io/explorer: what a card consists of.
 */
export function teamsRefusal(body: unknown): Refusal | undefined {
  const refuse = (text: string) => ({ status: 400, text });
  if (Buffer.byteLength(JSON.stringify(body)) > 28 * 1024) return { status: 413, text: 'Request entity too large' };
  if (!isObject(body) || body.type !== 'message' || !Array.isArray(body.attachments)) return refuse('no message');
  const isRun = (run: unknown) => isObject(run) && run.type === 'TextRun' && isText(run.text, 10_000);
  const isCard = (card: unknown) =>
    isObject(card) &&
    card.type === 'AdaptiveCard' &&
    /^1\.[0-5]$/.test(String(card.version)) &&
    Array.isArray(card.body) &&
    // Markdown is active in every other element with text.
    card.body.every(
      (one) => isObject(one) && one.type === 'RichTextBlock' && Array.isArray(one.inlines) && one.inlines.every(isRun),
    );
  const isAttachment = (one: unknown) =>
    isObject(one) && one.contentType === 'application/vnd.microsoft.card.adaptive' && isCard(one.content);
  return body.attachments.length > 0 && body.attachments.every(isAttachment) ? undefined : refuse('no adaptive card');
}

/**
 * https://developer.pagerduty.com/docs/events-api-v2/trigger-events: a key of 32 characters, `dedup_key` of at most 255, which resolving needs, a
 * summary of at most 1,024, a source, and one of four severities; at most 512 KB.
 */
export function pagerDutyRefusal(body: unknown): Refusal | undefined {
  const refuse = (error: string) => ({
    status: 400,
    text: JSON.stringify({ status: 'invalid event', message: 'Event object is invalid', errors: [error] }),
  });
  if (!isObject(body) || Buffer.byteLength(JSON.stringify(body)) > 512 * 1024) return refuse('too large');
  const { routing_key: key, event_action: action, dedup_key: dedup, payload } = body;
  if (!/^[A-Za-z0-9]{32}$/.test(String(key)))
    return refuse("Length of 'routing_key' is incorrect (should be 32 characters)");
  if (!['trigger', 'acknowledge', 'resolve'].includes(String(action))) return refuse("'event_action' is invalid");
  if (!isText(dedup, 255)) return refuse("'dedup_key' is missing or too long");
  if (action !== 'trigger') return undefined;
  if (!isObject(payload)) return refuse("'payload' is missing");
  const { summary, source, severity, timestamp } = payload;
  if (!isText(summary, 1_024)) return refuse("'payload.summary' is missing or too long");
  if (!isText(source, 255)) return refuse("'payload.source' is missing");
  if (!['critical', 'error', 'warning', 'info'].includes(String(severity)))
    return refuse("'payload.severity' is invalid");
  return timestamp === undefined || !Number.isNaN(Date.parse(String(timestamp)))
    ? undefined
    : refuse("'payload.timestamp'");
}

export const REFUSALS = { slack: slackRefusal, teams: teamsRefusal, pagerduty: pagerDutyRefusal } as const;
