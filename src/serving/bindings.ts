// How an operation of the table of routes is added to the server.

import { Refusal } from '../errors.ts';
import type { ReadContext, ReadHandler, ReadOptions, RoutedHandler } from '../http/handlers.ts';
import type { Resource } from '../http/resource.ts';
import type { HttpServer } from '../http/server.ts';
import type { Route } from '../model/routes.ts';

export type Binding = (server: HttpServer, route: Route) => void;

/** Lists the paths of a route with a parameter that an export writes; by default the path itself. */
export type PathLister = () => Iterable<string>;

/** A GET that is answered from the current snapshot at once. */
export function read(handler: ReadHandler, paths?: PathLister): Binding {
  return (server, route) => server.routeRead(route.path, handler, exportOf(route, paths));
}

/** Finds what a request is about; null if there is nothing. */
type ResourceFinder = (context: ReadContext) => Resource | null | Promise<Resource | null>;

/** A GET that is answered with a resource, which may have to be compressed first. */
export function resource(find: ResourceFinder, paths?: PathLister): Binding {
  return (server, route) => {
    const answer: RoutedHandler = async (request, response) => {
      const found = await find(server.contextOf(request, response));
      if (found === null) throw new Refusal('not_found');
      await found.answer(request.raw, response);
    };
    server.routeReply(route.path, answer, exportOf(route, paths));
  };
}

/** A GET that is answered without a snapshot, or after some time. */
export function reply(handler: RoutedHandler, { paths }: ReadOptions = {}): Binding {
  return (server, route) => {
    server.routeReply(route.path, handler, exportOf(route, paths));
  };
}

function exportOf({ exported, path }: Route, paths: PathLister = () => [path]): ReadOptions {
  return exported ? { paths } : {};
}
