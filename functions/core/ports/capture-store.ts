import type { Capture } from '../model/capture.ts';

/** The texts of exchanges whose policy asks to keep them, for as long as the deployment's setting says. Throws StoreUnavailable. */
export interface CaptureStore {
  write(requestId: string, capture: Capture): Promise<void>;
  /** undefined where there is none, or none any more. */
  read(requestId: string): Promise<Capture | undefined>;
}
