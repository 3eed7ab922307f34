import type { ImageSettings } from './images-protocol.ts';

type FormNumber = string | number | null | undefined;

interface EditFields extends Pick<ImageSettings, 'size' | 'quality'> {
  readonly n?: FormNumber;
  readonly partial_images?: FormNumber;
}

/** The settings of the images; a form's numbers are text. */
export function editSettings({ n, size, quality, partial_images }: EditFields): ImageSettings {
  const count = (value: FormNumber) => (value == null ? undefined : Number(value));
  return { n: count(n), size, quality, partial_images: count(partial_images) };
}
