export declare const MINIMUM_NODE: string;
export declare function isNodeTooOld(): boolean;
