/** JSON with bounds: documents that are changed by edits and otherwise sent as they came, forms, and texts in JSON. */
export { type BulkyPlaces, boundParsed, isBase64, withoutBulk } from './bulky-values.ts';
export {
  type JsonEdit,
  type JsonPath,
  mergeEdits,
  renderEdits,
  setNumber,
  spliceJson,
  type TextEdit,
} from './edits.ts';
export { type Form, readBoundary } from './form.ts';
export { isObject, readArguments, readObject } from './json.ts';
export {
  countMembers,
  hasDuplicateMembers,
  type JsonDocument,
  jsonPlace,
  readJsonDocument,
  readJsonSteps,
} from './json-document.ts';
export { escaped, JsonStrings, unescaped } from './json-strings.ts';
export {
  boundJson,
  isEscaped,
  type JsonBounds,
  PARSE_BOUNDS,
} from './json-structure.ts';
export { editSteps, identityOf, type RequestDocument, readFormDocument, writeForm } from './request-document.ts';
export { escapeUnseen } from './unseen.ts';
