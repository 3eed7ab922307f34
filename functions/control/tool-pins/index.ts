/** The first definition of each tool of a key, with which later ones are compared. */
export type { KeyPins, SeenTools, SeenVersion, ToolPin, ToolPinStore } from './tool-pin-store.ts';
export { ToolPins } from './tool-pins.ts';
