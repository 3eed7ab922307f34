import { GatewayError } from '../../kernel/errors/index.ts';
import { type Claims, matchesClaims } from '../../kernel/identity/index.ts';
import type { ApiKey } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import { type Team, type TeamsDocument, teamOf } from '../../kernel/teams/index.ts';

/** The document of all teams, as this process knows it. */
interface KnownTeams {
  settings(): Promise<TeamsDocument>;
  renew(): Promise<void>;
}

/** The document is read in between for an unknown team, at most this often for each. */
const RENEWED_EVERY_MS = 5_000;
const MAX_UNKNOWN = 1_000;

/** Adds to each caller what its team adds. A change of a team is in force within 10 s, like that of every document. */
export class LiveTeams {
  private readonly document: KnownTeams;
  private readonly clock: Pick<Clock, 'monotonic'>;
  private readonly made = new WeakMap<ApiKey, ApiKey>();
  /** By the id of an unknown team. */
  private readonly renewedAt = new Map<string, number>();

  constructor(document: KnownTeams, clock: Pick<Clock, 'monotonic'>) {
    this.document = document;
    this.clock = clock;
  }

  /**
   * The caller with its team; the same object while neither changes, so that its policy is compiled once. One without a team is returned
   * unchanged, and reads nothing. @throws GatewayError `insufficient_permissions` if the team is disabled or does not exist; StoreUnavailable
   */
  async join(key: ApiKey): Promise<ApiKey> {
    if (key.teamId == null) return key;
    const team = (await this.find(key.teamId)) ?? (await this.findNew(key.teamId));
    if (team === undefined) throw refused('The team of this API key does not exist.');
    if (team.state !== 'active') throw refused('The team of this API key is disabled.');
    const known = this.made.get(key);
    if (known?.team === team) return known;
    const joined = { ...key, team, tags: { ...key.tags, ...team.tags } };
    this.made.set(key, joined);
    return joined;
  }

  /** The active team of a person with these claims, and their role; undefined without one. @throws StoreUnavailable */
  async memberOf(claims: Claims): Promise<ReturnType<typeof teamOf<Team>>> {
    const member = teamOf(claims, (await this.document.settings()).teams);
    return member?.team.state === 'active' ? member : undefined;
  }

  /** The claims that teams name, and of lists the elements that they name: what a cookie has to hold. @throws StoreUnavailable */
  async decidingClaims(claims: Claims): Promise<Claims> {
    const { teams } = await this.document.settings();
    const named = teams.flatMap(({ members }) => members.flatMap(({ match }) => Object.entries(match)));
    const isNamed = (name: string) =>
      named.some(
        ([path]) => path === name || path.startsWith(`${name}.`) || (path === 'email' && name === 'email_verified'),
      );
    const decides = (name: string, one: unknown) =>
      named.some(
        ([path, globs]) => path === name && matchesClaims({ [name]: globs }, { [name]: one, email_verified: true }),
      );
    const kept = Object.entries(claims)
      .filter(([name]) => isNamed(name))
      .map(([name, value]) => [name, Array.isArray(value) ? value.filter((one) => decides(name, one)) : value]);
    return Object.fromEntries(kept);
  }

  private async find(id: string): Promise<Team | undefined> {
    return (await this.document.settings()).teams.find((team) => team.id === id);
  }

  /** One that may have been created a moment ago. */
  private async findNew(id: string): Promise<Team | undefined> {
    const now = this.clock.monotonic();
    if (now - (this.renewedAt.get(id) ?? Number.NEGATIVE_INFINITY) < RENEWED_EVERY_MS) return undefined;
    if (this.renewedAt.size >= MAX_UNKNOWN) this.renewedAt.clear();
    this.renewedAt.set(id, now);
    await this.document.renew();
    return this.find(id);
  }
}

function refused(message: string): GatewayError {
  return new GatewayError('insufficient_permissions', message);
}
