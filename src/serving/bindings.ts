// How an operation of the table of routes is added to the server.

import type { ReadHandler, ReadOptions, ReplyHandler } from '../http/handlers.ts';
import type { HttpServer } from '../http/server.ts';
import type { Route } from '../model/routes.ts';

/** Adds the route of one operation to a server. */
export type Binding = (server: HttpServer, route: Route) => void;

/** Lists the paths of a route with a parameter that an export writes; by default the path itself. */
export type PathLister = () => Iterable<string>;

/** A GET that is answered from the current snapshot at once. */
export function read(handler: ReadHandler, paths?: PathLister): Binding {
  return (server, route) => server.routeRead(route.path, handler, exportOf(route, paths));
}

/** A GET that is answered through the framework. */
export function reply(handler: ReplyHandler, { paths }: ReadOptions = {}): Binding {
  return (server, route) => {
    server.routeReply(route.path, handler, exportOf(route, paths));
  };
}

function exportOf({ exported, path }: Route, paths: PathLister = () => [path]): ReadOptions {
  return exported ? { paths } : {};
}
