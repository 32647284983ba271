// Checks of the public address: that it answers, as this store, over TLS, with its own ETags and compression,
// and that agents get through.

import { randomInt } from 'node:crypto';
import type { Config } from '../../config.ts';
import { commandName } from '../../model/command-name.ts';
import type { Readiness } from '../../model/health.ts';
import { MS_PER_DAY } from '../../model/date.ts';
import { FORM_TYPE } from '../../model/hub-form.ts';
import { show } from '../../errors.ts';
import { sharesKey } from '../../log/notes.ts';
import { isLocalOrigin } from '../../model/origin.ts';
import { problemSchema } from '../../model/problem.ts';
import { ROUTES } from '../../model/routes.ts';
import type { StoreFacts } from './database.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';
import { ask, type DoctorAnswer, type TlsFacts } from './requests.ts';

const SHORT_TLS_DAYS = 14;
/** More than the servers behind an address, each of which counts by itself: two of the requests reach the same one. */
const FORGED_REQUESTS = 20;
/** The check of an address where files are, without a server. */
export const FILES = 'files';
const upload = () => `run: ${commandName()} export DIR, and upload what is in it`;
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'public-reviews-doctor', version: '1' },
  },
};

export async function checkReachability(
  config: Config,
  facts: StoreFacts | null,
  nowMs: number,
): Promise<Finding[]> {
  const origin = config.baseUrl ?? facts?.origin ?? null;
  if (origin === null) {
    const message = 'no public address is set, and no server has recorded one';
    return [warning('address', message, 'set BASE_URL to the address that readers use')];
  }
  const findings = checkRecorded(config, facts);
  let answer: DoctorAnswer;
  try {
    answer = await ask(origin + ROUTES.getReadiness.path);
  } catch (error) {
    if (isLocalOrigin(origin) && (error as NodeJS.ErrnoException).code === 'ECONNREFUSED') {
      const start = `run: ${commandName()} serve`;
      return [...findings, warning('address', `no server runs at ${origin}`, start)];
    }
    const action =
      'check that the server and the proxy run, the DNS entry of the name, and the firewall; files on a web space: ' +
      upload();
    return [...findings, wrong('address', `${origin} does not answer: ${reasonOf(error)}`, action)];
  }
  if (answer.tls) findings.push(checkTls(answer.tls, nowMs));
  const files = statusOf(answer) === null ? await checkFiles(origin, facts) : null;
  if (files !== null) return [...findings, files];
  const another = `${origin} serves another store: its log is signed with another key`;
  const served = (await servesAnother(origin, answer, facts))
    ? wrong('address', another, 'give the server and this command the same DATABASE_URL')
    : checkAnswer(origin, answer, facts);
  findings.push(served);
  // Before the first publish every path answers 503.
  if (served.status !== 'ok') return findings;
  if (config.metrics && !isLocalOrigin(origin)) findings.push(...(await checkMetrics(origin)));
  if (config.hub.requestsPerMinute > 0) findings.push(await checkForgery(origin));
  return [...findings, ...(await checkDocument(origin, facts)), await checkMcp(origin)];
}

/** The check of an address that serves what `export` wrote; null if it serves something else. */
async function checkFiles(origin: string, facts: StoreFacts | null): Promise<Finding | null> {
  const { business, updated_at: updatedAt } = jsonOf(await ask(origin + ROUTES.getReviews.path));
  if (business === undefined || typeof updatedAt !== 'string') return null;
  const changedAt = facts?.manifest?.documents[ROUTES.getReviews.path].changedAt;
  if (changedAt === undefined || Date.parse(updatedAt) === changedAt * 1000) {
    return ok(FILES, `${origin} serves exported files`);
  }
  const message = `${origin} serves files of ${updatedAt}, which differ from the store`;
  return warning(FILES, message, upload());
}

function checkRecorded({ baseUrl }: Config, facts: StoreFacts | null): Finding[] {
  const recorded = facts?.origin ?? null;
  if (baseUrl === null || recorded === null || recorded === baseUrl) return [];
  const message = `BASE_URL is ${baseUrl}, and the server recorded ${recorded}, which links and feeds name`;
  const action = 'start the server with the same BASE_URL as this command has';
  return [warning('address', message, action)];
}

function checkTls({ fault, expiresAtMs }: TlsFacts, nowMs: number): Finding {
  const days = Math.floor((expiresAtMs - nowMs) / MS_PER_DAY);
  const action = 'renew the certificate, and check why it is not renewed by itself';
  if (days < 0) return wrong('TLS', `the certificate expired ${-days} days ago`, action);
  if (fault !== null) {
    const use = 'use a certificate of a known authority for this name, with its whole chain';
    return wrong('TLS', `the certificate is not trusted: ${fault}`, use);
  }
  const message = `the certificate expires in ${days} days`;
  return days < SHORT_TLS_DAYS ? warning('TLS', message, action) : ok('TLS', message);
}

/** Whether a server has another store: only the key of the log tells two stores apart. */
export async function servesAnother(
  origin: string,
  answer: DoctorAnswer,
  facts: StoreFacts | null,
): Promise<boolean> {
  const keys = facts?.manifest?.log?.keys;
  if (keys === undefined || statusOf(answer) !== 'ready') return false;
  const { status, body } = await ask(origin + ROUTES.getLogKey.path);
  return status === 200 && !sharesKey(keys, body.toString().trim().split('\n'));
}

function checkAnswer(origin: string, answer: DoctorAnswer, facts: StoreFacts | null): Finding {
  const { status, headers } = answer;
  if (status >= 300 && status < 400) {
    const to = headers.location ?? 'nowhere';
    const action = 'set BASE_URL to the address that answers';
    return wrong('address', `${origin} redirects to ${to}`, action);
  }
  const readiness = statusOf(answer);
  if (readiness === null && problemSchema.safeParse(jsonOf(answer)).success) {
    const message = `the server answers at ${origin}, and cannot serve this store: status ${status}`;
    const action = 'mend what else is wrong here; the server looks again by itself';
    return wrong('address', message, action);
  }
  if (readiness === null && status >= 502 && status <= 504) {
    const message = `the proxy of ${origin} does not reach the server: status ${status}`;
    const action =
      'start the server, by: systemctl start public-reviews; if it runs, check the upstream address of the proxy';
    return wrong('address', message, action);
  }
  if (readiness === null) {
    const message = `${origin} is answered by another program, with status ${status}`;
    const action =
      'let the proxy pass all paths of this name to the server, and check its upstream address';
    return wrong('address', message, action);
  }
  if (readiness === 'starting') {
    const action =
      'wait until the first publish is done; if it fails, the log of the server says why';
    return warning('address', `${origin} answers, and has nothing to serve yet`, action);
  }
  const number = facts?.manifest?.number ?? null;
  const { snapshot } = jsonOf(answer);
  if (number !== null && snapshot !== number) {
    const isOlder = Number(snapshot) < number;
    const message = `${origin} serves snapshot ${String(snapshot)}, and the store has ${number}: it serves ${isOlder ? 'an older' : 'a newer'} state`;
    const action = isOlder
      ? 'wait a minute and run this command again; if it stays, let no cache keep /readyz, or restart all servers'
      : 'the store was restored, or is another: restart all servers, with the same DATABASE_URL as this command';
    return wrong('address', message, action);
  }
  return ok('address', `${origin} answers as this store`);
}

/**
 * Whether a client can choose the address by which the hub counts it: then requests that forge different addresses
 * are each the first of their client.
 */
async function checkForgery(origin: string): Promise<Finding> {
  const check = 'proxy headers';
  for (let sent = 0; sent < FORGED_REQUESTS; sent++) {
    const { status, headers } = await ask(origin + ROUTES.requestSubscription.path, {
      method: 'POST',
      headers: { 'Content-Type': FORM_TYPE, 'X-Forwarded-For': randomAddress() },
      body: 'hub.mode=doctor',
    });
    if (status !== 400 && status !== 429) {
      const message = `subscribers get status ${status} instead of an answer of the hub`;
      return wrong('hub', message, 'let the proxy pass POST of forms on to the server');
    }
    const { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining } = headers;
    if (limit === undefined || remaining === undefined) {
      const message =
        'answers of the hub arrive without X-RateLimit headers, so nobody can see whether clients can choose their address';
      const action = 'let the proxy pass X-RateLimit headers on';
      return warning(check, message, action);
    }
    if (status === 429 || Number(remaining) < Number(limit) - 1)
      return ok(check, 'clients cannot choose their address');
  }
  const message = 'clients can choose their address with X-Forwarded-For, and so escape all limits';
  const action =
    'let the proxy overwrite X-Forwarded-For as deploy/proxies does, and set TRUST_PROXY to the number of proxies';
  return wrong(check, message, action);
}

/** Whether strangers read what is for operators: a proxy on this machine that names no client looks like one. */
async function checkMetrics(origin: string): Promise<Finding[]> {
  const url = origin + ROUTES.getMetrics.path;
  if ((await ask(url)).status !== 200) return [];
  const action =
    'let the proxy set X-Forwarded-For, and answer /metrics with 404, as deploy/proxies does';
  return [warning('metrics', `${url} is answered: everybody may be able to read it`, action)];
}

/** One of the range for documentation, which nobody has. */
function randomAddress(): string {
  const group = () => randomInt(0x10000).toString(16);
  return `2001:db8:${group()}:${group()}::1`;
}

/** Whether documents arrive as they were sent: with their ETag, compressed, and not at all if unchanged. */
async function checkDocument(origin: string, facts: StoreFacts | null): Promise<Finding[]> {
  const url = origin + ROUTES.getReviews.path;
  const findings: Finding[] = [];
  const first = await ask(url, { headers: { 'Accept-Encoding': 'br, gzip' } });
  const { etag, location, 'last-modified': lastModified } = first.headers;
  if (first.status !== 200) {
    const to = location === undefined ? '' : `, to ${location}`;
    const action = 'let the proxy pass all paths of this name to the server';
    return [wrong('content', `${url} is answered with ${first.status}${to}`, action)];
  }
  const changedAt = facts?.manifest?.documents[ROUTES.getReviews.path].changedAt;
  if (changedAt !== undefined && Date.parse(lastModified ?? '') !== changedAt * 1000) {
    const message = `${url} was last changed ${lastModified ?? 'at no time'}, unlike the store`;
    const action = 'clear the cache of the proxy or CDN, and let it respect Cache-Control';
    findings.push(wrong('content', message, action));
  }
  findings.push(
    first.headers['content-encoding'] === 'br' || first.headers['content-encoding'] === 'gzip'
      ? ok('compression', `documents arrive as ${first.headers['content-encoding']}`)
      : warning(
          'compression',
          'the proxy removes the compression of documents, or the Accept-Encoding of clients',
          'let the proxy pass Accept-Encoding and compressed answers on, as deploy/proxies does',
        ),
  );
  if (etag === undefined || etag.startsWith('W/')) {
    const action = 'switch compression off in the proxy: it weakens or removes ETags';
    findings.push(warning('ETags', `the ETag arrives as ${etag ?? 'nothing'}`, action));
    return findings;
  }
  const again = await ask(url, {
    headers: { 'Accept-Encoding': 'br, gzip', 'If-None-Match': etag },
  });
  const message = `an unchanged document is answered with ${again.status}`;
  const action = 'let the proxy pass If-None-Match on, and 304 back';
  findings.push(again.status === 304 ? ok('ETags', message) : warning('ETags', message, action));
  return findings;
}

async function checkMcp(origin: string): Promise<Finding> {
  const answer = await ask(origin + ROUTES.callMcp.path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      // Pages of others may read a public server, unless the proxy hides the name that they used.
      ...(isLocalOrigin(origin) ? {} : { Origin: 'https://page.example' }),
    },
    body: JSON.stringify(INITIALIZE),
  }).catch((error: unknown) => reasonOf(error));
  const action =
    'let the proxy pass POST /mcp with its Host header, and not buffer the answer, as deploy/proxies does';
  if (typeof answer === 'string') return wrong('MCP', `agents get no answer: ${answer}`, action);
  if (answer.status === 200 && answer.body.includes('"serverInfo"')) {
    return ok('MCP', 'agents can connect');
  }
  // Quoted: another program's answer may have control characters.
  const said = show(answer.body.toString('utf8', 0, 200).trim());
  return wrong('MCP', `agents get status ${answer.status}: ${said}`, action);
}

export async function checkAnalyser({ analyser }: Pick<Config, 'analyser'>): Promise<Finding[]> {
  if (analyser === null) return [];
  const check = 'analyser';
  const headers = analyser.key === null ? {} : { Authorization: `Bearer ${analyser.key}` };
  const answer = await ask(`${analyser.url}/models`, { headers }).catch(reasonOf);
  if (typeof answer !== 'string' && ![401, 403].includes(answer.status) && answer.status < 500)
    return [ok(check, 'answers')];
  const said = typeof answer === 'string' ? answer : `status ${answer.status}`;
  const action =
    'start it, or correct ANALYSER_URL and ANALYSER_KEY; reviews are published without it';
  return [warning(check, `${analyser.url} does not answer: ${said}`, action)];
}

/** What our `/readyz` says; null for an answer of another program. */
export function statusOf(answer: DoctorAnswer): 'ready' | 'starting' | null {
  const { status } = jsonOf(answer);
  return status === 'ready' || status === 'starting' ? status : null;
}

/** What our `/readyz` says of a store or a publish that fails; null if all is well. */
export function troubleOf(answer: DoctorAnswer): string | null {
  const { store, publishing } = jsonOf(answer);
  const failing = publishing?.status === 'failing' ? publishing.detail : undefined;
  return store?.detail ?? failing ?? null;
}

/** The members that checks read, of `/readyz` or of a dataset. */
type Answered = Readiness & { readonly business: unknown; readonly updated_at: unknown };

function jsonOf({ body }: DoctorAnswer): Partial<Answered> {
  try {
    return (JSON.parse(body.toString()) as Partial<Answered> | null) ?? {};
  } catch {
    return {};
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}
