// Every sentence of the pages and feeds in English. The other languages have the same type (strings.ts). In a
// text, <name>...</name> and <name/> are places of elements: see `rich` in src/site/parts/markup.ts. Texts with such
// places never contain data.

import type { Format } from './format.ts';

/** American spelling for businesses of the United States. */
export function en(f: Format) {
  const isAmerican = /-(?:US|PH|PR)$/.test(f.tag);
  const reviews = (count: number) => f.plural(count, { one: '# review', other: '# reviews' });
  const verified = (count: number) =>
    f.plural(count, { one: '# verified review', other: '# verified reviews' });
  const stars = (count: number) => f.plural(count, { one: '# star', other: '# stars' });
  return {
    reviews,
    verified,
    stars,
    /** A label of stars. */
    outOfFive: (rating: number) => `${f.stars(rating)} out of 5 stars`,
    /** A rating in a sentence or a description. */
    aggregate: (mean: number | null, count: number) =>
      mean === null ? verified(count) : `${f.mean(mean)} out of 5 stars in ${verified(count)}`,
    positive: (count: number) => `${f.number(count)} positive`,
    neutral: (count: number) => `${f.number(count)} neutral`,
    negative: (count: number) => `${f.number(count)} negative`,
    /** After named items. */
    others: (count: number) => f.plural(count, { one: '# other', other: '# others' }),
    /** Between a label and its value. */
    colon: ': ',
    direct: 'Direct',
    searchReviews: 'Search the reviews',
    forExample: (words: string) => `e.g. ${words}`,
    search: 'Search',
    pages: 'Pages',
    firstPage: 'First page',
    nextPage: 'Next page',
    previousPage: 'Previous page',
    theNumbers: 'The numbers',
    people: 'People',
    services: 'Services',
    /** In place of services at a restaurant. */
    dishes: 'Dishes and occasions',
    topics: 'Topics',
    complaints: 'Complaints',
    places: 'Places',
    aspects: 'Aspects',
    sources: 'Sources',
    languages: 'Languages',
    locations: 'Locations',
    location: 'Location',
    partScores: 'Ratings in detail',

    layout: {
      skip: 'Skip to the content',
      toTop: 'Back to top',
      mainNavigation: 'Main',
      reviews: 'Reviews',
      /** In the narrow menu. */
      opinions: 'Opinions',
      whatCustomersSay: 'What customers say',
      questions: 'Questions',
      newestReviews: 'Newest reviews',
      about:
        'Verified reviews of <name/>, in the words of its customers. Published by the business.',
      website: 'Visit the website',
      verification: 'How we verify reviews',
      transparency: 'Transparency',
      subscribe: 'Subscribe (feed)',
      embed: 'Reviews on your own site',
      developers: 'For developers',
      reference: 'Reference',
    },

    verifiedReviews: 'Verified reviews',
    howWeVerify: 'How we verify',

    home: {
      newestOf: (month: string) => `Newest review: ${f.month(month)}.`,
      noReviews: 'No reviews yet. The first one will appear here as soon as it is verified.',
      hidden: (count: number, command: string) =>
        `Hidden: ${reviews(count)}. To list them, type "${command}".`,
      lately: (mean: number, count: number, until: string) =>
        `${f.mean(mean)} out of 5 stars in the 12 months to ${f.month(until)} (${reviews(count)}).`,
      replies: (percent: number, days: number) =>
        `Answers ${f.percent(percent)} of critical reviews, usually ${
          days === 0
            ? 'on the same day'
            : f.plural(days, { one: 'within a day', other: 'within # days' })
        }.`,
      noReplies: 'Answers no critical reviews.',
      partOf: (part: number, all: number) => `${f.number(part)} of ${f.number(all)}`,
      /** The share of one side. */
      shareOf: {
        positive: (part: number, all: number) => `${f.number(part)} of ${f.number(all)} positive`,
        negative: (part: number, all: number) => `${f.number(part)} of ${f.number(all)} negative`,
      },
      allAspects: 'Everything customers mention',
      worstFirst: 'Reviews with the fewest stars',
      distribution: 'Reviews by stars',
      /** After the number, for screen readers. */
      starsWord: (count: number) => (count === 1 ? 'star:' : 'stars:'),
      reviewsWord: (count: number) => (count === 1 ? 'review' : 'reviews'),
      whatCustomersSay: 'What customers say',
      leanings: { strengths: 'Strengths', weak_spots: 'Weak spots' },
      critical: (label: string) => `A critical review: ${label}`,
      good: (label: string) => `A good review: ${label}`,
      positive: 'Positive',
      neutral: 'Neutral',
      negative: 'Negative',
      inShort: 'In short',
      evidence: 'See the reviews behind it',
      subjects: 'Reviews by subject',
      all: {
        technicians: 'All people',
        services: 'All services',
        dishes: 'All dishes and occasions',
        topics: 'All topics',
        problems: 'All complaints',
        service_areas: 'All places',
      },
      questions: 'Questions people ask',
      allQuestions: 'All questions, with the reviews behind each answer',
      newest: 'Newest reviews',
      allReviews: 'All reviews',
    },

    contact: {
      call: (telephone: string) => `Call ${telephone}`,
      website: 'Website',
      hours: 'Hours',
      /** Written by a script, which fills in the day of the week and the time. */
      openUntil: (closes: string) =>
        closes === '23:59' ? 'Open now' : `Open now, until ${f.time(closes)}`,
      opensAt: 'Opens {day} at {time}',
      notOpen: (day: string) => `${day}: closed`,
      address: 'Address',
      serves: 'Serves',
      customersThere: 'What customers there say',
      dayRange: (first: string, last: string) => `${first} to ${last}`,
      open: (days: string, opens: string, closes: string) =>
        opens === '00:00' && closes === '23:59'
          ? `${days}, 24 hours`
          : `${days} ${f.time(opens)} to ${f.time(closes)}`,
    },

    trend: {
      title: 'Over the years',
      improving: (until: string, months: number) =>
        `Ratings in the ${f.number(months)} months to ${f.month(until)} were better than in the ${f.number(months)} months before.`,
      stable: (until: string, months: number) =>
        `Ratings in the ${f.number(months)} months to ${f.month(until)} were about the same as in the ${f.number(months)} months before.`,
      open: (until: string, months: number, now: number, before: number) =>
        `In the ${f.number(months)} months to ${f.month(until)} the mean was ${f.mean(now)} stars, in the ${f.number(months)} months before ${f.mean(before)}; there are too few ratings to call it a change.`,
      declining: (until: string, months: number) =>
        `Ratings in the ${f.number(months)} months to ${f.month(until)} were worse than in the ${f.number(months)} months before.`,
      ratings: (first: string, last: string) =>
        `Average stars by month, ${f.month(first)} to ${f.month(last)}. Larger dots are months with more reviews; the line is the average of twelve months.`,
      table: 'Stars and reviews by month',
      month: 'Month',
      reviews: 'Reviews',
      averageStars: 'Average stars',
      /** Beside the axes of the charts. */
      starsAxis: 'stars',
    },

    lists: {
      columns: {
        stars: 'Stars',
        reviews: 'Reviews',
        last: 'Last mentioned',
        /** Of a box to tick. */
        pick: (name: string) => `Compare with others: ${name}`,
      },
      tooFew: 'too few reviews',
      compared: 'Compared',
      description: (title: string, business: string) =>
        `${title}, counted in the verified reviews of ${business}.`,
      none: (title: string) => `${title}: too few reviews mention the same one to list it here.`,
      others: 'Other lists',
      praiseAndBlame: (count: number, positive: number, negative: number, neutral: number) =>
        `${reviews(count)}: ${f.number(positive)} positive, ${f.number(negative)} negative${neutral === 0 ? '' : `, ${f.number(neutral)} neutral`}`,
    },

    subject: {
      whereNamed: (praise: number, blame: number) =>
        `Where they speak of it: ${f.number(praise)} praise it, ${f.number(blame)} criticize it.`,
      description: (count: number, business: string, subject: string) =>
        `What ${reviews(count)} of ${business} ${count === 1 ? 'says' : 'say'} about ${subject}.`,
      seeAlso: 'See also',
      praisedFor: 'Praised for',
      inCustomersWords: 'In customers’ words',
      manyStars: (count: number) =>
        f.plural(count, { one: '# with four or five stars', other: '# with four or five stars' }),
      fewStars: (count: number) =>
        f.plural(count, { one: '# with one or two', other: '# with one or two' }),
      whoDoesIt: 'Who does it',
      headings: {
        all: reviews,
        positive: (count: number) =>
          f.plural(count, { one: '# positive review', other: '# positive reviews' }),
        neutral: (count: number) =>
          f.plural(count, { one: '# neutral review', other: '# neutral reviews' }),
        negative: (count: number) =>
          f.plural(count, { one: '# negative review', other: '# negative reviews' }),
      },
      showAll: (count: number) => `Show all ${reviews(count)}`,
      filter: 'Filter and sort',
      searchThese: (count: number) => `Search in these ${reviews(count)}`,
    },

    prices: {
      title: 'What customers paid',
      mentioned: 'Prices customers mention',
      count: (count: number, month: string) =>
        f.plural(count, {
          one: `Only # review, of ${f.month(month)}.`,
          other: count < 3 ? 'Only # reviews.' : '# reviews, newest first.',
        }),
      range: (count: number, low: string, high: string, median: string) =>
        `${f.number(count)} prices from ${low} to ${high}, typically ${median}.`,
    },

    person: {
      /** Beside stars. */
      starsOf: (count: number) =>
        f.plural(count, {
          one: 'Average of the # review that names them',
          other: 'Average of the # reviews that name them',
        }),
      compare: 'Compare',
      compareHow: 'Tick two or three people.',
      compareWith: 'Compare with',
      formerPeople: (count: number) =>
        f.plural(count, { one: '# person who has left', other: '# people who have left' }),
      former: 'No longer works here.',
      formerScore: 'We show no score for people who have left.',
      fewReviews: 'Too few reviews for a fair score.',
    },

    questions: {
      title: 'Questions, answered by reviews',
      description: (business: string) =>
        `What people ask about ${business}, answered from its verified reviews.`,
      tooFew: 'There are too few reviews to answer questions yet.',
      method:
        '“Mostly” stands for two in three or more, or for a majority too clear for chance; otherwise opinions differ. Reviews with both praise and complaint count on neither side.',
      behind: (shown: number, all: number) =>
        shown < all
          ? `${f.number(shown)} of the ${reviews(all)} behind this answer`
          : `The ${reviews(all)} behind this answer`,
    },

    summary: {
      title: 'Summary',
      heading: 'What the reviews say',
      description: (business: string) =>
        `What customers say about ${business}: the verified reviews in short, with the evidence.`,
      evidence: 'The evidence',
      counts: (positive: number, neutral: number, negative: number) =>
        `${f.number(positive)} positive, ${f.number(neutral)} neutral, ${f.number(negative)} negative.`,
      examples: (shown: number, all: number) =>
        shown < all
          ? `${f.number(shown)} of the ${reviews(all)} that mention it`
          : f.plural(all, {
              one: 'The # review that mentions it',
              other: 'All # reviews that mention it',
            }),
      method: 'A program counted and wrote this. Every figure can be checked in <a>the data</a>.',
    },

    /** Facts in sentences, where the prose of the insights is in another language than the page. */
    facts: {
      /** Questions about aspects by their labels in insights, where there is a better one than `aboutAspect`. */
      questions: {} as Readonly<Record<string, string>>,
      /** A label within a sentence. */
      inSentence: (label: string) =>
        /^.+\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1),
      rating: (mean: number, count: number) =>
        `${f.mean(mean)} out of 5 stars in ${verified(count)}.`,
      shares: (good: number, bad: number) =>
        `${f.percent(good)} of customers gave four or five stars, ${f.percent(bad)} one or two.`,
      /** Before aspects with their shares, in the summary. */
      most: {
        positive: 'Most liked:',
        negative: 'Most criticized:',
        split: 'Most liked, though opinions differ:',
      },
      weakSpot: 'The weak spot:',
      starsOf: (topic: string, count: number, mean: number) =>
        `The ${f.number(count)} reviews that mention ${topic} give ${f.mean(mean)} stars on average.`,
      people: (items: string) => `Praised by name: ${items}.`,
      share: (label: string, part: number, all: number) =>
        `${label} (${f.number(part)} of ${f.number(all)})`,
      problems: (items: string) => `Most frequent complaints: ${items}.`,
      /** Stars in a time of unusual ratings, why, and before and after it. */
      episode: (kind: 'dip' | 'rise', from: string, to: string, during: number) =>
        kind === 'dip'
          ? `From ${f.month(from)} to ${f.month(to)} ratings were unusually low: ${f.mean(during)} stars.`
          : `From ${f.month(from)} to ${f.month(to)} ratings were unusually high: ${f.mean(during)} stars.`,
      causes: (items: string) => `Most complaints were about ${items}.`,
      around: (before: number, after: number | null) =>
        after === null
          ? `Before, they were at ${f.mean(before)}.`
          : `Before, they were at ${f.mean(before)}, and since then at ${f.mean(after)}.`,
      /** Reviews with complaints in the last year and before, each such as "8 of 27". */
      changed: (complaints: string, recent: string, until: string, before: string) =>
        `${complaints} in the 12 months to ${f.month(until)}: ${recent} reviews; before: ${before}.`,
      /** How the opinions of a year are, such as "9 of 10 positive". */
      recently: (told: string, until: string) => `In the 12 months to ${f.month(until)}: ${told}.`,
      whichProblems: 'Which problems do reviews report?',
      aboutAspect: (label: string) => `${label}: what do customers say?`,
      /** How an answer begins, from plainly yes to plainly no. */
      leads: ['Yes', 'Mostly, yes', 'It varies', 'Often not', 'Mostly not'],
      /** How many customers say so, after such a beginning. */
      agreement: (lead: string, good: number, bad: number) => {
        if (bad === 0) return `${lead}: ${f.inWords(good)} customers praise this.`;
        if (good === 0) return `${lead}: ${f.inWords(bad)} customers complain.`;
        const all = f.number(good + bad);
        return good >= bad
          ? `${lead}: ${f.inWords(good)} of the ${all} customers with an opinion are happy.`
          : `${lead}: ${f.inWords(bad)} of the ${all} customers with an opinion complain.`;
      },
      /** Between the words of the majority and those of others. */
      but: 'But also:',
      doesAnswer: 'Does the owner answer complaints?',
      answered: (part: number, all: number) =>
        part === 0
          ? `No: none of the ${f.number(all)} reviews with one or two stars has an answer.`
          : part === all
            ? `Yes: all ${f.number(all)} reviews with one or two stars have an answer.`
            : `${f.number(part)} of the ${f.number(all)} reviews with one or two stars have an answer.`,
      /** A claim or several after the words for them. */
      isSatisfied: (business: string) => `Are customers happy with ${business}?`,
      whoIsPraised: 'Who should I ask for?',
      isImproving: 'Is it getting better or worse?',
    },

    reviewsPage: {
      title: 'Reviews',
      answers: 'Answers',
      foundTitle: 'Reviews found',
      invalidTitle: 'Some filters do not work',
      description: (business: string) =>
        `All verified reviews of ${business}, to search and to filter.`,
      listDescription: (business: string) => `All verified reviews of ${business}, newest first.`,
      place: (from: number, to: number, all: number) =>
        `${f.number(from)} to ${f.number(to)} of ${f.number(all)}`,
      found: (count: number) =>
        f.plural(count, { one: '# review found', other: '# reviews found' }),
      invalid: 'These filters do not work',
      showAll: 'Show all reviews',
      related: (count: number) =>
        f.plural(count, {
          one: '# more has some of these words or is about the same subject.',
          other: '# more have some of these words or are about the same subject.',
        }),
      noneHasAll: (words: string) =>
        `No review has all of: ${words}. These have some of them or are about the same subject.`,
      averageOf: (mean: number, count: number) =>
        `average ${f.mean(mean)} of these ${f.number(count)}`,
      inReplies: (count: number) =>
        f.plural(count, {
          one: '# more has this only in the owner’s reply.',
          other: '# more have this only in the owner’s reply.',
        }),
      corrected: (word: string, to: string) =>
        `No review says “${word}”; searched for “${to}” instead.`,
      relatedTitle: (count: number) =>
        f.plural(count, { one: '# related review', other: '# related reviews' }),
      strictly: 'Only reviews with all the words',
      named: 'Subjects of these words',
      nothing: 'No review matches all of these filters.',
      nothingSays: (words: string) => `No review says ${words}.`,
      tryThese: 'Try one of these:',
      active: 'Active filters',
      remove: 'Remove',
      removeAll: 'Remove all filters',
    },

    filters: {
      show: 'Show',
      more: (set: number) => (set === 0 ? 'Filters' : `Filters (${f.number(set)} set)`),
      exact: 'Dates, author and more',
      minStars: 'Stars, at least',
      maxStars: 'Stars, at most',
      author: 'Author',
      searched: 'Search in',
      places: { text: 'the reviews', reply: 'the replies', all: 'reviews and replies' },
      from: 'From',
      until: 'Until',
      order: 'Order',
      any: 'Any',
      quoted: (words: string) => `“${words}”`,
      /** Within other quotes. */
      quotedWithin: (words: string) => `‘${words}’`,
      strict: 'all words',
      atLeast: (count: number) => `at least ${stars(count)}`,
      atMost: (count: number) => `at most ${stars(count)}`,
      by: (author: string) => `by ${author}`,
      since: (date: string) => `from ${f.date(date)}`,
      to: (date: string) => `until ${f.date(date)}`,
      period: 'Period',
      months: (count: number) => `Last ${f.number(count)} months`,
      replies: 'Replies',
      withReply: 'With a reply',
      withoutReply: 'Without a reply',
      withText: 'With a comment',
      withoutText: 'Without a comment',
      language: (code: string) => (code === 'und' ? 'No words' : f.language(code)),
      sorts: {
        newest: 'Newest first',
        oldest: 'Oldest first',
        highest: 'Most stars first',
        lowest: 'Fewest stars first',
        relevance: 'Best match first',
      },
    },

    review: {
      reportAsk: 'Is something wrong with this review?',
      report: 'Report it to the business',
      reportCall: (telephone: string) => `Call ${telephone}`,
      reportAt: (source: string) => `Report it to ${source}`,
      reportSubject: (id: string) => `Report of review ${id}`,
      title: (author: string, date: string) => `Review by ${author}, ${f.date(date)}`,
      verified: 'Verified',
      method: 'Verified by the business: <method/>.',
      methodOn: 'Verified by the business on <date/>: <method/>.',
      methodUnstated:
        'The business states that a customer wrote this review, but not how it knows.',
      sourceSays: '<source/> says: <level/>.',
      publishedSince: 'Published here since <date/>.',
      leftOut: 'What we don’t show',
      otherLanguage: 'Written in another language: only its stars are counted.',
      translate: 'Translate',
      newer: 'Newer review',
      older: 'Older review',
      noComment: (count: number) => `Rated ${stars(count)}, no comment.`,
      readOn: 'Read on',
      readWhole: 'Read the whole review',
      reply: 'Reply from <name/>',
      found: 'Found in this review',
      lessCertain: 'Less certain',
      sentiments: { positive: 'praised', neutral: 'mentioned', negative: 'complaint' },
      copyLink: 'Copy link',
      copied: 'Copied',
    },

    missing: {
      title: 'We can’t find that page',
      description: 'There is no page at this address.',
      text: 'The address may be mistyped, or the review may no longer be published.',
      didYouMean: 'Did you mean one of these?',
      home: 'Home',
      reviews: 'All reviews',
    },

    verification: {
      /** What the examples say of their methods. */
      names: {} as Readonly<Record<string, string>>,
      description: (business: string) =>
        `How ${business} checks that reviews are by its customers, what is left out, and what was removed.`,
      what: 'For every review here the business states how it knows that the author was a customer, for example an order, an appointment, or the check of the site where it was written. Reviews without such a proof are stored, but neither shown nor counted.',
      methods: 'How the business knows they were customers',
      methodsAbout: 'In the words of the business. <a>The same as data</a>',
      methodMatched:
        '“Matched” means that it found the author and the day of the review in its own records, also where the review was written on Google or another site.',
      method: 'How reviews were verified',
      methodMissing: 'Says only that they are verified',
      sources: 'Where the reviews are from',
      source: 'Source',
      published: 'Published',
      notPublished: 'Not published',
      leftOut: 'What you do not see',
      leftOutNone: 'Every review that was imported, and not taken down since, is published.',
      leftOutStars: 'Reviews that are stored but not published, by stars:',
      leftOutWhy: 'They are left out because nobody could check that the author was a customer.',
      leftOutProof:
        'If yours is missing, show the business that you were its customer, for example with the number of an invoice.',
      leftOutAgree: 'If yours may be shown, tell the business.',
      leftOutAlike:
        'Reviews with one or two stars are not left out more often than those with four or five.',
      leftOutByStars: (low: number, ofLow: number, high: number, ofHigh: number) =>
        `${f.number(low)} of ${reviews(ofLow)} with one or two stars ${low === 1 ? 'is' : 'are'} not published, and ${f.number(high)} of ${f.number(ofHigh)} with four or five.`,
      removed: 'What was taken down, for good or for a time',
      reason: 'Reason',
      removedNone: 'No published review has ever been taken down.',
      removedWhy:
        'A published review is taken down only for one of these reasons. Each time counts, also if the review was shown again, and is an entry of a public log, which cannot be changed later without being noticed.',
      neverTitle: 'The rules of this site',
      never: [
        'No review is left out or removed because it is negative.',
        'What customers wrote is shown as they wrote it. The reply of the business stands below, marked as its own.',
        'No reviews by people who were not customers, and none that were paid for.',
      ],
      interest:
        'This site is run by the business itself, not by an independent reviewer. Nobody can prove that a review is true, or that the business took in all of them. What was published, changed and removed here can be checked.',
      check: 'See the public log',
      law: 'Rules we follow',
      rules: [
        [
          'United States, 16 CFR 465.2',
          'No reviews by people who do not exist, who were not customers, or who describe something that they did not experience. Answered by: only reviews of verified customers are published.',
        ],
        [
          'United States, 16 CFR 465.6',
          'A site that a business runs may not look independent. Answered by: every page says that the business publishes it.',
        ],
        [
          'United States, 16 CFR 465.7',
          'Reviews may not be suppressed because they are negative while the rest looks complete. Answered by: the counts above, by stars, and the public log of removals.',
        ],
        [
          'European Union, Directive 2005/29/EC, Article 7(6)',
          'Whoever shows reviews must say whether and how they check that these are by real customers. Answered by: this page.',
        ],
        [
          'European Union, Directive 2005/29/EC, Annex I, 23b',
          'Nobody may call reviews those of real customers without reasonable steps to check it. Answered by: the checks above.',
        ],
        [
          'European Union, Directive 2005/29/EC, Annex I, 23c',
          'No fake or distorted reviews. Answered by: texts are shown as written, and an edit is an entry of the log.',
        ],
        [
          'United Kingdom, Digital Markets, Competition and Consumers Act 2024, Schedule 20',
          'No fake reviews, and none that are shown in a misleading way. Answered by: only reviews of verified customers are published, and the counts above say what is left out.',
        ],
      ] as [rule: string, says: string][],
    },

    transparency: {
      title: 'Transparency',
      description: (business: string) =>
        `What ${business} publishes, withholds and removes, and how to check it.`,
      heading: 'No review disappears quietly',
      about:
        'Every review that is published, edited or removed here is recorded in a signed log. Nobody can change or delete a record without being noticed by those who have seen the log before.',
      checkTitle: 'Check it yourself',
      check:
        'In a folder with <steps>the program</steps>, which is not in npm’s registry yet, this command compares all reviews with the log, and the log with what you saw before:',
      log: 'The log: <checkpoint>signed checkpoint</checkpoint>, <key>key</key>. On the page of a review, “Proof” checks that one review in your browser. <steps>How to check without the program</steps>.',
      limitsTitle: 'What it does not prove',
      limits:
        'That a review is true; that there is no review which the business never took in; and, as long as nobody else keeps a copy of the checkpoint, that everybody is shown the same log. The numbers of withheld reviews and the reasons of removals are what the business states.',
      noLog: 'The log begins with the next publication.',
      figures: 'Published, withheld and removed',
      entries: (count: number, date: string) =>
        f.plural(count, {
          one: `# entry, of ${f.date(date)}.`,
          other: `# entries, the newest of ${f.date(date)}.`,
        }),
      terms:
        'Each publication, edit and removal of a review is an entry. Withheld reviews are stored and not published: they are not verified, or disputed and hidden. Removed ones were published before.',
      byStars: 'Reviews by stars',
      stars: 'Stars',
      all: 'All',
      columns: { published: 'Published', withheld: 'Withheld', removed: 'Removed' },
      edits: 'Stars that an edit changed',
      editsNone: 'No edit has changed the stars of a review.',
      starsBecame: (from: number, to: number, count: number) =>
        `${stars(from)} became ${f.number(to)}: ${reviews(count)}`,
      reason: (label: string, count: number) => `${label}: ${reviews(count)}`,
      reasons: {
        not_verified: 'not verified',
        not_agreed: 'the author has not agreed',
        removed_at_source: 'removed at the source',
        customer_request: 'the customer asked for it',
        court_or_law: 'a court or the law',
        failed_verification: 'failed verification',
        duplicate: 'duplicate',
        error: 'error',
        replaced: 'replaced by another review under the same id, or rewritten',
      },
      proof: 'Proof',
      proofNeedsScripts: 'Turn on JavaScript to check this review in your browser.',
      proofLinks: '<about>What this proves</about>, and <data>the proof as data</data>.',
    },

    /** Texts of src/site/assets/proof.js; {name} is a value. */
    proof: {
      running: 'Checking in this browser …',
      good: 'Your browser has checked it: the review, exactly as it is shown, is entry {index} of the {size} entries of the signed log {log}.',
      otherReview: 'The review is not the one in the log.',
      notInLog: 'The review is not in the log.',
      notSigned: 'The log is not signed.',
      unknown: 'Your browser could not check it: {reason}',
    },

    feeds: {
      title: (business: string) => `Reviews of ${business}`,
      description: (business: string) => `The newest verified customer reviews of ${business}`,
      stars: ['', 'One star', 'Two stars', 'Three stars', 'Four stars', 'Five stars'],
      headline: (starsInWords: string, author: string) => `${starsInWords} from ${author}`,
      reply: 'Reply from the owner:',
    },

    embed: {
      title: 'Reviews on your own site',
      intro: 'Choose what to show, look at it, and copy the code into your page.',
      what: 'What',
      kinds: {
        badge: 'Badge: stars and count',
        list: 'List of the newest reviews',
        carousel: 'Carousel of the newest reviews',
        review: 'One review',
        picture: 'Picture, for e-mails and other places without scripts',
      },
      count: 'Number of reviews',
      which: 'Which review',
      newest: 'the newest',
      colors: 'Light or dark',
      themes: { auto: 'As the reader prefers', light: 'Light', dark: 'Dark' },
      fewestWords: 'Fewest words of a review',
      starColor: isAmerican ? 'Color of the stars' : 'Colour of the stars',
      update: 'Update',
      preview: 'Preview',
      code: 'Code',
      copy: 'Copy',
      where:
        'WordPress takes it in a block “Custom HTML”, Wix in “Embed HTML”, Squarespace in a block “Code”, Shopify in a section “Custom Liquid”. Where scripts are removed, as on some small plans, take the picture.',
      policy:
        'A site with a Content-Security-Policy must allow <origin/> in <code>script-src</code>, and for the picture in <code>img-src</code>. Without scripts, readers see the link inside the element.',
      reviewsOf: (business: string) => `Reviews of ${business}`,
      previous: 'Previous',
      next: 'Next',
    },

    picture: {
      outOfFive: (mean: number, count: number) => `${f.mean(mean)} out of 5 · ${verified(count)}`,
    },

    starting: {
      title: 'Starting',
      heading: 'Almost ready',
      text: 'The reviews are being prepared. This page reloads by itself until they are here.',
    },

    /** Labels of aspects, topics and complaints that differ from those of the insights. */
    labels: (isAmerican
      ? {
          Remodelling: 'Remodeling',
          'Travelling with children': 'Traveling with children',
          'Loyalty programmes': 'Loyalty programs',
          'Delivery and takeaway': 'Delivery and takeout',
          'Rescheduled or cancelled appointments': 'Rescheduled or canceled appointments',
          'Disorganised scheduling': 'Disorganized scheduling',
          'Warranties not honoured': 'Warranties not honored',
        }
      : {}) as Readonly<Record<string, string>>,
  };
}
