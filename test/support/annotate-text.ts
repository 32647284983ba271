import {
  type AnnotatedText,
  annotateSegments,
  segmentText,
} from '../../src/insights/text/annotate.ts';

/** What the analyser knows of the words of a text. */
export function annotateText(text: string): AnnotatedText {
  return annotateSegments(segmentText(text));
}
