export { filesOf } from './find-files.ts';
export {
  type DocumentReader,
  describeSkipped,
  lacksReader,
  readFiles,
  readTextFiles,
} from './read-files.ts';
export { withResponseFiles } from './response-files.ts';
