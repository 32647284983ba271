// A server that speaks like OpenAI's chat completions and answers as a test says.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface AskedReview {
  readonly review: number;
  readonly stars: number;
  readonly text: string;
}

export interface ModelRequest {
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly model: string;
  readonly instructions: string;
  readonly reviews: readonly AskedReview[];
  /** The whole body. */
  readonly body: string;
}

type Answer = (request: ModelRequest, response: ServerResponse) => string | null;

export class FakeModel {
  readonly requests: ModelRequest[] = [];
  /** Returns the content of the completion; or null if it has answered by itself, or never answers. */
  answer: Answer = () => '{"reviews":[]}';
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#respond(request, response));
  }

  static async open(): Promise<FakeModel> {
    const model = new FakeModel();
    await new Promise<void>((resolve) => void model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => void this.#server.close(() => resolve()));
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { model, messages } = JSON.parse(body) as {
      readonly model: string;
      readonly messages: readonly { readonly content: string }[];
    };
    const asked: ModelRequest = {
      path: request.url,
      headers: request.headers,
      model,
      instructions: messages[0]!.content,
      reviews: JSON.parse(messages[1]!.content) as AskedReview[],
      body,
    };
    this.requests.push(asked);
    const content = this.answer(asked, response);
    if (content === null) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content } }] }),
    );
  }
}

/** The content that claims an aspect of each review whose text has the quote. */
export function claiming(aspect: string, sentiment: string, quote: string): Answer {
  return ({ reviews }) =>
    JSON.stringify({
      reviews: reviews.map(({ review, text: own }) => ({
        review,
        claims: own.includes(quote) ? [{ aspect, sentiment, quote }] : [],
      })),
    });
}
