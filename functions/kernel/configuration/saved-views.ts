/** Lists of the dashboard whose filters can be saved. */
export const VIEW_PAGES = ['requests', 'threats', 'sessions', 'tools', 'audit', 'keys'] as const;

/** Filters of a list under a name. */
export interface SavedView {
  readonly id: string;
  readonly page: (typeof VIEW_PAGES)[number];
  readonly name: string;
  /** As in the page's URL. */
  readonly search: string;
  /** Whose place it was saved from. */
  readonly owner: string;
  /** The owner as people know them. */
  readonly savedBy: string;
  readonly createdAt: string;
}

/** The views of a key, a person, a team, or the deployment. */
export interface SavedViews {
  readonly version: number;
  readonly views: readonly SavedView[];
}
