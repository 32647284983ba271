// The star shape of ratings.

/** SVG path of a star in a 20 × 20 box. */
export const starShape =
  'M10 1.6l2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8L1.6 7.7l5.8-.8z';
