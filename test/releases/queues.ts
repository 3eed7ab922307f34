import { buildApp } from 'fauxqs';

/** What a release sent to its queues: events, and endpoints to wake. */
export type Messages = readonly string[];

export interface Queues {
  readonly url: string;
  /** Each message once, in order. */
  readonly messages: Messages;
  close(): Promise<void>;
}

/** The parts of SQS's requests that are read here. */
interface Sent {
  readonly MessageBody?: string;
  readonly Entries?: readonly { readonly MessageBody?: string }[];
}

/** Queues that list what was sent to them. */
export async function startQueues(): Promise<Queues> {
  const messages = new Set<string>();
  const server = buildApp({ logger: false });
  server.addHook('onSend', async (request, reply, payload) => {
    const isSend = String(request.headers['x-amz-target']).startsWith('AmazonSQS.SendMessage');
    if (isSend && reply.statusCode === 200) {
      const sent = request.body as Sent;
      for (const { MessageBody } of [sent, ...(sent.Entries ?? [])])
        if (MessageBody !== undefined) messages.add(MessageBody);
    }
    return payload;
  });
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  return {
    url,
    get messages() {
      return [...messages];
    },
    close: async () => {
      await server.close();
    },
  };
}
