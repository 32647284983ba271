// A running server, in a process of its own or in that of the test.

import { PATIENCE_MS, until } from './patience.ts';

/** A running server. */
export abstract class RunningServer {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** Its log so far. */
  abstract get log(): string;

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url + path, { headers });
  }

  async json<T = any>(path: string): Promise<T> {
    const response = await this.get(path);
    return (await response.json()) as T;
  }

  /** Polls a path until the JSON body satisfies the condition. */
  async until(
    path: string,
    isExpected: (body: any) => boolean,
    limitMs = PATIENCE_MS,
  ): Promise<any> {
    let body: any;
    await until(
      async () => isExpected((body = await this.json(path))),
      limitMs,
      () => `${path} stayed ${JSON.stringify(body).slice(0, 300)}`,
    );
    return body;
  }
}
