import type { TranscriptionsRequest } from '../../core/protocols/openai-transcriptions/transcriptions-protocol.ts';
import type { ChatAnswer } from '../../core/routing/provider.ts';
import { tokensOf } from './echo-tokens.ts';

/** What any audio says to the echo model, which does not listen. */
const TRANSCRIPT = 'Hello from the echo model.';
const SECONDS = 1.5;
const SEGMENT = { start: 0, end: SECONDS, text: TRANSCRIPT };

/** A fixed transcript in every format that OpenAI has, streamed token by token. */
export function echoTranscript(
  { response_format: format = 'json', ...body }: TranscriptionsRequest,
  stream: boolean,
  inputTokens: number,
): ChatAnswer {
  const tokens = tokensOf(TRANSCRIPT);
  const usage = {
    type: 'tokens',
    input_tokens: inputTokens,
    input_token_details: { text_tokens: inputTokens, audio_tokens: 0 },
    output_tokens: tokens.length,
    total_tokens: inputTokens + tokens.length,
  };
  if (stream) return { kind: 'native-stream', chunks: events(tokens, format === 'diarized_json', usage) };
  return { kind: 'native', body: whole(format, body.timestamp_granularities, usage) };
}

function whole(format: NonNullable<TranscriptionsRequest['response_format']>, granularities: unknown, usage: object) {
  switch (format) {
    case 'text':
      return `${TRANSCRIPT}\n`;
    case 'srt':
      return `1\n00:00:00,000 --> 00:00:01,500\n${TRANSCRIPT}\n\n`;
    case 'vtt':
      return `WEBVTT\n\n00:00:00.000 --> 00:00:01.500\n${TRANSCRIPT}\n\n`;
    case 'verbose_json':
      return JSON.stringify({
        task: 'transcribe',
        language: 'english',
        duration: SECONDS,
        text: TRANSCRIPT,
        segments: [{ id: 0, seek: 0, ...SEGMENT, tokens: [], temperature: 0, avg_logprob: 0, compression_ratio: 1 }],
        ...(Array.isArray(granularities) && granularities.includes('word') && { words: words() }),
        usage,
      });
    case 'diarized_json':
      return JSON.stringify({
        task: 'transcribe',
        duration: SECONDS,
        text: TRANSCRIPT,
        segments: [speech()],
        usage,
      });
    default:
      return JSON.stringify({ text: TRANSCRIPT, usage });
  }
}

async function* events(tokens: readonly string[], diarized: boolean, usage: object): AsyncGenerator<string[]> {
  for (const delta of tokens) yield [JSON.stringify({ type: 'transcript.text.delta', delta })];
  const segment = diarized ? [JSON.stringify(speech())] : [];
  yield [...segment, JSON.stringify({ type: 'transcript.text.done', text: TRANSCRIPT, usage })];
}

function speech(): object {
  return { type: 'transcript.text.segment', id: 'seg_0', speaker: 'A', ...SEGMENT };
}

/** Each as long as the others. */
function words(): object[] {
  const all = TRANSCRIPT.replaceAll(/[^\w ]/g, '').split(' ');
  return all.map((word, at) => ({
    word,
    start: (SECONDS * at) / all.length,
    end: (SECONDS * (at + 1)) / all.length,
  }));
}
