// Prompts: tasks that people start from a menu, with the relevant resources attached.

import {
  completable,
  type GetPromptResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ReviewAnswer } from '../model/answers.ts';
import { expected } from '../model/issues.ts';
import { MAX_CHARACTERS } from '../model/search.ts';
import type { SnapshotQueries } from '../snapshot/queries.ts';
import type { Guard } from './context.ts';
import TEXTS from './prompt-texts.json' with { type: 'json' };

export function addPrompts(
  server: McpServer,
  queries: () => SnapshotQueries,
  guarded: Guard,
): void {
  const add = (
    name: keyof typeof TEXTS,
    argsSchema: z.ZodObject,
    /** What the text and the attachments are made with. */
    made: (current: SnapshotQueries, args: Readonly<Record<string, string>>) => Made,
  ) => {
    const { text, ...shown } = TEXTS[name];
    server.registerPrompt(name, { ...shown, argsSchema }, (args) =>
      guarded(() => {
        const current = queries();
        const { values, attached } = made(current, args as Record<string, string>);
        const { name: business } = current.businessRecord;
        return promptOf(fill(text, { business, ...values }), attached);
      }),
    );
  };
  const oneOf = (known: readonly string[], description: string) =>
    completable(z.string().describe(description), (typed) =>
      known.filter((one) => one.startsWith(typed)),
    ).optional();
  const example = 'such as "Are they on time?"';
  const asked = z.string(expected(`a question ${example}`));
  const question = asked.min(1).max(MAX_CHARACTERS).describe(example);
  add('answer_question', z.object({ question }), (current, values) => ({
    values,
    attached: { 'reviews://business': current.business() },
  }));
  const audience = oneOf(
    ['customers', 'the owner', 'the team'],
    'for whom: "customers", "the owner", "the team"',
  );
  add('summarize_reviews', z.object({ audience }), (current, args) => ({
    values: { audience: args['audience'] ? `, for ${args['audience']}` : '' },
    attached: {
      'reviews://summary': current.summary(),
      'reviews://business': current.business(),
    },
  }));
  const id = completable(z.string().describe('id of the review'), (typed) =>
    guarded(() => queries().snapshot.idsFrom(typed, 20)),
  );
  const tone = oneOf(['warm', 'formal', 'brief'], 'such as "warm", "formal", "brief"');
  add('draft_owner_reply', z.object({ review_id: id, tone }), (current, args) => {
    const answer = current.review(args['review_id'] ?? '');
    if (!(JSON.parse(answer) as ReviewAnswer).review) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown review id "${args['review_id']}". search_reviews returns reviews and their ids.`,
      );
    }
    return {
      values: { tone: args['tone'] ? `, in a ${args['tone']} tone` : '' },
      attached: { [`reviews://review/${args['review_id']}`]: answer },
    };
  });
}

interface Made {
  readonly values: Readonly<Record<string, string>>;
  /** JSON by the URI of its resource. */
  readonly attached: Readonly<Record<string, string>>;
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

function promptOf(text: string, attached: Made['attached']): GetPromptResult {
  const resources = Object.entries(attached).map(([uri, json]) => ({
    type: 'resource' as const,
    resource: { uri, mimeType: 'application/json', text: json },
  }));
  const contents = [{ type: 'text' as const, text }, ...resources];
  return { messages: contents.map((content) => ({ role: 'user' as const, content })) };
}
