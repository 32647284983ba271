// Surfaces that answer readers before the framework is asked, which costs more than most answers.

import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers at once and tells the route; null, and nothing done, where the request is for another. */
type DirectAnswer = (request: IncomingMessage, response: ServerResponse) => string | null;

export class FastPath {
  readonly #answers: DirectAnswer[] = [];

  /** What it throws is for the framework to answer, which is then asked the same. */
  add(answer: DirectAnswer): void {
    this.#answers.push(answer);
  }

  /** The route that was answered, or null. */
  answer(request: IncomingMessage, response: ServerResponse): string | null {
    try {
      for (const answer of this.#answers) {
        const route = answer(request, response);
        if (route !== null) return route;
      }
    } catch (error) {
      if (response.headersSent) throw error;
    }
    return null;
  }
}
