// `verify` against servers that do not want to be verified: it reads no more than it needs, and only from the
// origin that it was given.

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runVerify } from '../../src/commands/verify.ts';
import { Shop } from '../support/log-files.ts';
import { capture } from '../support/run-command.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server and returns its URL. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function verify(url: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'public-reviews-'));
  try {
    return (await capture(() => runVerify(url, { seen: join(folder, 'seen.json') }))).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const files = new Shop().add('A', 5).publish().files();
const answerFile: RequestListener = ({ url }, response) => void response.end(files.get(url!));

test('a checkpoint that is too long is not read to its end', async () => {
  let requests = 0;
  const url = await serve(({ url: path }, response) => {
    requests += 1;
    response.end(path === '/log/checkpoint' ? Buffer.alloc(100_000) : undefined);
  });
  await expect(verify(url)).rejects.toThrow('the answer is larger than 65536 bytes');
  // One that is read without a limit is followed by others.
  expect(requests).toBe(1);
});

test('redirects are followed within the origin', async () => {
  const url = await serve((request, response) => {
    if (!request.url!.startsWith('/moved')) {
      response.writeHead(308, { Location: `/moved${request.url}` }).end();
      return;
    }
    request.url = request.url!.slice('/moved'.length);
    answerFile(request, response);
  });
  expect(await verify(url)).toContain('the log holds');
});

test('a redirect to another origin, and one without an end, are not followed', async () => {
  let requests = 0;
  const inside = await serve((request, response) => {
    requests += 1;
    answerFile(request, response);
  });
  const outside = await serve(({ url }, response) => {
    response.writeHead(302, { Location: inside + url }).end();
  });
  await expect(verify(outside)).rejects.toThrow(
    `expected no redirect to another origin, got one to ${inside}`,
  );
  expect(requests).toBe(0);
  const endless = await serve(({ url }, response) => {
    response.writeHead(302, { Location: url }).end();
  });
  await expect(verify(endless)).rejects.toThrow('more than 5 redirects');
});
