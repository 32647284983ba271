// The texts in French, with the formal "vous". Spaces before ? ! ; : and inside « » become non-breaking.

import type { Format } from './format.ts';
import { frenchLabels } from './labels/fr.ts';
import { mapStrings, type Strings } from './strings.ts';

const NARROW_SPACE = '\u202f';
const WIDE_SPACE = '\u00a0';
/** How names begin before which "de" loses its vowel: "d’Emma", "d’Hélène", "d’Yves", but "de Hassan", "de Yann". */
const VOWEL =
  /^(?:[aeiœæ]|o(?!u[aei])|u|y[^aeiou]|h(?:el|en|er[vm]|ect|ort|on|ub|ug|ad|ip|ya|il))/i;

export function fr(format: Format): Strings {
  return mapStrings(textsOf(format), (text) =>
    text.replaceAll(/ (?=[?!;])/g, NARROW_SPACE).replaceAll(/ (?=[:»])|(?<=«) /g, WIDE_SPACE),
  );
}

function textsOf(f: Format): Strings {
  const reviews = (count: number) => f.plural(count, { one: '# avis', other: '# avis' });
  const verified = (count: number) =>
    f.plural(count, { one: '# avis vérifié', other: '# avis vérifiés' });
  const stars = (count: number) => f.plural(count, { one: '# étoile', other: '# étoiles' });
  const neutral = (count: number) => f.plural(count, { one: '# neutre', other: '# neutres' });
  const de = (name: string) =>
    `${VOWEL.test(name.normalize('NFD').replaceAll(/\p{M}/gu, '')) ? 'd’' : 'de '}${name}`;
  const lastMonths = (months: number, until: string) =>
    `Sur les ${f.number(months)} derniers mois (jusqu’à ${f.month(until)})`;
  /** Numbers below two are singular, also with decimals. */
  const starsWord = (count: number) => (count < 2 ? 'étoile' : 'étoiles');
  return {
    reviews,
    verified,
    stars,
    outOfFive: (rating) => `${f.stars(rating)} ${starsWord(rating)} sur 5`,
    aggregate: (mean, count) =>
      mean === null
        ? verified(count)
        : `${f.mean(mean)} ${starsWord(mean)} sur 5 pour ${verified(count)}`,
    positive: (count) => f.plural(count, { one: '# positif', other: '# positifs' }),
    neutral,
    negative: (count) => f.plural(count, { one: '# négatif', other: '# négatifs' }),
    others: (count) => f.plural(count, { one: '# autre', other: '# autres' }),
    colon: ' : ',
    direct: 'Directement',
    searchReviews: 'Rechercher dans les avis',
    forExample: (words) => `p. ex. ${words}`,
    search: 'Rechercher',
    pages: 'Pages',
    firstPage: 'Première page',
    nextPage: 'Page suivante',
    previousPage: 'Page précédente',
    theNumbers: 'Les chiffres',
    people: 'Équipe',
    services: 'Services',
    /** In place of services at a restaurant. */
    dishes: 'Plats et occasions',
    topics: 'Sujets',
    complaints: 'Critiques',
    places: 'Lieux',
    aspects: 'Aspects',
    sources: 'Sources',
    languages: 'Langues',
    locations: 'Établissements',
    location: 'Établissement',
    partScores: 'Notes détaillées',
    verifiedReviews: 'Avis vérifiés',

    layout: {
      skip: 'Aller au contenu',
      toTop: 'Haut de page',
      mainNavigation: 'Principale',
      reviews: 'Avis',
      /** In the narrow menu. */
      opinions: 'Thèmes',
      whatCustomersSay: 'Ce que disent les clients',
      questions: 'Questions',
      newestReviews: 'Derniers avis',
      about: 'Les avis vérifiés des clients, avec leurs mots. Publiés par l’entreprise : <name/>.',
      website: 'Voir le site web',
      verification: 'Comment nous vérifions les avis',
      transparency: 'Transparence',
      subscribe: 'S’abonner (flux)',
      embed: 'Les avis sur votre site',
      developers: 'Pour les développeurs (en anglais)',
      reference: 'Référence',
    },

    howWeVerify: 'Comment nous vérifions',

    home: {
      newestOf: (month) => `Avis le plus récent : ${f.month(month)}.`,
      noReviews: 'Aucun avis pour le moment. Le premier apparaîtra ici dès qu’il sera vérifié.',
      hidden: (count, command) =>
        `Masqués : ${reviews(count)}. Pour les lister, tapez « ${command} ».`,
      lately: (mean, count, until) =>
        `${lastMonths(12, until)} : ${f.mean(mean)} ${starsWord(mean)} sur 5 (${reviews(count)}).`,
      replies: (percent, days) =>
        `L’entreprise répond à ${f.percent(percent)} des avis critiques, en général ${
          days === 0 ? 'le jour même' : f.plural(days, { one: 'en un jour', other: 'en # jours' })
        }.`,
      noReplies: 'L’entreprise ne répond pas aux avis critiques.',
      partOf: (part, all) => `${f.number(part)} sur ${f.number(all)}`,
      /** The share of one side. */
      shareOf: {
        positive: (part, all) => `${f.number(part)} sur ${f.number(all)} favorables`,
        negative: (part, all) => `${f.number(part)} sur ${f.number(all)} défavorables`,
      },
      allAspects: 'Tout ce que les clients mentionnent',
      worstFirst: 'Les avis avec le moins d’étoiles',
      distribution: 'Avis par nombre d’étoiles',
      starsWord: (count) => (count === 1 ? 'étoile :' : 'étoiles :'),
      reviewsWord: () => 'avis',
      whatCustomersSay: 'Ce que disent les clients',
      leanings: { strengths: 'Points forts', weak_spots: 'Points faibles' },
      critical: (label) => `Un avis critique : ${label}`,
      good: (label) => `Un avis positif : ${label}`,
      positive: 'Positifs',
      neutral: 'Neutres',
      negative: 'Négatifs',
      inShort: 'En bref',
      evidence: 'Voir les avis à l’appui',
      subjects: 'Avis par sujet',
      all: {
        technicians: 'Toute l’équipe',
        services: 'Tous les services',
        dishes: 'Tous les plats et occasions',
        topics: 'Tous les sujets',
        problems: 'Toutes les critiques',
        service_areas: 'Tous les lieux',
      },
      questions: 'Questions fréquentes',
      allQuestions: 'Toutes les questions, avec les avis sur lesquels repose chaque réponse',
      newest: 'Derniers avis',
      allReviews: 'Tous les avis',
    },

    contact: {
      call: (telephone) => `Appeler le ${telephone}`,
      website: 'Site web',
      hours: 'Horaires',
      openUntil: (closes) =>
        closes === '23:59' ? 'Ouvert maintenant' : `Ouvert maintenant, jusqu’à ${f.time(closes)}`,
      opensAt: 'Ouvre {day} à {time}',
      notOpen: (day) => `${day} : fermé`,
      address: 'Adresse',
      serves: 'Secteur',
      customersThere: 'Ce que disent les clients de là-bas',
      dayRange: (first, last) => `du ${first} au ${last}`,
      open: (days, opens, closes) =>
        opens === '00:00' && closes === '23:59'
          ? `${days}, 24 heures sur 24`
          : `${days}, de ${f.time(opens)} à ${f.time(closes)}`,
    },

    trend: {
      title: 'Au fil des ans',
      improving: (until, months) =>
        `${lastMonths(months, until)}, les notes sont meilleures que sur les ${f.number(months)} mois précédents.`,
      stable: (until, months) =>
        `${lastMonths(months, until)}, les notes sont à peu près les mêmes que sur les ${f.number(months)} mois précédents.`,
      open: (until, months, now, before) =>
        `${lastMonths(months, until)}, la moyenne était de ${f.mean(now)} étoiles, contre ${f.mean(before)} les ${f.number(months)} mois précédents ; les avis sont trop peu nombreux pour parler d’un changement.`,
      declining: (until, months) =>
        `${lastMonths(months, until)}, les notes sont moins bonnes que sur les ${f.number(months)} mois précédents.`,
      ratings: (first, last) =>
        `Moyenne des étoiles par mois, de ${f.month(first)} à ${f.month(last)}. Les grands points sont les mois avec plus d’avis ; la ligne est la moyenne sur douze mois.`,
      table: 'Étoiles et avis par mois',
      month: 'Mois',
      reviews: 'Avis',
      averageStars: 'Moyenne des étoiles',
      starsAxis: 'étoiles',
    },

    lists: {
      columns: {
        stars: 'Étoiles',
        reviews: 'Avis',
        last: 'Dernière mention',
        /** Of a box to tick. */
        pick: (name) => `Comparer : ${name}`,
      },
      tooFew: 'trop peu d’avis',
      compared: 'Comparaison',
      description: (title, business) =>
        `${title}, d’après les avis vérifiés des clients ${de(business)}.`,
      none: (title) => `${title} : trop peu d’avis citent la même chose.`,
      others: 'Autres listes',
      praiseAndBlame: (count, positive, negative, neutrals) =>
        `${reviews(count)} : ${f.number(positive)} pour, ${f.number(negative)} contre${neutrals === 0 ? '' : `, ${neutral(neutrals)}`}`,
    },

    subject: {
      whereNamed: (praise, blame) =>
        `${f.plural(praise, { one: '# avis en dit du bien', other: '# avis en disent du bien' })}, ${f.number(blame)} du mal.`,
      description: (count, business, subject) =>
        `${subject} : ce qu’en ${count < 2 ? 'dit' : 'disent'} ${reviews(count)} de clients ${de(business)}.`,
      seeAlso: 'Voir aussi',
      praisedFor: 'Points appréciés',
      inCustomersWords: 'Avec les mots des clients',
      manyStars: (count) => `${reviews(count)} à quatre ou cinq étoiles`,
      fewStars: (count) => `${f.number(count)} à une ou deux`,
      whoDoesIt: 'Qui s’en charge',
      headings: {
        all: reviews,
        positive: (count) => f.plural(count, { one: '# avis positif', other: '# avis positifs' }),
        neutral: (count) => f.plural(count, { one: '# avis neutre', other: '# avis neutres' }),
        negative: (count) => f.plural(count, { one: '# avis négatif', other: '# avis négatifs' }),
      },
      showAll: (count) => f.plural(count, { one: 'Voir # avis', other: 'Voir les # avis' }),
      filter: 'Filtrer et trier',
      searchThese: (count) =>
        f.plural(count, { one: 'Chercher dans cet avis', other: 'Chercher dans ces # avis' }),
    },

    prices: {
      title: 'Ce que les clients ont payé',
      mentioned: 'Les prix que citent les clients',
      count: (count, month) =>
        f.plural(count, {
          one: `Un seul avis, ${f.month(month)}.`,
          other: count < 3 ? 'Seulement # avis.' : '# avis, les plus récents d’abord.',
        }),
      range: (count, low, high, median) =>
        `${f.number(count)} prix, de ${low} à ${high}, en général ${median}.`,
    },

    person: {
      /** Beside stars. */
      starsOf: (count) =>
        f.plural(count, {
          one: 'Moyenne de l’avis qui cite son nom',
          other: 'Moyenne des # avis qui citent son nom',
        }),
      compare: 'Comparer',
      compareHow: 'Cochez deux ou trois personnes.',
      compareWith: 'Comparer avec',
      formerPeople: (count) =>
        f.plural(count, { one: '# personne partie', other: '# personnes parties' }),
      former: 'Ne travaille plus ici.',
      formerScore: 'Nous ne notons pas les personnes qui sont parties.',
      fewReviews: 'Trop peu d’avis pour donner une note.',
    },

    questions: {
      title: 'Les avis répondent à vos questions',
      description: (business) =>
        `Les questions fréquentes sur ${business} et ce qu’en disent les avis vérifiés de ses clients.`,
      tooFew: 'Il y a encore trop peu d’avis pour répondre à des questions.',
      method: 'Chaque avis compte une fois ; les avis neutres ne comptent d’aucun côté.',
      behind: (shown, all) =>
        shown < all
          ? `${f.number(shown)} des ${reviews(all)} sur lesquels repose cette réponse`
          : f.plural(all, {
              one: 'L’avis sur lequel repose cette réponse',
              other: 'Les # avis sur lesquels repose cette réponse',
            }),
    },

    summary: {
      title: 'Résumé',
      heading: 'Ce que disent les avis',
      description: (business) =>
        `Ce que les clients disent ${de(business)} : les avis vérifiés en bref, preuves à l’appui.`,
      evidence: 'Les preuves',
      counts: (positive, neutrals, negative) =>
        `${f.number(positive)} pour, ${neutral(neutrals)}, ${f.number(negative)} contre.`,
      examples: (shown, all) =>
        shown < all
          ? `${f.number(shown)} des ${reviews(all)} qui en parlent`
          : f.plural(all, { one: 'L’avis qui en parle', other: 'Les # avis qui en parlent' }),
      method:
        'Compté et rédigé par un programme. Chaque chiffre se vérifie dans <a>les données</a>.',
    },

    facts: {
      questions: {
        Responsiveness: 'L’entreprise est-elle réactive ?',
        Punctuality: 'Les horaires sont-ils respectés ?',
        Pricing: 'Les prix sont-ils justes ?',
        'Quality of work': 'Le travail est-il bien fait ?',
        'Problem resolution': 'Le problème est-il résolu ?',
        Transparency: 'L’entreprise est-elle honnête et claire ?',
        Friendliness: 'Le personnel est-il aimable ?',
        Communication: 'Le personnel communique-t-il bien ?',
        'Technical knowledge': 'Le personnel connaît-il son métier ?',
        Cleanliness: 'Tout est-il propre ?',
        Scheduling: 'La prise de rendez-vous se passe-t-elle bien ?',
        'Food and drink': 'Y mange-t-on et y boit-on bien ?',
        'Staff and service': 'Le service est-il bon ?',
      },
      /** A label within a sentence. */
      inSentence: (label) =>
        /^.+\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1),
      rating: (mean, count) => `${f.mean(mean)} ${starsWord(mean)} sur 5 pour ${verified(count)}.`,
      shares: (good, bad) =>
        `${f.percent(good)} des clients donnent quatre ou cinq étoiles, ${f.percent(bad)} une ou deux.`,
      /** Before aspects with their shares, in the summary. */
      most: {
        positive: 'Ce que les clients apprécient le plus :',
        negative: 'Ce que les clients critiquent le plus :',
        split: 'Ce qui plaît le plus, même si les avis divergent :',
      },
      weakSpot: 'Le point faible :',
      starsOf: (topic, count, mean) =>
        `Les ${f.number(count)} avis qui parlent du sujet « ${topic} » donnent ${f.mean(mean)} étoiles en moyenne.`,
      people: (items) => `Salués par leur nom : ${items}.`,
      share: (label, part, all) => `${label} (${f.number(part)} sur ${f.number(all)})`,
      problems: (items) => `Critiques les plus fréquentes : ${items}.`,
      /** Stars in a time of unusual ratings, why, and before and after it. */
      episode: (kind, from, to, during) =>
        `De ${f.month(from)} à ${f.month(to)}, les notes ont été inhabituellement ${kind === 'dip' ? 'basses' : 'hautes'} : ${f.mean(during)} ${starsWord(during)}.`,
      causes: (items) => `Raisons les plus fréquentes : ${items}.`,
      around: (before, after) =>
        after === null
          ? `La moyenne était auparavant de ${f.mean(before)}.`
          : `La moyenne était auparavant de ${f.mean(before)} ; depuis, elle est de ${f.mean(after)}.`,
      /** Reviews with complaints in the last year and before, each such as "8 of 27". */
      changed: (complaints, recent, until, before) =>
        `${complaints} sur les 12 derniers mois (jusqu’à ${f.month(until)}) : ${recent} avis ; avant : ${before}.`,
      /** How the opinions of a year are, such as "9 of 10 positive". */
      recently: (told, until) => `${lastMonths(12, until)} : ${told}.`,
      whichProblems: 'Quels problèmes les avis signalent-ils ?',
      aboutAspect: (label) => `${label} : les clients sont-ils satisfaits ?`,
      /** How an answer begins, from plainly yes to plainly no. */
      leads: ['Oui', 'En général, oui', 'Cela dépend', 'Souvent non', 'En général, non'],
      /** How many customers say so, after such a beginning. */
      agreement: (lead, good, bad) => {
        if (bad === 0) return `${lead} : ${f.inWords(good)} clients le disent.`;
        if (good === 0) return `${lead} : ${f.inWords(bad)} clients s’en plaignent.`;
        const all = f.number(good + bad);
        return good >= bad
          ? `${lead} : ${f.number(good)} des ${all} clients qui en parlent sont satisfaits.`
          : `${lead} : ${f.number(bad)} des ${all} clients qui en parlent s’en plaignent.`;
      },
      /** Between the words of the majority and those of others. */
      but: 'Mais aussi :',
      doesAnswer: 'L’entreprise répond-elle aux critiques ?',
      answered: (part, all) =>
        part === 0
          ? `Non : aucun des ${f.number(all)} avis à une ou deux étoiles n’a reçu de réponse.`
          : part === all
            ? `Oui : les ${f.number(all)} avis à une ou deux étoiles ont reçu une réponse.`
            : `${f.number(part)} des ${f.number(all)} avis à une ou deux étoiles ont reçu une réponse.`,
      /** A claim or several after the words for them. */
      isSatisfied: (business) => `Les clients sont-ils satisfaits ${de(business)} ?`,
      whoIsPraised: 'Qui demander ?',
      isImproving: 'Et ces derniers temps ? Qu’est-ce qui a changé ?',
    },

    reviewsPage: {
      title: 'Avis',
      answers: 'Réponses',
      foundTitle: 'Avis trouvés',
      invalidTitle: 'Filtres non valables',
      description: (business) =>
        `Tous les avis vérifiés des clients ${de(business)}, à rechercher et à filtrer.`,
      listDescription: (business) =>
        `Tous les avis vérifiés des clients ${de(business)}, les plus récents d’abord.`,
      place: (from, to, all) => `${f.number(from)} à ${f.number(to)} sur ${f.number(all)}`,
      found: (count) => f.plural(count, { one: '# avis trouvé', other: '# avis trouvés' }),
      invalid: 'Ces filtres ne sont pas valables',
      showAll: 'Voir tous les avis',
      related: (count) =>
        f.plural(count, {
          one: '# autre contient certains de ces mots ou parle de ce qu’ils désignent.',
          other: '# autres contiennent certains de ces mots ou parlent de ce qu’ils désignent.',
        }),
      noneHasAll: (words) =>
        `Aucun avis ne contient tout cela : ${words}. Ceux-ci en contiennent une partie ou portent sur le même sujet.`,
      averageOf: (mean, count) => `moyenne ${f.mean(mean)} sur ces ${f.number(count)}`,
      inReplies: (count) =>
        f.plural(count, {
          one: '# autre ne le contient que dans la réponse de l’entreprise.',
          other: '# autres ne le contiennent que dans la réponse de l’entreprise.',
        }),
      corrected: (word, to) =>
        `Aucun avis ne contient « ${word} » ; la recherche porte sur « ${to} ».`,
      relatedTitle: (count) => f.plural(count, { one: '# avis proche', other: '# avis proches' }),
      strictly: 'Seulement les avis avec tous les mots',
      named: 'Ce que ces mots désignent',
      nothing: 'Aucun avis ne correspond à tous ces filtres.',
      nothingSays: (words) => `Aucun avis ne contient ${words}.`,
      tryThese: 'Essayez plutôt :',
      active: 'Filtres actifs',
      remove: 'Retirer :',
      removeAll: 'Retirer tous les filtres',
    },

    filters: {
      show: 'Afficher',
      more: (set) =>
        set === 0
          ? 'Filtres'
          : f.plural(set, { one: 'Filtres (# actif)', other: 'Filtres (# actifs)' }),
      exact: 'Dates, auteur et plus',
      minStars: 'Au moins',
      maxStars: 'Au plus',
      author: 'Auteur',
      searched: 'Chercher dans',
      places: { text: 'les avis', reply: 'les réponses', all: 'les avis et les réponses' },
      from: 'Du',
      until: 'Au',
      order: 'Ordre',
      any: 'Tous',
      quoted: (words) => `« ${words} »`,
      /** Within other quotes. */
      quotedWithin: (words) => `“${words}”`,
      strict: 'tous les mots',
      atLeast: (count) => `au moins ${stars(count)}`,
      atMost: (count) => `au plus ${stars(count)}`,
      by: de,
      since: (date) => `depuis le ${f.date(date)}`,
      to: (date) => `jusqu’au ${f.date(date)}`,
      period: 'Période',
      months: (count) => `${f.number(count)} derniers mois`,
      replies: 'Réponses',
      withReply: 'Avec réponse',
      withoutReply: 'Sans réponse',
      withText: 'Avec commentaire',
      withoutText: 'Sans commentaire',
      language: (code) => (code === 'und' ? 'Sans mots' : f.language(code)),
      sorts: {
        newest: 'Plus récents',
        oldest: 'Plus anciens',
        highest: 'Meilleures notes',
        lowest: 'Moins bonnes notes',
        relevance: 'Plus pertinents',
      },
    },

    review: {
      reportAsk: 'Un problème avec cet avis ?',
      report: 'Signalez-le à l’entreprise',
      reportCall: (telephone) => `Appelez le ${telephone}`,
      reportAt: (source) => `Signalez-le à ${source}`,
      reportSubject: (id) => `Signalement de l’avis ${id}`,
      title: (author, date) => `Avis ${de(author)}, ${f.date(date)}`,
      verified: 'Vérifié',
      method: 'Vérifié par l’entreprise : <method/>.',
      methodOn: 'Vérifié par l’entreprise le <date/> : <method/>.',
      methodUnstated:
        'L’entreprise affirme qu’un client a écrit cet avis, sans dire comment elle le sait.',
      sourceSays: '<source/> indique : <level/>.',
      publishedSince: 'Publié ici depuis le <date/>.',
      leftOut: 'Les avis que nous ne montrons pas',
      otherLanguage: 'Écrit dans une autre langue : seules les étoiles comptent.',
      translate: 'Traduire',
      newer: 'Avis plus récent',
      older: 'Avis plus ancien',
      noComment: (count) => `${stars(count)}, sans commentaire.`,
      readOn: 'Lire la suite',
      readWhole: 'Lire tout l’avis',
      reply: 'Réponse de <name/>',
      found: 'Dans cet avis',
      lessCertain: 'Moins sûr',
      sentiments: { positive: 'éloge', neutral: 'mention', negative: 'critique' },
      copyLink: 'Copier le lien',
      copied: 'Copié',
    },

    missing: {
      title: 'Cette page est introuvable',
      description: 'Il n’y a aucune page à cette adresse.',
      text: 'L’adresse est peut-être mal écrite, ou l’avis n’est plus publié.',
      didYouMean: 'Vouliez-vous dire l’une de ces pages ?',
      home: 'Aller à l’accueil',
      reviews: 'Tous les avis',
    },

    verification: {
      names: {
        'job record matched': 'intervention retrouvée',
        'invoice number': 'numéro de facture',
        'phone call': 'appel téléphonique',
        'appointment record matched': 'rendez-vous retrouvé',
        'booking matched': 'réservation retrouvée',
        'receipt number': 'numéro de reçu',
        'survey sent after a booking': 'enquête après une réservation',
        'survey sent after an appointment': 'enquête après un rendez-vous',
      },
      description: (business) =>
        `Comment ${business} vérifie que les avis viennent de ses clients, ce qui n’est pas montré et ce qui a été retiré.`,
      what: 'Pour chaque avis, l’entreprise indique comment elle sait que l’auteur est un client : par exemple une commande, un rendez-vous ou la vérification du site où il a été écrit. Les avis sans preuve sont conservés, mais ni montrés ni comptés.',
      methods: 'Comment l’entreprise sait qu’ils sont clients',
      methodsAbout: 'Avec les mots de l’entreprise. <a>La même chose en données</a>',
      methodMatched:
        '« Retrouvé » veut dire que l’auteur et le jour de l’avis correspondent à ses propres dossiers, même si l’avis a été écrit sur Google ou ailleurs.',
      method: 'Comment les avis ont été vérifiés',
      methodMissing: 'Dit seulement qu’ils sont vérifiés',
      sources: 'D’où viennent les avis',
      source: 'Source',
      published: 'Publiés',
      notPublished: 'Non publiés',
      leftOut: 'Ce que vous ne voyez pas',
      leftOutNone: 'Tous les avis importés, et non retirés depuis, sont publiés.',
      leftOutStars: 'Conservés mais non publiés, par nombre d’étoiles :',
      leftOutWhy: 'Ils manquent parce que personne n’a pu vérifier que l’auteur était un client.',
      leftOutProof:
        'Si le vôtre manque, montrez à l’entreprise que vous étiez client, par exemple avec un numéro de facture.',
      leftOutAgree: 'Si le vôtre peut être montré, dites-le à l’entreprise.',
      leftOutAlike:
        'Les avis à une ou deux étoiles ne manquent pas plus souvent que ceux à quatre ou cinq.',
      leftOutByStars: (low, ofLow, high, ofHigh) =>
        `Sur ${reviews(ofLow)} à une ou deux étoiles, ${f.number(low)} ${low < 2 ? 'n’est pas publié' : 'ne sont pas publiés'} ; sur ${reviews(ofHigh)} à quatre ou cinq étoiles, ${f.number(high)}.`,
      removed: 'Ce qui a été retiré, pour toujours ou pour un temps',
      reason: 'Motif',
      removedNone: 'Aucun avis publié n’a jamais été retiré.',
      removedWhy:
        'Un avis publié n’est retiré que pour l’un de ces motifs. Chaque retrait compte, même si l’avis est montré de nouveau, et est inscrit dans un registre public, qui ne peut être modifié ensuite sans que cela se voie.',
      neverTitle: 'Les règles de ce site',
      never: [
        'Aucun avis n’est écarté ni retiré parce qu’il est négatif.',
        'Ce que les clients ont écrit est montré tel quel. La réponse de l’entreprise figure en dessous, signalée comme telle.',
        'Aucun avis de personnes qui n’étaient pas clientes, aucun avis payé.',
      ],
      interest:
        'Ce site est tenu par l’entreprise elle-même, pas par un tiers indépendant. Personne ne peut prouver qu’un avis est vrai, ni que l’entreprise les a tous recueillis. Ce qui a été publié, modifié et retiré ici peut être vérifié.',
      check: 'Voir le registre public',
      law: 'Les règles que nous suivons',
      rules: [
        [
          'États-Unis, 16 CFR 465.2',
          'Pas d’avis de personnes qui n’existent pas, qui n’étaient pas clientes ou qui racontent autre chose que ce qu’elles ont vécu. Ici : seuls les avis de clients vérifiés sont publiés.',
        ],
        [
          'États-Unis, 16 CFR 465.6',
          'Le site d’une entreprise ne doit pas paraître indépendant. Ici : chaque page dit que l’entreprise la publie.',
        ],
        [
          'États-Unis, 16 CFR 465.7',
          'Les avis négatifs ne doivent pas être écartés quand le reste paraît complet. Ici : les chiffres ci-dessus par étoiles et le registre public.',
        ],
        [
          'Union européenne, directive 2005/29/CE, article 7, paragraphe 6',
          'Quiconque montre des avis doit dire s’il s’assure qu’ils viennent de vrais clients, et comment. Ici : cette page.',
        ],
        [
          'Union européenne, directive 2005/29/CE, annexe I, 23 ter',
          'Nul ne peut attribuer des avis à de vrais clients sans mesures raisonnables pour le vérifier. Ici : les vérifications ci-dessus.',
        ],
        [
          'Union européenne, directive 2005/29/CE, annexe I, 23 quater',
          'Pas d’avis faux ou déformés. Ici : les textes sont montrés tels quels et chaque modification est inscrite au registre.',
        ],
        [
          'Royaume-Uni, Digital Markets, Competition and Consumers Act 2024, annexe 20',
          'Pas de faux avis ni de présentation trompeuse. Ici : seuls les avis de clients vérifiés sont publiés, et les nombres ci-dessus disent ce qui manque.',
        ],
      ],
    },

    transparency: {
      title: 'Transparence',
      description: (business) =>
        `Ce que ${business} publie, retient et retire, et comment le vérifier.`,
      heading: 'Aucun avis ne disparaît en silence',
      about:
        'Chaque avis publié, modifié ou retiré ici est inscrit dans un registre signé. Personne ne peut modifier ni effacer une inscription sans que ceux qui ont déjà vu le registre s’en aperçoivent.',
      checkTitle: 'Vérifiez vous-même',
      check:
        'Dans un dossier avec <steps>le programme</steps>, qui n’est pas encore dans le registre de npm, cette commande compare tous les avis au registre, et le registre à ce que vous avez vu auparavant :',
      log: 'Le registre : <checkpoint>point de contrôle signé</checkpoint>, <key>clé</key>. Sur la page d’un avis, « Preuve » vérifie cet avis dans votre navigateur. <steps>Comment vérifier sans le programme</steps>.',
      limitsTitle: 'Ce que cela ne prouve pas',
      limits:
        'Qu’un avis est vrai ; qu’il n’en existe aucun que l’entreprise n’a jamais recueilli ; et, tant que personne d’autre ne garde une copie du point de contrôle, que tout le monde voit le même registre. Le nombre d’avis retenus et les motifs des retraits sont ceux que déclare l’entreprise.',
      noLog: 'Le registre commence avec la prochaine publication.',
      figures: 'Publiés, retenus et retirés',
      entries: (count, date) =>
        f.plural(count, {
          one: `# inscription, du ${f.date(date)}.`,
          other: `# inscriptions, la dernière du ${f.date(date)}.`,
        }),
      terms:
        'Chaque publication, modification ou retrait d’un avis est une entrée. Les avis retenus sont conservés sans être publiés : ils ne sont pas vérifiés, ou contestés et masqués. Les avis retirés ont été publiés auparavant.',
      byStars: 'Avis par nombre d’étoiles',
      stars: 'Étoiles',
      all: 'Total',
      columns: { published: 'Publiés', withheld: 'Retenus', removed: 'Retirés' },
      edits: 'Étoiles changées par une modification',
      editsNone: 'Aucune modification n’a changé les étoiles d’un avis.',
      starsBecame: (from, to, count) => `de ${stars(from)} à ${f.number(to)} : ${reviews(count)}`,
      reason: (label, count) => `${label} : ${reviews(count)}`,
      reasons: {
        not_verified: 'non vérifié',
        not_agreed: 'accord de l’auteur non donné',
        removed_at_source: 'retiré à la source',
        customer_request: 'à la demande du client',
        court_or_law: 'justice ou loi',
        failed_verification: 'vérification non concluante',
        duplicate: 'doublon',
        error: 'erreur',
        replaced: 'remplacé par un autre avis sous le même identifiant, ou réécrit',
      },
      proof: 'Preuve',
      proofNeedsScripts: 'Activez JavaScript pour vérifier cet avis dans votre navigateur.',
      proofLinks: '<about>Ce que cela prouve</about>, et <data>la preuve en données</data>.',
    },

    proof: {
      running: 'Vérification dans ce navigateur…',
      good: 'Votre navigateur l’a vérifié : l’avis, exactement comme il est affiché, est l’inscription {index} des {size} du registre signé {log}.',
      otherReview: 'L’avis n’est pas celui du registre.',
      notInLog: 'L’avis n’est pas dans le registre.',
      notSigned: 'Le registre n’est pas signé.',
      unknown: 'Votre navigateur n’a pas pu le vérifier : {reason}',
    },

    feeds: {
      title: (business) => `Avis des clients ${de(business)}`,
      description: (business) => `Les derniers avis vérifiés des clients ${de(business)}`,
      stars: ['', 'Une étoile', 'Deux étoiles', 'Trois étoiles', 'Quatre étoiles', 'Cinq étoiles'],
      headline: (starsInWords, author) => `${starsInWords} ${de(author)}`,
      reply: 'Réponse de l’entreprise :',
    },

    embed: {
      title: 'Les avis sur votre site',
      intro:
        'Choisissez ce qu’il faut montrer, regardez le résultat et copiez le code dans votre page.',
      what: 'Quoi',
      kinds: {
        badge: 'Badge : étoiles et nombre',
        list: 'Liste des derniers avis',
        carousel: 'Carrousel des derniers avis',
        review: 'Un avis',
        picture: 'Image, pour les e-mails et les endroits sans scripts',
      },
      count: 'Nombre d’avis',
      which: 'Quel avis',
      newest: 'le plus récent',
      colors: 'Clair ou sombre',
      themes: { auto: 'Selon la préférence du lecteur', light: 'Clair', dark: 'Sombre' },
      fewestWords: 'Nombre minimal de mots',
      starColor: 'Couleur des étoiles',
      update: 'Actualiser',
      preview: 'Aperçu',
      code: 'Code',
      copy: 'Copier',
      where:
        'Dans WordPress, utilisez un bloc « HTML personnalisé », dans Wix « Intégrer du HTML », dans Squarespace un bloc « Code », dans Shopify une section « Liquid personnalisé ». Là où les scripts sont supprimés, comme dans certaines petites formules, prenez l’image.',
      policy:
        'Un site avec une Content-Security-Policy doit autoriser <origin/> dans <code>script-src</code>, et pour l’image dans <code>img-src</code>. Sans scripts, le lecteur voit le lien contenu dans l’élément.',
      reviewsOf: (business) => `Avis des clients ${de(business)}`,
      previous: 'Précédent',
      next: 'Suivant',
    },

    picture: {
      outOfFive: (mean, count) => `${f.mean(mean)} sur 5 · ${verified(count)}`,
    },

    starting: {
      title: 'Presque prêt',
      heading: 'Presque prêt',
      text: 'Les avis sont en préparation. Cette page se recharge d’elle-même jusqu’à leur arrivée.',
    },

    labels: frenchLabels,
  };
}
