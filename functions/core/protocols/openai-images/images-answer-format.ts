import type { SecurityInfo } from '../../inspect/security-report.ts';
import { isObject } from '../../json/is-object.ts';
import type { JsonPath } from '../../json/json-splice.ts';
import type { TextSlot } from '../../pipeline/piece.ts';
import type { AnswerPiece, StreamFraming } from '../answer-format.ts';
import { collectTexts } from '../collect-texts.ts';
import { toParam } from '../first-fault.ts';
import { NativeAnswerFormat } from '../native-answer-format.ts';
import { toTokenUsage } from '../openai-token-usage.ts';
import { oneLine } from '../security-fields.ts';

const NAMED = /"type": ?"(image_generation\.(?:partial_image|completed)|error)"/;

/** Each event is named by its type, as OpenAI's are; a fault of ours has none. */
export const IMAGES_FRAMING: StreamFraming = {
  event: (json) => {
    const type = NAMED.exec(json)?.[1];
    return `${type === undefined ? '' : `event: ${type}\n`}data: ${oneLine(json)}\n\n`;
  },
  end: '',
};

/** The event that ends an image of a stream. */
const COMPLETED = 'image_generation.completed';
/** Where pictures stand, whole or by their address. */
const PICTURES = ['b64_json', 'url'];
/** Fields whose words the API fixes. */
const FIXED: ReadonlySet<string> = new Set(['type', 'background', 'output_format', 'quality', 'size']);
const isFixed = (name: string) => FIXED.has(name);

/**
 * OpenAI's images: `svc` at the top of the whole answer, and of each event that completes an image. A block leaves no picture: what
 * it objects to is the prompt that the picture was made from.
 */
export class ImagesAnswerFormat extends NativeAnswerFormat {
  ended = false;

  readPiece(json: string): AnswerPiece {
    const root: unknown = JSON.parse(json);
    const body = isObject(root) ? root : {};
    const isEvent = typeof body.type === 'string';
    const images = isEvent ? [body] : Array.isArray(body.data) ? body.data : [];
    const pathOf = (at: number): JsonPath => (isEvent ? [] : ['data', at]);
    const nameOf = (at: number, field: string) => (isEvent ? field : `data[${at}].${field}`);
    const slots: TextSlot[] = [];
    const take = (value: object, at: JsonPath) =>
      collectTexts(value, at, isFixed, (path, text, isName) => {
        if (!isName) slots.push({ channel: toParam(path), text, path });
      });
    for (const [at, image] of images.entries()) if (isObject(image)) take(withoutPictures(image), pathOf(at));
    const { data: _, ...rest } = body;
    if (!isEvent) take(rest, []);
    const skipped = images.flatMap((image, at) =>
      PICTURES.filter((field) => isObject(image) && typeof image[field] === 'string').map(
        (field) => `${nameOf(at, field)}: image`,
      ),
    );
    const isAnswer = body.error == null && (isEvent ? body.type !== 'error' : Array.isArray(body.data));
    return {
      json,
      slots,
      echoes: [],
      divisible: false,
      ends: !isEvent || body.type === COMPLETED,
      usage: toTokenUsage(body.usage),
      fault: isAnswer ? undefined : 'no images',
      skipped,
    };
  }

  cutWhole(json: string): string {
    return JSON.stringify({ ...JSON.parse(json), data: [] });
  }

  leaving({ json, ends }: AnswerPiece, cut: boolean, svc: () => SecurityInfo): string | undefined {
    if (!ends) return json;
    if (cut) return undefined;
    this.ended = true;
    return this.withSecurity(json, svc());
  }

  /** As OpenAI ends a stream whose picture it withholds: by an error. */
  blockedEnd(svc: SecurityInfo): string[] {
    const error = {
      type: 'security_error',
      code: 'content_filter',
      message: 'The image was withheld by the security policy of this API key.',
      param: null,
    };
    return [JSON.stringify({ type: 'error', error, svc })];
  }
}

function withoutPictures(image: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(image).filter(([field]) => !PICTURES.includes(field)));
}
