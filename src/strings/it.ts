// The texts in Italian. They address nobody: infinitives and impersonal forms.

import type { Format } from './format.ts';
import { italianLabels } from './labels/it.ts';
import type { Strings } from './strings.ts';

export function it(f: Format): Strings {
  const reviews = (count: number) =>
    f.plural(count, { one: '# recensione', other: '# recensioni' });
  const verified = (count: number) =>
    f.plural(count, { one: '# recensione verificata', other: '# recensioni verificate' });
  const stars = (count: number) => f.plural(count, { one: '# stella', other: '# stelle' });
  const meanStars = (mean: number, text: string) => `${text} ${mean === 1 ? 'stella' : 'stelle'}`;
  const neutral = (count: number) => f.plural(count, { one: '# neutra', other: '# neutre' });
  return {
    reviews,
    verified,
    stars,
    outOfFive: (rating) => `${meanStars(rating, f.stars(rating))} su 5`,
    aggregate: (mean, count) =>
      mean === null ? verified(count) : `${f.mean(mean)} stelle su 5 in ${verified(count)}`,
    positive: (count) => f.plural(count, { one: '# positiva', other: '# positive' }),
    neutral,
    negative: (count) => f.plural(count, { one: '# negativa', other: '# negative' }),
    others: (count) => f.plural(count, { one: 'un altro', other: 'altri #' }),
    colon: ': ',
    direct: 'Direttamente',
    searchReviews: 'Cerca nelle recensioni',
    forExample: (words) => `p.es. ${words}`,
    search: 'Cerca',
    pages: 'Pagine',
    firstPage: 'Prima pagina',
    nextPage: 'Pagina successiva',
    previousPage: 'Pagina precedente',
    theNumbers: 'I numeri',
    people: 'Persone',
    services: 'Servizi',
    /** In place of services at a restaurant. */
    dishes: 'Piatti e occasioni',
    topics: 'Argomenti',
    complaints: 'Critiche',
    places: 'Luoghi',
    aspects: 'Aspetti',
    sources: 'Fonti',
    languages: 'Lingue',
    locations: 'Sedi',
    location: 'Sede',
    partScores: 'Valutazioni nel dettaglio',
    verifiedReviews: 'Recensioni verificate',

    layout: {
      skip: 'Vai al contenuto',
      toTop: 'Torna su',
      mainNavigation: 'Principale',
      reviews: 'Recensioni',
      /** In the narrow menu. */
      opinions: 'Temi',
      whatCustomersSay: 'Cosa dicono i clienti',
      questions: 'Domande',
      newestReviews: 'Ultime recensioni',
      about:
        'Recensioni verificate su <name/>, con le parole dei clienti. Pubblicate dall’azienda.',
      website: 'Vai al sito web',
      verification: 'Come verifichiamo le recensioni',
      transparency: 'Trasparenza',
      subscribe: 'Iscriviti (feed)',
      embed: 'Recensioni sul tuo sito',
      developers: 'Per sviluppatori (in inglese)',
      reference: 'Riferimento',
    },

    howWeVerify: 'Come verifichiamo',

    home: {
      newestOf: (month) => `Recensione più recente: ${f.month(month)}.`,
      noReviews: 'Ancora nessuna recensione. La prima apparirà qui appena verificata.',
      hidden: (count, command) =>
        `Nascoste: ${reviews(count)}. Per elencarle, digita «${command}».`,
      lately: (mean, count, until) =>
        `${f.mean(mean)} stelle su 5 nei 12 mesi fino a ${f.month(until)} (${reviews(count)}).`,
      replies: (percent, days) =>
        `Risponde al ${f.percent(percent)} delle recensioni critiche, di solito ${
          days === 0
            ? 'lo stesso giorno'
            : f.plural(days, { one: 'entro un giorno', other: 'entro # giorni' })
        }.`,
      noReplies: 'Non risponde alle recensioni critiche.',
      partOf: (part, all) => `${f.number(part)} su ${f.number(all)}`,
      /** The share of one side. */
      shareOf: {
        positive: (part, all) => `${f.number(part)} su ${f.number(all)} a favore`,
        negative: (part, all) => `${f.number(part)} su ${f.number(all)} contro`,
      },
      allAspects: 'Tutto ciò che i clienti citano',
      worstFirst: 'Recensioni con meno stelle',
      distribution: 'Recensioni per stelle',
      starsWord: (count) => (count === 1 ? 'stella:' : 'stelle:'),
      reviewsWord: (count) => (count === 1 ? 'recensione' : 'recensioni'),
      whatCustomersSay: 'Cosa dicono i clienti',
      leanings: { strengths: 'Punti di forza', weak_spots: 'Punti deboli' },
      critical: (label) => `Una recensione critica: ${label}`,
      good: (label) => `Una recensione positiva: ${label}`,
      positive: 'Positive',
      neutral: 'Neutre',
      negative: 'Negative',
      inShort: 'In breve',
      evidence: 'Vedi le recensioni a sostegno',
      subjects: 'Recensioni per argomento',
      all: {
        technicians: 'Tutte le persone',
        services: 'Tutti i servizi',
        dishes: 'Tutti i piatti e le occasioni',
        topics: 'Tutti gli argomenti',
        problems: 'Tutte le critiche',
        service_areas: 'Tutti i luoghi',
      },
      questions: 'Domande frequenti',
      allQuestions: 'Tutte le domande, con le recensioni dietro ogni risposta',
      newest: 'Ultime recensioni',
      allReviews: 'Tutte le recensioni',
    },

    contact: {
      call: (telephone) => `Chiama ${telephone}`,
      website: 'Sito web',
      hours: 'Orari',
      openUntil: (closes) =>
        closes === '23:59' ? 'Aperto ora' : `Aperto ora, fino alle ${f.time(closes)}`,
      opensAt: 'Apre {day} alle {time}',
      notOpen: (day) => `${day}: chiuso`,
      address: 'Indirizzo',
      serves: 'Zona',
      customersThere: 'Cosa dicono i clienti del posto',
      dayRange: (first, last) => `${first}–${last}`,
      open: (days, opens, closes) =>
        opens === '00:00' && closes === '23:59'
          ? `${days}, 24 ore su 24`
          : `${days}, ${f.time(opens)}–${f.time(closes)}`,
    },

    trend: {
      title: 'Nel corso degli anni',
      improving: (until, months) =>
        `Nei ${f.number(months)} mesi fino a ${f.month(until)} i voti sono stati migliori che nei ${f.number(months)} mesi precedenti.`,
      stable: (until, months) =>
        `Nei ${f.number(months)} mesi fino a ${f.month(until)} i voti sono stati più o meno gli stessi dei ${f.number(months)} mesi precedenti.`,
      open: (until, months, now, before) =>
        `Nei ${f.number(months)} mesi fino a ${f.month(until)} la media è stata di ${f.mean(now)} stelle, nei ${f.number(months)} precedenti di ${f.mean(before)}; le recensioni sono troppo poche per parlare di un cambiamento.`,
      declining: (until, months) =>
        `Nei ${f.number(months)} mesi fino a ${f.month(until)} i voti sono stati peggiori che nei ${f.number(months)} mesi precedenti.`,
      ratings: (first, last) =>
        `Media delle stelle per mese, da ${f.month(first)} a ${f.month(last)}. I punti più grandi sono i mesi con più recensioni; la linea è la media di dodici mesi.`,
      table: 'Stelle e recensioni per mese',
      month: 'Mese',
      reviews: 'Recensioni',
      averageStars: 'Media delle stelle',
      starsAxis: 'stelle',
    },

    lists: {
      columns: {
        stars: 'Stelle',
        reviews: 'Recensioni',
        last: 'Ultima menzione',
        /** Of a box to tick. */
        pick: (name) => `Confronta: ${name}`,
      },
      tooFew: 'troppo poche recensioni',
      compared: 'Confronto',
      description: (title, business) =>
        `${title}, secondo le recensioni verificate su ${business}.`,
      none: (title) => `${title}: troppo poche recensioni citano la stessa cosa.`,
      others: 'Altri elenchi',
      praiseAndBlame: (count, positive, negative, neutrals) =>
        `${reviews(count)}: ${f.number(positive)} a favore, ${f.number(negative)} contro${neutrals === 0 ? '' : `, ${neutral(neutrals)}`}`,
    },

    subject: {
      whereNamed: (praise, blame) =>
        `Dove se ne parla: ${f.number(praise)} ne parlano bene, ${f.number(blame)} male.`,
      description: (count, business, subject) =>
        `${subject}: cosa se ne dice in ${reviews(count)} su ${business}.`,
      seeAlso: 'Vedi anche',
      praisedFor: 'Si apprezza',
      inCustomersWords: 'Con le parole dei clienti',
      manyStars: (count) =>
        f.plural(count, {
          one: '# con quattro o cinque stelle',
          other: '# con quattro o cinque stelle',
        }),
      fewStars: (count) => f.plural(count, { one: '# con una o due', other: '# con una o due' }),
      whoDoesIt: 'Chi se ne occupa',
      headings: {
        all: reviews,
        positive: (count) =>
          f.plural(count, { one: '# recensione positiva', other: '# recensioni positive' }),
        neutral: (count) =>
          f.plural(count, { one: '# recensione neutra', other: '# recensioni neutre' }),
        negative: (count) =>
          f.plural(count, { one: '# recensione negativa', other: '# recensioni negative' }),
      },
      showAll: (count) =>
        f.plural(count, { one: 'Mostra # recensione', other: 'Mostra tutte le # recensioni' }),
      filter: 'Filtra e ordina',
      searchThese: (count) =>
        f.plural(count, {
          one: 'Cerca in questa recensione',
          other: 'Cerca in queste # recensioni',
        }),
    },

    prices: {
      title: 'Quanto hanno pagato i clienti',
      mentioned: 'Prezzi citati dai clienti',
      count: (count, month) =>
        f.plural(count, {
          one: `Solo # recensione, ${f.month(month)}.`,
          other: count < 3 ? 'Solo # recensioni.' : '# recensioni, dalla più recente.',
        }),
      range: (count, low, high, median) =>
        `${f.number(count)} prezzi, da ${low} a ${high}, in genere ${median}.`,
    },

    person: {
      /** Beside stars. */
      starsOf: (count) =>
        f.plural(count, {
          one: 'Media della # recensione che fa il suo nome',
          other: 'Media delle # recensioni che fanno il suo nome',
        }),
      compare: 'Confronta',
      compareHow: 'Spunta due o tre persone.',
      compareWith: 'Confronta con',
      formerPeople: (count) =>
        f.plural(count, {
          one: '# persona che non lavora più qui',
          other: '# persone che non lavorano più qui',
        }),
      former: 'Non lavora più qui.',
      formerScore: 'Di chi non lavora più qui non mostriamo un voto.',
      fewReviews: 'Troppo poche recensioni per dare un voto.',
    },

    questions: {
      title: 'Domande a cui rispondono le recensioni',
      description: (business) =>
        `Le domande frequenti su ${business}, con le risposte delle recensioni verificate.`,
      tooFew: 'Ci sono ancora troppo poche recensioni per rispondere a delle domande.',
      method: 'Ogni recensione conta una volta; quelle neutre non contano da nessuna parte.',
      behind: (shown, all) =>
        shown < all
          ? `${f.number(shown)} delle ${reviews(all)} dietro questa risposta`
          : f.plural(all, {
              one: 'La recensione dietro questa risposta',
              other: 'Le # recensioni dietro questa risposta',
            }),
    },

    summary: {
      title: 'Riassunto',
      heading: 'Cosa dicono le recensioni',
      description: (business) =>
        `Cosa dicono i clienti di ${business}: le recensioni verificate in breve, con le prove.`,
      evidence: 'Le prove',
      counts: (positive, neutrals, negative) =>
        `${f.number(positive)} a favore, ${neutral(neutrals)}, ${f.number(negative)} contro.`,
      examples: (shown, all) =>
        shown < all
          ? `${f.number(shown)} delle ${reviews(all)} che ne parlano`
          : f.plural(all, {
              one: 'La recensione che ne parla',
              other: 'Le # recensioni che ne parlano',
            }),
      method: 'Contato e scritto da un programma. Ogni numero si può controllare nei <a>dati</a>.',
    },

    facts: {
      questions: {},
      /** A label within a sentence. */
      inSentence: (label) =>
        /^.+\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1),
      rating: (mean, count) => `${f.mean(mean)} stelle su 5 in ${verified(count)}.`,
      shares: (good, bad) =>
        `Quattro o cinque stelle nel ${f.percent(good)} dei casi, una o due nel ${f.percent(bad)}.`,
      /** Before aspects with their shares, in the summary. */
      most: {
        positive: 'Quello che i clienti apprezzano di più:',
        negative: 'Quello che i clienti criticano di più:',
        split: 'Quello che piace di più, anche se le opinioni sono diverse:',
      },
      weakSpot: 'Il punto debole:',
      starsOf: (topic, count, mean) =>
        `Le ${f.number(count)} recensioni che parlano di ${topic} danno in media ${f.mean(mean)} stelle.`,
      people: (items) => `Lodati per nome: ${items}.`,
      share: (label, part, all) => `${label} (${f.number(part)} su ${f.number(all)})`,
      problems: (items) => `Critiche più frequenti: ${items}.`,
      /** Stars in a time of unusual ratings, why, and before and after it. */
      episode: (kind, from, to, during) =>
        `Da ${f.month(from)} a ${f.month(to)} i voti sono stati insolitamente ${kind === 'dip' ? 'bassi' : 'alti'}: ${f.mean(during)} stelle.`,
      causes: (items) => `Motivi più frequenti: ${items}.`,
      around: (before, after) =>
        after === null
          ? `Prima la media era ${f.mean(before)}.`
          : `Prima la media era ${f.mean(before)}, da allora è ${f.mean(after)}.`,
      /** Reviews with complaints in the last year and before, each such as "8 of 27". */
      changed: (complaints, recent, until, before) =>
        `${complaints} nei 12 mesi fino a ${f.month(until)}: ${recent} recensioni; prima: ${before}.`,
      /** How the opinions of a year are, such as "9 of 10 positive". */
      recently: (told, until) => `Nei 12 mesi fino a ${f.month(until)}: ${told}.`,
      whichProblems: 'Quali problemi segnalano le recensioni?',
      aboutAspect: (label) => `${label}: i clienti sono contenti?`,
      /** How an answer begins, from plainly yes to plainly no. */
      leads: ['Sì', 'Di solito sì', 'Dipende', 'Spesso no', 'Di solito no'],
      /** How many customers say so, after such a beginning. */
      agreement: (lead, good, bad) => {
        if (bad === 0) return `${lead}: ${f.inWords(good)} clienti lo apprezzano.`;
        if (good === 0) return `${lead}: ${f.inWords(bad)} clienti si lamentano.`;
        const all = f.number(good + bad);
        return good >= bad
          ? `${lead}: ${f.number(good)} dei ${all} clienti che ne parlano sono contenti.`
          : `${lead}: ${f.number(bad)} dei ${all} clienti che ne parlano si lamentano.`;
      },
      /** Between the words of the majority and those of others. */
      but: 'Ma anche:',
      doesAnswer: 'L’azienda risponde alle critiche?',
      answered: (part, all) =>
        part === 0
          ? `No: nessuna delle ${f.number(all)} recensioni con una o due stelle ha una risposta.`
          : part === all
            ? `Sì: tutte le ${f.number(all)} recensioni con una o due stelle hanno una risposta.`
            : `${f.number(part)} delle ${f.number(all)} recensioni con una o due stelle hanno una risposta.`,
      /** A claim or several after the words for them. */
      isSatisfied: (business) => `I clienti sono contenti di ${business}?`,
      whoIsPraised: 'Di chi conviene chiedere?',
      isImproving: 'Migliora o peggiora?',
    },

    reviewsPage: {
      title: 'Recensioni',
      answers: 'Risposte',
      foundTitle: 'Recensioni trovate',
      invalidTitle: 'Filtri non validi',
      description: (business) =>
        `Tutte le recensioni verificate su ${business}, da cercare e filtrare.`,
      listDescription: (business) =>
        `Tutte le recensioni verificate su ${business}, dalla più recente.`,
      place: (from, to, all) => `${f.number(from)}–${f.number(to)} di ${f.number(all)}`,
      found: (count) =>
        f.plural(count, { one: '# recensione trovata', other: '# recensioni trovate' }),
      invalid: 'Questi filtri non sono validi',
      showAll: 'Mostra tutte le recensioni',
      related: (count) =>
        f.plural(count, {
          one: 'Un’altra ha alcune di queste parole o parla di ciò che indicano.',
          other: 'Altre # hanno alcune di queste parole o parlano di ciò che indicano.',
        }),
      noneHasAll: (words) =>
        `Nessuna recensione ha tutto questo: ${words}. Queste ne hanno una parte o parlano dello stesso tema.`,
      averageOf: (mean, count) => `media ${f.mean(mean)} di queste ${f.number(count)}`,
      inReplies: (count) =>
        f.plural(count, {
          one: '# altra lo ha solo nella risposta dell’azienda.',
          other: '# altre lo hanno solo nella risposta dell’azienda.',
        }),
      corrected: (word, to) => `Nessuna recensione dice «${word}»; è stato cercato «${to}».`,
      relatedTitle: (count) =>
        f.plural(count, { one: '# recensione affine', other: '# recensioni affini' }),
      strictly: 'Solo recensioni con tutte le parole',
      named: 'Ciò che queste parole indicano',
      nothing: 'Nessuna recensione corrisponde a tutti i filtri.',
      nothingSays: (words) => `Nessuna recensione dice ${words}.`,
      tryThese: 'Si può provare con:',
      active: 'Filtri attivi',
      remove: 'Togli:',
      removeAll: 'Togli tutti i filtri',
    },

    filters: {
      show: 'Mostra',
      more: (set) =>
        set === 0
          ? 'Filtri'
          : f.plural(set, { one: 'Filtri (# attivo)', other: 'Filtri (# attivi)' }),
      exact: 'Date, autore e altro',
      minStars: 'Almeno',
      maxStars: 'Al massimo',
      author: 'Autore',
      searched: 'Cerca in',
      places: { text: 'recensioni', reply: 'risposte', all: 'recensioni e risposte' },
      from: 'Dal',
      until: 'Al',
      order: 'Ordine',
      any: 'Tutte',
      quoted: (words) => `«${words}»`,
      /** Within other quotes. */
      quotedWithin: (words) => `“${words}”`,
      strict: 'tutte le parole',
      atLeast: (count) => `almeno ${stars(count)}`,
      atMost: (count) => `al massimo ${stars(count)}`,
      by: (author) => `di ${author}`,
      since: (date) => `dal ${f.date(date)}`,
      to: (date) => `fino al ${f.date(date)}`,
      period: 'Periodo',
      months: (count) => `Ultimi ${f.number(count)} mesi`,
      replies: 'Risposte',
      withReply: 'Con risposta',
      withoutReply: 'Senza risposta',
      withText: 'Con commento',
      withoutText: 'Senza commento',
      language: (code) => (code === 'und' ? 'Senza parole' : f.language(code)),
      sorts: {
        newest: 'Più recenti',
        oldest: 'Meno recenti',
        highest: 'Più stelle',
        lowest: 'Meno stelle',
        relevance: 'Più pertinenti',
      },
    },

    review: {
      reportAsk: 'Qualcosa non va in questa recensione?',
      report: 'Segnalala all’azienda',
      reportCall: (telephone) => `Chiama il numero ${telephone}`,
      reportAt: (source) => `Segnalala a ${source}`,
      reportSubject: (id) => `Segnalazione della recensione ${id}`,
      title: (author, date) => `Recensione di ${author}, ${f.date(date)}`,
      verified: 'Verificata',
      method: 'Verificata dall’azienda: <method/>.',
      methodOn: 'Verificata dall’azienda, <date/>: <method/>.',
      methodUnstated: 'L’azienda afferma che l’ha scritta un cliente, ma non dice come lo sa.',
      sourceSays: '<source/> dice: <level/>.',
      publishedSince: 'Pubblicata qui dal <date/>.',
      leftOut: 'Quali recensioni non mostriamo',
      otherLanguage: 'Scritta in un’altra lingua: contano solo le stelle.',
      translate: 'Traduci',
      newer: 'Recensione più recente',
      older: 'Recensione meno recente',
      noComment: (count) => `${stars(count)}, senza commento.`,
      readOn: 'Continua a leggere',
      readWhole: 'Leggi tutta la recensione',
      reply: 'Risposta di <name/>',
      found: 'In questa recensione',
      lessCertain: 'Meno sicuro',
      sentiments: { positive: 'elogio', neutral: 'menzione', negative: 'critica' },
      copyLink: 'Copia link',
      copied: 'Copiato',
    },

    missing: {
      title: 'Questa pagina non si trova',
      description: 'A questo indirizzo non c’è nessuna pagina.',
      text: 'Forse l’indirizzo è scritto male, o la recensione non è più pubblicata.',
      didYouMean: 'Intendevi una di queste?',
      home: 'Vai alla pagina iniziale',
      reviews: 'Tutte le recensioni',
    },

    verification: {
      names: {
        'job record matched': 'intervento trovato',
        'invoice number': 'numero di fattura',
        'phone call': 'telefonata',
        'appointment record matched': 'appuntamento trovato',
        'booking matched': 'prenotazione trovata',
        'receipt number': 'numero di ricevuta',
        'survey sent after a booking': 'sondaggio dopo una prenotazione',
        'survey sent after an appointment': 'sondaggio dopo un appuntamento',
      },
      description: (business) =>
        `Come ${business} verifica che le recensioni siano dei suoi clienti, cosa resta fuori e cosa è stato rimosso.`,
      what: 'Di ogni recensione l’azienda indica come sa che l’autore è un cliente: per esempio da un ordine, da un appuntamento o dalla verifica del sito su cui è stata scritta. Le recensioni senza questa prova sono conservate, ma non mostrate né contate.',
      methods: 'Come l’azienda sa che erano clienti',
      methodsAbout: 'Con le parole dell’azienda. <a>Lo stesso come dati</a>',
      methodMatched:
        '«Trovato» significa che l’autore e il giorno della recensione corrispondono ai suoi registri, anche se è stata scritta su Google o altrove.',
      method: 'Come sono state verificate le recensioni',
      methodMissing: 'Dice solo che sono verificate',
      sources: 'Da dove vengono le recensioni',
      source: 'Fonte',
      published: 'Pubblicate',
      notPublished: 'Non pubblicate',
      leftOut: 'Cosa non si vede',
      leftOutNone: 'Tutte le recensioni importate e non rimosse in seguito sono pubblicate.',
      leftOutStars: 'Conservate ma non pubblicate, per stelle:',
      leftOutWhy: 'Mancano perché nessuno ha potuto verificare che l’autore fosse un cliente.',
      leftOutProof:
        'Se manca la tua, mostra all’azienda che sei stato suo cliente, per esempio con il numero di una fattura.',
      leftOutAgree: 'Se la tua può essere mostrata, dillo all’azienda.',
      leftOutAlike:
        'Le recensioni con una o due stelle non mancano più spesso di quelle con quattro o cinque.',
      leftOutByStars: (low, ofLow, high, ofHigh) =>
        `Di ${reviews(ofLow)} con una o due stelle, ${f.number(low)} ${low === 1 ? 'non è pubblicata' : 'non sono pubblicate'}; di ${reviews(ofHigh)} con quattro o cinque stelle, ${f.number(high)}.`,
      removed: 'Cosa è stato rimosso o nascosto per un periodo',
      reason: 'Motivo',
      removedNone: 'Nessuna recensione pubblicata è mai stata rimossa o nascosta.',
      removedWhy:
        'Una recensione pubblicata viene rimossa o nascosta solo per uno di questi motivi. Ogni volta conta, anche se la recensione viene mostrata di nuovo, ed è annotata in un registro pubblico, che non si può cambiare in seguito senza che si noti.',
      neverTitle: 'Le regole di questo sito',
      never: [
        'Nessuna recensione resta fuori o viene rimossa perché negativa.',
        'Ciò che i clienti hanno scritto è mostrato così com’è. La risposta dell’azienda sta sotto, indicata come sua.',
        'Nessuna recensione di chi non è stato cliente, e nessuna a pagamento.',
      ],
      interest:
        'Questo sito è gestito dall’azienda stessa, non da un terzo indipendente. Nessuno può dimostrare che una recensione sia vera o che l’azienda le abbia raccolte tutte. Ciò che qui è stato pubblicato, modificato e rimosso si può verificare.',
      check: 'Vedi il registro pubblico',
      law: 'Le norme che seguiamo',
      rules: [
        [
          'Stati Uniti, 16 CFR 465.2',
          'Niente recensioni di persone che non esistono, che non erano clienti o che raccontano altro da ciò che hanno vissuto. Qui: si pubblicano solo recensioni di clienti verificati.',
        ],
        [
          'Stati Uniti, 16 CFR 465.6',
          'Il sito di un’azienda non può sembrare indipendente. Qui: ogni pagina dice che la pubblica l’azienda.',
        ],
        [
          'Stati Uniti, 16 CFR 465.7',
          'Non si possono nascondere le recensioni negative mentre il resto sembra completo. Qui: i numeri per stelle e il registro pubblico.',
        ],
        [
          'Unione europea, direttiva 2005/29/CE, articolo 7, paragrafo 6',
          'Chi mostra recensioni deve dire se e come garantisce che siano di clienti veri. Qui: questa pagina.',
        ],
        [
          'Unione europea, direttiva 2005/29/CE, allegato I, 23 ter',
          'Nessuno può attribuire recensioni a clienti veri senza misure ragionevoli per verificarlo. Qui: le verifiche descritte sopra.',
        ],
        [
          'Unione europea, direttiva 2005/29/CE, allegato I, 23 quater',
          'Niente recensioni false o distorte. Qui: i testi sono mostrati come sono stati scritti e ogni modifica è nel registro.',
        ],
        [
          'Regno Unito, Digital Markets, Competition and Consumers Act 2024, allegato 20',
          'Niente recensioni false né presentate in modo ingannevole. Qui: si pubblicano solo recensioni di clienti verificati, e i numeri sopra dicono che cosa manca.',
        ],
      ],
    },

    transparency: {
      title: 'Trasparenza',
      description: (business) =>
        `Cosa ${business} pubblica, trattiene e rimuove, e come verificarlo.`,
      heading: 'Nessuna recensione sparisce in silenzio',
      about:
        'Ogni recensione pubblicata, modificata o rimossa qui è annotata in un registro firmato. Nessuno può cambiare o cancellare un’annotazione senza che se ne accorga chi ha già visto il registro.',
      checkTitle: 'Come verificare',
      check:
        'In una cartella con <steps>il programma</steps>, che non è ancora nel registro di npm, questo comando confronta tutte le recensioni con il registro, e il registro con quello visto in precedenza:',
      log: 'Il registro: <checkpoint>punto di controllo firmato</checkpoint>, <key>chiave</key>. Sulla pagina di una recensione, «Prova» verifica quella recensione nel browser. <steps>Come verificare senza il programma</steps>.',
      limitsTitle: 'Cosa non dimostra',
      limits:
        'Che una recensione sia vera; che non ce ne siano altre che l’azienda non ha mai raccolto; e, finché nessun altro conserva una copia del punto di controllo, che tutti vedano lo stesso registro. Il numero di recensioni trattenute e i motivi delle rimozioni sono quelli dichiarati dall’azienda.',
      noLog: 'Il registro comincia con la prossima pubblicazione.',
      figures: 'Pubblicate, trattenute e rimosse',
      entries: (count, date) =>
        f.plural(count, {
          one: `# annotazione: ${f.date(date)}.`,
          other: `# annotazioni, l’ultima: ${f.date(date)}.`,
        }),
      terms:
        'Ogni pubblicazione, modifica e rimozione di una recensione è una voce. Quelle trattenute sono conservate ma non pubblicate: non sono verificate, oppure sono contestate e nascoste. Quelle rimosse erano state pubblicate.',
      byStars: 'Recensioni per stelle',
      stars: 'Stelle',
      all: 'Totale',
      columns: { published: 'Pubblicate', withheld: 'Trattenute', removed: 'Rimosse' },
      edits: 'Stelle cambiate da una modifica',
      editsNone: 'Nessuna modifica ha cambiato le stelle di una recensione.',
      starsBecame: (from, to, count) => `da ${stars(from)} a ${f.number(to)}: ${reviews(count)}`,
      reason: (label, count) => `${label}: ${reviews(count)}`,
      reasons: {
        not_verified: 'non verificata',
        not_agreed: 'manca il consenso dell’autore',
        removed_at_source: 'rimossa alla fonte',
        customer_request: 'su richiesta del cliente',
        court_or_law: 'tribunale o legge',
        failed_verification: 'verifica non superata',
        duplicate: 'doppione',
        error: 'errore',
        replaced: 'sostituita da un’altra con lo stesso identificativo, o riscritta',
      },
      proof: 'Prova',
      proofNeedsScripts: 'Attiva JavaScript per verificare questa recensione nel browser.',
      proofLinks: '<about>Cosa dimostra</about> e <data>la prova come dati</data>.',
    },

    proof: {
      running: 'Verifica in corso in questo browser…',
      good: 'Il browser l’ha verificato: la recensione, esattamente come si vede qui, è l’annotazione {index} delle {size} del registro firmato {log}.',
      otherReview: 'La recensione non è quella del registro.',
      notInLog: 'La recensione non è nel registro.',
      notSigned: 'Il registro non è firmato.',
      unknown: 'Il browser non ha potuto verificarlo: {reason}',
    },

    feeds: {
      title: (business) => `Recensioni su ${business}`,
      description: (business) => `Le ultime recensioni verificate su ${business}`,
      stars: ['', 'Una stella', 'Due stelle', 'Tre stelle', 'Quattro stelle', 'Cinque stelle'],
      headline: (starsInWords, author) => `${starsInWords} da ${author}`,
      reply: 'Risposta dell’azienda:',
    },

    embed: {
      title: 'Le recensioni sul proprio sito',
      intro: 'Scegli cosa mostrare, guarda l’anteprima e copia il codice nella tua pagina.',
      what: 'Cosa',
      kinds: {
        badge: 'Badge: stelle e numero',
        list: 'Elenco delle recensioni più recenti',
        carousel: 'Carosello delle recensioni più recenti',
        review: 'Una recensione',
        picture: 'Immagine, per e-mail e altri luoghi senza script',
      },
      count: 'Numero di recensioni',
      which: 'Quale recensione',
      newest: 'la più recente',
      colors: 'Chiaro o scuro',
      themes: { auto: 'Come preferisce chi legge', light: 'Chiaro', dark: 'Scuro' },
      fewestWords: 'Parole come minimo',
      starColor: 'Colore delle stelle',
      update: 'Aggiorna',
      preview: 'Anteprima',
      code: 'Codice',
      copy: 'Copia',
      where:
        'In WordPress va in un blocco «HTML personalizzato», in Wix in «Incorpora HTML», in Squarespace in un blocco «Codice», in Shopify in una sezione «Liquid personalizzato». Dove gli script vengono rimossi, come in alcuni piani base, usa l’immagine.',
      policy:
        'Un sito con una Content-Security-Policy deve consentire <origin/> in <code>script-src</code>, e per l’immagine in <code>img-src</code>. Senza script si vede il link contenuto nell’elemento.',
      reviewsOf: (business) => `Recensioni su ${business}`,
      previous: 'Indietro',
      next: 'Avanti',
    },

    picture: {
      outOfFive: (mean, count) => `${f.mean(mean)} su 5 · ${verified(count)}`,
    },

    starting: {
      title: 'Quasi pronto',
      heading: 'Quasi pronto',
      text: 'Le recensioni sono in preparazione. Questa pagina si ricarica da sola finché non arrivano.',
    },

    labels: italianLabels,
  };
}
