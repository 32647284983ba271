// Types for a package without types, as far as we use it.

declare module 'json-server' {
  import type { RequestListener, Server } from 'node:http';

  interface Application {
    use(handler: RequestListener | readonly RequestListener[]): void;
    listen(port: number, host: string, onListening: () => void): Server;
  }

  const jsonServer: {
    create(): Application;
    defaults(options: { readonly logger: boolean }): readonly RequestListener[];
    router(database: object): RequestListener;
  };
  // oxlint-disable-next-line import/no-default-export -- what the package exports
  export default jsonServer;
}
