import type { Form } from '../../core/base/form.ts';
import { writeForm } from '../../core/base/request-document.ts';
import type { ChatCall } from '../../core/routing/provider.ts';

/** A field of ours that a provider must not see. */
const OWN_FIELDS = ['svc'];

/** The caller's form with the splices that decisions, section 2, lists, every other byte as it came, under its own boundary. */
export function toOpenAiForm({ boundary }: Form, { source, model, request }: ChatCall) {
  const fields = model === request.model ? {} : { model };
  const body = writeForm(source, { fields, without: OWN_FIELDS });
  const named = /^[\w'+.-]+$/.test(boundary) ? boundary : `"${boundary}"`;
  return { body, type: `multipart/form-data; boundary=${named}` };
}
