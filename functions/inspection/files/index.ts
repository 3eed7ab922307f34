export { filesOf } from './find-files.ts';
export {
  type DocumentReader,
  type DocumentText,
  describeSkipped,
  lacksReader,
  readFiles,
  readTextFiles,
} from './read-files.ts';
export { withResponseFiles } from './response-files.ts';
