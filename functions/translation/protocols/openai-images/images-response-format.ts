import { isObject } from '../../../kernel/json/index.ts';
import type { ResponsePiece } from '../../../kernel/model/index.ts';
import { fromOpenAiTokenUsage } from '../bodies/provider-usage.ts';
import { readResponseJson } from '../bodies/response-json.ts';
import { eventName, oneLine } from '../bodies/stream-framing.ts';
import { MediaFormat } from '../bodies/untranslated-format.ts';
import type { StreamFraming } from '../protocol.ts';

/** Each event is named by its type, as in OpenAI's streams; a gateway error has no name. */
export const IMAGES_FRAMING: StreamFraming = {
  event: (json) => {
    const type = eventName(json);
    return `${type === undefined ? '' : `event: ${type}\n`}data: ${oneLine(json)}\n\n`;
  },
  end: '',
};

/** The events that end an image of a stream. */
const COMPLETED: readonly unknown[] = ['image_generation.completed', 'image_edit.completed'];
/** Members with images, as data or URL. */
const PICTURES = ['b64_json', 'url'];
/** Where a response, whole or event, has no text. */
const PLACES = {
  id: 'type background output_format quality size',
  data: 'b64_json data[].b64_json',
  address: 'url data[].url',
};

/** Base64 of PNG, JPEG, WebP and GIF. Any other may be a file with text. */
const PICTURE = /^(?:iVBORw0KGgo|\/9j\/|UklGR|R0lGOD)/;

/**
 * OpenAI's images: `svc` is at the top of a whole response, and of each event that completes an image. A block removes all images: the
 * blocked text is the prompt that they were made from.
 */
export class ImagesResponseFormat extends MediaFormat {
  readonly bulky = new Map([['data[].b64_json', PICTURE]]);

  constructor() {
    super(PLACES, 'The image was withheld by the security policy of this API key.');
  }

  readPiece(text: string, inspected?: string): ResponsePiece {
    const { json, body } = readResponseJson(text, inspected);
    const isEvent = typeof body.type === 'string';
    const images = isEvent ? [body] : Array.isArray(body.data) ? body.data : [];
    const nameOf = (at: number, field: string) => (isEvent ? field : `data[${at}].${field}`);
    const skipped = images.flatMap((image, at) =>
      PICTURES.filter((field) => isObject(image) && typeof image[field] === 'string').map(
        (field) => `${nameOf(at, field)}: image`,
      ),
    );
    const isAnswer = body.error == null && (isEvent ? body.type !== 'error' : Array.isArray(body.data));
    return {
      json,
      slots: this.others.read(body).slots,
      echoes: [],
      divisible: false,
      ends: !isEvent || COMPLETED.includes(body.type),
      usage: fromOpenAiTokenUsage(body.usage),
      fault: isAnswer ? undefined : 'no images',
      skipped,
    };
  }

  cutWhole(json: string): string {
    return JSON.stringify({ ...JSON.parse(json), data: [] });
  }
}
