import type { PolicyVersionView } from '../../api/types.ts';
import { writeSettings } from './policy-settings.ts';

/** A policy's own fields as JSON, without what the API says about it. */
export function textOf({
  object: _o,
  version: _v,
  createdAt: _a,
  createdBy: _b,
  ...settings
}: PolicyVersionView): string {
  return writeSettings(settings);
}
