// The texts in German, with the formal "Sie".

import type { Format } from './format.ts';
import { germanLabels } from './labels/de.ts';
import type { Strings } from './strings.ts';

export function de(f: Format): Strings {
  const reviews = (count: number) =>
    f.plural(count, { one: '# Bewertung', other: '# Bewertungen' });
  const verified = (count: number) =>
    f.plural(count, { one: '# geprüfte Bewertung', other: '# geprüfte Bewertungen' });
  const stars = (count: number) => f.plural(count, { one: '# Stern', other: '# Sterne' });
  return {
    reviews,
    verified,
    stars,
    outOfFive: (rating) => `${f.stars(rating)} von 5 Sternen`,
    aggregate: (mean, count) =>
      mean === null
        ? verified(count)
        : `${f.mean(mean)} von 5 Sternen aus ${f.plural(count, { one: '# geprüften Bewertung', other: '# geprüften Bewertungen' })}`,
    positive: (count) => `${f.number(count)} positiv`,
    neutral: (count) => `${f.number(count)} neutral`,
    negative: (count) => `${f.number(count)} negativ`,
    others: (count) => f.plural(count, { one: '# weitere', other: '# weitere' }),
    colon: ': ',
    direct: 'Direkt',
    searchReviews: 'Bewertungen durchsuchen',
    forExample: (words) => `z. B. ${words}`,
    search: 'Suchen',
    pages: 'Seiten',
    firstPage: 'Erste Seite',
    nextPage: 'Nächste Seite',
    previousPage: 'Vorige Seite',
    theNumbers: 'Die Zahlen',
    people: 'Team',
    services: 'Leistungen',
    /** In place of services at a restaurant. */
    dishes: 'Gerichte und Anlässe',
    topics: 'Themen',
    complaints: 'Beschwerden',
    places: 'Orte',
    aspects: 'Worum es geht',
    sources: 'Quellen',
    languages: 'Sprachen',
    locations: 'Standorte',
    location: 'Standort',
    partScores: 'Bewertungen im Einzelnen',
    verifiedReviews: 'Geprüfte Bewertungen',

    layout: {
      skip: 'Zum Inhalt springen',
      toTop: 'Nach oben',
      mainNavigation: 'Hauptmenü',
      reviews: 'Bewertungen',
      /** In the narrow menu. */
      opinions: 'Meinungen',
      whatCustomersSay: 'Meinungen der Kunden',
      questions: 'Fragen',
      newestReviews: 'Neueste Bewertungen',
      about:
        'Geprüfte Bewertungen über <name/>, in den Worten der Kunden. Veröffentlicht vom Unternehmen.',
      website: 'Zur Website',
      verification: 'So prüfen wir Bewertungen',
      transparency: 'Transparenz',
      subscribe: 'Abonnieren (Feed)',
      embed: 'Bewertungen auf Ihrer Website',
      developers: 'Für Entwickler (Englisch)',
      reference: 'Referenz',
    },

    howWeVerify: 'So prüfen wir',

    home: {
      newestOf: (month) => `Neueste Bewertung: ${f.month(month)}.`,
      noReviews: 'Noch keine Bewertungen. Die erste erscheint hier, sobald sie geprüft ist.',
      hidden: (count, command) =>
        `Ausgeblendet: ${reviews(count)}. Zum Auflisten „${command}“ eingeben.`,
      lately: (mean, count, until) =>
        `${f.mean(mean)} von 5 Sternen in den 12 Monaten bis ${f.month(until)} (${reviews(count)}).`,
      replies: (percent, days) =>
        `Beantwortet ${f.percent(percent)} der kritischen Bewertungen, meist ${
          days === 0
            ? 'am selben Tag'
            : f.plural(days, { one: 'innerhalb eines Tages', other: 'innerhalb von # Tagen' })
        }.`,
      noReplies: 'Beantwortet keine kritischen Bewertungen.',
      partOf: (part, all) => `${f.number(part)} von ${f.number(all)}`,
      /** The share of one side. */
      shareOf: {
        positive: (part, all) => `${f.number(part)} von ${f.number(all)} positiv`,
        negative: (part, all) => `${f.number(part)} von ${f.number(all)} negativ`,
      },
      allAspects: 'Alle Meinungen im Überblick',
      worstFirst: 'Bewertungen mit den wenigsten Sternen',
      distribution: 'Bewertungen nach Sternen',
      starsWord: (count) => (count === 1 ? 'Stern:' : 'Sterne:'),
      reviewsWord: (count) => (count === 1 ? 'Bewertung' : 'Bewertungen'),
      whatCustomersSay: 'Das sagen Kunden',
      leanings: { strengths: 'Stärken', weak_spots: 'Schwachpunkte' },
      critical: (label) => `Eine kritische Bewertung: ${label}`,
      good: (label) => `Eine gute Bewertung: ${label}`,
      positive: 'Positiv',
      neutral: 'Neutral',
      negative: 'Negativ',
      inShort: 'Kurz gesagt',
      evidence: 'Die Bewertungen dazu lesen',
      subjects: 'Worum es in den Bewertungen geht',
      all: {
        technicians: 'Das ganze Team',
        services: 'Alle Leistungen',
        dishes: 'Alle Gerichte und Anlässe',
        topics: 'Alle Themen',
        problems: 'Alle Beschwerden',
        service_areas: 'Alle Orte',
      },
      questions: 'Häufige Fragen',
      allQuestions: 'Alle Fragen, jeweils mit den Bewertungen dazu',
      newest: 'Neueste Bewertungen',
      allReviews: 'Alle Bewertungen',
    },

    contact: {
      call: (telephone) => `Anrufen: ${telephone}`,
      website: 'Website',
      hours: 'Öffnungszeiten',
      openUntil: (closes) =>
        closes === '23:59' ? 'Jetzt geöffnet' : `Jetzt geöffnet, bis ${f.time(closes)} Uhr`,
      opensAt: 'Öffnet {day} um {time} Uhr',
      notOpen: (day) => `${day}: geschlossen`,
      address: 'Adresse',
      serves: 'Einzugsgebiet',
      customersThere: 'Kundenstimmen aus diesen Orten',
      dayRange: (first, last) => `${first} bis ${last}`,
      open: (days, opens, closes) =>
        opens === '00:00' && closes === '23:59'
          ? `${days} rund um die Uhr`
          : `${days} ${f.time(opens)} bis ${f.time(closes)} Uhr`,
    },

    trend: {
      title: 'Im Lauf der Jahre',
      improving: (until, months) =>
        `In den ${f.number(months)} Monaten bis ${f.month(until)} waren die Bewertungen besser als in den ${f.number(months)} Monaten davor.`,
      stable: (until, months) =>
        `In den ${f.number(months)} Monaten bis ${f.month(until)} waren die Bewertungen etwa so gut wie in den ${f.number(months)} Monaten davor.`,
      open: (until, months, now, before) =>
        `In den ${f.number(months)} Monaten bis ${f.month(until)} waren es im Schnitt ${f.mean(now)} Sterne, in den ${f.number(months)} Monaten davor ${f.mean(before)}; für ein Urteil sind es zu wenige Bewertungen.`,
      declining: (until, months) =>
        `In den ${f.number(months)} Monaten bis ${f.month(until)} waren die Bewertungen schlechter als in den ${f.number(months)} Monaten davor.`,
      ratings: (first, last) =>
        `Sterne im Monatsdurchschnitt, ${f.month(first)} bis ${f.month(last)}. Größere Punkte stehen für Monate mit mehr Bewertungen, die Linie für den Durchschnitt von zwölf Monaten.`,
      table: 'Sterne und Bewertungen nach Monat',
      month: 'Monat',
      reviews: 'Bewertungen',
      averageStars: 'Sterne im Durchschnitt',
      starsAxis: 'Sterne',
    },

    lists: {
      columns: {
        stars: 'Sterne',
        reviews: 'Bewertungen',
        last: 'Zuletzt erwähnt',
        /** Of a box to tick. */
        pick: (name) => `Vergleichen: ${name}`,
      },
      tooFew: 'zu wenige Bewertungen',
      compared: 'Im Vergleich',
      description: (title, business) =>
        `${title}: gezählt in den geprüften Bewertungen über ${business}.`,
      none: (title) => `${title}: Noch zu wenige Bewertungen erwähnen dasselbe.`,
      others: 'Weitere Listen',
      praiseAndBlame: (count, positive, negative, neutral) =>
        `${reviews(count)}: ${f.number(positive)} positiv, ${f.number(negative)} negativ${neutral === 0 ? '' : `, ${f.number(neutral)} neutral`}`,
    },

    subject: {
      whereNamed: (praise, blame) =>
        `Wo davon die Rede ist: ${f.number(praise)} loben es, ${f.number(blame)} kritisieren es.`,
      description: (count, business, subject) =>
        `${subject}: das steht in ${reviews(count)} über ${business}.`,
      seeAlso: 'Siehe auch',
      praisedFor: 'Lob',
      inCustomersWords: 'In den Worten der Kunden',
      manyStars: (count) =>
        f.plural(count, {
          one: '# mit vier oder fünf Sternen',
          other: '# mit vier oder fünf Sternen',
        }),
      fewStars: (count) =>
        f.plural(count, { one: '# mit einem oder zwei', other: '# mit einem oder zwei' }),
      whoDoesIt: 'Wer diese Arbeiten ausführt',
      headings: {
        all: reviews,
        positive: (count) =>
          f.plural(count, { one: '# positive Bewertung', other: '# positive Bewertungen' }),
        neutral: (count) =>
          f.plural(count, { one: '# neutrale Bewertung', other: '# neutrale Bewertungen' }),
        negative: (count) =>
          f.plural(count, { one: '# negative Bewertung', other: '# negative Bewertungen' }),
      },
      showAll: (count) =>
        f.plural(count, { one: '# Bewertung zeigen', other: 'Alle # Bewertungen zeigen' }),
      filter: 'Filtern und sortieren',
      searchThese: (count) =>
        f.plural(count, {
          one: 'In dieser Bewertung suchen',
          other: 'In diesen # Bewertungen suchen',
        }),
    },

    prices: {
      title: 'Was Kunden bezahlt haben',
      mentioned: 'Preise, die Kunden nennen',
      count: (count, month) =>
        f.plural(count, {
          one: `Nur # Bewertung, aus dem ${f.month(month)}.`,
          other: count < 3 ? 'Nur # Bewertungen.' : '# Bewertungen, die neuesten zuerst.',
        }),
      range: (count, low, high, median) =>
        `${f.number(count)} Preise von ${low} bis ${high}, meist um ${median}.`,
    },

    person: {
      /** Beside stars. */
      starsOf: (count) =>
        f.plural(count, {
          one: 'Durchschnitt der # Bewertung mit diesem Namen',
          other: 'Durchschnitt der # Bewertungen mit diesem Namen',
        }),
      compare: 'Vergleichen',
      compareHow: 'Kreuzen Sie zwei oder drei Personen an.',
      compareWith: 'Vergleichen mit',
      formerPeople: (count) =>
        f.plural(count, { one: '# ehemaliges Teammitglied', other: '# ehemalige Teammitglieder' }),
      former: 'Arbeitet nicht mehr hier.',
      formerScore: 'Für Ehemalige zeigen wir keinen Durchschnitt.',
      fewReviews: 'Zu wenige Bewertungen für einen fairen Durchschnitt.',
    },

    questions: {
      title: 'Fragen und Antworten aus den Bewertungen',
      description: (business) =>
        `Häufige Fragen zu ${business}, beantwortet aus den geprüften Bewertungen.`,
      tooFew: 'Für Antworten gibt es noch zu wenige Bewertungen.',
      method: 'Gezählt wird jede Bewertung einmal; neutrale zählen auf keiner Seite.',
      behind: (shown, all) =>
        shown < all
          ? `${f.number(shown)} der ${reviews(all)}, auf denen diese Antwort beruht`
          : f.plural(all, {
              one: 'Die Bewertung, auf der diese Antwort beruht',
              other: 'Die # Bewertungen, auf denen diese Antwort beruht',
            }),
    },

    summary: {
      title: 'Zusammenfassung',
      heading: 'Das steht in den Bewertungen',
      description: (business) =>
        `Das sagen Kunden über ${business}: die geprüften Bewertungen in Kürze, mit Belegen.`,
      evidence: 'Die Belege',
      counts: (positive, neutral, negative) =>
        `${f.number(positive)} positiv, ${f.number(neutral)} neutral, ${f.number(negative)} negativ.`,
      examples: (shown, all) =>
        shown < all
          ? `${f.number(shown)} der ${reviews(all)}, die das erwähnen`
          : f.plural(all, {
              one: 'Die Bewertung, die das erwähnt',
              other: 'Alle # Bewertungen, die das erwähnen',
            }),
      method:
        'Automatisch ausgewertet und formuliert. Jede Zahl lässt sich in <a>den Daten</a> nachprüfen.',
    },

    facts: {
      questions: {
        Responsiveness: 'Reagiert das Team schnell?',
        Punctuality: 'Ist das Team pünktlich?',
        Pricing: 'Sind die Preise angemessen?',
        'Quality of work': 'Ist die Arbeit gut?',
        'Problem resolution': 'Wird das Problem gelöst?',
        Transparency: 'Ist das Team ehrlich und offen?',
        Friendliness: 'Ist das Team freundlich?',
        Communication: 'Werden Kunden gut informiert?',
        'Technical knowledge': 'Kennt sich das Team aus?',
        Cleanliness: 'Ist alles sauber?',
        Professionalism: 'Tritt das Team professionell auf?',
        Scheduling: 'Klappt es mit den Terminen?',
        Staff: 'Ist das Personal gut?',
        'Staff and service': 'Sind Personal und Service gut?',
        'Food and drink': 'Sind Essen und Getränke gut?',
        'Punctuality and delays': 'Sind die Flüge pünktlich?',
        'Room and seat': 'Ist der Platz bequem?',
        'Quality of care': 'Wird man gut versorgt?',
        'Waiting and appointments': 'Wird man pünktlich drangenommen?',
        'Billing and insurance': 'Stimmen die Rechnungen?',
        Food: 'Schmeckt das Essen?',
        Service: 'Ist der Service gut?',
        Ambience: 'Ist die Atmosphäre angenehm?',
        Value: 'Ist es sein Geld wert?',
        'Waiting time': 'Geht es schnell?',
      },
      /** A label within a sentence. */
      inSentence: (label) =>
        /^(?:(?:Nicht|Wenig|Zu|Ausverkauft|Verlorene|Vergessene|Das|Die|Der|Es|Man|Manche|Viele|Was)\s|\p{Lu}\p{Ll}+e[srn]?\s(?!und|mit|in|im|bei|für|am|per|nicht|zum))/u.test(
          label,
        )
          ? label.charAt(0).toLowerCase() + label.slice(1)
          : label,
      rating: (mean, count) =>
        `${f.mean(mean)} von 5 Sternen aus ${f.plural(count, { one: '# geprüften Bewertung', other: '# geprüften Bewertungen' })}.`,
      shares: (good, bad) =>
        `${f.percent(good)} geben vier oder fünf Sterne, ${f.percent(bad)} einen oder zwei.`,
      /** Before aspects with their shares, in the summary. */
      most: {
        positive: 'Gelobt wird vor allem:',
        negative: 'Kritisiert wird vor allem:',
        split: 'Am besten gefällt, auch wenn die Meinungen auseinandergehen:',
      },
      weakSpot: 'Der Schwachpunkt:',
      starsOf: (topic, count, mean) =>
        `Die ${f.number(count)} Bewertungen zum Thema ${topic} geben im Schnitt ${f.mean(mean)} Sterne.`,
      people: (items) => `Namentlich gelobt: ${items}.`,
      share: (label, part, all) => `${label} (${f.number(part)} von ${f.number(all)})`,
      problems: (items) => `Häufigste Beschwerden: ${items}.`,
      /** Stars in a time of unusual ratings, why, and before and after it. */
      episode: (kind, from, to, during) =>
        `Von ${f.month(from)} bis ${f.month(to)} waren die Bewertungen ungewöhnlich ${kind === 'dip' ? 'schlecht' : 'gut'}: ${f.mean(during)} Sterne.`,
      causes: (items) => `Die häufigsten Gründe: ${items}.`,
      around: (before, after) =>
        after === null
          ? `Davor lag der Durchschnitt bei ${f.mean(before)}.`
          : `Davor lag der Durchschnitt bei ${f.mean(before)}, seitdem bei ${f.mean(after)}.`,
      /** Reviews with complaints in the last year and before, each such as "8 of 27". */
      changed: (complaints, recent, until, before) =>
        `${complaints} in den 12 Monaten bis ${f.month(until)}: ${recent} Bewertungen; davor: ${before}.`,
      /** How the opinions of a year are, such as "9 of 10 positive". */
      recently: (told, until) => `In den 12 Monaten bis ${f.month(until)}: ${told}.`,
      whichProblems: 'Worüber beschweren sich Kunden am häufigsten?',
      aboutAspect: (label) => `${label}: Sind Kunden zufrieden?`,
      /** How an answer begins, from plainly yes to plainly no. */
      leads: ['Ja', 'Meist ja', 'Das ist unterschiedlich', 'Oft nicht', 'Meist nicht'],
      /** How many customers say so, after such a beginning. */
      agreement: (lead, good, bad) => {
        if (bad === 0) return `${lead}: ${f.inWords(good)} Kunden loben das.`;
        if (good === 0) return `${lead}: ${f.inWords(bad)} Kunden beschweren sich.`;
        const all = f.number(good + bad);
        return good >= bad
          ? `${lead}: ${f.number(good)} von ${all} Kunden, die sich dazu äußern, sind zufrieden.`
          : `${lead}: ${f.number(bad)} von ${all} Kunden, die sich dazu äußern, beschweren sich.`;
      },
      /** Between the words of the majority and those of others. */
      but: 'Aber auch:',
      doesAnswer: 'Antwortet das Unternehmen auf Kritik?',
      answered: (part, all) =>
        part === 0
          ? `Nein: Keine der ${f.number(all)} Bewertungen mit einem oder zwei Sternen ist beantwortet.`
          : part === all
            ? `Ja: Alle ${f.number(all)} Bewertungen mit einem oder zwei Sternen sind beantwortet.`
            : `${f.number(part)} von ${f.number(all)} Bewertungen mit einem oder zwei Sternen sind beantwortet.`,
      /** A claim or several after the words for them. */
      isSatisfied: (business) => `Wie zufrieden sind Kunden mit ${business}?`,
      whoIsPraised: 'Wen empfehlen Kunden?',
      isImproving: 'Wie war es zuletzt, und hat sich etwas geändert?',
    },

    reviewsPage: {
      title: 'Bewertungen',
      answers: 'Antworten',
      foundTitle: 'Gefundene Bewertungen',
      invalidTitle: 'Filter ungültig',
      description: (business) =>
        `Alle geprüften Bewertungen über ${business} zum Suchen und Filtern.`,
      listDescription: (business) =>
        `Alle geprüften Bewertungen über ${business}, die neuesten zuerst.`,
      place: (from, to, all) => `${f.number(from)} bis ${f.number(to)} von ${f.number(all)}`,
      found: (count) =>
        f.plural(count, { one: '# Bewertung gefunden', other: '# Bewertungen gefunden' }),
      invalid: 'Diese Filter sind ungültig',
      showAll: 'Alle Bewertungen zeigen',
      related: (count) =>
        f.plural(count, {
          one: '# weitere enthält einige dieser Wörter oder passt zum Thema.',
          other: '# weitere enthalten einige dieser Wörter oder passen zum Thema.',
        }),
      noneHasAll: (words) =>
        `Keine Bewertung enthält alles davon: ${words}. Diese enthalten einiges oder passen zum Thema.`,
      averageOf: (mean, count) => `Durchschnitt dieser ${f.number(count)}: ${f.mean(mean)}`,
      inReplies: (count) =>
        f.plural(count, {
          one: 'In einer weiteren steht das nur in der Antwort des Unternehmens.',
          other: 'In # weiteren steht das nur in der Antwort des Unternehmens.',
        }),
      corrected: (word, to) =>
        `In keiner Bewertung steht „${word}“; gesucht wurde stattdessen „${to}“.`,
      relatedTitle: (count) =>
        f.plural(count, { one: '# ähnliche Bewertung', other: '# ähnliche Bewertungen' }),
      strictly: 'Nur Bewertungen mit allen Wörtern',
      named: 'Themen zu diesen Wörtern',
      nothing: 'Keine Bewertung passt zu allen Filtern.',
      nothingSays: (words) => `In keiner Bewertung steht ${words}.`,
      tryThese: 'Versuchen Sie es damit:',
      active: 'Aktive Filter',
      remove: 'Entfernen:',
      removeAll: 'Alle Filter entfernen',
    },

    filters: {
      show: 'Anzeigen',
      more: (set) => (set === 0 ? 'Filter' : `Filter (${f.number(set)} aktiv)`),
      exact: 'Datum, Name und mehr',
      minStars: 'Mindestens',
      maxStars: 'Höchstens',
      author: 'Name',
      searched: 'Suchen in',
      places: { text: 'den Bewertungen', reply: 'den Antworten', all: 'Bewertungen und Antworten' },
      from: 'Von',
      until: 'Bis',
      order: 'Reihenfolge',
      any: 'Alle',
      quoted: (words) => `„${words}“`,
      /** Within other quotes. */
      quotedWithin: (words) => `‚${words}‘`,
      strict: 'alle Wörter',
      atLeast: (count) => `mindestens ${stars(count)}`,
      atMost: (count) => `höchstens ${stars(count)}`,
      by: (author) => `von ${author}`,
      since: (date) => `ab ${f.date(date)}`,
      to: (date) => `bis ${f.date(date)}`,
      period: 'Zeitraum',
      months: (count) => `Letzte ${f.number(count)} Monate`,
      replies: 'Antworten',
      withReply: 'Mit Antwort',
      withoutReply: 'Ohne Antwort',
      withText: 'Mit Text',
      withoutText: 'Ohne Text',
      language: (code) => (code === 'und' ? 'Ohne Text' : f.language(code)),
      sorts: {
        newest: 'Neueste zuerst',
        oldest: 'Älteste zuerst',
        highest: 'Meiste Sterne zuerst',
        lowest: 'Wenigste Sterne zuerst',
        relevance: 'Beste Treffer zuerst',
      },
    },

    review: {
      reportAsk: 'Stimmt etwas an dieser Bewertung nicht?',
      report: 'Dem Unternehmen melden',
      reportCall: (telephone) => `Anrufen: ${telephone}`,
      reportAt: (source) => `Bei ${source} melden`,
      reportSubject: (id) => `Meldung der Bewertung ${id}`,
      title: (author, date) => `Bewertung von ${author}, ${f.date(date)}`,
      verified: 'Geprüft',
      method: 'Vom Unternehmen geprüft: <method/>.',
      methodOn: 'Vom Unternehmen am <date/> geprüft: <method/>.',
      methodUnstated:
        'Laut Unternehmen hat ein Kunde diese Bewertung geschrieben; woher es das weiß, gibt es nicht an.',
      sourceSays: 'Angabe von <source/>: <level/>.',
      publishedSince: 'Hier veröffentlicht seit dem <date/>.',
      leftOut: 'Welche Bewertungen wir nicht zeigen',
      otherLanguage: 'In einer anderen Sprache: Gezählt werden nur die Sterne.',
      translate: 'Übersetzen',
      newer: 'Neuere Bewertung',
      older: 'Ältere Bewertung',
      noComment: (count) => `${stars(count)}, ohne Kommentar.`,
      readOn: 'Weiterlesen',
      readWhole: 'Ganze Bewertung lesen',
      reply: 'Antwort von <name/>',
      found: 'In dieser Bewertung',
      lessCertain: 'Weniger sicher',
      sentiments: { positive: 'gelobt', neutral: 'erwähnt', negative: 'kritisiert' },
      copyLink: 'Link kopieren',
      copied: 'Kopiert',
    },

    missing: {
      title: 'Diese Seite gibt es nicht',
      description: 'Unter dieser Adresse gibt es keine Seite.',
      text: 'Vielleicht ist die Adresse falsch geschrieben, oder die Bewertung ist nicht mehr veröffentlicht.',
      didYouMean: 'Meinten Sie eine dieser Seiten?',
      home: 'Zur Startseite',
      reviews: 'Alle Bewertungen',
    },

    verification: {
      names: {
        'job record matched': 'Auftrag gefunden',
        'invoice number': 'Rechnungsnummer',
        'phone call': 'Telefongespräch',
        'appointment record matched': 'Termin gefunden',
        'booking matched': 'Buchung gefunden',
        'receipt number': 'Belegnummer',
        'survey sent after a booking': 'Umfrage nach einer Buchung',
        'survey sent after an appointment': 'Umfrage nach einem Termin',
      },
      description: (business) =>
        `Wie ${business} prüft, dass Bewertungen von Kunden stammen, was nicht gezeigt wird und was entfernt wurde.`,
      what: 'Zu jeder Bewertung gibt das Unternehmen an, woran es erkennt, dass sie von einer Kundin oder einem Kunden stammt: zum Beispiel an einem Auftrag, einem Termin oder der Prüfung durch die Plattform, auf der sie geschrieben wurde. Bewertungen ohne einen solchen Nachweis werden gespeichert, aber weder gezeigt noch gezählt.',
      methods: 'Woran das Unternehmen Kunden erkennt',
      methodsAbout: 'So beschreibt es das Unternehmen. <a>Dasselbe als Daten</a>',
      methodMatched:
        '„Gefunden“ heißt: Name und Tag der Bewertung passen zu einem Eintrag in den Unterlagen des Unternehmens, auch wenn die Bewertung bei Google oder anderswo geschrieben wurde.',
      method: 'So wurden die Bewertungen geprüft',
      methodMissing: 'Keine Angabe, nur dass sie geprüft sind',
      sources: 'Woher die Bewertungen stammen',
      source: 'Quelle',
      published: 'Veröffentlicht',
      notPublished: 'Nicht veröffentlicht',
      leftOut: 'Was Sie nicht sehen',
      leftOutNone:
        'Jede Bewertung, die importiert und seither nicht entfernt wurde, ist veröffentlicht.',
      leftOutStars: 'Gespeichert, aber nicht veröffentlicht; nach Sternen:',
      leftOutWhy: 'Sie fehlen, weil sich nicht prüfen ließ, ob sie von Kunden stammen.',
      leftOutProof:
        'Fehlt Ihre? Zeigen Sie dem Unternehmen, dass Sie dort Kunde waren, zum Beispiel mit einer Rechnungsnummer.',
      leftOutAgree: 'Darf Ihre gezeigt werden? Sagen Sie es dem Unternehmen.',
      leftOutAlike:
        'Bewertungen mit einem oder zwei Sternen fehlen nicht häufiger als solche mit vier oder fünf.',
      leftOutByStars: (low, ofLow, high, ofHigh) =>
        `Nicht veröffentlicht sind ${f.number(low)} von ${reviews(ofLow)} mit einem oder zwei Sternen und ${f.number(high)} von ${reviews(ofHigh)} mit vier oder fünf.`,
      removed: 'Was entfernt oder zeitweise ausgeblendet wurde',
      reason: 'Grund',
      removedNone: 'Noch nie wurde eine veröffentlichte Bewertung entfernt oder ausgeblendet.',
      removedWhy:
        'Eine veröffentlichte Bewertung wird nur aus einem dieser Gründe entfernt oder ausgeblendet. Jedes Mal zählt, auch wenn sie wieder gezeigt wird, und steht in einem öffentlichen Protokoll, das sich später nicht unbemerkt ändern lässt.',
      neverTitle: 'Die Regeln dieser Website',
      never: [
        'Keine Bewertung fehlt oder wird entfernt, weil sie negativ ist.',
        'Was Kunden geschrieben haben, steht hier so, wie sie es geschrieben haben. Die Antwort des Unternehmens steht darunter und ist als solche gekennzeichnet.',
        'Keine Bewertungen von Leuten, die keine Kunden waren, und keine bezahlten.',
      ],
      interest:
        'Diese Website betreibt das Unternehmen selbst, kein unabhängiges Portal. Niemand kann beweisen, dass eine Bewertung wahr ist oder dass das Unternehmen alle aufgenommen hat. Was hier veröffentlicht, geändert und entfernt wurde, lässt sich nachprüfen.',
      check: 'Zum öffentlichen Protokoll',
      law: 'Regeln, an die wir uns halten',
      rules: [
        [
          'USA, 16 CFR 465.2',
          'Keine Bewertungen von Menschen, die es nicht gibt, die keine Kunden waren oder die etwas anderes sagen, als sie erlebt haben. Hier: Nur Bewertungen geprüfter Kunden werden veröffentlicht.',
        ],
        [
          'USA, 16 CFR 465.6',
          'Eine Website, die ein Unternehmen betreibt, darf nicht unabhängig wirken. Hier: Jede Seite sagt, dass das Unternehmen sie veröffentlicht.',
        ],
        [
          'USA, 16 CFR 465.7',
          'Negative Bewertungen dürfen nicht unterdrückt werden, während der Rest vollständig aussieht. Hier: die Zahlen oben nach Sternen und das öffentliche Protokoll.',
        ],
        [
          'EU, Richtlinie 2005/29/EG, Artikel 7 Absatz 6',
          'Wer Bewertungen zeigt, muss sagen, ob und wie er sicherstellt, dass sie von echten Kunden stammen. Hier: diese Seite.',
        ],
        [
          'EU, Richtlinie 2005/29/EG, Anhang I, 23b',
          'Niemand darf Bewertungen echten Kunden zuschreiben, ohne das angemessen zu prüfen. Hier: die Prüfungen oben.',
        ],
        [
          'EU, Richtlinie 2005/29/EG, Anhang I, 23c',
          'Keine gefälschten oder verfälschten Bewertungen. Hier: Texte stehen da, wie sie geschrieben wurden, und jede Änderung steht im Protokoll.',
        ],
        [
          'Vereinigtes Königreich, Digital Markets, Competition and Consumers Act 2024, Anhang 20',
          'Keine gefälschten Bewertungen und keine irreführende Darstellung. Hier: Nur Bewertungen geprüfter Kunden werden veröffentlicht, und die Zahlen oben sagen, was fehlt.',
        ],
      ],
    },

    transparency: {
      title: 'Transparenz',
      description: (business) =>
        `Was ${business} veröffentlicht, zurückhält und entfernt, und wie man das nachprüft.`,
      heading: 'Keine Bewertung verschwindet heimlich',
      about:
        'Jede Bewertung, die hier veröffentlicht, geändert oder entfernt wird, steht in einem signierten Protokoll. Niemand kann einen Eintrag ändern oder löschen, ohne dass es jedem auffällt, der das Protokoll vorher gesehen hat.',
      checkTitle: 'Selbst nachprüfen',
      check:
        'In einem Ordner mit <steps>dem Programm</steps>, das noch nicht in npms Verzeichnis steht, vergleicht dieser Befehl alle Bewertungen mit dem Protokoll und das Protokoll mit dem, was Sie zuvor gesehen haben:',
      log: 'Das Protokoll: <checkpoint>signierter Prüfpunkt</checkpoint>, <key>Schlüssel</key>. Auf der Seite einer Bewertung prüft „Nachweis“ diese eine Bewertung in Ihrem Browser. <steps>Wie man ohne das Programm prüft</steps>.',
      limitsTitle: 'Was es nicht beweist',
      limits:
        'Dass eine Bewertung wahr ist; dass es keine gibt, die das Unternehmen nie aufgenommen hat; und, solange niemand sonst eine Kopie des signierten Stands hat, dass alle dasselbe Protokoll sehen. Die Zahl der zurückgehaltenen Bewertungen und die Gründe für das Entfernen gibt das Unternehmen an.',
      noLog: 'Das Protokoll beginnt mit der nächsten Veröffentlichung.',
      figures: 'Veröffentlicht, zurückgehalten, entfernt',
      entries: (count, date) =>
        f.plural(count, {
          one: `# Eintrag vom ${f.date(date)}.`,
          other: `# Einträge, der neueste vom ${f.date(date)}.`,
        }),
      terms:
        'Jede Veröffentlichung, Änderung und Entfernung einer Bewertung ist ein Eintrag. Zurückgehaltene Bewertungen sind gespeichert, aber nicht veröffentlicht: nicht geprüft oder strittig. Entfernte Bewertungen waren vorher veröffentlicht.',
      byStars: 'Bewertungen nach Sternen',
      stars: 'Sterne',
      all: 'Alle',
      columns: { published: 'Veröffentlicht', withheld: 'Zurückgehalten', removed: 'Entfernt' },
      edits: 'Nachträglich geänderte Sterne',
      editsNone: 'Bei keiner Bewertung wurden die Sterne nachträglich geändert.',
      starsBecame: (from, to, count) => `von ${f.number(from)} auf ${stars(to)}: ${reviews(count)}`,
      reason: (label, count) => `${label}: ${reviews(count)}`,
      reasons: {
        not_verified: 'nicht geprüft',
        not_agreed: 'Einverständnis fehlt',
        removed_at_source: 'auf der Quellseite gelöscht',
        customer_request: 'auf Wunsch der Kundin oder des Kunden',
        court_or_law: 'von einem Gericht oder Gesetz verlangt',
        failed_verification: 'Prüfung nicht bestanden',
        duplicate: 'doppelt',
        error: 'Fehler',
        replaced: 'unter derselben Kennung durch eine andere ersetzt oder neu geschrieben',
      },
      proof: 'Nachweis',
      proofNeedsScripts:
        'Schalten Sie JavaScript ein, um diese Bewertung in Ihrem Browser zu prüfen.',
      proofLinks: '<about>Was das beweist</about> und <data>der Nachweis als Daten</data>.',
    },

    proof: {
      running: 'Prüfung in diesem Browser …',
      good: 'Ihr Browser hat es geprüft: Die Bewertung ist genau so, wie sie hier steht, Eintrag {index} von {size} des signierten Protokolls {log}.',
      otherReview: 'Die Bewertung ist nicht die im Protokoll.',
      notInLog: 'Die Bewertung steht nicht im Protokoll.',
      notSigned: 'Das Protokoll ist nicht signiert.',
      unknown: 'Ihr Browser konnte es nicht prüfen: {reason}',
    },

    feeds: {
      title: (business) => `Bewertungen über ${business}`,
      description: (business) => `Die neuesten geprüften Bewertungen über ${business}`,
      stars: ['', 'Ein Stern', 'Zwei Sterne', 'Drei Sterne', 'Vier Sterne', 'Fünf Sterne'],
      headline: (starsInWords, author) => `${starsInWords} von ${author}`,
      reply: 'Antwort des Unternehmens:',
    },

    embed: {
      title: 'Bewertungen auf Ihrer Website',
      intro:
        'Wählen Sie aus, was gezeigt wird, sehen Sie es sich an und kopieren Sie den Code in Ihre Seite.',
      what: 'Was',
      kinds: {
        badge: 'Siegel: Sterne und Anzahl',
        list: 'Liste der neuesten Bewertungen',
        carousel: 'Karussell der neuesten Bewertungen',
        review: 'Eine Bewertung',
        picture: 'Bild, für E-Mails und andere Orte ohne Skripte',
      },
      count: 'Anzahl der Bewertungen',
      which: 'Welche Bewertung',
      newest: 'die neueste',
      colors: 'Hell oder dunkel',
      themes: { auto: 'Wie im Browser eingestellt', light: 'Hell', dark: 'Dunkel' },
      fewestWords: 'Mindestens so viele Wörter',
      starColor: 'Farbe der Sterne',
      update: 'Aktualisieren',
      preview: 'Vorschau',
      code: 'Code',
      copy: 'Kopieren',
      where:
        'In WordPress gehört der Code in einen Block „Individuelles HTML“, in Wix in „HTML einbetten“, in Squarespace in einen Block „Code“, in Shopify in einen Abschnitt „Benutzerdefiniertes Liquid“. Wo Skripte entfernt werden, etwa in kleinen Tarifen, nehmen Sie das Bild.',
      policy:
        'Eine Website mit Content-Security-Policy muss <origin/> in <code>script-src</code> erlauben, für das Bild in <code>img-src</code>. Sind Skripte abgeschaltet, erscheint nur ein Link.',
      reviewsOf: (business) => `Bewertungen über ${business}`,
      previous: 'Zurück',
      next: 'Weiter',
    },

    picture: {
      outOfFive: (mean, count) => `${f.mean(mean)} von 5 · ${verified(count)}`,
    },

    starting: {
      title: 'Gleich geht es los',
      heading: 'Gleich geht es los',
      text: 'Die Bewertungen werden vorbereitet. Diese Seite lädt sich von selbst neu, bis sie da sind.',
    },

    labels: germanLabels,
  };
}
