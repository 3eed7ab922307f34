import { afterEach, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import type { HttpClient, HttpRequest } from '../../kernel/http/index.ts';
import { createSnsClient } from './clients.ts';
import { SnsTopics } from './sns-topics.ts';

const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:alerts';
const requests: HttpRequest[] = [];
afterEach(() => {
  requests.length = 0;
});

/** SNS with this response. */
function topicsOver(status: number, text: string): SnsTopics {
  const http: HttpClient = {
    async send(request) {
      requests.push(request);
      const body = async function* () {
        yield Buffer.from(text);
      };
      return { status, headers: { 'content-type': 'text/xml' }, body: body() };
    },
  };
  const credentials = { accessKeyId: 'AKID', secretAccessKey: 'key' };
  return new SnsTopics(createSnsClient({ region: 'eu-central-1', credentials, http }));
}

const PUBLISHED =
  '<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>m</MessageId></PublishResult></PublishResponse>';

it('publishes a text with a subject that e-mail can have', async () => {
  const subject = `Firing: Kosten für\r\nBcc: x ${'y'.repeat(200)}`;
  await topicsOver(200, PUBLISHED).publish(TOPIC, subject, 'Kosten: 5 €\n');
  const [sent] = requests;
  const form = new URLSearchParams(Buffer.from(sent?.body as Uint8Array).toString());
  expect(sent?.url).toBe('https://sns.eu-central-1.amazonaws.com/');
  expect(Object.fromEntries(form)).toMatchObject({ Action: 'Publish', TopicArn: TOPIC, Message: 'Kosten: 5 €\n' });
  expect(form.get('Subject')).toMatch(/^Firing: Kosten f\?r\?\?Bcc: x y+$/);
  expect(form.get('Subject')).toHaveLength(99);
});

it('is unavailable if the topic does not take it', async () => {
  const refusal =
    '<ErrorResponse><Error><Type>Sender</Type><Code>AuthorizationError</Code><Message>no</Message></Error></ErrorResponse>';
  await expect(topicsOver(403, refusal).publish(TOPIC, 'a', 'b')).rejects.toThrow(StoreUnavailable);
  expect(requests).toHaveLength(1);
});
