import type { RequestHeaders } from '../../core/base/request-headers.ts';

/** A cookie of ours: for our own pages alone, and unreadable for their scripts. */
export class OwnCookie {
  private readonly name: string;
  private readonly attributes: string;

  /**
   * `isSecure`: sent over https alone, and taken from this very host alone, which the prefix makes browsers see to
   * (https://www.rfc-editor.org/rfc/rfc6265#section-4.1, draft rfc6265bis 4.1.3.2). On one machine there is no https.
   * `sameSite`: `Lax` also comes along where another site sends its visitor here.
   */
  constructor(name: string, isSecure: boolean, sameSite: 'Strict' | 'Lax') {
    this.name = isSecure ? `__Host-${name}` : name;
    this.attributes = `Path=/; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
  }

  /** Its value in a request; undefined where there is none, or several. */
  read(headers: RequestHeaders): string | undefined {
    const begin = `${this.name}=`;
    const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
    const found = pairs.filter((pair) => pair.startsWith(begin));
    return found.length === 1 ? found[0]?.slice(begin.length) : undefined;
  }

  /** `Set-Cookie` that puts it. */
  set(value: string, maxAgeSeconds: number): string {
    return `${this.name}=${value}; Max-Age=${maxAgeSeconds}; ${this.attributes}`;
  }

  /** `Set-Cookie` that takes it away. */
  clear(): string {
    return this.set('', 0);
  }
}
