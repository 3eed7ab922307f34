import type { HttpResponse } from '../../../kernel/http/index.ts';
import type { ChatCall, ProviderResponse } from '../../routing/index.ts';
import { readErrorBody, toBrokenResponse, unreadableResponse } from '../provider-failures.ts';

/** Types of speech at OpenAI and servers of its protocol; PCM is often `application/octet-stream`. */
const MEDIA_TYPES = new Set(
  `audio/aac audio/basic audio/flac audio/l16 audio/mp3 audio/mp4 audio/mpeg audio/ogg audio/opus audio/pcm audio/vnd.wave audio/wav
    audio/wave audio/webm audio/x-flac audio/x-wav application/octet-stream`.split(/\s+/),
);

/** Whether a call's response is bytes. */
export function wantsMedia({ operation, request }: Pick<ChatCall, 'operation' | 'request'>): boolean {
  return operation === 'openai-speech' && !request.stream;
}

/**
 * A response of bytes. Of its headers only the media type is kept, without parameters.
 * @throws GatewayError for another type, such as an error as JSON, and for a compressed body
 */
export async function readMedia(provider: string, response: HttpResponse, maxBytes: number): Promise<ProviderResponse> {
  const mediaType = response.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  // Compressed bytes would arrive without the header that says so.
  const isPlain = (response.headers['content-encoding'] ?? 'identity') === 'identity';
  if (!MEDIA_TYPES.has(mediaType) || !isPlain) {
    // Read to free the connection.
    await readErrorBody(response.body);
    throw unreadableResponse(provider, 'not audio');
  }
  return { kind: 'media', mediaType, bytes: readPieces(provider, response.body, maxBytes) };
}

/** The pieces of a body that is neither empty nor too long. */
async function* readPieces(
  provider: string,
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const piece of body) {
      size += piece.length;
      if (size > maxBytes) throw unreadableResponse(provider, 'audio larger than the limit');
      if (piece.length > 0) yield piece;
    }
  } catch (error) {
    throw toBrokenResponse(provider, error);
  }
  if (size === 0) throw unreadableResponse(provider, 'no audio');
}
