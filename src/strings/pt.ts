// The texts in Portuguese, with words that Brazil and Portugal share where there are any; else those of Brazil.

import type { Format } from './format.ts';
import { portugueseLabels } from './labels/pt.ts';
import type { Strings } from './strings.ts';

export function pt(f: Format): Strings {
  const reviews = (count: number) => f.plural(count, { one: '# avaliação', other: '# avaliações' });
  const verified = (count: number) =>
    f.plural(count, { one: '# avaliação verificada', other: '# avaliações verificadas' });
  const stars = (count: number) => f.plural(count, { one: '# estrela', other: '# estrelas' });
  const neutral = (count: number) => f.plural(count, { one: '# neutra', other: '# neutras' });
  return {
    reviews,
    verified,
    stars,
    outOfFive: (rating) => `${f.stars(rating)} de 5 estrelas`,
    aggregate: (mean, count) =>
      mean === null ? verified(count) : `${f.mean(mean)} de 5 estrelas em ${verified(count)}`,
    positive: (count) => f.plural(count, { one: '# positiva', other: '# positivas' }),
    neutral,
    negative: (count) => f.plural(count, { one: '# negativa', other: '# negativas' }),
    others: (count) => f.plural(count, { one: 'mais #', other: 'mais #' }),
    colon: ': ',
    direct: 'Diretamente',
    searchReviews: 'Pesquisar nas avaliações',
    forExample: (words) => `p. ex. ${words}`,
    search: 'Pesquisar',
    pages: 'Páginas',
    firstPage: 'Primeira página',
    nextPage: 'Próxima página',
    previousPage: 'Página anterior',
    theNumbers: 'Os números',
    people: 'Equipe',
    services: 'Serviços',
    /** In place of services at a restaurant. */
    dishes: 'Pratos e ocasiões',
    topics: 'Assuntos',
    complaints: 'Reclamações',
    places: 'Lugares',
    aspects: 'Aspectos',
    sources: 'Fontes',
    languages: 'Idiomas',
    locations: 'Unidades',
    location: 'Unidade',
    partScores: 'Avaliações por item',
    verifiedReviews: 'Avaliações verificadas',

    layout: {
      skip: 'Ir para o conteúdo',
      toTop: 'Voltar ao topo',
      mainNavigation: 'Principal',
      reviews: 'Avaliações',
      /** In the narrow menu. */
      opinions: 'Temas',
      whatCustomersSay: 'O que dizem os clientes',
      questions: 'Perguntas',
      newestReviews: 'Avaliações mais recentes',
      about:
        'Avaliações verificadas de <name/>, nas palavras dos clientes. Publicadas pela empresa.',
      website: 'Visitar o site',
      verification: 'Como verificamos as avaliações',
      transparency: 'Transparência',
      subscribe: 'Assinar (feed)',
      embed: 'Avaliações no seu site',
      developers: 'Para desenvolvedores (em inglês)',
      reference: 'Referência',
    },

    howWeVerify: 'Como verificamos',

    home: {
      newestOf: (month) => `Avaliação mais recente: ${f.month(month)}.`,
      noReviews: 'Ainda não há avaliações. A primeira aparecerá aqui assim que for verificada.',
      hidden: (count, command) =>
        `Ocultas: ${reviews(count)}. Para listá-las, digite "${command}".`,
      lately: (mean, count, until) =>
        `${f.mean(mean)} de 5 estrelas nos 12 meses até ${f.month(until)} (${reviews(count)}).`,
      replies: (percent, days) =>
        `Responde a ${f.percent(percent)} das avaliações críticas, normalmente ${
          days === 0
            ? 'no mesmo dia'
            : f.plural(days, { one: 'em até um dia', other: 'em até # dias' })
        }.`,
      noReplies: 'Não responde às avaliações críticas.',
      partOf: (part, all) => `${f.number(part)} de ${f.number(all)}`,
      /** The share of one side. */
      shareOf: {
        positive: (part, all) => `${f.number(part)} de ${f.number(all)} a favor`,
        negative: (part, all) => `${f.number(part)} de ${f.number(all)} contra`,
      },
      allAspects: 'Tudo o que os clientes mencionam',
      worstFirst: 'Avaliações com menos estrelas',
      distribution: 'Avaliações por estrelas',
      starsWord: (count) => (count === 1 ? 'estrela:' : 'estrelas:'),
      reviewsWord: (count) => (count === 1 ? 'avaliação' : 'avaliações'),
      whatCustomersSay: 'O que dizem os clientes',
      leanings: { strengths: 'Pontos fortes', weak_spots: 'Pontos fracos' },
      critical: (label) => `Uma avaliação crítica: ${label}`,
      good: (label) => `Uma avaliação positiva: ${label}`,
      positive: 'Positivas',
      neutral: 'Neutras',
      negative: 'Negativas',
      inShort: 'Em resumo',
      evidence: 'Ver as avaliações que o sustentam',
      subjects: 'Avaliações por assunto',
      all: {
        technicians: 'Toda a equipe',
        services: 'Todos os serviços',
        dishes: 'Todos os pratos e ocasiões',
        topics: 'Todos os assuntos',
        problems: 'Todas as reclamações',
        service_areas: 'Todos os lugares',
      },
      questions: 'Perguntas frequentes',
      allQuestions: 'Todas as perguntas, com as avaliações por trás de cada resposta',
      newest: 'Avaliações mais recentes',
      allReviews: 'Todas as avaliações',
    },

    contact: {
      call: (telephone) => `Ligar para ${telephone}`,
      website: 'Site',
      hours: 'Horário',
      openUntil: (closes) =>
        closes === '23:59' ? 'Aberto agora' : `Aberto agora, até as ${f.time(closes)}`,
      opensAt: 'Abre {day}, às {time}',
      notOpen: (day) => `${day}: fechado`,
      address: 'Endereço',
      serves: 'Região',
      customersThere: 'O que dizem os clientes de lá',
      dayRange: (first, last) => `de ${first} a ${last}`,
      open: (days, opens, closes) =>
        opens === '00:00' && closes === '23:59'
          ? `${days}, 24 horas`
          : `${days}, das ${f.time(opens)} às ${f.time(closes)}`,
    },

    trend: {
      title: 'Ao longo dos anos',
      improving: (until, months) =>
        `Nos ${f.number(months)} meses até ${f.month(until)}, as notas foram melhores do que nos ${f.number(months)} meses anteriores.`,
      stable: (until, months) =>
        `Nos ${f.number(months)} meses até ${f.month(until)}, as notas foram parecidas com as dos ${f.number(months)} meses anteriores.`,
      open: (until, months, now, before) =>
        `Nos ${f.number(months)} meses até ${f.month(until)} a média foi de ${f.mean(now)} estrelas, e nos ${f.number(months)} anteriores de ${f.mean(before)}; são poucas avaliações para falar de uma mudança.`,
      declining: (until, months) =>
        `Nos ${f.number(months)} meses até ${f.month(until)}, as notas foram piores do que nos ${f.number(months)} meses anteriores.`,
      ratings: (first, last) =>
        `Média de estrelas por mês, de ${f.month(first)} a ${f.month(last)}. Pontos maiores são meses com mais avaliações; a linha é a média de doze meses.`,
      table: 'Estrelas e avaliações por mês',
      month: 'Mês',
      reviews: 'Avaliações',
      averageStars: 'Média de estrelas',
      starsAxis: 'estrelas',
    },

    lists: {
      columns: {
        stars: 'Estrelas',
        reviews: 'Avaliações',
        last: 'Última menção',
        /** Of a box to tick. */
        pick: (name) => `Comparar: ${name}`,
      },
      tooFew: 'poucas avaliações',
      compared: 'Comparação',
      description: (title, business) =>
        `${title}, segundo as avaliações verificadas de ${business}.`,
      none: (title) => `${title}: poucas avaliações mencionam a mesma coisa.`,
      others: 'Outras listas',
      praiseAndBlame: (count, positive, negative, neutrals) =>
        `${reviews(count)}: ${f.number(positive)} a favor, ${f.number(negative)} contra${neutrals === 0 ? '' : `, ${neutral(neutrals)}`}`,
    },

    subject: {
      whereNamed: (praise, blame) =>
        `Onde se fala disso: ${f.number(praise)} elogiam, ${f.number(blame)} criticam.`,
      description: (count, business, subject) =>
        `${subject}: o que se diz em ${reviews(count)} de ${business}.`,
      seeAlso: 'Veja também',
      praisedFor: 'Elogios',
      inCustomersWords: 'Nas palavras dos clientes',
      manyStars: (count) =>
        f.plural(count, {
          one: '# com quatro ou cinco estrelas',
          other: '# com quatro ou cinco estrelas',
        }),
      fewStars: (count) =>
        f.plural(count, { one: '# com uma ou duas', other: '# com uma ou duas' }),
      whoDoesIt: 'Quem faz',
      headings: {
        all: reviews,
        positive: (count) =>
          f.plural(count, { one: '# avaliação positiva', other: '# avaliações positivas' }),
        neutral: (count) =>
          f.plural(count, { one: '# avaliação neutra', other: '# avaliações neutras' }),
        negative: (count) =>
          f.plural(count, { one: '# avaliação negativa', other: '# avaliações negativas' }),
      },
      showAll: (count) =>
        f.plural(count, { one: 'Ver # avaliação', other: 'Ver todas as # avaliações' }),
      filter: 'Filtrar e ordenar',
      searchThese: (count) =>
        f.plural(count, { one: 'Buscar nesta avaliação', other: 'Buscar nestas # avaliações' }),
    },

    prices: {
      title: 'Quanto os clientes pagaram',
      mentioned: 'Preços que os clientes citam',
      count: (count, month) =>
        f.plural(count, {
          one: `Só # avaliação, de ${f.month(month)}.`,
          other:
            count < 3 ? 'Só # avaliações.' : '# avaliações, das mais recentes às mais antigas.',
        }),
      range: (count, low, high, median) =>
        `${f.number(count)} preços, de ${low} a ${high}, em geral ${median}.`,
    },

    person: {
      /** Beside stars. */
      starsOf: (count) =>
        f.plural(count, {
          one: 'Média da # avaliação que cita o nome',
          other: 'Média das # avaliações que citam o nome',
        }),
      compare: 'Comparar',
      compareHow: 'Marque duas ou três pessoas.',
      compareWith: 'Comparar com',
      formerPeople: (count) =>
        f.plural(count, { one: '# pessoa que já saiu', other: '# pessoas que já saíram' }),
      former: 'Não trabalha mais aqui.',
      formerScore: 'Não mostramos nota de quem já saiu.',
      fewReviews: 'Poucas avaliações para dar uma nota.',
    },

    questions: {
      title: 'Perguntas que as avaliações respondem',
      description: (business) =>
        `O que as pessoas perguntam sobre ${business}, respondido com avaliações verificadas.`,
      tooFew: 'Ainda há poucas avaliações para responder a perguntas.',
      method: 'Cada avaliação conta uma vez; as neutras não contam de nenhum lado.',
      behind: (shown, all) =>
        shown < all
          ? `${f.number(shown)} das ${reviews(all)} por trás desta resposta`
          : f.plural(all, {
              one: 'A avaliação por trás desta resposta',
              other: 'As # avaliações por trás desta resposta',
            }),
    },

    summary: {
      title: 'Resumo',
      heading: 'O que dizem as avaliações',
      description: (business) =>
        `O que os clientes dizem de ${business}: as avaliações verificadas em resumo, com provas.`,
      evidence: 'As provas',
      counts: (positive, neutrals, negative) =>
        `${f.number(positive)} a favor, ${neutral(neutrals)}, ${f.number(negative)} contra.`,
      examples: (shown, all) =>
        shown < all
          ? `${f.number(shown)} das ${reviews(all)} que mencionam`
          : f.plural(all, {
              one: 'A avaliação que menciona',
              other: 'As # avaliações que mencionam',
            }),
      method: 'Contado e escrito por um programa. Cada número pode ser conferido nos <a>dados</a>.',
    },

    facts: {
      questions: {},
      /** A label within a sentence. */
      inSentence: (label) =>
        /^.+\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1),
      rating: (mean, count) => `${f.mean(mean)} de 5 estrelas em ${verified(count)}.`,
      shares: (good, bad) =>
        `Quatro ou cinco estrelas em ${f.percent(good)} das avaliações, uma ou duas em ${f.percent(bad)}.`,
      /** Before aspects with their shares, in the summary. */
      most: {
        positive: 'O que os clientes mais elogiam:',
        negative: 'O que os clientes mais criticam:',
        split: 'O que mais agrada, embora as opiniões variem:',
      },
      weakSpot: 'O ponto fraco:',
      starsOf: (topic, count, mean) =>
        `As ${f.number(count)} avaliações que falam de ${topic} dão em média ${f.mean(mean)} estrelas.`,
      people: (items) => `Elogiados pelo nome: ${items}.`,
      share: (label, part, all) => `${label} (${f.number(part)} de ${f.number(all)})`,
      problems: (items) => `Reclamações mais frequentes: ${items}.`,
      /** Stars in a time of unusual ratings, why, and before and after it. */
      episode: (kind, from, to, during) =>
        `De ${f.month(from)} a ${f.month(to)} as notas foram excepcionalmente ${kind === 'dip' ? 'baixas' : 'altas'}: ${f.mean(during)} estrelas.`,
      causes: (items) => `Motivos mais frequentes: ${items}.`,
      around: (before, after) =>
        after === null
          ? `Antes, a média era de ${f.mean(before)}.`
          : `Antes, a média era de ${f.mean(before)}; desde então, é de ${f.mean(after)}.`,
      /** Reviews with complaints in the last year and before, each such as "8 of 27". */
      changed: (complaints, recent, until, before) =>
        `${complaints} nos 12 meses até ${f.month(until)}: ${recent} avaliações; antes: ${before}.`,
      /** How the opinions of a year are, such as "9 of 10 positive". */
      recently: (told, until) => `Nos 12 meses até ${f.month(until)}: ${told}.`,
      whichProblems: 'Que problemas as avaliações relatam?',
      aboutAspect: (label) => `${label}: os clientes estão satisfeitos?`,
      /** How an answer begins, from plainly yes to plainly no. */
      leads: ['Sim', 'Em geral, sim', 'Depende', 'Muitas vezes não', 'Em geral, não'],
      /** How many customers say so, after such a beginning. */
      agreement: (lead, good, bad) => {
        if (bad === 0) return `${lead}: ${f.inWords(good)} clientes elogiam isso.`;
        if (good === 0) return `${lead}: ${f.inWords(bad)} clientes reclamam.`;
        const all = f.number(good + bad);
        return good >= bad
          ? `${lead}: ${f.number(good)} dos ${all} clientes que falam disso estão satisfeitos.`
          : `${lead}: ${f.number(bad)} dos ${all} clientes que falam disso reclamam.`;
      },
      /** Between the words of the majority and those of others. */
      but: 'Mas também:',
      doesAnswer: 'A empresa responde às críticas?',
      answered: (part, all) =>
        part === 0
          ? `Não: nenhuma das ${f.number(all)} avaliações com uma ou duas estrelas tem resposta.`
          : part === all
            ? `Sim: as ${f.number(all)} avaliações com uma ou duas estrelas têm resposta.`
            : `${f.number(part)} das ${f.number(all)} avaliações com uma ou duas estrelas têm resposta.`,
      /** A claim or several after the words for them. */
      isSatisfied: (business) => `Os clientes estão satisfeitos com ${business}?`,
      whoIsPraised: 'Por quem perguntar?',
      isImproving: 'Está melhorando ou piorando?',
    },

    reviewsPage: {
      title: 'Avaliações',
      answers: 'Respostas',
      foundTitle: 'Avaliações encontradas',
      invalidTitle: 'Filtros inválidos',
      description: (business) =>
        `Todas as avaliações verificadas de ${business}, para pesquisar e filtrar.`,
      listDescription: (business) =>
        `Todas as avaliações verificadas de ${business}, das mais recentes às mais antigas.`,
      place: (from, to, all) => `${f.number(from)} a ${f.number(to)} de ${f.number(all)}`,
      found: (count) =>
        f.plural(count, { one: '# avaliação encontrada', other: '# avaliações encontradas' }),
      invalid: 'Estes filtros são inválidos',
      showAll: 'Ver todas as avaliações',
      related: (count) =>
        f.plural(count, {
          one: 'Mais # tem algumas destas palavras ou fala do que elas nomeiam.',
          other: 'Mais # têm algumas destas palavras ou falam do que elas nomeiam.',
        }),
      noneHasAll: (words) =>
        `Nenhuma avaliação tem tudo isto: ${words}. Estas têm uma parte ou falam do mesmo assunto.`,
      averageOf: (mean, count) => `média ${f.mean(mean)} destas ${f.number(count)}`,
      inReplies: (count) =>
        f.plural(count, {
          one: 'Mais # tem isto só na resposta da empresa.',
          other: 'Mais # têm isto só na resposta da empresa.',
        }),
      corrected: (word, to) => `Nenhuma avaliação diz “${word}”; foi pesquisado “${to}”.`,
      relatedTitle: (count) =>
        f.plural(count, { one: '# avaliação relacionada', other: '# avaliações relacionadas' }),
      strictly: 'Só avaliações com todas as palavras',
      named: 'O que estas palavras nomeiam',
      nothing: 'Nenhuma avaliação corresponde a todos os filtros.',
      nothingSays: (words) => `Nenhuma avaliação diz ${words}.`,
      tryThese: 'Experimente:',
      active: 'Filtros ativos',
      remove: 'Remover:',
      removeAll: 'Remover todos os filtros',
    },

    filters: {
      show: 'Mostrar',
      more: (set) =>
        set === 0
          ? 'Filtros'
          : f.plural(set, { one: 'Filtros (# em uso)', other: 'Filtros (# em uso)' }),
      exact: 'Datas, autor e mais',
      minStars: 'No mínimo',
      maxStars: 'No máximo',
      author: 'Autor',
      searched: 'Procurar em',
      places: { text: 'avaliações', reply: 'respostas', all: 'avaliações e respostas' },
      from: 'De',
      until: 'Até',
      order: 'Ordem',
      any: 'Todas',
      quoted: (words) => `“${words}”`,
      /** Within other quotes. */
      quotedWithin: (words) => `‘${words}’`,
      strict: 'todas as palavras',
      atLeast: (count) => `no mínimo ${stars(count)}`,
      atMost: (count) => `no máximo ${stars(count)}`,
      by: (author) => `de ${author}`,
      since: (date) => `desde ${f.date(date)}`,
      to: (date) => `até ${f.date(date)}`,
      period: 'Período',
      months: (count) => `Últimos ${f.number(count)} meses`,
      replies: 'Respostas',
      withReply: 'Com resposta',
      withoutReply: 'Sem resposta',
      withText: 'Com comentário',
      withoutText: 'Sem comentário',
      language: (code) => (code === 'und' ? 'Sem palavras' : f.language(code)),
      sorts: {
        newest: 'Mais recentes',
        oldest: 'Mais antigas',
        highest: 'Mais estrelas',
        lowest: 'Menos estrelas',
        relevance: 'Mais relevantes',
      },
    },

    review: {
      reportAsk: 'Há algo errado com esta avaliação?',
      report: 'Avise a empresa',
      reportCall: (telephone) => `Ligue para ${telephone}`,
      reportAt: (source) => `Avise ${source}`,
      reportSubject: (id) => `Aviso sobre a avaliação ${id}`,
      title: (author, date) => `Avaliação de ${author}, ${f.date(date)}`,
      verified: 'Verificada',
      method: 'Verificada pela empresa: <method/>.',
      methodOn: 'Verificada pela empresa em <date/>: <method/>.',
      methodUnstated:
        'A empresa afirma que um cliente escreveu esta avaliação, mas não diz como sabe.',
      sourceSays: '<source/> diz: <level/>.',
      publishedSince: 'Publicada aqui desde <date/>.',
      leftOut: 'Quais avaliações não mostramos',
      otherLanguage: 'Escrita em outro idioma: só as estrelas contam.',
      translate: 'Traduzir',
      newer: 'Avaliação mais recente',
      older: 'Avaliação anterior',
      noComment: (count) => `${stars(count)}, sem comentário.`,
      readOn: 'Continuar lendo',
      readWhole: 'Ler a avaliação completa',
      reply: 'Resposta de <name/>',
      found: 'Nesta avaliação',
      lessCertain: 'Menos certo',
      sentiments: { positive: 'elogio', neutral: 'menção', negative: 'reclamação' },
      copyLink: 'Copiar link',
      copied: 'Copiado',
    },

    missing: {
      title: 'Não encontramos essa página',
      description: 'Não há nenhuma página neste endereço.',
      text: 'Talvez o endereço esteja errado, ou a avaliação não esteja mais publicada.',
      didYouMean: 'Quis dizer uma destas?',
      home: 'Ir para o início',
      reviews: 'Todas as avaliações',
    },

    verification: {
      names: {
        'job record matched': 'serviço encontrado',
        'invoice number': 'número da nota',
        'phone call': 'ligação telefônica',
        'appointment record matched': 'consulta encontrada',
        'booking matched': 'reserva encontrada',
        'receipt number': 'número do recibo',
        'survey sent after a booking': 'pesquisa após uma reserva',
        'survey sent after an appointment': 'pesquisa após uma consulta',
      },
      description: (business) =>
        `Como ${business} confere se as avaliações são de clientes, o que fica de fora e o que foi removido.`,
      what: 'Para cada avaliação, a empresa informa como sabe que quem a escreveu era cliente: por exemplo, um pedido, uma visita marcada ou a conferência do site onde foi escrita. Avaliações sem essa prova são guardadas, mas não são mostradas nem contadas.',
      methods: 'Como a empresa sabe que eram clientes',
      methodsAbout: 'Nas palavras da empresa. <a>O mesmo em dados</a>',
      methodMatched:
        '“Encontrado” significa que o autor e o dia da avaliação batem com os registros dela, mesmo quando foi escrita no Google ou em outro site.',
      method: 'Como as avaliações foram verificadas',
      methodMissing: 'Diz apenas que estão verificadas',
      sources: 'De onde vêm as avaliações',
      source: 'Fonte',
      published: 'Publicadas',
      notPublished: 'Não publicadas',
      leftOut: 'O que não aparece',
      leftOutNone: 'Todas as avaliações importadas e não removidas depois estão publicadas.',
      leftOutStars: 'Guardadas, mas não publicadas, por estrelas:',
      leftOutWhy: 'Ficam de fora porque ninguém pôde conferir se quem escreveu era cliente.',
      leftOutProof:
        'Se falta a sua, mostre à empresa que foi cliente, por exemplo com o número de uma fatura.',
      leftOutAgree: 'Se a sua pode ser mostrada, avise a empresa.',
      leftOutAlike:
        'Avaliações com uma ou duas estrelas não ficam de fora mais vezes do que as de quatro ou cinco.',
      leftOutByStars: (low, ofLow, high, ofHigh) =>
        `De ${reviews(ofLow)} com uma ou duas estrelas, ${f.number(low)} ${low === 1 ? 'não está publicada' : 'não estão publicadas'}; de ${reviews(ofHigh)} com quatro ou cinco, ${f.number(high)}.`,
      removed: 'O que foi removido ou ocultado por um tempo',
      reason: 'Motivo',
      removedNone: 'Nenhuma avaliação publicada foi removida ou ocultada até hoje.',
      removedWhy:
        'Uma avaliação publicada só é removida ou ocultada por um destes motivos. Cada vez conta, mesmo que a avaliação volte a ser mostrada, e fica anotada em um registro público, que não pode ser alterado depois sem que se perceba.',
      neverTitle: 'As regras deste site',
      never: [
        'Nenhuma avaliação fica de fora ou é removida por ser negativa.',
        'O que os clientes escreveram aparece como foi escrito. A resposta da empresa vem abaixo, identificada como dela.',
        'Nenhuma avaliação de quem não foi cliente, e nenhuma paga.',
      ],
      interest:
        'Este site é mantido pela própria empresa, não por um terceiro independente. Ninguém pode provar que uma avaliação é verdadeira, nem que a empresa recolheu todas. O que foi publicado, alterado e removido aqui pode ser conferido.',
      check: 'Ver o registro público',
      law: 'As normas que seguimos',
      rules: [
        [
          'Estados Unidos, 16 CFR 465.2',
          'Nada de avaliações de pessoas que não existem, que não foram clientes ou que contam algo diferente do que viveram. Aqui: só se publicam avaliações de clientes verificados.',
        ],
        [
          'Estados Unidos, 16 CFR 465.6',
          'O site de uma empresa não pode parecer independente. Aqui: cada página diz que a empresa a publica.',
        ],
        [
          'Estados Unidos, 16 CFR 465.7',
          'Avaliações negativas não podem ser escondidas enquanto o resto parece completo. Aqui: os números por estrelas e o registro público.',
        ],
        [
          'União Europeia, Diretiva 2005/29/CE, artigo 7.º, n.º 6',
          'Quem mostra avaliações deve dizer se garante que são de clientes reais, e como. Aqui: esta página.',
        ],
        [
          'União Europeia, Diretiva 2005/29/CE, anexo I, 23-B',
          'Ninguém pode atribuir avaliações a clientes reais sem medidas razoáveis para conferir. Aqui: as verificações acima.',
        ],
        [
          'União Europeia, Diretiva 2005/29/CE, anexo I, 23-C',
          'Nada de avaliações falsas ou distorcidas. Aqui: os textos aparecem como foram escritos e cada alteração fica no registro.',
        ],
        [
          'Reino Unido, Digital Markets, Competition and Consumers Act 2024, anexo 20',
          'Nada de avaliações falsas nem de mostrá-las de forma enganosa. Aqui: só se publicam avaliações de clientes verificados, e os números acima dizem o que falta.',
        ],
      ],
    },

    transparency: {
      title: 'Transparência',
      description: (business) => `O que ${business} publica, retém e remove, e como conferir.`,
      heading: 'Nenhuma avaliação some em silêncio',
      about:
        'Cada avaliação publicada, alterada ou removida aqui fica anotada em um registro assinado. Ninguém pode alterar ou apagar uma anotação sem que perceba quem já viu o registro.',
      checkTitle: 'Como conferir',
      check:
        'Em uma pasta com <steps>o programa</steps>, que ainda não está no registro do npm, este comando compara todas as avaliações com o registro, e o registro com o que foi visto antes:',
      log: 'O registro: <checkpoint>ponto de controle assinado</checkpoint>, <key>chave</key>. Na página de uma avaliação, “Prova” confere aquela avaliação no navegador. <steps>Como conferir sem o programa</steps>.',
      limitsTitle: 'O que isso não prova',
      limits:
        'Que uma avaliação seja verdadeira; que não haja alguma que a empresa nunca recolheu; e, enquanto ninguém mais guardar uma cópia do ponto de controle, que todos vejam o mesmo registro. O número de avaliações retidas e os motivos das remoções são os que a empresa declara.',
      noLog: 'O registro começa na próxima publicação.',
      figures: 'Publicadas, retidas e removidas',
      entries: (count, date) =>
        f.plural(count, {
          one: `# anotação, de ${f.date(date)}.`,
          other: `# anotações, a última de ${f.date(date)}.`,
        }),
      terms:
        'Cada publicação, alteração e remoção de uma avaliação é um registro. As retidas estão guardadas, mas não publicadas: não foram verificadas, ou estão em disputa e ocultas. As removidas já estiveram publicadas.',
      byStars: 'Avaliações por estrelas',
      stars: 'Estrelas',
      all: 'Total',
      columns: { published: 'Publicadas', withheld: 'Retidas', removed: 'Removidas' },
      edits: 'Estrelas alteradas por uma edição',
      editsNone: 'Nenhuma edição alterou as estrelas de uma avaliação.',
      starsBecame: (from, to, count) => `de ${stars(from)} para ${f.number(to)}: ${reviews(count)}`,
      reason: (label, count) => `${label}: ${reviews(count)}`,
      reasons: {
        not_verified: 'não verificada',
        not_agreed: 'falta o consentimento do autor',
        removed_at_source: 'removida na fonte',
        customer_request: 'a pedido do cliente',
        court_or_law: 'tribunal ou lei',
        failed_verification: 'não passou na verificação',
        duplicate: 'duplicada',
        error: 'erro',
        replaced: 'substituída por outra com o mesmo identificador, ou reescrita',
      },
      proof: 'Prova',
      proofNeedsScripts: 'Ative o JavaScript para conferir esta avaliação no navegador.',
      proofLinks: '<about>O que isso prova</about> e <data>a prova em dados</data>.',
    },

    proof: {
      running: 'Conferindo neste navegador…',
      good: 'O navegador conferiu: a avaliação, exatamente como aparece, é a anotação {index} das {size} do registro assinado {log}.',
      otherReview: 'A avaliação não é a do registro.',
      notInLog: 'A avaliação não está no registro.',
      notSigned: 'O registro não está assinado.',
      unknown: 'O navegador não conseguiu conferir: {reason}',
    },

    feeds: {
      title: (business) => `Avaliações de ${business}`,
      description: (business) => `As avaliações verificadas mais recentes de ${business}`,
      stars: [
        '',
        'Uma estrela',
        'Duas estrelas',
        'Três estrelas',
        'Quatro estrelas',
        'Cinco estrelas',
      ],
      headline: (starsInWords, author) => `${starsInWords} de ${author}`,
      reply: 'Resposta da empresa:',
    },

    embed: {
      title: 'Avaliações no seu próprio site',
      intro: 'Escolha o que mostrar, veja o resultado e copie o código para a sua página.',
      what: 'O quê',
      kinds: {
        badge: 'Selo: estrelas e número',
        list: 'Lista das avaliações mais recentes',
        carousel: 'Carrossel das avaliações mais recentes',
        review: 'Uma avaliação',
        picture: 'Imagem, para e-mails e outros lugares sem scripts',
      },
      count: 'Número de avaliações',
      which: 'Qual avaliação',
      newest: 'a mais recente',
      colors: 'Claro ou escuro',
      themes: { auto: 'Conforme a preferência do leitor', light: 'Claro', dark: 'Escuro' },
      fewestWords: 'Mínimo de palavras',
      starColor: 'Cor das estrelas',
      update: 'Atualizar',
      preview: 'Prévia',
      code: 'Código',
      copy: 'Copiar',
      where:
        'No WordPress, use um bloco “HTML personalizado”; no Wix, “Incorporar HTML”; no Squarespace, um bloco “Código”; na Shopify, uma seção “Liquid personalizado”. Onde os scripts são removidos, como em alguns planos básicos, use a imagem.',
      policy:
        'Um site com Content-Security-Policy precisa permitir <origin/> em <code>script-src</code>, e para a imagem em <code>img-src</code>. Sem scripts, o leitor vê o link dentro do elemento.',
      reviewsOf: (business) => `Avaliações de ${business}`,
      previous: 'Anterior',
      next: 'Próximo',
    },

    picture: {
      outOfFive: (mean, count) => `${f.mean(mean)} de 5 · ${verified(count)}`,
    },

    starting: {
      title: 'Quase pronto',
      heading: 'Quase pronto',
      text: 'As avaliações estão sendo preparadas. Esta página se recarrega sozinha até elas chegarem.',
    },

    labels: portugueseLabels,
  };
}
