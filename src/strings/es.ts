// The texts in Spanish. They address nobody where they can; else with "usted", and they suit all countries.

import type { Format } from './format.ts';
import { spanishLabels } from './labels/es.ts';
import type { Strings } from './strings.ts';

export function es(f: Format): Strings {
  const reviews = (count: number) => f.plural(count, { one: '# opinión', other: '# opiniones' });
  const verified = (count: number) =>
    f.plural(count, { one: '# opinión verificada', other: '# opiniones verificadas' });
  const stars = (count: number) => f.plural(count, { one: '# estrella', other: '# estrellas' });
  const neutral = (count: number) => f.plural(count, { one: '# neutra', other: '# neutras' });
  return {
    reviews,
    verified,
    stars,
    outOfFive: (rating) => `${f.stars(rating)} de 5 estrellas`,
    aggregate: (mean, count) =>
      mean === null ? verified(count) : `${f.mean(mean)} de 5 estrellas en ${verified(count)}`,
    positive: (count) => f.plural(count, { one: '# positiva', other: '# positivas' }),
    neutral,
    negative: (count) => f.plural(count, { one: '# negativa', other: '# negativas' }),
    others: (count) => f.plural(count, { one: '# más', other: '# más' }),
    colon: ': ',
    direct: 'Directamente',
    searchReviews: 'Buscar en las opiniones',
    forExample: (words) => `p. ej. ${words}`,
    search: 'Buscar',
    pages: 'Páginas',
    firstPage: 'Primera página',
    nextPage: 'Página siguiente',
    previousPage: 'Página anterior',
    theNumbers: 'Las cifras',
    people: 'Personas',
    services: 'Servicios',
    /** In place of services at a restaurant. */
    dishes: 'Platos y ocasiones',
    topics: 'Temas',
    complaints: 'Quejas',
    places: 'Lugares',
    aspects: 'Aspectos',
    sources: 'Fuentes',
    languages: 'Idiomas',
    locations: 'Sucursales',
    location: 'Sucursal',
    partScores: 'Puntuaciones por apartado',
    verifiedReviews: 'Opiniones verificadas',

    layout: {
      skip: 'Ir al contenido',
      toTop: 'Volver arriba',
      mainNavigation: 'Principal',
      reviews: 'Opiniones',
      /** In the narrow menu. */
      opinions: 'Temas',
      whatCustomersSay: 'Qué dicen los clientes',
      questions: 'Preguntas',
      newestReviews: 'Opiniones más recientes',
      about:
        'Opiniones verificadas sobre <name/>, con las palabras de sus clientes. Publicadas por la empresa.',
      website: 'Ir al sitio web',
      verification: 'Cómo verificamos las opiniones',
      transparency: 'Transparencia',
      subscribe: 'Suscribirse (feed)',
      embed: 'Opiniones en su sitio web',
      developers: 'Para desarrolladores (en inglés)',
      reference: 'Referencia',
    },

    howWeVerify: 'Cómo verificamos',

    home: {
      newestOf: (month) => `Opinión más reciente: ${f.month(month)}.`,
      noReviews: 'Todavía no hay opiniones. La primera aparecerá aquí en cuanto esté verificada.',
      hidden: (count, command) => `Ocultas: ${reviews(count)}. Para verlas, escriba «${command}».`,
      lately: (mean, count, until) =>
        `${f.mean(mean)} de 5 estrellas en los 12 meses hasta ${f.month(until)} (${reviews(count)}).`,
      replies: (percent, days) =>
        `Responde al ${f.percent(percent)} de las opiniones críticas, normalmente ${
          days === 0 ? 'el mismo día' : f.plural(days, { one: 'en un día', other: 'en # días' })
        }.`,
      noReplies: 'No responde a las opiniones críticas.',
      partOf: (part, all) => `${f.number(part)} de ${f.number(all)}`,
      /** The share of one side. */
      shareOf: {
        positive: (part, all) => `${f.number(part)} de ${f.number(all)} a favor`,
        negative: (part, all) => `${f.number(part)} de ${f.number(all)} en contra`,
      },
      allAspects: 'Todo lo que mencionan los clientes',
      worstFirst: 'Opiniones con menos estrellas',
      distribution: 'Opiniones por estrellas',
      starsWord: (count) => (count === 1 ? 'estrella:' : 'estrellas:'),
      reviewsWord: (count) => (count === 1 ? 'opinión' : 'opiniones'),
      whatCustomersSay: 'Qué dicen los clientes',
      leanings: { strengths: 'Puntos fuertes', weak_spots: 'Puntos débiles' },
      critical: (label) => `Una opinión crítica: ${label}`,
      good: (label) => `Una opinión buena: ${label}`,
      positive: 'Positivas',
      neutral: 'Neutras',
      negative: 'Negativas',
      inShort: 'En pocas palabras',
      evidence: 'Ver las opiniones que lo respaldan',
      subjects: 'Opiniones por tema',
      all: {
        technicians: 'Todas las personas',
        services: 'Todos los servicios',
        dishes: 'Todos los platos y ocasiones',
        topics: 'Todos los temas',
        problems: 'Todas las quejas',
        service_areas: 'Todos los lugares',
      },
      questions: 'Preguntas frecuentes',
      allQuestions: 'Todas las preguntas, con las opiniones detrás de cada respuesta',
      newest: 'Opiniones más recientes',
      allReviews: 'Todas las opiniones',
    },

    contact: {
      call: (telephone) => `Llamar al ${telephone}`,
      website: 'Sitio web',
      hours: 'Horario',
      openUntil: (closes) =>
        closes === '23:59' ? 'Abierto ahora' : `Abierto ahora, hasta las ${f.time(closes)}`,
      opensAt: 'Abre: {day}, {time}',
      notOpen: (day) => `${day}: cerrado`,
      address: 'Dirección',
      serves: 'Zona',
      customersThere: 'Qué dicen los clientes de allí',
      dayRange: (first, last) => `de ${first} a ${last}`,
      open: (days, opens, closes) =>
        opens === '00:00' && closes === '23:59'
          ? `${days}, 24 horas`
          : `${days}, de ${f.time(opens)} a ${f.time(closes)}`,
    },

    trend: {
      title: 'A lo largo de los años',
      improving: (until, months) =>
        `En los ${f.number(months)} meses hasta ${f.month(until)} las valoraciones fueron mejores que en los ${f.number(months)} anteriores.`,
      stable: (until, months) =>
        `En los ${f.number(months)} meses hasta ${f.month(until)} las valoraciones fueron parecidas a las de los ${f.number(months)} anteriores.`,
      open: (until, months, now, before) =>
        `En los ${f.number(months)} meses hasta ${f.month(until)} la media fue de ${f.mean(now)} estrellas, y en los ${f.number(months)} anteriores de ${f.mean(before)}; son pocas reseñas para hablar de un cambio.`,
      declining: (until, months) =>
        `En los ${f.number(months)} meses hasta ${f.month(until)} las valoraciones fueron peores que en los ${f.number(months)} anteriores.`,
      ratings: (first, last) =>
        `Media de estrellas por mes, de ${f.month(first)} a ${f.month(last)}. Los puntos más grandes son meses con más opiniones; la línea es la media de doce meses.`,
      table: 'Estrellas y opiniones por mes',
      month: 'Mes',
      reviews: 'Opiniones',
      averageStars: 'Media de estrellas',
      starsAxis: 'estrellas',
    },

    lists: {
      columns: {
        stars: 'Estrellas',
        reviews: 'Opiniones',
        last: 'Última mención',
        /** Of a box to tick. */
        pick: (name) => `Comparar: ${name}`,
      },
      tooFew: 'muy pocas opiniones',
      compared: 'Comparación',
      description: (title, business) =>
        `${title}, según las opiniones verificadas sobre ${business}.`,
      none: (title) => `${title}: muy pocas opiniones mencionan lo mismo.`,
      others: 'Otras listas',
      praiseAndBlame: (count, positive, negative, neutrals) =>
        `${reviews(count)}: ${f.number(positive)} a favor, ${f.number(negative)} en contra${neutrals === 0 ? '' : `, ${neutral(neutrals)}`}`,
    },

    subject: {
      whereNamed: (praise, blame) =>
        `Donde se habla de ello: ${f.number(praise)} lo elogian, ${f.number(blame)} lo critican.`,
      description: (count, business, subject) =>
        `Qué se dice de ${subject} en ${reviews(count)} sobre ${business}.`,
      seeAlso: 'Véase también',
      praisedFor: 'Se elogia',
      inCustomersWords: 'En palabras de los clientes',
      manyStars: (count) =>
        f.plural(count, {
          one: '# con cuatro o cinco estrellas',
          other: '# con cuatro o cinco estrellas',
        }),
      fewStars: (count) => f.plural(count, { one: '# con una o dos', other: '# con una o dos' }),
      whoDoesIt: 'Quién lo hace',
      headings: {
        all: reviews,
        positive: (count) =>
          f.plural(count, { one: '# opinión positiva', other: '# opiniones positivas' }),
        neutral: (count) =>
          f.plural(count, { one: '# opinión neutra', other: '# opiniones neutras' }),
        negative: (count) =>
          f.plural(count, { one: '# opinión negativa', other: '# opiniones negativas' }),
      },
      showAll: (count) => f.plural(count, { one: 'Ver # opinión', other: 'Ver las # opiniones' }),
      filter: 'Filtrar y ordenar',
      searchThese: (count) =>
        f.plural(count, { one: 'Buscar en esta opinión', other: 'Buscar en estas # opiniones' }),
    },

    prices: {
      title: 'Cuánto pagaron los clientes',
      mentioned: 'Precios que mencionan los clientes',
      count: (count, month) =>
        f.plural(count, {
          one: `Solo # opinión, de ${f.month(month)}.`,
          other: count < 3 ? 'Solo # opiniones.' : '# opiniones, las más recientes primero.',
        }),
      range: (count, low, high, median) =>
        `${f.number(count)} precios, de ${low} a ${high}, normalmente unos ${median}.`,
    },

    person: {
      /** Beside stars. */
      starsOf: (count) =>
        f.plural(count, {
          one: 'Media de la # opinión que cita su nombre',
          other: 'Media de las # opiniones que citan su nombre',
        }),
      compare: 'Comparar',
      compareHow: 'Marque dos o tres personas.',
      compareWith: 'Comparar con',
      formerPeople: (count) =>
        f.plural(count, { one: '# persona que ya no está', other: '# personas que ya no están' }),
      former: 'Ya no trabaja aquí.',
      formerScore: 'No mostramos nota de quienes ya no están.',
      fewReviews: 'Muy pocas opiniones para dar una nota.',
    },

    questions: {
      title: 'Preguntas que responden las opiniones',
      description: (business) =>
        `Lo que se pregunta sobre ${business}, respondido con sus opiniones verificadas.`,
      tooFew: 'Todavía hay muy pocas opiniones para responder preguntas.',
      method: 'Cada opinión cuenta una vez; las neutras no cuentan en ningún lado.',
      behind: (shown, all) =>
        shown < all
          ? `${f.number(shown)} de las ${reviews(all)} detrás de esta respuesta`
          : f.plural(all, {
              one: 'La opinión detrás de esta respuesta',
              other: 'Las # opiniones detrás de esta respuesta',
            }),
    },

    summary: {
      title: 'Resumen',
      heading: 'Qué dicen las opiniones',
      description: (business) =>
        `Qué dicen los clientes de ${business}: las opiniones verificadas en breve y con pruebas.`,
      evidence: 'Las pruebas',
      counts: (positive, neutrals, negative) =>
        `${f.number(positive)} a favor, ${neutral(neutrals)}, ${f.number(negative)} en contra.`,
      examples: (shown, all) =>
        shown < all
          ? `${f.number(shown)} de las ${reviews(all)} que lo mencionan`
          : f.plural(all, {
              one: 'La opinión que lo menciona',
              other: 'Las # opiniones que lo mencionan',
            }),
      method:
        'Lo ha contado y escrito un programa. Cada cifra se puede comprobar en <a>los datos</a>.',
    },

    facts: {
      questions: {
        Responsiveness: '¿Responden con rapidez?',
        Punctuality: '¿Son puntuales?',
        Pricing: '¿Son justos los precios?',
        'Quality of work': '¿Es bueno el trabajo?',
        'Problem resolution': '¿Resuelven el problema?',
        Transparency: '¿Son honestos y claros?',
        Friendliness: '¿Son amables?',
        Communication: '¿Explican e informan bien?',
        'Technical knowledge': '¿Saben lo que hacen?',
        Cleanliness: '¿Está todo limpio?',
        Scheduling: '¿Va bien lo de las citas?',
        'Food and drink': '¿Se come y se bebe bien?',
        'Staff and service': '¿Es bueno el servicio?',
      },
      /** A label within a sentence. */
      inSentence: (label) =>
        /^.+\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1),
      rating: (mean, count) => `${f.mean(mean)} de 5 estrellas en ${verified(count)}.`,
      shares: (good, bad) =>
        `El ${f.percent(good)} de los clientes da cuatro o cinco estrellas; el ${f.percent(bad)}, una o dos.`,
      /** Before aspects with their shares, in the summary. */
      most: {
        positive: 'Lo que más elogian los clientes:',
        negative: 'Lo que más critican los clientes:',
        split: 'Lo que más gusta, aunque las opiniones difieren:',
      },
      weakSpot: 'El punto débil:',
      starsOf: (topic, count, mean) =>
        `Las ${f.number(count)} reseñas que hablan de ${topic} dan ${f.mean(mean)} estrellas de media.`,
      people: (items) => `Elogiados por su nombre: ${items}.`,
      share: (label, part, all) => `${label} (${f.number(part)} de ${f.number(all)})`,
      problems: (items) => `Quejas más frecuentes: ${items}.`,
      /** Stars in a time of unusual ratings, why, and before and after it. */
      episode: (kind, from, to, during) =>
        `De ${f.month(from)} a ${f.month(to)} las valoraciones fueron inusualmente ${kind === 'dip' ? 'bajas' : 'altas'}: ${f.mean(during)} estrellas.`,
      causes: (items) => `Motivos más frecuentes: ${items}.`,
      around: (before, after) =>
        after === null
          ? `Antes la media era de ${f.mean(before)}.`
          : `Antes la media era de ${f.mean(before)}; desde entonces es de ${f.mean(after)}.`,
      /** Reviews with complaints in the last year and before, each such as "8 of 27". */
      changed: (complaints, recent, until, before) =>
        `${complaints} en los 12 meses hasta ${f.month(until)}: ${recent} opiniones; antes: ${before}.`,
      /** How the opinions of a year are, such as "9 of 10 positive". */
      recently: (told, until) => `En los 12 meses hasta ${f.month(until)}: ${told}.`,
      whichProblems: '¿Qué problemas cuentan las opiniones?',
      aboutAspect: (label) => `${label}: ¿están contentos los clientes?`,
      /** How an answer begins, from plainly yes to plainly no. */
      leads: ['Sí', 'En general, sí', 'Depende', 'A menudo no', 'En general, no'],
      /** How many customers say so, after such a beginning. */
      agreement: (lead, good, bad) => {
        if (bad === 0) return `${lead}: ${f.inWords(good)} clientes lo elogian.`;
        if (good === 0) return `${lead}: ${f.inWords(bad)} clientes se quejan.`;
        const all = f.number(good + bad);
        return good >= bad
          ? `${lead}: ${f.number(good)} de los ${all} clientes que opinan sobre ello están contentos.`
          : `${lead}: ${f.number(bad)} de los ${all} clientes que opinan sobre ello se quejan.`;
      },
      /** Between the words of the majority and those of others. */
      but: 'Pero también:',
      doesAnswer: '¿Responde la empresa a las críticas?',
      answered: (part, all) =>
        part === 0
          ? `No: ninguna de las ${f.number(all)} opiniones con una o dos estrellas tiene respuesta.`
          : part === all
            ? `Sí: las ${f.number(all)} opiniones con una o dos estrellas tienen respuesta.`
            : `${f.number(part)} de las ${f.number(all)} opiniones con una o dos estrellas tienen respuesta.`,
      /** A claim or several after the words for them. */
      isSatisfied: (business) => `¿Están contentos los clientes de ${business}?`,
      whoIsPraised: '¿Por quién conviene preguntar?',
      isImproving: '¿Cómo están últimamente? ¿Ha cambiado algo?',
    },

    reviewsPage: {
      title: 'Opiniones',
      answers: 'Respuestas',
      foundTitle: 'Opiniones encontradas',
      invalidTitle: 'Filtros no válidos',
      description: (business) =>
        `Todas las opiniones verificadas sobre ${business}, para buscar y filtrar.`,
      listDescription: (business) =>
        `Todas las opiniones verificadas sobre ${business}, las más recientes primero.`,
      place: (from, to, all) => `${f.number(from)} a ${f.number(to)} de ${f.number(all)}`,
      found: (count) =>
        f.plural(count, { one: '# opinión encontrada', other: '# opiniones encontradas' }),
      invalid: 'Estos filtros no son válidos',
      showAll: 'Ver todas las opiniones',
      related: (count) =>
        f.plural(count, {
          one: '# más tiene algunas de estas palabras o trata de lo que nombran.',
          other: '# más tienen algunas de estas palabras o tratan de lo que nombran.',
        }),
      noneHasAll: (words) =>
        `Ninguna opinión tiene todo esto: ${words}. Estas tienen una parte o tratan del mismo tema.`,
      averageOf: (mean, count) => `media ${f.mean(mean)} de estas ${f.number(count)}`,
      inReplies: (count) =>
        f.plural(count, {
          one: '# más solo lo tiene en la respuesta de la empresa.',
          other: '# más solo lo tienen en la respuesta de la empresa.',
        }),
      corrected: (word, to) => `Ninguna opinión dice «${word}»; se ha buscado «${to}».`,
      relatedTitle: (count) =>
        f.plural(count, { one: '# opinión relacionada', other: '# opiniones relacionadas' }),
      strictly: 'Solo opiniones con todas las palabras',
      named: 'Lo que nombran estas palabras',
      nothing: 'Ninguna opinión cumple todos los filtros.',
      nothingSays: (words) => `Ninguna opinión dice ${words}.`,
      tryThese: 'Pruebe con:',
      active: 'Filtros activos',
      remove: 'Quitar:',
      removeAll: 'Quitar todos los filtros',
    },

    filters: {
      show: 'Mostrar',
      more: (set) => (set === 0 ? 'Filtros' : `Filtros (${f.number(set)} en uso)`),
      exact: 'Fechas, autor y más',
      minStars: 'Mínimo de estrellas',
      maxStars: 'Máximo de estrellas',
      author: 'Autor',
      searched: 'Buscar en',
      places: { text: 'las opiniones', reply: 'las respuestas', all: 'opiniones y respuestas' },
      from: 'Desde',
      until: 'Hasta',
      order: 'Orden',
      any: 'Todas',
      quoted: (words) => `«${words}»`,
      /** Within other quotes. */
      quotedWithin: (words) => `“${words}”`,
      strict: 'todas las palabras',
      atLeast: (count) => `al menos ${stars(count)}`,
      atMost: (count) => `como máximo ${stars(count)}`,
      by: (author) => `de ${author}`,
      since: (date) => `desde el ${f.date(date)}`,
      to: (date) => `hasta el ${f.date(date)}`,
      period: 'Periodo',
      months: (count) => `Últimos ${f.number(count)} meses`,
      replies: 'Respuestas',
      withReply: 'Con respuesta',
      withoutReply: 'Sin respuesta',
      withText: 'Con comentario',
      withoutText: 'Sin comentario',
      language: (code) => (code === 'und' ? 'Sin palabras' : f.language(code)),
      sorts: {
        newest: 'Más recientes',
        oldest: 'Más antiguas',
        highest: 'Con más estrellas',
        lowest: 'Con menos estrellas',
        relevance: 'Más relevantes',
      },
    },

    review: {
      reportAsk: '¿Hay algún problema con esta opinión?',
      report: 'Comuníquelo a la empresa',
      reportCall: (telephone) => `Llame al ${telephone}`,
      reportAt: (source) => `Comuníquelo a ${source}`,
      reportSubject: (id) => `Aviso sobre la opinión ${id}`,
      title: (author, date) => `Opinión de ${author}, ${f.date(date)}`,
      verified: 'Verificada',
      method: 'Verificada por la empresa: <method/>.',
      methodOn: 'Verificada por la empresa el <date/>: <method/>.',
      methodUnstated: 'La empresa afirma que la escribió un cliente, pero no indica cómo lo sabe.',
      sourceSays: '<source/> dice: <level/>.',
      publishedSince: 'Publicada aquí desde el <date/>.',
      leftOut: 'Qué opiniones no mostramos',
      otherLanguage: 'Escrita en otro idioma: solo cuentan sus estrellas.',
      translate: 'Traducir',
      newer: 'Opinión más reciente',
      older: 'Opinión anterior',
      noComment: (count) => `${stars(count)}, sin comentario.`,
      readOn: 'Seguir leyendo',
      readWhole: 'Leer la opinión completa',
      reply: 'Respuesta de <name/>',
      found: 'En esta opinión',
      lessCertain: 'Menos seguro',
      sentiments: { positive: 'elogio', neutral: 'mención', negative: 'queja' },
      copyLink: 'Copiar enlace',
      copied: 'Copiado',
    },

    missing: {
      title: 'No encontramos esa página',
      description: 'No hay ninguna página en esta dirección.',
      text: 'Puede que la dirección esté mal escrita o que la opinión ya no esté publicada.',
      didYouMean: '¿Quería decir alguna de estas?',
      home: 'Ir al inicio',
      reviews: 'Todas las opiniones',
    },

    verification: {
      names: {
        'job record matched': 'trabajo encontrado',
        'invoice number': 'número de factura',
        'phone call': 'llamada telefónica',
        'appointment record matched': 'cita encontrada',
        'booking matched': 'reserva encontrada',
        'receipt number': 'número de recibo',
        'survey sent after a booking': 'encuesta tras una reserva',
        'survey sent after an appointment': 'encuesta tras una cita',
      },
      description: (business) =>
        `Cómo comprueba ${business} que las opiniones son de sus clientes, qué se deja fuera y qué se ha retirado.`,
      what: 'De cada opinión la empresa indica cómo sabe que la escribió un cliente: por ejemplo, por un pedido, una cita o la comprobación del sitio donde se escribió. Las opiniones sin esa prueba se guardan, pero no se muestran ni se cuentan.',
      methods: 'Cómo sabe la empresa que eran clientes',
      methodsAbout: 'En palabras de la empresa. <a>Lo mismo como datos</a>',
      methodMatched:
        '«Encontrado» quiere decir que el autor y el día de la opinión coinciden con sus propios registros, también cuando se escribió en Google o en otro sitio.',
      method: 'Cómo se verificaron las opiniones',
      methodMissing: 'Solo dice que están verificadas',
      sources: 'De dónde son las opiniones',
      source: 'Fuente',
      published: 'Publicadas',
      notPublished: 'Sin publicar',
      leftOut: 'Lo que no se ve',
      leftOutNone:
        'Están publicadas todas las opiniones que se importaron y no se han retirado desde entonces.',
      leftOutStars: 'Guardadas pero sin publicar, por estrellas:',
      leftOutWhy: 'No se muestran porque nadie pudo comprobar que fueran de un cliente.',
      leftOutProof:
        'Si falta la suya, muestre a la empresa que fue su cliente, por ejemplo con el número de una factura.',
      leftOutAgree: 'Si la suya puede mostrarse, dígaselo a la empresa.',
      leftOutAlike:
        'Las opiniones con una o dos estrellas no faltan más a menudo que las de cuatro o cinco.',
      leftOutByStars: (low, ofLow, high, ofHigh) =>
        `De ${reviews(ofLow)} con una o dos estrellas, ${f.number(low)} ${low === 1 ? 'no está publicada' : 'no están publicadas'}; de ${reviews(ofHigh)} con cuatro o cinco, ${f.number(high)}.`,
      removed: 'Lo que se ha retirado, para siempre o por un tiempo',
      reason: 'Motivo',
      removedNone: 'Nunca se ha retirado una opinión publicada.',
      removedWhy:
        'Una opinión publicada solo se retira por uno de estos motivos. Cada vez cuenta, aunque la opinión se muestre de nuevo, y queda anotada en un registro público que no se puede cambiar después sin que se note.',
      neverTitle: 'Las reglas de este sitio',
      never: [
        'Ninguna opinión se deja fuera ni se retira por ser negativa.',
        'Lo que escribieron los clientes se muestra tal como lo escribieron. La respuesta de la empresa va debajo, marcada como suya.',
        'No hay opiniones de quienes no fueron clientes, ni opiniones pagadas.',
      ],
      interest:
        'Este sitio lo lleva la propia empresa, no un tercero independiente. Nadie puede demostrar que una opinión sea cierta ni que la empresa las recogiera todas. Lo que aquí se ha publicado, cambiado y retirado se puede comprobar.',
      check: 'Ver el registro público',
      law: 'Las normas que seguimos',
      rules: [
        [
          'Estados Unidos, 16 CFR 465.2',
          'Nada de opiniones de personas que no existen, que no fueron clientes o que cuentan algo distinto de lo que vivieron. Aquí: solo se publican opiniones de clientes verificados.',
        ],
        [
          'Estados Unidos, 16 CFR 465.6',
          'El sitio de una empresa no puede parecer independiente. Aquí: cada página dice que la publica la empresa.',
        ],
        [
          'Estados Unidos, 16 CFR 465.7',
          'No se pueden ocultar opiniones negativas y aparentar que están todas. Aquí: las cifras de arriba por estrellas y el registro público.',
        ],
        [
          'Unión Europea, Directiva 2005/29/CE, artículo 7, apartado 6',
          'Quien muestra opiniones debe decir si garantiza que son de clientes reales, y cómo. Aquí: esta página.',
        ],
        [
          'Unión Europea, Directiva 2005/29/CE, anexo I, 23 ter',
          'Nadie puede decir que unas opiniones son de clientes reales sin medidas razonables para comprobarlo. Aquí: las comprobaciones de arriba.',
        ],
        [
          'Unión Europea, Directiva 2005/29/CE, anexo I, 23 quater',
          'Nada de opiniones falsas o distorsionadas. Aquí: los textos se muestran como se escribieron y cada cambio queda en el registro.',
        ],
        [
          'Reino Unido, Digital Markets, Competition and Consumers Act 2024, anexo 20',
          'Nada de opiniones falsas ni de presentarlas de forma engañosa. Aquí: solo se publican opiniones de clientes verificados, y las cifras de arriba dicen qué falta.',
        ],
      ],
    },

    transparency: {
      title: 'Transparencia',
      description: (business) => `Qué publica, retiene y retira ${business}, y cómo comprobarlo.`,
      heading: 'Ninguna opinión desaparece en silencio',
      about:
        'Cada opinión que se publica, se cambia o se retira aquí queda anotada en un registro firmado. Nadie puede cambiar ni borrar una anotación sin que lo note quien haya visto antes el registro.',
      checkTitle: 'Compruébelo',
      check:
        'En una carpeta con <steps>el programa</steps>, que aún no está en el registro de npm, este comando compara todas las opiniones con el registro, y el registro con lo que usted vio antes:',
      log: 'El registro: <checkpoint>punto de control firmado</checkpoint>, <key>clave</key>. En la página de una opinión, «Prueba» comprueba esa opinión en su navegador. <steps>Cómo comprobarlo sin el programa</steps>.',
      limitsTitle: 'Lo que no demuestra',
      limits:
        'Que una opinión sea cierta; que no haya alguna que la empresa nunca recogió; ni, mientras nadie más guarde una copia del punto de control, que todo el mundo vea el mismo registro. El número de opiniones retenidas y los motivos de las retiradas son los que declara la empresa.',
      noLog: 'El registro empieza con la próxima publicación.',
      figures: 'Publicadas, retenidas y retiradas',
      entries: (count, date) =>
        f.plural(count, {
          one: `# anotación, del ${f.date(date)}.`,
          other: `# anotaciones, la última del ${f.date(date)}.`,
        }),
      terms:
        'Cada publicación, cambio y retirada de una opinión es una entrada. Las retenidas están guardadas pero no publicadas: no están verificadas, o están en disputa y ocultas. Las retiradas estuvieron publicadas.',
      byStars: 'Opiniones por estrellas',
      stars: 'Estrellas',
      all: 'Total',
      columns: { published: 'Publicadas', withheld: 'Retenidas', removed: 'Retiradas' },
      edits: 'Estrellas cambiadas al editar',
      editsNone: 'Ninguna edición ha cambiado las estrellas de una opinión.',
      starsBecame: (from, to, count) => `de ${stars(from)} a ${f.number(to)}: ${reviews(count)}`,
      reason: (label, count) => `${label}: ${reviews(count)}`,
      reasons: {
        not_verified: 'sin verificar',
        not_agreed: 'falta el consentimiento del autor',
        removed_at_source: 'retirada en la fuente',
        customer_request: 'a petición del cliente',
        court_or_law: 'por un tribunal o por ley',
        failed_verification: 'no superó la verificación',
        duplicate: 'duplicada',
        error: 'error',
        replaced: 'sustituida por otra con el mismo identificador, o reescrita',
      },
      proof: 'Prueba',
      proofNeedsScripts: 'Active JavaScript para comprobar esta opinión en su navegador.',
      proofLinks: '<about>Qué demuestra</about> y <data>la prueba como datos</data>.',
    },

    proof: {
      running: 'Comprobando en este navegador…',
      good: 'Su navegador lo ha comprobado: la opinión, exactamente como se muestra, es la anotación {index} de las {size} del registro firmado {log}.',
      otherReview: 'La opinión no es la del registro.',
      notInLog: 'La opinión no está en el registro.',
      notSigned: 'El registro no está firmado.',
      unknown: 'Su navegador no ha podido comprobarlo: {reason}',
    },

    feeds: {
      title: (business) => `Opiniones sobre ${business}`,
      description: (business) => `Las últimas opiniones verificadas sobre ${business}`,
      stars: [
        '',
        'Una estrella',
        'Dos estrellas',
        'Tres estrellas',
        'Cuatro estrellas',
        'Cinco estrellas',
      ],
      headline: (starsInWords, author) => `${starsInWords} de ${author}`,
      reply: 'Respuesta de la empresa:',
    },

    embed: {
      title: 'Opiniones en su propio sitio',
      intro: 'Elija qué mostrar, véalo y copie el código en su página.',
      what: 'Qué',
      kinds: {
        badge: 'Distintivo: estrellas y número',
        list: 'Lista de las opiniones más recientes',
        carousel: 'Carrusel de las opiniones más recientes',
        review: 'Una opinión',
        picture: 'Imagen, para correos y otros lugares sin scripts',
      },
      count: 'Número de opiniones',
      which: 'Qué opinión',
      newest: 'la más reciente',
      colors: 'Claro u oscuro',
      themes: { auto: 'Según prefiera el lector', light: 'Claro', dark: 'Oscuro' },
      fewestWords: 'Palabras como mínimo',
      starColor: 'Color de las estrellas',
      update: 'Actualizar',
      preview: 'Vista previa',
      code: 'Código',
      copy: 'Copiar',
      where:
        'En WordPress va en un bloque «HTML personalizado», en Wix en «Insertar HTML», en Squarespace en un bloque «Código» y en Shopify en una sección «Liquid personalizado». Donde se eliminan los scripts, como en algunos planes básicos, use la imagen.',
      policy:
        'Un sitio con Content-Security-Policy debe permitir <origin/> en <code>script-src</code>, y para la imagen en <code>img-src</code>. Sin scripts, se ve el enlace que hay dentro del elemento.',
      reviewsOf: (business) => `Opiniones sobre ${business}`,
      previous: 'Anterior',
      next: 'Siguiente',
    },

    picture: {
      outOfFive: (mean, count) => `${f.mean(mean)} de 5 · ${verified(count)}`,
    },

    starting: {
      title: 'Casi listo',
      heading: 'Casi listo',
      text: 'Las opiniones se están preparando. Esta página se recarga sola hasta que estén aquí.',
    },

    labels: spanishLabels,
  };
}
