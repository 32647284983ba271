// Asks a language model over the interface of OpenAI's chat completions, which local servers speak too.

import { z } from 'zod';
import type { ChatMessage } from '../insights/proposals/prompt.ts';
import { fetchBytes } from '../log/fetch.ts';

/** A model on a slow machine takes minutes for a few reviews. */
const TIMEOUT_MS = 300_000;
const MAX_BYTES = 2 ** 20;
/** The longest wait that a `Retry-After` may ask for. */
const LONGEST_WAIT_MS = 3_600_000;

export interface LanguageModel {
  /** Base URL such as `http://localhost:11434/v1`. */
  readonly url: string;
  readonly model: string;
  readonly key: string | null;
}

/** The model was not reached, or refused the request. The message holds neither the request nor the answer. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  /** What the server asks to wait before the next request; null if it asks nothing. */
  readonly waitMs: number | null;

  constructor(message: string, waitMs: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.waitMs = waitMs;
  }
}

const completionSchema = z.object({
  choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })], z.unknown()),
});

/** The model's answer. @throws {ModelError} */
export async function complete(
  { url, model, key }: LanguageModel,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<string> {
  // The key and the reviews go to no other address: a POST follows no redirect.
  const { status, body, retryAfter } = await fetchBytes(`${url}/chat/completions`, {
    body: JSON.stringify({ model, temperature: 0, messages }),
    headers: {
      'content-type': 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    signal,
  }).catch((error: Error) => {
    throw new ModelError(error.message, null, { cause: error });
  });
  if (status !== 200) {
    throw new ModelError(`expected status 200, got ${status}`, waitOf(retryAfter));
  }
  const completion = completionSchema.safeParse(parseJson(body.toString()));
  if (!completion.success) throw new ModelError('expected a chat completion');
  return completion.data.choices[0].message.content;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ModelError('expected JSON');
  }
}

/** A number of seconds in `Retry-After`; servers of models send no dates. */
function waitOf(retryAfter: string | null): number | null {
  if (retryAfter === null || !/^\d{1,9}$/.test(retryAfter)) return null;
  return Math.min(Number(retryAfter) * 1000, LONGEST_WAIT_MS);
}
