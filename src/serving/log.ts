// Binds what proves reviews: how they were verified, and the files and proofs of the transparency log.

import { Refusal } from '../errors.ts';
import { answerRecord } from '../http/reviews.ts';
import type { HttpServer } from '../http/server.ts';
import { tilePath, tilesOf } from '../log/tiles.ts';
import { type OperationIn, ROUTES } from '../model/routes.ts';
import { JSON_TYPE } from '../snapshot/documents.ts';
import { renderProof } from '../snapshot/proofs.ts';
import type { PublishedLog } from '../snapshot/published-log.ts';
import { verificationAt, verificationCounts } from '../snapshot/verification.ts';
import { type Binding, read, resource } from './bindings.ts';
import { LogFiles } from './log-files.ts';

export function bindLog(server: HttpServer): Record<OperationIn<'Proof'>, Binding> {
  const files = new LogFiles(server);
  server.router.addReady((request, response) => files.answerReady(request, response));
  /** `paths` are those of an export. */
  const file = (paths: (log: PublishedLog) => Iterable<string>): Binding =>
    resource(
      (context) => files.find(context),
      // A snapshot of an earlier version has no log to export.
      () => {
        const { log } = server.serving.snapshot;
        return log ? paths(log) : [];
      },
    );
  return {
    getReviewVerification: read((context) => {
      const { snapshot, parameters } = context;
      const position = snapshot.positionOf(parameters['id'] ?? '');
      if (position === null) throw new Refusal('unknown_review');
      answerRecord(context, JSON.stringify(verificationAt(snapshot, position)), JSON_TYPE);
    }),
    getVerification: read((context) => {
      const counts = verificationCounts(context.snapshot);
      if (counts === null) throw new Refusal('not_found');
      answerRecord(context, JSON.stringify(counts), JSON_TYPE);
    }),
    getReviewProof: read((context) => {
      const { snapshot, parameters } = context;
      const position = snapshot.positionOf(parameters['id'] ?? '');
      if (position === null || snapshot.log === null) throw new Refusal('unknown_review');
      const proof = renderProof(snapshot.log, position, server.cosignatures.linesFor(snapshot.log));
      answerRecord(context, JSON.stringify(proof), JSON_TYPE);
    }),
    getCheckpoint: file(() => [ROUTES.getCheckpoint.path]),
    getLogKey: file(() => [ROUTES.getLogKey.path]),
    getLogSalts: file(() => [ROUTES.getLogSalts.path]),
    getLogTile: file(function* ({ size }) {
      for (const name of tilesOf(size)) yield ROUTES.getLogTile.path.replace('*', tilePath(name));
    }),
  };
}
