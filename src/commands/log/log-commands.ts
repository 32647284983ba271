// The commands of the transparency log: check one, cosign others', and manage the keys of our own.

import type { Command } from 'commander';
import { loadConfig } from '../../config.ts';
import type { VerifyFlags } from './verify.ts';
import type { WitnessFlags } from './witness.ts';

export function addLogCommands(program: Command): void {
  program
    .command('verify')
    .description('check the log of a server: that nothing was removed or changed in silence')
    .argument('<url>', 'such as https://reviews.example.com')
    .option('--seen <file>', 'what was seen last (default: a file named after the host)')
    .option('--witness <key...>', 'verifier keys of witnesses that must have signed')
    .option('--as-browser', 'send the headers of a browser, so that nobody is answered otherwise')
    .action(async (url: string, flags: VerifyFlags) => {
      const { runVerify } = await import('./verify.ts');
      await runVerify(url, flags);
    });

  program
    .command('witness')
    .description("cosign other businesses' logs")
    .requiredOption(
      '--name <name>',
      'names the witness and its key, such as witness.example.com/w1',
    )
    .requiredOption('--logs <file>', 'verifier keys of logs, one on each line')
    .action(async (flags: WitnessFlags) => {
      const { runWitness } = await import('./witness.ts');
      await runWitness(loadConfig(), flags);
    });

  const log = program
    .command('log')
    .description('show, rotate or replace the keys of the transparency log')
    .helpCommand(false);

  for (const [name, description] of [
    ['show', 'print the verifier keys'],
    ['rotate', 'add a key; both sign until the old one is retired'],
    ['retire', 'delete the old key after a rotation'],
    ['continue', 'sign again after a restore, if no larger log is known anywhere'],
    ['replace', 'start over with a new key after a loss; everybody who checks the log sees it'],
  ] as const) {
    const command = log.command(name).description(description);
    if (name === 'continue')
      command.option('--unchecked', 'if nobody answers: nothing was published after the backup');
    command.action(async (flags: { readonly unchecked?: boolean }) => {
      const { runLog } = await import('./log.ts');
      await runLog(loadConfig(), name, flags);
    });
  }
}
