// The limits of MCP that a client can meet. docs/limits.md says what happens beyond them.

export const MCP_LIMITS = {
  /** Body of a request. Ten requests of a batch with the longest arguments fit. */
  bodyBytes: 64 * 1024,
  /** Levels of nesting in a message. The messages of the protocol, and the arguments of every tool, need far less. */
  messageLevels: 64,
  /** Members of an object, and elements of an array, in a message. */
  messageMembers: 64,
  /** Values in a message, nested ones included. The SDK takes some 20 µs for each malformed value. */
  messageValues: 512,
  batchMessages: 10,
  batchBytes: 2 * 1024 * 1024,
  /** A page of `search_reviews`, unless one review has more: also sent twice it is within the 10,000 tokens that Codex shows. */
  answerBytes: 16 * 1024,
  /** Name of an aspect, technician or service, and `query` of `get_faq`. */
  textCharacters: 1_000,
  /** Resources of a stream (`subscriptions/listen`). */
  streamUris: 50,
  /** Open streams of a client address, of one process. */
  streamsPerClient: 32,
  /** Open streams of a process. */
  streams: 512,
} as const;
