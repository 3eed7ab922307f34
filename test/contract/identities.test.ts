import { identityContract } from './administration/identities.ts';
import { startLocalProcess } from './local-process.ts';

identityContract(startLocalProcess);
