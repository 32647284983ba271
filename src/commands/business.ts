// `business set`: replaces the record of the business, without an import of reviews.

import { stat } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { withoutControls } from '../errors.ts';
import { readBusiness } from '../intake/formats/small-files.ts';
import { findImport, NO_ROWS } from '../store/merge/imports.ts';
import { Staging } from '../store/merge/merge.ts';
import { noteUnnamed, publishImport } from './publish.ts';
import { originOf } from './operator.ts';
import { withDatabase } from './store/store.ts';

/** @throws {InputError} with every issue of the file. */
export async function setBusiness(config: Config, file: string): Promise<void> {
  const origin = originOf('business set');
  const { business, logo, header, notes } = await readBusiness(file, 'business set');
  for (const note of notes) process.stderr.write(`note: ${withoutControls(note)}\n`);
  const { size } = await stat(file);
  await withDatabase(
    config,
    async (database) => {
      const number = await Staging.use(database, async (staging) => {
        await staging.merge({
          business,
          logo,
          header,
          prune: false,
          dryRun: false,
          example: false,
          record: { origin, input: { ...NO_ROWS, files: [{ name: file, bytes: size }] } },
        });
        return staging.importNumber as number;
      });
      const recorded = await findImport(database.read, number);
      const verb = recorded?.report.businessChanged === true ? 'is now' : 'is already';
      const text = `the business ${verb} ${JSON.stringify(business.name)} as in ${file}`;
      process.stdout.write(`${withoutControls(text)}\n`);
      await publishImport(config, database, number);
      await noteUnnamed(config, database);
    },
    { creates: true },
  );
}
