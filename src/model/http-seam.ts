// What HTTP hands to MCP and to those who count requests: the client of a request, and its turn.

/** Alternating header names and values, as `writeHead` takes them. */
export type HeaderList = readonly string[];

/** The right to use CPU in the current turn of the event loop. */
export interface Turn {
  /** Must be called when the work is done or waits for something else; calls after the first do nothing. */
  end(): void;
}

/** The client that sent a request. */
export interface Caller {
  /** The same for all requests of one client address. */
  readonly key: string;
  /**
   * Counts requests of the client beside the current one. Resolves with 0 within the limit, else with the
   * seconds to wait.
   */
  countMore(requests: number): Promise<number>;
  /**
   * Waits for a turn to use CPU, which must be ended; null if the client disconnected, or the request was
   * answered with a refusal.
   */
  takeTurn(): Promise<Turn | null>;
}

/** The window of a client, which begins with its first request. */
export interface ClientMinute {
  /** Requests in it so far. */
  readonly count: number;
  /** End of the window, ms since 1970. */
  readonly untilMs: number;
}
