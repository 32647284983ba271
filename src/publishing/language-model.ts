// Asks a language model over the interface of OpenAI's chat completions, which local servers speak too.

import { z } from 'zod';
import type { ChatMessage } from '../insights/proposals/prompt.ts';

/** A model on a slow machine takes minutes for a few reviews. */
const TIMEOUT_MS = 300_000;
const MAX_BYTES = 2 ** 20;
/** The longest wait that a `Retry-After` may ask for. */
const LONGEST_WAIT_MS = 3_600_000;

export interface LanguageModel {
  /** Base URL such as `http://localhost:11434/v1`. */
  readonly url: string;
  readonly model: string;
  /** Null for servers that need none. */
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

/**
 * The model's answer.
 *
 * @throws {ModelError}
 */
export async function complete(
  { url, model, key }: LanguageModel,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<string> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, temperature: 0, messages }),
      // The key and the reviews go to no other address.
      redirect: 'error',
      signal: AbortSignal.any([signal, limit]),
    });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      throw new ModelError(
        `expected status 200, got ${answer.status}`,
        waitOf(answer.headers.get('retry-after')),
      );
    }
    const completion = completionSchema.safeParse(await readJson(answer));
    if (!completion.success) throw new ModelError('expected a chat completion');
    return completion.data.choices[0].message.content;
  } catch (error) {
    if (error instanceof ModelError) throw error;
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
    const text = limit.aborted ? `no answer within ${timeoutMs / 1000} s` : reason;
    throw new ModelError(text, null, { cause: error });
  }
}

async function readJson(answer: Response): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body ?? []) {
    size += piece.length;
    if (size > MAX_BYTES) throw new ModelError(`the answer is larger than ${MAX_BYTES} bytes`);
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString()) as unknown;
  } catch {
    throw new ModelError('expected JSON');
  }
}

/** A number of seconds in `Retry-After`; servers of models send no dates. */
function waitOf(retryAfter: string | null): number | null {
  if (retryAfter === null || !/^\d{1,9}$/.test(retryAfter)) return null;
  return Math.min(Number(retryAfter) * 1000, LONGEST_WAIT_MS);
}
