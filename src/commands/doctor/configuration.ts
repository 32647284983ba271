// Checks of the settings and of Node.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Config, misspelt } from '../../config.ts';
import { type Address, Networks, parseAddress } from '../../model/addresses.ts';
import { may } from '../../store/inspect.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';

const OLDEST_NODE = 24;
const LOOPBACK = parseAddress('127.0.0.1') as Address;

export function checkNode(version: string): Finding {
  if (Number(version.split('.')[0]) >= OLDEST_NODE) return ok('node', `Node ${version}`);
  const action = `install Node ${OLDEST_NODE} or newer, or use the container image`;
  return wrong('node', `Node ${version} is too old`, action);
}

/** The lines of an InputError of the settings. */
export function settingsFindings(message: string): Finding[] {
  return message
    .split('\n')
    .map((line) =>
      wrong('settings', line, 'correct the variable, or the key of the settings file, as it says'),
    );
}

export function checkSettings(config: Config): Finding[] {
  const { logKeyFile, settingsFile: settingsPath } = config;
  const findings = [
    ok('settings', existsSync(settingsPath) ? `valid, with ${settingsPath}` : 'valid'),
  ];
  for (const path of [settingsPath, ...(logKeyFile === null ? [] : [logKeyFile])]) {
    const { mode = 0, uid } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if ((mode & 0o077) === 0 || (path === settingsPath && !hasSecrets(path))) continue;
    const user = process.getuid?.();
    // Else the server could not read it any more.
    const own =
      uid === user
        ? ''
        : `chown ${user} ${path}, as root, if that is the user of the server; then `;
    const message = `other users may read ${path}, which has a password or a key`;
    findings.push(warning('settings', message, `run: ${own}chmod 600 ${path}`));
  }
  if (logKeyFile !== null && !may(dirname(logKeyFile), 'W_OK')) {
    const message = `LOG_KEY_FILE: this user may not write into ${dirname(logKeyFile)}`;
    const action = 'name a file in a folder that the server may write, such as that of the store';
    findings.push(wrong('settings', message, action));
  }
  for (const [given, name] of misspelt())
    findings.push(warning('settings', `${given} is no setting`, `if you mean ${name}, rename it`));
  return [...findings, checkProxyTrust(config), checkMetrics(config)];
}

/** Whether alerts can see the server, and strangers cannot. */
function checkMetrics({ metrics, operatorNetworks }: Config): Finding {
  const check = 'metrics';
  if (!metrics) {
    const action = 'set METRICS=on, or watch /readyz and the exit code of this command';
    return warning(check, 'METRICS is off, so no alert can warn of a fault', action);
  }
  const names = operatorNetworks.join(',');
  if (!operatorNetworks.some((network) => network.endsWith('/0'))) {
    if (new Networks(operatorNetworks).include(LOOPBACK)) return ok(check, `for ${names}`);
    const message = 'OPERATOR_NETWORKS lacks this machine, which gets 403 from /metrics';
    return warning(check, message, `set OPERATOR_NETWORKS=127.0.0.0/8,::1/128,${names}`);
  }
  const message =
    'OPERATOR_NETWORKS has every address: everybody may read /metrics and the details of /readyz';
  const action =
    'name the network of Prometheus only, such as OPERATOR_NETWORKS=127.0.0.0/8,::1/128,10.0.0.0/8';
  return warning(check, message, action);
}

function hasSecrets(settingsFile: string): boolean {
  if (!statSync(settingsFile).isFile()) return false;
  const text = readFileSync(settingsFile, 'utf8');
  return /"\w+_key"\s*:\s*"[^"]|"postgres\w*:\/\/[^/"]*:[^"]*@/i.test(text);
}

/** Whether the client addresses that the server takes for true can be. */
function checkProxyTrust({ baseUrl, trustProxy, host }: Config): Finding {
  const check = 'proxy headers';
  const hasProxy = baseUrl?.startsWith('https:') === true;
  if (hasProxy && trustProxy === false) {
    const message =
      'BASE_URL is https, so a proxy is in front of the server, and TRUST_PROXY is off: all clients look like one';
    const action =
      'set TRUST_PROXY to the number of proxies, such as TRUST_PROXY=1; for files on a web space nothing has to be done';
    return warning(check, message, action);
  }
  const isOpen = host === '0.0.0.0' || host === '::';
  if (!hasProxy && trustProxy !== false && isOpen) {
    const message =
      'TRUST_PROXY is set, but clients can reach the server without a proxy and choose their address';
    const action = 'set TRUST_PROXY=off, or BASE_URL to the address of the proxy';
    return warning(check, message, action);
  }
  return ok(check, trustProxy === false ? 'no proxy is trusted' : `TRUST_PROXY is ${trustProxy}`);
}
