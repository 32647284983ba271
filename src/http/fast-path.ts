// Answers reads before the framework, whose overhead exceeds the work of most answers. It knows the same
// routes as the framework and calls the same handlers. URLs that need decoding are left to the framework.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../errors.ts';
import type { ReadContext, ReadHandler } from './handlers.ts';
import { sendRefusal } from './problems.ts';

interface Route {
  readonly path: string;
  /** Name of the parameter at the end of the path; null if it has none. */
  readonly parameter: string | null;
  readonly handler: ReadHandler;
}

/** The route of a URL with the parameters in it. */
export interface FastRoute {
  readonly route: Route;
  readonly parameters: ReadContext['parameters'];
}

/** Answers a request and returns its route; null, with nothing written, if it has no answer. */
export type KeptAnswer = (request: IncomingMessage, response: ServerResponse) => string | null;

const NO_PARAMETERS = {};

export class FastPath {
  /** By the whole path, or for paths that end in a parameter by what is before it. */
  readonly #routes = new Map<string, Route>();
  readonly #kept: KeptAnswer[] = [];

  /** Paths with a parameter elsewhere than at the end are left to the framework. */
  add(path: string, handler: ReadHandler): void {
    const [folder = '', parameter = null, ...more] = path.split(/(?<=\/):/);
    const isAtEnd = more.length === 0 && !(parameter ?? '').includes('/');
    if (isAtEnd) this.#routes.set(folder, { path, parameter, handler });
  }

  /** Adds what answers requests without a route here, from a cache. */
  addKept(answer: KeptAnswer): void {
    this.#kept.push(answer);
  }

  /** Answers from the cache alone and returns the route; null, with nothing written, if it has no answer. */
  answerKept(request: IncomingMessage, response: ServerResponse): string | null {
    for (const answer of this.#kept) {
      const route = answer(request, response);
      if (route !== null) return route;
    }
    return null;
  }

  /** Answers a request; false, with nothing written, leaves it to the framework. */
  answer(context: Omit<ReadContext, 'parameters'>, { route, parameters }: FastRoute): boolean {
    const { request, response } = context;
    try {
      route.handler({ ...context, parameters });
    } catch (error) {
      if (response.headersSent) throw error;
      // The framework logs faults under the id of a request.
      if (!(error instanceof Refusal)) return false;
      sendRefusal(request, response, error);
    }
    return true;
  }

  /** The route of a URL; null if the framework has to find it. */
  find(url: string): FastRoute | null {
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    if (path.includes('%') || path.includes('#')) return null;
    const exact = this.#routes.get(path);
    if (exact?.parameter === null) return { route: exact, parameters: NO_PARAMETERS };
    const start = path.lastIndexOf('/') + 1;
    const route = start === path.length ? undefined : this.#routes.get(path.slice(0, start));
    if (route === undefined || route.parameter === null) return null;
    return { route, parameters: { [route.parameter]: path.slice(start) } };
  }
}
