import { GatewayError } from '../../core/base/errors.ts';
import type { ContentPart, FilePart, ImagePart } from '../../core/model/chat.ts';
import type {
  AnthropicDocumentBlock,
  AnthropicImageBlock,
  AnthropicInputBlock,
  AnthropicTextBlock,
} from './anthropic-request.ts';
import { readBase64DataUrl } from './read-data-url.ts';

/** https://platform.claude.com/docs/en/build-with-claude/vision */
const IMAGE_MEDIA_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/**
 * The blocks of a user or tool message, in order, blank texts left out.
 * @param param where the parts stand in the caller's request, such as `messages[1].content`
 * @throws GatewayError `invalid_value` for a part that the Messages API cannot take
 */
export function toAnthropicContent(parts: readonly ContentPart[], param: string): AnthropicInputBlock[] {
  const blocks: AnthropicInputBlock[] = [];
  for (const [index, part] of parts.entries()) {
    const at = `${param}[${index}]`;
    if (part.type === 'text' || part.type === 'refusal') pushText(blocks, part.text);
    else if (part.type === 'image') blocks.push(toImage(part, at));
    else if (part.type === 'file') blocks.push(toDocument(part, at));
    else throw new GatewayError('invalid_value', 'The provider anthropic does not support audio input.', { param: at });
  }
  return blocks;
}

/**
 * The blocks of a message that can only hold text (system, developer, assistant), blank ones left out.
 * @throws GatewayError `invalid_value` for any other part
 */
export function toAnthropicText(parts: readonly ContentPart[], param: string): AnthropicTextBlock[] {
  const blocks: AnthropicTextBlock[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.type !== 'text' && part.type !== 'refusal') {
      throw new GatewayError('invalid_value', `The provider anthropic takes only text here, not ${part.type}.`, {
        param: `${param}[${index}]`,
      });
    }
    pushText(blocks, part.text);
  }
  return blocks;
}

/** The API refuses a text block without a visible character: `text content blocks must contain non-whitespace text`. */
function pushText(blocks: (AnthropicTextBlock | AnthropicInputBlock)[], text: string): void {
  if (text.trim() !== '') blocks.push({ type: 'text', text });
}

function toImage(part: ImagePart, param: string): AnthropicImageBlock {
  if (/^https:\/\//i.test(part.url)) return { type: 'image', source: { type: 'url', url: part.url } };
  const inline = readBase64DataUrl(part.url);
  if (inline === undefined || !IMAGE_MEDIA_TYPES.has(inline.mediaType)) {
    throw new GatewayError(
      'invalid_value',
      'The provider anthropic takes images as an https address or as a base64 data URL of image/jpeg, image/png, image/gif or image/webp.',
      { param },
    );
  }
  return { type: 'image', source: { type: 'base64', media_type: inline.mediaType, data: inline.data } };
}

function toDocument(part: FilePart, param: string): AnthropicDocumentBlock {
  if (part.data === undefined) {
    throw new GatewayError('invalid_value', 'The provider anthropic cannot read a file by `file_id`; send its data.', {
      param,
    });
  }
  const inline = readBase64DataUrl(part.data);
  if (inline?.mediaType !== 'application/pdf') {
    throw new GatewayError(
      'invalid_value',
      'The provider anthropic takes files only as a base64 data URL of application/pdf.',
      { param },
    );
  }
  return {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: inline.data },
    ...(part.filename && { title: part.filename }),
  };
}
