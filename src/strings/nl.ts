// The texts in Dutch, with the informal "je", as shops write.

import type { Format } from './format.ts';
import { dutchLabels } from './labels/nl.ts';
import type { Strings } from './strings.ts';

export function nl(f: Format): Strings {
  const reviews = (count: number) => f.plural(count, { one: '# review', other: '# reviews' });
  const verified = (count: number) =>
    f.plural(count, { one: '# geverifieerde review', other: '# geverifieerde reviews' });
  const stars = (count: number) => f.plural(count, { one: '# ster', other: '# sterren' });
  return {
    reviews,
    verified,
    stars,
    outOfFive: (rating) => `${f.stars(rating)} van de 5 sterren`,
    aggregate: (mean, count) =>
      mean === null ? verified(count) : `${f.mean(mean)} van de 5 sterren in ${verified(count)}`,
    positive: (count) => `${f.number(count)} positief`,
    neutral: (count) => `${f.number(count)} neutraal`,
    negative: (count) => `${f.number(count)} negatief`,
    others: (count) => f.plural(count, { one: '# andere', other: '# andere' }),
    colon: ': ',
    direct: 'Rechtstreeks',
    searchReviews: 'Zoeken in de reviews',
    forExample: (words) => `bijv. ${words}`,
    search: 'Zoeken',
    pages: 'Pagina’s',
    firstPage: 'Eerste pagina',
    nextPage: 'Volgende pagina',
    previousPage: 'Vorige pagina',
    theNumbers: 'De cijfers',
    people: 'Team',
    services: 'Diensten',
    /** In place of services at a restaurant. */
    dishes: 'Gerechten en gelegenheden',
    topics: 'Onderwerpen',
    complaints: 'Klachten',
    places: 'Plaatsen',
    aspects: 'Kenmerken',
    sources: 'Bronnen',
    languages: 'Talen',
    locations: 'Vestigingen',
    location: 'Vestiging',
    partScores: 'Beoordeling per onderdeel',
    verifiedReviews: 'Geverifieerde reviews',

    layout: {
      skip: 'Naar de inhoud',
      toTop: 'Naar boven',
      mainNavigation: 'Hoofdmenu',
      reviews: 'Reviews',
      /** In the narrow menu. */
      opinions: 'Meningen',
      whatCustomersSay: 'Wat klanten zeggen',
      questions: 'Vragen',
      newestReviews: 'Nieuwste reviews',
      about:
        'Geverifieerde reviews over <name/>, in de woorden van klanten. Gepubliceerd door het bedrijf.',
      website: 'Naar de website',
      verification: 'Zo verifiëren we reviews',
      transparency: 'Transparantie',
      subscribe: 'Abonneren (feed)',
      embed: 'Reviews op je eigen site',
      developers: 'Voor ontwikkelaars (Engels)',
      reference: 'Naslag',
    },

    howWeVerify: 'Zo verifiëren we',

    home: {
      newestOf: (month) => `Nieuwste review: ${f.month(month)}.`,
      noReviews: 'Nog geen reviews. De eerste verschijnt hier zodra die geverifieerd is.',
      hidden: (count, command) =>
        `Verborgen: ${reviews(count)}. Typ "${command}" om ze op te sommen.`,
      lately: (mean, count, until) =>
        `${f.mean(mean)} van de 5 sterren in de 12 maanden tot en met ${f.month(until)} (${reviews(count)}).`,
      replies: (percent, days) =>
        `Beantwoordt ${f.percent(percent)} van de kritische reviews, meestal ${
          days === 0
            ? 'op dezelfde dag'
            : f.plural(days, { one: 'binnen een dag', other: 'binnen # dagen' })
        }.`,
      noReplies: 'Beantwoordt geen kritische reviews.',
      partOf: (part, all) => `${f.number(part)} van ${f.number(all)}`,
      /** The share of one side. */
      shareOf: {
        positive: (part, all) => `${f.number(part)} van ${f.number(all)} positief`,
        negative: (part, all) => `${f.number(part)} van ${f.number(all)} negatief`,
      },
      allAspects: 'Alles wat klanten noemen',
      worstFirst: 'Reviews met de minste sterren',
      distribution: 'Reviews per aantal sterren',
      starsWord: (count) => (count === 1 ? 'ster:' : 'sterren:'),
      reviewsWord: (count) => (count === 1 ? 'review' : 'reviews'),
      whatCustomersSay: 'Wat klanten zeggen',
      leanings: { strengths: 'Sterke punten', weak_spots: 'Zwakke punten' },
      critical: (label) => `Een kritische review: ${label}`,
      good: (label) => `Een goede review: ${label}`,
      positive: 'Positief',
      neutral: 'Neutraal',
      negative: 'Negatief',
      inShort: 'In het kort',
      evidence: 'Bekijk de reviews erachter',
      subjects: 'Reviews per onderwerp',
      all: {
        technicians: 'Het hele team',
        services: 'Alle diensten',
        dishes: 'Alle gerechten en gelegenheden',
        topics: 'Alle onderwerpen',
        problems: 'Alle klachten',
        service_areas: 'Alle plaatsen',
      },
      questions: 'Veelgestelde vragen',
      allQuestions: 'Alle vragen, met de reviews achter elk antwoord',
      newest: 'Nieuwste reviews',
      allReviews: 'Alle reviews',
    },

    contact: {
      call: (telephone) => `Bel ${telephone}`,
      website: 'Website',
      hours: 'Open',
      openUntil: (closes) =>
        closes === '23:59' ? 'Nu open' : `Nu open, tot ${f.time(closes)} uur`,
      opensAt: 'Opent {day} om {time} uur',
      notOpen: (day) => `${day}: gesloten`,
      address: 'Adres',
      serves: 'Werkgebied',
      customersThere: 'Wat klanten daar zeggen',
      dayRange: (first, last) => `${first} t/m ${last}`,
      open: (days, opens, closes) =>
        opens === '00:00' && closes === '23:59'
          ? `${days}, 24 uur per dag`
          : `${days} ${f.time(opens)} tot ${f.time(closes)} uur`,
    },

    trend: {
      title: 'Door de jaren heen',
      improving: (until, months) =>
        `In de ${f.number(months)} maanden tot en met ${f.month(until)} waren de beoordelingen beter dan in de ${f.number(months)} maanden ervoor.`,
      stable: (until, months) =>
        `In de ${f.number(months)} maanden tot en met ${f.month(until)} waren de beoordelingen ongeveer even goed als in de ${f.number(months)} maanden ervoor.`,
      open: (until, months, now, before) =>
        `In de ${f.number(months)} maanden tot en met ${f.month(until)} was het gemiddelde ${f.mean(now)} sterren, in de ${f.number(months)} maanden daarvoor ${f.mean(before)}; dat zijn te weinig reviews voor een oordeel.`,
      declining: (until, months) =>
        `In de ${f.number(months)} maanden tot en met ${f.month(until)} waren de beoordelingen slechter dan in de ${f.number(months)} maanden ervoor.`,
      ratings: (first, last) =>
        `Gemiddeld aantal sterren per maand, ${f.month(first)} tot ${f.month(last)}. Grotere stippen zijn maanden met meer reviews; de lijn is het gemiddelde van twaalf maanden.`,
      table: 'Sterren en reviews per maand',
      month: 'Maand',
      reviews: 'Reviews',
      averageStars: 'Gemiddeld aantal sterren',
      starsAxis: 'sterren',
    },

    lists: {
      columns: {
        stars: 'Sterren',
        reviews: 'Reviews',
        last: 'Laatst genoemd',
        /** Of a box to tick. */
        pick: (name) => `Vergelijk: ${name}`,
      },
      tooFew: 'te weinig reviews',
      compared: 'Vergelijking',
      description: (title, business) =>
        `${title}, geteld in de geverifieerde reviews over ${business}.`,
      none: (title) => `${title}: te weinig reviews noemen hetzelfde.`,
      others: 'Andere lijsten',
      praiseAndBlame: (count, positive, negative, neutral) =>
        `${reviews(count)}: ${f.number(positive)} positief, ${f.number(negative)} negatief${neutral === 0 ? '' : `, ${f.number(neutral)} neutraal`}`,
    },

    subject: {
      whereNamed: (praise, blame) =>
        `Waar het ter sprake komt: ${f.number(praise)} positief, ${f.number(blame)} negatief.`,
      description: (count, business, subject) =>
        `${subject}: wat ${reviews(count)} over ${business} erover ${count === 1 ? 'zegt' : 'zeggen'}.`,
      seeAlso: 'Zie ook',
      praisedFor: 'Geprezen om',
      inCustomersWords: 'In de woorden van klanten',
      manyStars: (count) =>
        f.plural(count, { one: '# met vier of vijf sterren', other: '# met vier of vijf sterren' }),
      fewStars: (count) =>
        f.plural(count, { one: '# met een of twee', other: '# met een of twee' }),
      whoDoesIt: 'Wie dit doet',
      headings: {
        all: reviews,
        positive: (count) =>
          f.plural(count, { one: '# positieve review', other: '# positieve reviews' }),
        neutral: (count) =>
          f.plural(count, { one: '# neutrale review', other: '# neutrale reviews' }),
        negative: (count) =>
          f.plural(count, { one: '# negatieve review', other: '# negatieve reviews' }),
      },
      showAll: (count) => f.plural(count, { one: 'Toon # review', other: 'Toon alle # reviews' }),
      filter: 'Filteren en sorteren',
      searchThese: (count) =>
        f.plural(count, { one: 'Zoek in deze review', other: 'Zoek in deze # reviews' }),
    },

    prices: {
      title: 'Wat klanten betaalden',
      mentioned: 'Prijzen die klanten noemen',
      count: (count, month) =>
        f.plural(count, {
          one: `Slechts # review, ${f.month(month)}.`,
          other: count < 3 ? 'Slechts # reviews.' : '# reviews, nieuwste eerst.',
        }),
      range: (count, low, high, median) =>
        `${f.number(count)} prijzen van ${low} tot ${high}, meestal rond ${median}.`,
    },

    person: {
      /** Beside stars. */
      starsOf: (count) =>
        f.plural(count, {
          one: 'Gemiddelde van de # review met deze naam',
          other: 'Gemiddelde van de # reviews met deze naam',
        }),
      compare: 'Vergelijk',
      compareHow: 'Vink twee of drie mensen aan.',
      compareWith: 'Vergelijken met',
      formerPeople: (count) =>
        f.plural(count, { one: '# voormalig teamlid', other: '# voormalige teamleden' }),
      former: 'Werkt hier niet meer.',
      formerScore: 'Van wie weg is, tonen we geen score.',
      fewReviews: 'Te weinig reviews voor een score.',
    },

    questions: {
      title: 'Vragen, beantwoord door reviews',
      description: (business) =>
        `Veelgestelde vragen over ${business}, beantwoord uit de geverifieerde reviews.`,
      tooFew: 'Er zijn nog te weinig reviews om vragen te beantwoorden.',
      method: 'Elke review telt één keer; neutrale tellen aan geen van beide kanten.',
      behind: (shown, all) =>
        shown < all
          ? `${f.number(shown)} van de ${reviews(all)} achter dit antwoord`
          : f.plural(all, {
              one: 'De review achter dit antwoord',
              other: 'De # reviews achter dit antwoord',
            }),
    },

    summary: {
      title: 'Samenvatting',
      heading: 'Wat de reviews zeggen',
      description: (business) =>
        `Wat klanten over ${business} zeggen: de geverifieerde reviews in het kort, met bewijs.`,
      evidence: 'Het bewijs',
      counts: (positive, neutral, negative) =>
        `${f.number(positive)} positief, ${f.number(neutral)} neutraal, ${f.number(negative)} negatief.`,
      examples: (shown, all) =>
        shown < all
          ? `${f.number(shown)} van de ${reviews(all)} die het noemen`
          : f.plural(all, {
              one: 'De review die het noemt',
              other: 'Alle # reviews die het noemen',
            }),
      method:
        'Geteld en geschreven door een programma. Elk cijfer is na te gaan in <a>de gegevens</a>.',
    },

    facts: {
      questions: {},
      /** A label within a sentence. */
      inSentence: (label) =>
        /^.+\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1),
      rating: (mean, count) => `${f.mean(mean)} van de 5 sterren in ${verified(count)}.`,
      shares: (good, bad) =>
        `${f.percent(good)} van de klanten geeft vier of vijf sterren, ${f.percent(bad)} een of twee.`,
      /** Before aspects with their shares, in the summary. */
      most: {
        positive: 'Dit prijzen klanten het meest:',
        negative: 'Dit bekritiseren klanten het meest:',
        split: 'Dit bevalt klanten het best, al verschillen de meningen:',
      },
      weakSpot: 'Het zwakke punt:',
      starsOf: (topic, count, mean) =>
        `De ${f.number(count)} reviews over ${topic} geven gemiddeld ${f.mean(mean)} sterren.`,
      people: (items) => `Bij naam geprezen: ${items}.`,
      share: (label, part, all) => `${label} (${f.number(part)} van ${f.number(all)})`,
      problems: (items) => `Meest voorkomende klachten: ${items}.`,
      /** Stars in a time of unusual ratings, why, and before and after it. */
      episode: (kind, from, to, during) =>
        `Van ${f.month(from)} tot en met ${f.month(to)} waren de beoordelingen ongewoon ${kind === 'dip' ? 'laag' : 'hoog'}: ${f.mean(during)} sterren.`,
      causes: (items) => `De meest genoemde redenen: ${items}.`,
      around: (before, after) =>
        after === null
          ? `Daarvoor was het gemiddelde ${f.mean(before)}.`
          : `Daarvoor was het gemiddelde ${f.mean(before)}, sindsdien ${f.mean(after)}.`,
      /** Reviews with complaints in the last year and before, each such as "8 of 27". */
      changed: (complaints, recent, until, before) =>
        `${complaints} in de 12 maanden tot en met ${f.month(until)}: ${recent} reviews; daarvoor: ${before}.`,
      /** How the opinions of a year are, such as "9 of 10 positive". */
      recently: (told, until) => `In de 12 maanden tot en met ${f.month(until)}: ${told}.`,
      whichProblems: 'Welke problemen noemen reviews?',
      aboutAspect: (label) => `${label}: zijn klanten tevreden?`,
      /** How an answer begins, from plainly yes to plainly no. */
      leads: ['Ja', 'Meestal wel', 'Dat verschilt', 'Vaak niet', 'Meestal niet'],
      /** How many customers say so, after such a beginning. */
      agreement: (lead, good, bad) => {
        if (bad === 0) return `${lead}: ${f.inWords(good)} klanten prijzen dit.`;
        if (good === 0) return `${lead}: ${f.inWords(bad)} klanten klagen.`;
        const all = f.number(good + bad);
        return good >= bad
          ? `${lead}: ${f.number(good)} van de ${all} klanten die er iets over schrijven, zijn tevreden.`
          : `${lead}: ${f.number(bad)} van de ${all} klanten die er iets over schrijven, klagen.`;
      },
      /** Between the words of the majority and those of others. */
      but: 'Maar ook:',
      doesAnswer: 'Reageert het bedrijf op kritiek?',
      answered: (part, all) =>
        part === 0
          ? `Nee: geen van de ${f.number(all)} reviews met een of twee sterren heeft een reactie.`
          : part === all
            ? `Ja: alle ${f.number(all)} reviews met een of twee sterren hebben een reactie.`
            : `${f.number(part)} van de ${f.number(all)} reviews met een of twee sterren hebben een reactie.`,
      /** A claim or several after the words for them. */
      isSatisfied: (business) => `Zijn klanten tevreden over ${business}?`,
      whoIsPraised: 'Naar wie kun je vragen?',
      isImproving: 'Wordt het beter of slechter?',
    },

    reviewsPage: {
      title: 'Reviews',
      answers: 'Antwoorden',
      foundTitle: 'Gevonden reviews',
      invalidTitle: 'Ongeldige filters',
      description: (business) =>
        `Alle geverifieerde reviews over ${business}, om te zoeken en te filteren.`,
      listDescription: (business) =>
        `Alle geverifieerde reviews over ${business}, de nieuwste eerst.`,
      place: (from, to, all) => `${f.number(from)} tot ${f.number(to)} van ${f.number(all)}`,
      found: (count) => f.plural(count, { one: '# review gevonden', other: '# reviews gevonden' }),
      invalid: 'Deze filters zijn ongeldig',
      showAll: 'Toon alle reviews',
      related: (count) =>
        f.plural(count, {
          one: 'Nog # heeft sommige van deze woorden of gaat over wat ze noemen.',
          other: 'Nog # hebben sommige van deze woorden of gaan over wat ze noemen.',
        }),
      noneHasAll: (words) =>
        `Geen review heeft dit allemaal: ${words}. Deze hebben een deel ervan of gaan over hetzelfde.`,
      averageOf: (mean, count) => `gemiddeld ${f.mean(mean)} van deze ${f.number(count)}`,
      inReplies: (count) =>
        f.plural(count, {
          one: 'Bij nog # staat dit alleen in het antwoord van het bedrijf.',
          other: 'Bij nog # staat dit alleen in het antwoord van het bedrijf.',
        }),
      corrected: (word, to) => `Geen review zegt ‘${word}’; er is gezocht op ‘${to}’.`,
      relatedTitle: (count) =>
        f.plural(count, { one: '# verwante review', other: '# verwante reviews' }),
      strictly: 'Alleen reviews met alle woorden',
      named: 'Wat deze woorden noemen',
      nothing: 'Geen review past bij al deze filters.',
      nothingSays: (words) => `In geen enkele review staat ${words}.`,
      tryThese: 'Probeer eens:',
      active: 'Actieve filters',
      remove: 'Verwijder:',
      removeAll: 'Verwijder alle filters',
    },

    filters: {
      show: 'Tonen',
      more: (set) => (set === 0 ? 'Filters' : `Filters (${f.number(set)} actief)`),
      exact: 'Datums, auteur en meer',
      minStars: 'Minstens',
      maxStars: 'Hoogstens',
      author: 'Auteur',
      searched: 'Zoeken in',
      places: {
        text: 'de beoordelingen',
        reply: 'de antwoorden',
        all: 'beoordelingen en antwoorden',
      },
      from: 'Van',
      until: 'Tot en met',
      order: 'Volgorde',
      any: 'Alle',
      quoted: (words) => `‘${words}’`,
      /** Within other quotes. */
      quotedWithin: (words) => `“${words}”`,
      strict: 'alle woorden',
      atLeast: (count) => `minstens ${stars(count)}`,
      atMost: (count) => `hoogstens ${stars(count)}`,
      by: (author) => `door ${author}`,
      since: (date) => `vanaf ${f.date(date)}`,
      to: (date) => `tot en met ${f.date(date)}`,
      period: 'Periode',
      months: (count) => `Laatste ${f.number(count)} maanden`,
      replies: 'Antwoorden',
      withReply: 'Met antwoord',
      withoutReply: 'Zonder antwoord',
      withText: 'Met tekst',
      withoutText: 'Zonder tekst',
      language: (code) => (code === 'und' ? 'Zonder woorden' : f.language(code)),
      sorts: {
        newest: 'Nieuwste eerst',
        oldest: 'Oudste eerst',
        highest: 'Meeste sterren eerst',
        lowest: 'Minste sterren eerst',
        relevance: 'Beste treffers eerst',
      },
    },

    review: {
      reportAsk: 'Klopt er iets niet aan deze review?',
      report: 'Meld het aan het bedrijf',
      reportCall: (telephone) => `Bel ${telephone}`,
      reportAt: (source) => `Meld het aan ${source}`,
      reportSubject: (id) => `Melding van review ${id}`,
      title: (author, date) => `Review van ${author}, ${f.date(date)}`,
      verified: 'Geverifieerd',
      method: 'Geverifieerd door het bedrijf: <method/>.',
      methodOn: 'Geverifieerd door het bedrijf op <date/>: <method/>.',
      methodUnstated:
        'Volgens het bedrijf is deze review van een klant; hoe het dat weet, zegt het niet.',
      sourceSays: '<source/> zegt: <level/>.',
      publishedSince: 'Hier gepubliceerd sinds <date/>.',
      leftOut: 'Welke reviews we niet tonen',
      otherLanguage: 'In een andere taal geschreven: alleen de sterren tellen mee.',
      translate: 'Vertalen',
      newer: 'Nieuwere review',
      older: 'Oudere review',
      noComment: (count) => `${stars(count)}, zonder tekst.`,
      readOn: 'Lees verder',
      readWhole: 'Lees de hele review',
      reply: 'Antwoord van <name/>',
      found: 'In deze review',
      lessCertain: 'Minder zeker',
      sentiments: { positive: 'geprezen', neutral: 'genoemd', negative: 'klacht' },
      copyLink: 'Link kopiëren',
      copied: 'Gekopieerd',
    },

    missing: {
      title: 'Deze pagina bestaat niet',
      description: 'Op dit adres staat geen pagina.',
      text: 'Misschien is het adres verkeerd getypt, of staat de review niet meer online.',
      didYouMean: 'Bedoel je een van deze?',
      home: 'Naar de startpagina',
      reviews: 'Alle reviews',
    },

    verification: {
      names: {
        'job record matched': 'opdracht gevonden',
        'invoice number': 'factuurnummer',
        'phone call': 'telefoongesprek',
        'appointment record matched': 'afspraak gevonden',
        'booking matched': 'boeking gevonden',
        'receipt number': 'bonnummer',
        'survey sent after a booking': 'enquête na een boeking',
        'survey sent after an appointment': 'enquête na een afspraak',
      },
      description: (business) =>
        `Hoe ${business} nagaat dat reviews van klanten zijn, wat wordt weggelaten en wat is verwijderd.`,
      what: 'Bij elke review geeft het bedrijf aan hoe het weet dat de schrijver klant was: bijvoorbeeld door een bestelling, een afspraak of de controle van de site waar de review is geschreven. Reviews zonder zo’n bewijs worden bewaard, maar niet getoond of meegeteld.',
      methods: 'Hoe het bedrijf weet dat het klanten waren',
      methodsAbout: 'In de woorden van het bedrijf. <a>Hetzelfde als gegevens</a>',
      methodMatched:
        '“Gevonden” betekent dat de schrijver en de dag van de review in de eigen administratie staan, ook als de review op Google of elders is geschreven.',
      method: 'Hoe de reviews zijn geverifieerd',
      methodMissing: 'Zegt alleen dat ze geverifieerd zijn',
      sources: 'Waar de reviews vandaan komen',
      source: 'Bron',
      published: 'Gepubliceerd',
      notPublished: 'Niet gepubliceerd',
      leftOut: 'Wat je niet ziet',
      leftOutNone:
        'Alle reviews die zijn geïmporteerd en sindsdien niet verwijderd, zijn gepubliceerd.',
      leftOutStars: 'Bewaard maar niet gepubliceerd, per aantal sterren:',
      leftOutWhy: 'Ze ontbreken omdat niemand kon nagaan of de schrijver klant was.',
      leftOutProof:
        'Ontbreekt de jouwe? Laat het bedrijf zien dat je klant was, bijvoorbeeld met een factuurnummer.',
      leftOutAgree: 'Mag de jouwe getoond worden? Laat het het bedrijf weten.',
      leftOutAlike:
        'Reviews met één of twee sterren ontbreken niet vaker dan die met vier of vijf.',
      leftOutByStars: (low, ofLow, high, ofHigh) =>
        `Van ${reviews(ofLow)} met één of twee sterren ${low === 1 ? 'is' : 'zijn'} er ${f.number(low)} niet gepubliceerd, van ${reviews(ofHigh)} met vier of vijf sterren ${f.number(high)}.`,
      removed: 'Wat is verwijderd of tijdelijk verborgen',
      reason: 'Reden',
      removedNone: 'Er is nog nooit een gepubliceerde review verwijderd of verborgen.',
      removedWhy:
        'Een gepubliceerde review wordt alleen om een van deze redenen verwijderd of verborgen. Elke keer telt, ook als de review weer wordt getoond, en staat in een openbaar logboek, dat later niet ongemerkt te wijzigen is.',
      neverTitle: 'De regels van deze site',
      never: [
        'Geen review wordt weggelaten of verwijderd omdat die negatief is.',
        'Wat klanten schreven, staat hier zoals ze het schreven. Het antwoord van het bedrijf staat eronder, duidelijk herkenbaar.',
        'Geen reviews van mensen die geen klant waren, en geen betaalde reviews.',
      ],
      interest:
        'Deze site is van het bedrijf zelf, niet van een onafhankelijke partij. Niemand kan bewijzen dat een review waar is, of dat het bedrijf ze allemaal heeft opgenomen. Wat hier is gepubliceerd, gewijzigd en verwijderd, is na te gaan.',
      check: 'Bekijk het openbare logboek',
      law: 'De regels die we volgen',
      rules: [
        [
          'Verenigde Staten, 16 CFR 465.2',
          'Geen reviews van mensen die niet bestaan, geen klant waren of iets anders zeggen dan ze hebben meegemaakt. Hier: alleen reviews van geverifieerde klanten worden gepubliceerd.',
        ],
        [
          'Verenigde Staten, 16 CFR 465.6',
          'Een site van een bedrijf mag niet onafhankelijk lijken. Hier: elke pagina zegt dat het bedrijf die publiceert.',
        ],
        [
          'Verenigde Staten, 16 CFR 465.7',
          'Negatieve reviews mogen niet worden achtergehouden terwijl de rest volledig lijkt. Hier: de cijfers hierboven per aantal sterren en het openbare logboek.',
        ],
        [
          'Europese Unie, Richtlijn 2005/29/EG, artikel 7, lid 6',
          'Wie reviews toont, moet zeggen of en hoe is gecontroleerd dat ze van echte klanten zijn. Hier: deze pagina.',
        ],
        [
          'Europese Unie, Richtlijn 2005/29/EG, bijlage I, 23 ter',
          'Niemand mag zeggen dat reviews van echte klanten zijn zonder dat redelijk te controleren. Hier: de controles hierboven.',
        ],
        [
          'Europese Unie, Richtlijn 2005/29/EG, bijlage I, 23 quater',
          'Geen valse of verdraaide reviews. Hier: teksten staan er zoals ze zijn geschreven, en elke wijziging staat in het logboek.',
        ],
        [
          'Verenigd Koninkrijk, Digital Markets, Competition and Consumers Act 2024, bijlage 20',
          'Geen valse reviews en geen misleidende weergave. Hier: alleen reviews van geverifieerde klanten worden gepubliceerd, en de aantallen hierboven zeggen wat ontbreekt.',
        ],
      ],
    },

    transparency: {
      title: 'Transparantie',
      description: (business) =>
        `Wat ${business} publiceert, achterhoudt en verwijdert, en hoe je dat nagaat.`,
      heading: 'Geen review verdwijnt in stilte',
      about:
        'Elke review die hier wordt gepubliceerd, gewijzigd of verwijderd, staat in een ondertekend logboek. Niemand kan een regel wijzigen of wissen zonder dat het opvalt bij wie het logboek eerder heeft gezien.',
      checkTitle: 'Ga het zelf na',
      check:
        'In een map met <steps>het programma</steps>, dat nog niet in het register van npm staat, vergelijkt dit commando alle reviews met het logboek, en het logboek met wat je eerder hebt gezien:',
      log: 'Het logboek: <checkpoint>ondertekend controlepunt</checkpoint>, <key>sleutel</key>. Op de pagina van een review controleert ‘Bewijs’ die ene review in je browser. <steps>Hoe je het zonder het programma nagaat</steps>.',
      limitsTitle: 'Wat het niet bewijst',
      limits:
        'Dat een review waar is; dat er geen review is die het bedrijf nooit heeft opgenomen; en, zolang niemand anders een kopie van het controlepunt bewaart, dat iedereen hetzelfde logboek ziet. Het aantal achtergehouden reviews en de redenen voor verwijdering zijn wat het bedrijf opgeeft.',
      noLog: 'Het logboek begint bij de volgende publicatie.',
      figures: 'Gepubliceerd, achtergehouden en verwijderd',
      entries: (count, date) =>
        f.plural(count, {
          one: `# regel, van ${f.date(date)}.`,
          other: `# regels, de nieuwste van ${f.date(date)}.`,
        }),
      terms:
        'Elke publicatie, wijziging en verwijdering van een review is een regel. Achtergehouden reviews zijn bewaard maar niet gepubliceerd: ze zijn niet geverifieerd, of betwist en verborgen. Verwijderde zijn eerder gepubliceerd.',
      byStars: 'Reviews per aantal sterren',
      stars: 'Sterren',
      all: 'Totaal',
      columns: {
        published: 'Gepubliceerd',
        withheld: 'Achtergehouden',
        removed: 'Verwijderd',
      },
      edits: 'Sterren die een bewerking heeft veranderd',
      editsNone: 'Geen bewerking heeft de sterren van een review veranderd.',
      starsBecame: (from, to, count) =>
        `van ${stars(from)} naar ${f.number(to)}: ${reviews(count)}`,
      reason: (label, count) => `${label}: ${reviews(count)}`,
      reasons: {
        not_verified: 'niet geverifieerd',
        not_agreed: 'schrijver heeft nog niet ingestemd',
        removed_at_source: 'verwijderd bij de bron',
        customer_request: 'op verzoek van de klant',
        court_or_law: 'rechter of wet',
        failed_verification: 'verificatie mislukt',
        duplicate: 'dubbel',
        error: 'fout',
        replaced: 'vervangen door een andere onder hetzelfde kenmerk, of herschreven',
      },
      proof: 'Bewijs',
      proofNeedsScripts: 'Zet JavaScript aan om deze review in je browser te controleren.',
      proofLinks: '<about>Wat dit bewijst</about>, en <data>het bewijs als gegevens</data>.',
    },

    proof: {
      running: 'Bezig met controleren in deze browser …',
      good: 'Je browser heeft het gecontroleerd: de review, precies zoals die hier staat, is regel {index} van de {size} regels van het ondertekende logboek {log}.',
      otherReview: 'De review is niet die uit het logboek.',
      notInLog: 'De review staat niet in het logboek.',
      notSigned: 'Het logboek is niet ondertekend.',
      unknown: 'Je browser kon het niet controleren: {reason}',
    },

    feeds: {
      title: (business) => `Reviews over ${business}`,
      description: (business) => `De nieuwste geverifieerde reviews over ${business}`,
      stars: ['', 'Eén ster', 'Twee sterren', 'Drie sterren', 'Vier sterren', 'Vijf sterren'],
      headline: (starsInWords, author) => `${starsInWords} van ${author}`,
      reply: 'Antwoord van het bedrijf:',
    },

    embed: {
      title: 'Reviews op je eigen site',
      intro: 'Kies wat je wilt tonen, bekijk het en kopieer de code naar je pagina.',
      what: 'Wat',
      kinds: {
        badge: 'Badge: sterren en aantal',
        list: 'Lijst met de nieuwste reviews',
        carousel: 'Carrousel met de nieuwste reviews',
        review: 'Eén review',
        picture: 'Afbeelding, voor e-mails en andere plekken zonder scripts',
      },
      count: 'Aantal reviews',
      which: 'Welke review',
      newest: 'de nieuwste',
      colors: 'Licht of donker',
      themes: { auto: 'Zoals de lezer het instelt', light: 'Licht', dark: 'Donker' },
      fewestWords: 'Minste aantal woorden',
      starColor: 'Kleur van de sterren',
      update: 'Bijwerken',
      preview: 'Voorbeeld',
      code: 'Code',
      copy: 'Kopiëren',
      where:
        'In WordPress plak je de code in een blok ‘Aangepaste HTML’, in Wix in ‘HTML insluiten’, in Squarespace in een blok ‘Code’, in Shopify in een sectie ‘Aangepaste Liquid’. Waar scripts worden verwijderd, zoals in sommige kleine abonnementen, neem je de afbeelding.',
      policy:
        'Een site met een Content-Security-Policy moet <origin/> toestaan in <code>script-src</code>, en voor de afbeelding in <code>img-src</code>. Zonder scripts ziet de lezer de link in het element.',
      reviewsOf: (business) => `Reviews over ${business}`,
      previous: 'Vorige',
      next: 'Volgende',
    },

    picture: {
      outOfFive: (mean, count) => `${f.mean(mean)} van 5 · ${verified(count)}`,
    },

    starting: {
      title: 'Bijna klaar',
      heading: 'Bijna klaar',
      text: 'De reviews worden klaargezet. Deze pagina laadt vanzelf opnieuw tot ze er zijn.',
    },

    labels: dutchLabels,
  };
}
