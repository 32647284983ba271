// What a route may be given beside its path and its handler.

export interface ReadOptions {
  readonly isLimited?: boolean;
  readonly paths?: () => Iterable<string>;
}

export interface ReadRoute {
  /** With its parameters, as the framework writes them. */
  readonly url: string;
  /** All whose answers depend on the snapshot that is shown alone; by default the route itself. */
  readonly paths: () => Iterable<string>;
}

export interface FormOptions {
  /** Media type of the bodies that are read. */
  readonly type: string;
  readonly mostBytes: number;
  /** Requests of one client address in a minute; 0 is any number. */
  readonly perMinute: number;
}
