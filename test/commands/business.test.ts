// `business set`: changes the business, keeps the reviews, and is recorded.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { setBusiness } from '../../src/commands/business.ts';
import { parseConfig } from '../../src/config.ts';
import { readBusiness } from '../../src/intake/formats/small-files.ts';
import { listImports } from '../../src/store/merge/imports.ts';
import { loadBusiness } from '../../src/store/reviews/reviews.ts';
import { loadState } from '../../src/store/state.ts';
import { createSqliteDatabase } from '../support/databases.ts';
import { Workplace } from '../support/process.ts';
import { capture } from '../support/run-command.ts';
import { merge, record, storedReviews } from '../support/store.ts';

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open(createSqliteDatabase);
  await place.look((database) => merge(database, [record()]));
});
afterEach(() => place.close());

const set = (file: string) => capture(() => setBusiness(parseConfig(place.environment), file));

test('sets and publishes the business, keeps the reviews, and changes nothing the second time', async () => {
  const file = await place.write('business.json', { $schema: 'x', name: 'Harbor Heating' });
  const { stdout, stderr } = await set(file);
  expect(stdout).toBe(`the business is now "Harbor Heating" as in ${file}\n`);
  expect(stderr).toMatch(/^note: .*business\.json: there is no "vertical", so insights look only/);
  expect((await set(file)).stdout).toBe(`the business is already "Harbor Heating" as in ${file}\n`);
  await place.look(async (database) => {
    expect((await loadBusiness(database.read)).name).toBe('Harbor Heating');
    expect(await storedReviews(database)).toHaveLength(1);
    expect(await listImports(database.read, 10)).toMatchObject([
      { command: 'business set', outcome: 'unchanged' },
      { command: 'business set', outcome: 'published', report: { businessChanged: true } },
    ]);
    const { contentVersion, publishedVersion, snapshotNumber } = await loadState(database.read);
    expect([publishedVersion, snapshotNumber]).toEqual([contentVersion, 1]);
  });
});

test('names the people whom no published review mentions', async () => {
  const text = 'Mike Alvarez fixed the boiler.';
  await place.look((database) => merge(database, [record({ source_id: 'b', text })]));
  const names = [
    { name: 'Mike Alvarez' },
    { name: 'Ann Oz (owner)' },
    { name: 'Lee', active: false },
  ];
  const file = await place.write('business.json', { name: 'Harbor Heating', technicians: names });
  expect((await set(file)).stderr).toContain(
    'note: no published review names "Ann Oz (owner)"; other names of a person are "aliases"',
  );
});

test('a file without a vertical that there is, or with values that cannot be meant, gets notes', async () => {
  const note = async (vertical: object) =>
    (
      await readBusiness(
        await place.write('business.json', { name: 'Harbor Air', ...vertical }),
        'business set',
      )
    ).notes.join('\n');
  const look =
    'so insights look only for what reviews of any business speak of; set it to home_services, ';
  expect(await note({})).toContain(`business.json: there is no "vertical", ${look}`);
  expect(await note({ vertical: 'spaceflight' })).toContain(
    `business.json: "vertical" is "spaceflight", which is unknown, ${look}`,
  );
  expect(await note({ vertical: 'general' })).toBe('');
  expect(await note({ vertical: 'home-services' })).toBe('');
  expect(await note({ vertical: 'plumber' })).toBe('');
  const address = { country: 'Germany' };
  const telephone = 'DE';
  const services = [{ label: '030 1234567' }];
  const said = await note({ vertical: 'general', address, telephone, services });
  expect(said).toContain('business.json: address.country: expected the two letters of a country');
  expect(said).toContain('business.json: telephone: expected a telephone number such as');
  expect(said).toContain('business.json: services[0].label: expected a name with letters, got');
});

test('a file with problems changes nothing', async () => {
  const file = await place.write('business.json', { name: '', services: ['Boiler repair'] });
  await expect(set(file)).rejects.toThrow(
    `${file}: name: expected text that is not empty, got ""\n` +
      `${file}: services[0]: expected { "label": ... }, got the text "Boiler repair"`,
  );
  await expect(set(`${file}.gone`)).rejects.toThrow('which does not exist');
  const broken = await place.write('broken.json', '{ "name": ');
  await expect(set(broken)).rejects.toThrow(`${broken}: expected a business in JSON`);
  await place.look(async ({ read }) => {
    expect(await listImports(read, 10)).toEqual([]);
  });
});
