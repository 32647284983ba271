// wrk as the client: one thread, many connections, a list of requests.

import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pin, type Role } from '../cores.ts';
import type { Answered, Attack } from './client.ts';

const SCRIPT = fileURLToPath(new URL('./wrk.lua', import.meta.url));
/** wrk accepts only whole seconds; we stop it earlier. */
const LONGEST_SECONDS = 3_600;
/** Generous, so that slow servers do not fail. */
const TIMEOUT_SECONDS = 120;

export async function runWrk(attack: Attack, role: Role | null): Promise<Answered> {
  const folder = await mkdtemp(join(tmpdir(), 'public-reviews-wrk-'));
  const list = join(folder, 'requests');
  const pieces = attack.requests.flatMap((bytes) => [Buffer.from(`${bytes.length}\n`), bytes]);
  await writeFile(list, Buffer.concat(pieces));
  try {
    return parseTaken(await said(attack, list, role));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function said({ origin, connections, forMs, from }: Attack, list: string, role: Role | null) {
  const flags = [
    ['--threads', '1'],
    ['--connections', String(connections)],
    ['--duration', `${LONGEST_SECONDS}s`],
    ['--timeout', `${TIMEOUT_SECONDS}s`],
    ['--script', SCRIPT],
  ].flat();
  const child = spawn('wrk', [...flags, `${origin}/`, '--', list, String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.pid !== undefined) pin(child.pid, role);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const timer = setTimeout(() => child.kill('SIGINT'), forMs);
  return new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(text);
      else reject(new Error(`wrk ended with code ${code}: ${text}`));
    });
  });
}

/** Parses the output of the script. */
export function parseTaken(text: string): Answered {
  const [, calls, micros, failed] = /^TAKEN (\d+) (\d+) (\d+)$/m.exec(text) ?? [];
  if (failed === undefined) throw new Error(`wrk said: ${text}`);
  if (failed !== '0') throw new Error(`${failed} requests failed: ${text}`);
  return { calls: Number(calls), seconds: Number(micros) / 1e6 };
}
