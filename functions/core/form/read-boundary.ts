import { GatewayError } from '../errors.ts';
import { formFault } from './form-fault.ts';

/** RFC 2046, section 5.1.1. */
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{1,70}$/;
const PARAMETER = /^[ \t]*([0-9A-Za-z_-]+)=(?:"([^"\\]*)"|([^\s";]+))[ \t]*$/;

/**
 * The boundary that a `Content-Type` of `multipart/form-data` names.
 * @throws GatewayError `unsupported_media_type`, or `invalid_value` where it names none, or several
 */
export function readBoundary(contentType: string | null): string {
  const [type = '', ...parameters] = (contentType ?? '').split(';');
  if (type.trim().toLowerCase() !== 'multipart/form-data') {
    const message =
      "The request body must be a form with a file: send 'Content-Type: multipart/form-data; boundary=…'.";
    throw new GatewayError('unsupported_media_type', message);
  }
  const found = parameters.flatMap((parameter) => {
    const [, name = '', quoted, bare] = PARAMETER.exec(parameter) ?? [];
    return name.toLowerCase() === 'boundary' ? [quoted ?? bare ?? ''] : [];
  });
  const [boundary] = found;
  if (boundary === undefined || found.length > 1 || !BOUNDARY.test(boundary) || boundary.endsWith(' ')) {
    throw formFault("needs one 'boundary' in its Content-Type, of 1 to 70 characters that RFC 2046 allows");
  }
  return boundary;
}
