/** A token format with a prefix or shape of its own, so that the pattern alone says whose it is. */
export interface VendorToken {
  /** The rule's id without its family. */
  readonly thing: string;
  readonly vendor: string;
  readonly patterns: readonly string[];
  /** Characters that make what follows them a part of something longer. */
  readonly notAfter?: string;
  /** Bits a character that a real one has at least; by default what random hexadecimal digits have. */
  readonly minEntropy?: number;
  readonly score?: number;
  readonly severity?: 'medium' | 'high' | 'critical';
}
