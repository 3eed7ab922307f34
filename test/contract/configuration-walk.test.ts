import { configurationWalk } from './administration/configuration-walk.ts';
import { startLocalProcess } from './local-process.ts';

configurationWalk(startLocalProcess);
