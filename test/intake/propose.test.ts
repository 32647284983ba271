// Proposals for tables as platforms and people write them: headings that mislead are judged by their values.

import { describe, expect, test } from 'vitest';
import { parseSample } from '../../src/intake/formats/sample.ts';
import { type Given, type Proposal, propose } from '../../src/intake/mapping/propose.ts';

function proposal(content: string | object, given: Partial<Given> = {}): Proposal {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const nothing = { name: 'x', source: null, verifiedBy: null, scale: null, dateOrder: null };
  return propose(parseSample(text, 1000), { ...nothing, ...given });
}

test('telephone numbers are no words, so that the response is', () => {
  const { mapping } = proposal(`Submitted,Score,Response,First Name,Email,Phone Number
2026-10-29 10:14,10,"Switched our whole team over in a week, support answered every time.",Ingrid,i@x.example,+47 22 00 00 31
2026-10-21 16:40,6,"The import failed three times, that is not support.",Carl,c@x.example,Tel. 0171 555 0123 (office)
2026-09-26 12:31,8,"Good product, price went up without much warning",Siobhan,s@x.example,+44 7700 900211
`);
  expect(mapping).toMatchObject({ columns: { text: 'Response' } });
  expect(mapping['columns']).not.toHaveProperty('owner_reply_text');
});

test('a reply speaks to customers, and numbers of rooms and tables are not published', () => {
  const book = (replies: string[], seat: string, seats: string[]) =>
    proposal(`Date,Score (1-5),Guest,${seat},Comment,Reply sent
2026-02-14,5,Mr Aldous,${seats[0]},The rose on the pillow was real,${replies[0]}
2026-03-03,4,P. Kaczmarek,${seats[1]},The breakfast was good and the bed soft,${replies[1]}
2026-04-21,2,Ms Thorne,${seats[2]},Heating came on at three in the morning,${replies[2]}
`);
  const notes = [
    'Thank you for the picture',
    'Sent apology letter and 20% off',
    'Rang him on Sunday',
  ];
  const { mapping, notes: said } = book(notes, 'Room', ['12', '7', '3b']);
  expect(mapping['columns']).toMatchObject({ text: 'Comment' });
  expect(mapping['columns']).not.toHaveProperty('owner_reply_text');
  expect(mapping).not.toHaveProperty('attributes');
  expect(said).toContain(
    'not read, because most of it does not speak to customers: "Reply sent"; if it is for the public, add "owner_reply_text" to "columns" of the mapping',
  );
  expect(said).toContain('columns that are not read: "Room"');
  const replies = ['Kaczmarek is a name', 'Das freut uns sehr', 'We have repaired it since'];
  const answered = book(replies, 'Tisch', ['Tisch 4', 'Tisch 4', 'Terrasse']).mapping;
  expect(answered).toMatchObject({ columns: { owner_reply_text: 'Reply sent' } });
  expect(answered).not.toHaveProperty('attributes');
  const { attributes } = book(replies, 'Room', ['Double', 'Double', 'Suite']).mapping;
  expect(attributes).toEqual({ room: 'Room' });
});

test('who a platform knows as a reviewer is not said to be unverified', () => {
  const kinds = ['verified_buyer', 'verified_reviewer', 'unverified'];
  const rows = kinds.map(
    (kind, row) => `2026-0${row + 1}-20,5,Ann,The hook is solid brass,${kind}`,
  );
  const { mapping } = proposal(`created_at,rating,author,body,verified\n${rows.join('\n')}\n`);
  expect(mapping).toMatchObject({
    verified_values: ['verified_buyer'],
    verified_levels: ['verified_reviewer'],
  });
});

test('what a host writes about guests is not read, roles are no names, and the day of a review is none of its reply', () => {
  const entry = (role: string, rating: number, response?: string) => ({
    review: {
      reviewerRole: role,
      rating,
      comment: `They left everything spotless for the ${rating}th time.`,
      submittedAt: `2026-10-0${rating}T11:20:31.000Z`,
      createdAt: `2026-10-0${rating}T11:20:31.000Z`,
      ...(response && { response }),
    },
  });
  const { mapping } = proposal([
    {
      reviewsReceived: [entry('GUEST', 5, 'Come back any time, Jo!'), entry('GUEST', 3)],
      reviewsProvided: [entry('HOST', 4), entry('HOST', 2)],
    },
  ]);
  expect(mapping).toMatchObject({ list: '*.reviewsReceived', constants: { author: 'A customer' } });
  expect(mapping['columns']).not.toHaveProperty('owner_reply_date');
});

describe.each<[string, string | object, object]>([
  [
    'Booking.com: both texts are one, each introduced, and the scale has ten',
    `Review date,Guest name,Reservation number,Review title,Positive review,Negative review,Review score,Staff,Cleanliness,Property reply
2024-03-25 10:11:12,Anna,123456,Great stay,The breakfast was superb,The room was noisy at night,8.8,10,7.5,Thank you Anna for staying with us
2024-03-26 10:11:12,Bob,123457,,Location,Nothing,10,10,10,
2024-03-27 10:11:12,Cy,123458,Never again,,Everything was dirty and cold,3,2.5,2.5,We are sorry to hear that
`,
    {
      columns: {
        author: 'Guest name',
        rating: 'Review score',
        date: 'Review date',
        title: 'Review title',
        text: { 'Positive review': 'Positive review', 'Negative review': 'Negative review' },
        owner_reply_text: 'Property reply',
      },
      date_format: 'iso',
      rating_scale: { min: 1, max: 10 },
      constants: { source: 'booking.com' },
    },
  ],
  [
    'Typeform: questions are the words, "Response Type" is nothing',
    `#,How would you rate us?,What did you like most?,What could we improve?,Your name,Response Type,Start Date (UTC),Stage Date (UTC),Submit Date (UTC),Network ID,Tags
abc123,5,The staff was very kind and helpful,Parking is hard to find,Anna B.,completed,2024-03-25 10:00:00,,2024-03-25 10:05:00,a1b2c3,
abc124,4,Quick service and fair price,Nothing at all,Bob C.,completed,2024-03-26 10:00:00,,2024-03-26 10:05:00,a1b2c4,
`,
    {
      columns: {
        author: 'Your name',
        rating: 'How would you rate us?',
        date: 'Submit Date (UTC)',
        text: {
          'What did you like most?': 'What did you like most?',
          'What could we improve?': 'What could we improve?',
        },
      },
      date_format: 'iso',
      constants: { source: 'typeform' },
    },
  ],
  [
    'HubSpot: "Response" is the score, and names are in two columns',
    `Survey name,Survey type,Response,Response group,Feedback,Submission date,First name,Last name,Email
Q1,NPS,10,Promoter,They fixed it the same day,2024-03-25,Anna,Berg,a@b.c
Q1,NPS,3,Detractor,Nobody called me back at all,2024-03-26,Bob,Carr,b@b.c
`,
    {
      columns: {
        author: ['First name', 'Last name'],
        rating: 'Response',
        date: 'Submission date',
        text: 'Feedback',
      },
      date_format: 'yyyy-MM-dd',
      rating_scale: { min: 0, max: 10 },
      constants: { source: 'hubspot' },
    },
  ],
  [
    'Doctify: the date of another column settles the order of the day and the month',
    `Review ID,Date of review,Date of visit,Specialist,Patient,Rating,Review,Response
1,03/04/2024,13/04/2024,Dr Smith,Jane Doe,5,She listened to me carefully,Thank you so much Jane
2,05/04/2024,10/04/2024,Dr Smith,Mark Lee,4,Great care but long wait,
`,
    {
      columns: {
        source_id: 'Review ID',
        author: 'Patient',
        rating: 'Rating',
        date: 'Date of review',
        text: 'Review',
        owner_reply_text: 'Response',
      },
      date_format: 'd/M/yyyy',
    },
  ],
  [
    'Shopify: only published rows, and dates with a zone',
    `product_handle,state,rating,title,author,email,location,body,reply,created_at,replied_at
blue-mug,published,5,Lovely,Ann,ann@x.com,London,I use it every single day,Thanks a lot Ann,2024-03-25 10:00:00 UTC,2024-03-26 10:00:00 UTC
blue-mug,unpublished,1,Bad,Ben,ben@x.com,Leeds,Broke on the first day,,2024-03-26 10:00:00 UTC,
`,
    {
      columns: {
        author: 'author',
        rating: 'rating',
        date: 'created_at',
        title: 'title',
        text: 'body',
        owner_reply_text: 'reply',
        owner_reply_date: 'replied_at',
      },
      date_format: 'iso',
      only: { state: ['published'] },
      constants: { source: 'shopify' },
    },
  ],
  [
    'Bazaarvoice: paths of JSON, the reply is in a list',
    {
      Results: ['APPROVED', 'REJECTED'].map((ModerationStatus, index) => ({
        Id: `${index}`,
        UserNickname: ['anna', 'bob'][index],
        Rating: 5 - index,
        Title: ['Good', 'Fine'][index],
        ReviewText: ['I like it a lot indeed', 'It broke after two days of use'][index],
        SubmissionTime: '2024-03-25T10:00:00.000+00:00',
        SourceClient: 'shop',
        ModerationStatus,
        ClientResponses: [
          { Response: 'Thank you very much for this', Date: '2024-03-27T10:00:00.000+00:00' },
        ],
      })),
    },
    {
      list: 'Results',
      columns: {
        source_id: 'Id',
        author: 'UserNickname',
        rating: 'Rating',
        date: 'SubmissionTime',
        title: 'Title',
        text: 'ReviewText',
        owner_reply_text: 'ClientResponses.*.Response',
        owner_reply_date: 'ClientResponses.0.Date',
      },
      date_format: 'iso',
      only: { ModerationStatus: ['APPROVED'] },
      constants: { source: 'bazaarvoice' },
    },
  ],
  [
    'the open dataset of Yelp: NDJSON without names',
    ['Great tacos and kind people', 'Slow service and cold food']
      .map((text, index) =>
        JSON.stringify({
          review_id: `r${index}`,
          user_id: `u${index}`,
          business_id: 'b',
          stars: 5 - index,
          useful: 0,
          funny: 0,
          cool: 0,
          text,
          date: '2018-07-07 22:09:11',
        }),
      )
      .join('\n'),
    {
      columns: { source_id: 'review_id', rating: 'stars', date: 'date', text: 'text' },
      date_format: 'iso',
      constants: { source: 'yelp', author: 'A Yelp user' },
    },
  ],
  [
    'a French table with a scale in its heading and a decimal comma',
    `Nom;Note sur 10;Avis;Date de l'avis;Réponse;Date de réponse
Jean D.;8,5;"Très bon accueil, chambre propre";12/03/2024;Merci beaucoup Jean;14/03/2024
Marie L.;6;Un peu bruyant la nuit;05/03/2024;;
`,
    {
      columns: {
        author: 'Nom',
        rating: 'Note sur 10',
        date: "Date de l'avis",
        text: 'Avis',
        owner_reply_text: 'Réponse',
        owner_reply_date: 'Date de réponse',
      },
      date_format: 'd/M/yyyy',
      decimal: ',',
      rating_scale: { min: 1, max: 10 },
    },
  ],
  [
    'a Spanish table with words for stars and months',
    `Cliente,Fecha,Valoración,Opinión
Juan P.,5 de mayo de 2024,Muy bueno,Nos trataron muy bien siempre
Ana R.,6 de mayo de 2024,Malo,La comida estaba fría y tarde
`,
    {
      columns: { author: 'Cliente', rating: 'Valoración', date: 'Fecha', text: 'Opinión' },
      date_format: "d 'de' MMMM 'de' yyyy",
      rating_values: { 'Muy bueno': 4, Malo: 2 },
    },
  ],
  [
    'a sheet of a restaurant: dates written in three ways, two portals with two scales, short replies',
    `Datum;Gast;Portal;Punkte;Was gesagt;Unsere Antwort;Filiale;Anlass
03/08/26;Ada;Booking.com;9,2;Sehr ruhig und schön gelegen;Danke!;Nord;Urlaub
04.08.2026;Bo;Google;5;Gutes Frühstück;;Nord;Urlaub
Mai 2026;Cy;Airbnb;4;Klein;;Süd;Arbeit
`,
    {
      columns: {
        author: 'Gast',
        rating: 'Punkte',
        date: 'Datum',
        text: 'Was gesagt',
        owner_reply_text: 'Unsere Antwort',
        source: 'Portal',
        location: 'Filiale',
      },
      attributes: { anlass: 'Anlass' },
      date_format: ['plain', 'd/M/yy', 'MMMM yyyy'],
      decimal: ',',
      rating_scales: {
        Portal: {
          'Booking.com': { min: 1, max: 10 },
          Google: { min: 1, max: 5 },
          Airbnb: { min: 1, max: 5 },
        },
      },
    },
  ],
  [
    'SurveyMonkey: parts of a question are on a second line, and nobody has rated where it says so',
    `Respondent ID,End Date,How satisfied were you?,Please rate:,,,Anything else?,Which shop did you visit?,Other
,,Response,Food,Staff,Price,Open-Ended Response,Response,
1,2026-05-18,Satisfied,4,5,3,Lovely welcome and a biscuit for the dog,North,
2,2026-05-19,Dissatisfied,2,3,1,Mould in the shower and nobody there,South,
3,2026-05-20,Not rated,,,,Fine,,Market stall
4,2026-05-21,Satisfied,5,5,4,Nice,North,
`,
    {
      columns: {
        date: 'End Date',
        rating: 'How satisfied were you?',
        text: 'Anything else?',
        location: ['Which shop did you visit?', 'Other'],
      },
      ratings: {
        food: 'Please rate: – Food',
        staff: 'Please rate: – Staff',
        price: 'Please rate: – Price',
      },
      only: { 'How satisfied were you?': ['Satisfied', 'Dissatisfied'] },
    },
  ],
  [
    'JSON with recommendations beside old stars, scores by name, and what was deleted',
    {
      received: [
        { recommendation: 'recommends', text: 'Well worth the long drive', deleted: false },
        { rating: 4, text: 'Good but rather loud at night', deleted: false },
        { recommendation: 'does not recommend', text: 'Never saw such a mess', deleted: true },
      ].map((one, index) => ({
        ...one,
        author: `Ada ${index}`,
        date: '2026-05-18',
        scores: [{ category: 'FOOD', rating: 4 }],
        comment: { content: 'Thanks a lot! See you', at: '2026-05-19' },
      })),
      reviewsWritten: [{ author: 'Us', text: 'x' }],
    },
    {
      list: 'received',
      columns: {
        author: 'author',
        date: 'date',
        text: 'text',
        rating: ['rating', 'recommendation'],
        owner_reply_text: 'comment.content',
        owner_reply_date: 'comment.at',
      },
      ratings: { food: 'scores.[category=FOOD].rating' },
      only: { deleted: ['false', ''] },
    },
  ],
  [
    'Airbnb: part scores by their headings, and the flat',
    `Date,Listing,Guest,Overall rating,Cleanliness,Check-in,Private score of the service,Public review,Private feedback,Your response
"Apr 13, 2024",Harbour flat,Mary,5,5,4,1,Lovely flat with a view of the sea,The tap drips,Thank you Mary
"Apr 15, 2024",Harbour flat,Tom,2,1,n,2,Dirty kitchen and a broken shower,,
"May 2, 2024",Harbour flat,Ann,4,4,5,3,Good place for a short trip,,
`,
    {
      columns: {
        author: 'Guest',
        rating: 'Overall rating',
        date: 'Date',
        text: 'Public review',
        owner_reply_text: 'Your response',
      },
      ratings: { cleanliness: 'Cleanliness', check_in: 'Check-in' },
      attributes: { listing: 'Listing' },
    },
  ],
  [
    'a column without a name has replies, and one date of five is in another order',
    `Date,Customer,Stars,Comment,
13/04/2024,Mary Hill,5,Very quick repair of our boiler,Thank you Mary for your kind words!
2024-04-15,Tom Fox,2,They came two hours late,Sorry about that Tom. Please call us.
20/04/2024,Ann Lee,4,Good service and a fair price,
22/04/2024,Joe Ray,5,Excellent work from start to end,
02/05/2024,Kim Day,3,It was fine but took too long,
`,
    {
      columns: {
        author: 'Customer',
        rating: 'Stars',
        date: 'Date',
        text: 'Comment',
        owner_reply_text: '5',
      },
      date_format: ['d/M/yyyy', 'plain'],
    },
  ],
  [
    'reviews by place, of which one is called by a key with a dot: its key, days ago, scores of objects',
    {
      exported_at: '2025-06-20T09:00:00+02:00',
      places: Object.fromEntries(
        ['St. Ives', 'Hayle', 'Empty'].map((town, index) => [
          town,
          {
            address: `${index} High Street`,
            reviews: ['3 weeks ago', 'a month ago', '2025-05-30'].slice(index).map((when, at) => ({
              who: ['Ada Lang', 'Bo', 'Cy'][at],
              stars: `${5 - at}/5`,
              when,
              said: ['The scones were still warm', 'We waited an hour', 'Fine for a night'][at],
              parts: [{ Rating: 5 - at, Dimension: { id: 'Quality', range: 5 } }],
            })),
          },
        ]),
      ),
    },
    {
      list: 'places.*.reviews',
      columns: {
        author: 'who',
        rating: 'stars',
        date: 'when',
        text: 'said',
        location: '^places.*',
      },
      date_format: ['relative', 'plain'],
      relative_to: '^exported_at',
      ratings: { quality: 'parts.[Dimension.id=Quality].Rating' },
    },
  ],
  [
    'lines of NDJSON with a list of reviews each: the name of the place is beside it',
    ['Hove', 'Lewes']
      .map((name, index) =>
        JSON.stringify({
          reviews: [
            { guest: 'Ada Lang', score: 5 - index, on: '2024-03-25', words: 'Friendly and fast' },
            { guest: 'Bo Zed', score: 2, on: '2024-03-26', words: 'Cold room, good haircut' },
          ],
          branch: { name },
        }),
      )
      .join('\n'),
    {
      list: '*.reviews',
      columns: {
        author: 'guest',
        rating: 'score',
        date: 'on',
        text: 'words',
        location: '^*.branch.name',
      },
    },
  ],
  [
    'lists by platform: the keys are the sources, and what is not published is not read',
    Object.fromEntries(
      ['google', 'yelp', 'pending'].map((key) => [
        key,
        [{ guest: 'Ada Lang', stars: 4, on: '2024-03-25', words: `All was well at ${key}` }],
      ]),
    ),
    {
      list: '*',
      columns: { author: 'guest', rating: 'stars', date: 'on', text: 'words', source: '^*' },
    },
  ],
])('%s', (_, content, mapping) => {
  test('is proposed', () => {
    expect(proposal(content)).toMatchObject({ mapping, missing: [] });
    const { columns, ratings } = mapping as { columns: object; ratings?: object };
    if (ratings) expect(proposal(content).mapping['ratings']).toEqual(ratings);
    expect(Object.keys(proposal(content).mapping['columns'] as object).toSorted()).toEqual(
      Object.keys(columns).toSorted(),
    );
  });
});

describe.each<[string, string | object, object]>([
  [
    'stars are those of the review, not the average of the place, and its name is no author',
    `name,rating,author_title,review_text,review_rating,review_datetime
Quay Cafe,4.3,Ada Lang,The soup was hot and good,5,2024-03-25T10:00:00Z
Quay Cafe,4.3,Bo Zed,We waited an hour for it,1,2024-03-26T10:00:00Z
Mill Cafe,4.8,Cy Orr,A lovely place by the water,4,2024-03-27T10:00:00Z
Mill Cafe,4.8,Di Poe,The cake was a bit too dry,3,2024-03-28T10:00:00Z
`,
    {
      columns: {
        rating: 'review_rating',
        author: 'author_title',
        location: 'name',
        text: 'review_text',
      },
    },
  ],
  [
    'the object that has the words has the stars',
    [3, 5, 1].map((rating) => ({
      place: { rating: 4 },
      rating: 4,
      review: { rating, text: `We stayed for ${rating} nights in all` },
      author: { name: 'Ada Lang' },
      date: '2024-03-25',
    })),
    { columns: { rating: 'review.rating', text: 'review.text' } },
  ],
  [
    'reviews in lists of their places are read, and not the places',
    {
      places: [
        {
          rating: 4.4,
          reviews: [
            { rating: 2, author: 'Ada Lang', date: '2024-03-25', text: 'Far too loud for us' },
          ],
        },
      ],
    },
    { list: 'places.*.reviews', columns: { rating: 'rating' } },
  ],
  [
    'months are no places, one of them is an object, and a reply is words or an object',
    {
      '2025': {
        july: {
          reviews: [
            {
              stars: 5,
              who: 'Ada Lang',
              when: '2025-07-03',
              text: 'On my feet',
              reply: 'Well done, Ada',
            },
            {
              stars: 4,
              who: 'Bo Zed',
              when: '2025-07-19',
              text: 'Great coaches, cold water',
              reply: null,
            },
          ],
        },
        august: {
          reviews: {
            r1: {
              stars: 2,
              who: 'Cy Orr',
              when: '2025-08-08',
              text: 'Cancelled without a word',
              reply: { text: 'We wrote you a message at eight', date: '2025-08-10' },
            },
          },
        },
        may: {
          reviews: [
            {
              stars: 3,
              who: 'Di Eck',
              when: '2025-05-01',
              text: 'Good with children',
              reply: null,
            },
          ],
        },
      },
      trash: [{ stars: 1, who: 'Test', when: '2025-01-01', text: 'asdf is no review' }],
    },
    {
      list: '*.*.reviews',
      columns: { author: 'who', owner_reply_text: ['reply', 'reply.text'] },
    },
  ],
  [
    'an id is that of the review, and a question stands before its answer',
    {
      data: [1, 2].map((at) => ({
        Id: `7120030${at}`,
        when: `2025-04-1${at}`,
        stars: at,
        name: ['Ada Lang', 'Bo Zed'][at - 1],
        parts: { Quality: { Id: at === 1 ? 'Quality' : '', Value: 4 } },
        liked: { text: 'What did you like?', value: `The bread and the view, day ${at}` },
        disliked: { text: 'What did you dislike?', value: `The road up there, day ${at}` },
      })),
    },
    {
      columns: {
        source_id: 'Id',
        text: { 'What did you like?': 'liked.value', 'What did you dislike?': 'disliked.value' },
      },
    },
  ],
  [
    'rows without consent and private replies are not read',
    `Name,Stars,Date,Comment,Reply,Reply isPrivate,May we publish this on our website?
Ada Lang,5,2024-03-25,Very friendly and quick,Thank you for coming,false,yes
Bo Zed,1,2024-03-26,Nobody called me back at all,Offer her an exchange,true,no
Cy Orr,4,2024-03-27,The work was done well,,,
`,
    {
      agreed: { 'May we publish this on our website?': ['yes'] },
      private_replies: { 'Reply isPrivate': ['true', 'yes', '1'] },
    },
  ],
  [
    'rows that a note wants unpublished, and the age of people, are not read',
    `Name,Stars,Date,Comment,Notes,Age
Ada Lang,5,2024-03-25,Very friendly and quick,Regular,35 to 44
Bo Zed,1,2024-03-26,Nobody called me back at all,"DON'T PUT ONLINE, she asked",45 to 54
Cy Orr,4,2024-03-27,The work was done well,,45 to 54
`,
    { hidden: { Notes: ["DON'T PUT ONLINE, she asked"] } },
  ],
  [
    'the name to be shown, the status and words for the business alone are told apart',
    `Feedback Date,Customer Name,Display Name,Rating,Review,Feedback Status,Anything just for us (not shared)?,May we quote you?,Source,Tags
2024-03-25,Ada Lang,A. L.,5,Very friendly and quick all day,Published,The tap drips,Yes,SMS,vip
2024-03-26,Bo Zed,Guest,1,Nobody called me back at all,Removed,Sorry for the language,Yes,Email,vip
2024-03-27,Cy Orr,Guest,4,The work was done rather well,Published,Greet Tom,"Yes, but without my name",Kiosk,refund
`,
    {
      columns: { date: 'Feedback Date', author: 'Display Name', rating: 'Rating', text: 'Review' },
      only: { 'Feedback Status': ['Published'] },
      agreed: { 'May we quote you?': ['Yes', 'Yes, but without my name'] },
      nameless: { 'May we quote you?': ['Yes, but without my name'] },
    },
  ],
  [
    'an answer of the branch is no text of the customer, and its date is that of the reply',
    `Datum;Vestiging;Naam klant;Cijfer;Opmerking;Reactie filiaal;Datum reactie;Toestemming publicatie
13-9-2024;Noord;Ada Lang;8;Alles was snel klaar en netjes;Dank voor het compliment hoor;14-9-2024;ja
11-9-2024;Noord;Bo Zed;4;Twee keer gebeld en niets gehoord;;;nee
10-9-2024;Zuid;Cy Orr;10;Prima geholpen door iedereen;;;ja
`,
    {
      columns: {
        text: 'Opmerking',
        owner_reply_text: 'Reactie filiaal',
        owner_reply_date: 'Datum reactie',
        location: 'Vestiging',
      },
      agreed: { 'Toestemming publicatie': ['ja'] },
    },
  ],
  [
    'comments of anybody are neither text nor reply, nor their writers authors',
    ['Ada Lang', 'Bo Zed'].map((name) => ({
      date: '2024-03-25',
      stars: 4,
      text: `All was well here, says ${name}`,
      author: { name },
      comments: [{ author: 'Cy Orr', comment: 'I think so too, we were there' }],
    })),
    { columns: { text: 'text', author: 'author.name' } },
  ],
  [
    'a column of options is no text, a proof is known by its words, and names have a fallback',
    `nickname,full_name,stars,date,reviewMessage,reviewOptionsList,verifiedType
Ada L.,Ada Lang,5,2024-03-25,The bag &amp; the straps are strong,Fit: Perfect; Age: over forty years,verifiedPurchase
,Bo Zed,3,2024-03-26,It&#39;s too small for a laptop,Fit: Small and rather narrow,Verifizierter Kauf
`,
    {
      columns: { text: 'reviewMessage', author: [['nickname'], ['full_name']] },
      verified_values: ['verifiedPurchase', 'Verifizierter Kauf'],
    },
  ],
  [
    'the words of the customer go before their translation, and sources are in the rows',
    [
      { rating: 5, translated: 'The staff was very kind', original: 'Das Personal war sehr nett' },
      {
        rating: 'Not Recommended',
        translated: 'We waited for an hour',
        original: 'Eine Stunde gewartet',
      },
      { rating: 4, translated: 'A good breakfast too', original: 'Auch das Frühstück war gut' },
    ].map(({ rating, translated, original }, index) => ({
      date: '2024-03-25',
      author: `Ada ${index}`,
      rating,
      snippet: translated,
      extract: { original },
      source: ['Google', 'Facebook', 'Yelp'][index],
    })),
    {
      columns: { text: ['extract.original', 'snippet'], source: 'source' },
      rating_values: { 'Not Recommended': 1 },
    },
  ],
  [
    'Steam: a thumb is five stars or one',
    [
      {
        recommendationid: '198001',
        review: 'The lighthouse puzzle took us a weekend',
        voted_up: true,
      },
      {
        recommendationid: '198002',
        review: 'It crashes every twenty minutes here',
        voted_up: false,
      },
    ].map((each) => ({ ...each, timestamp_created: 1_777_629_600 })),
    {
      columns: { rating: 'voted_up', text: 'review' },
      rating_values: { true: 5, false: 1 },
      constants: { source: 'steam', author: 'A Steam user' },
    },
  ],
  [
    'Zendesk and Angi: "Bad" is one star, and so is F; nobody rated what was only offered',
    `Requester,Overall satisfaction rating,Comment,Date
Ada Lang,Good,She stayed on the line until it worked,2024-03-25
Bo Zed,Bad,Four different people and four answers,2024-03-26
Cy Dorn,Offered,,2024-03-27
Dé Ray,Unoffered,,2024-03-27
`,
    {
      columns: { rating: 'Overall satisfaction rating' },
      rating_values: { Good: 5, Bad: 1 },
      only: { 'Overall satisfaction rating': ['Good', 'Bad'] },
    },
  ],
  [
    'SurveyMonkey: the stars of the whole go before those of a part, and employees are no customers',
    `Survey name,Name,Date,Words,Please rate: – Teacher,The course overall? – ☆
Course,Ada Lang,2024-03-25,The best class that I ever took,Very satisfied,3
Course,Bo Zed,2024-03-26,Too many people round one oven,Satisfied,4
Employee pulse,Cy Dorn,2024-03-27,My manager never gives me feedback,Satisfied,2
`,
    { columns: { rating: 'The course overall? – ☆' }, only: { 'Survey name': ['Course'] } },
  ],
  [
    'kununu and Tripadvisor: answers and scores by their names, in lists, cells and columns',
    [
      { positive: 'Kind people and free coffee', negative: 'The pay is below the market' },
      { positive: 'Nothing', negative: 'She shouts at everybody in the office' },
    ].map((texts, index) => ({
      date: '2024-03-25',
      score: index + 3,
      texts: Object.entries(texts).map(([id, text]) => ({ id, text })),
      ratings: [{ id: 'atmosphere', score: 4 }],
    })),
    {
      columns: {
        text: {
          Positive: 'texts.[id=positive].text',
          Negative: 'texts.[id=negative].text',
        },
      },
      ratings: { atmosphere: 'ratings.[id=atmosphere].score' },
    },
  ],
  [
    'judged beside other columns: names, who is addressed, days after those of reviews, and states',
    `Entry,When,Seen,Mark,Told us,Told back,Back on,Shown
1,2024-03-25,2024-03-26,5,The goat was polite and the bread warm,"Always, Gina. Mind the goat!",2024-03-27,live
2,2024-03-26,2024-03-28,2,Nobody had the key to the cellar,,,live
3,2024-03-27,2024-03-29,1,Buy cheap watches in my shop,,,spam
`.replaceAll(
      /^(\d|Entry),/gm,
      (_, entry: string) =>
        `${{ Entry: 'Visitor no', 1: 'Gina Fox', 2: 'mike*88', 3: 'j***n' }[entry]},`,
    ),
    {
      columns: {
        author: 'Visitor no',
        text: 'Told us',
        owner_reply_text: 'Told back',
        owner_reply_date: 'Back on',
      },
      only: { Shown: ['live'] },
    },
  ],
  [
    'rows that are replies, and a heading that lists its levels from the worst',
    `Name,Date,How was it? (Bad / So-so / Good / Best),Comment
Ada Lang,2024-03-25,Best,The wall fits to the millimetre
Brand & Sons (reply),2024-03-26,,Thank you for the wall
Bo Zed,2024-03-20,So-so,Three weeks later than they had said
Brand & Sons (reply),2024-03-22,,Sorry for the wait
`,
    {
      columns: { author: 'Name' },
      rating_values: { Best: 5, 'So-so': 2 },
      reply_rows: { Name: ['Brand & Sons (reply)'] },
    },
  ],
  [
    'beside a column of replies, rows of the owner are about customers',
    `Type,Name,Date,Stars,Comment,Reply
guest,Ada Lang,2024-03-25,5,The skylight and the smell of coffee,Come back soon
host,Ada Lang,2024-03-26,,Broke a lamp and told no one,
guest,Bo Zed,2024-03-20,2,The bins had not been emptied,
`,
    { columns: { owner_reply_text: 'Reply' }, only: { Type: ['guest'] } },
  ],
  [
    'lists of reviews by what is in them, in pages, and replies that are private or rejected',
    [1, 2].map((page) => ({
      page,
      items: ['Ada Lang', 'Bo Zed'].map((name) => ({
        when: '2024-03-25',
        who: name,
        score: 4,
        said: `It went well on page ${page} for all of us`,
        answers: [
          { text: 'Never paid us a cent', at: '2024-03-26', private: 1 },
          ...(name === 'Bo Zed'
            ? []
            : [{ text: `Thank you very much for ${page}`, at: '2024-03-27', private: 0 }]),
        ],
      })),
    })),
    {
      list: '*.items',
      columns: {
        text: 'said',
        owner_reply_text: 'answers.[private=0].text',
        owner_reply_date: 'answers.[private=0].at',
      },
    },
  ],
  [
    'digits of Arabic, years of Japan and Thailand, and hearts',
    `Name,Date,Rating,Comment
Ada Lang,令和6年4月1日,♥♥♥♥♡,We loved the tempura and the tea
Bo Zed,๒๕๖๘年๒月๕日,♥♥♡♡♡,The table was far too small for us
`,
    { columns: { date: 'Date', rating: 'Rating' }, date_format: "yyyy'年'M'月'd'日'" },
  ],
])('no harm: %s', (_, content, mapping) => {
  test('is proposed', () => {
    expect(proposal(content, { source: null })).toMatchObject({ mapping, missing: [] });
  });
});

const withColumn = (
  heading: string,
  values: readonly string[],
) => `Name,Stars,Date,Comment,"${heading}"
${values.map((value, index) => `Ada Lang${index},${index + 2},2024-03-2${index},Very friendly and quick on day ${index},"${value}"`).join('\n')}
`;

test.each([
  ['May we publish your answer on our site?', '1', '0'],
  ['Testimonial consent', 'TRUE', 'FALSE'],
  ['Ich bin mit der Veröffentlichung einverstanden', 'Ja', 'Nein'],
  ['Einwilligung', 'erteilt', 'nicht erteilt'],
  ['Acceptez-vous que votre avis soit publié sur notre site ?', 'Oui', 'Non'],
  ['Accord de publication', 'Oui', 'Non'],
  ['¿Nos autoriza a publicarlo en la web?', 'Sí', 'No'],
  ['Possiamo pubblicare la recensione sul sito?', 'Sì', 'No'],
  ['Mogen wij dit publiceren op de site?', 'Ja', 'Nee'],
  ['Autoriza a publicação no site?', 'Sim', 'Não'],
  ['Autoriza divulgação? (LGPD)', 'Sim', 'Não'],
  ['Får vi publicera ditt omdöme?', 'Ja', 'Nej'],
  ['Må vi citere dig på vores site?', 'Ja', 'Nej'],
  ['Zgoda na publikację', 'Tak', 'Nie'],
  ['掲載許可', '可', '不可'],
  ['OK for website?', 'Yes', 'No'],
  ['Website OK', 'yes', 'no'],
  ['Agreed', 'Yes', 'No'],
  ['Ok für die Website', 'Ja', 'Nein'],
])('only rows that say yes to "%s" are read', (heading, yes, no) => {
  const { mapping } = proposal(withColumn(heading, [yes, no, '', yes]));
  expect(mapping).toMatchObject({ agreed: { [heading]: [yes] } });
  expect(mapping).not.toHaveProperty('columns.location');
  expect(mapping).not.toHaveProperty('attributes');
});

test.each([
  ['May we show your name?', ['Yes', 'No', '', 'Yes'], ['No', '']],
  ['Dürfen wir Ihren Namen nennen?', ['Ja', 'Nein', 'Ja', 'Ja'], ['Nein', '']],
  ['Stay anonymous', ['true', 'false', '', 'false'], ['true']],
  [
    'Publier mon avis',
    ['Oui', 'Oui, mais sans mon prénom', 'Non', 'Oui'],
    ['Oui, mais sans mon prénom'],
  ],
  ['Can we quote you?', ['Yes', 'First name only', 'No', 'Yes'], ['First name only']],
])('rows are nameless by "%s"', (heading, values, nameless) => {
  const { mapping } = proposal(withColumn(heading, values));
  expect(mapping).toMatchObject({
    nameless: { [heading]: nameless },
    constants: { author: 'A customer' },
  });
});

test.each<[string, string, object]>([
  [
    'Score changed at',
    `Score,Comment,Score changed at,Ticket opened,Birthday,Invite sent
5,All was well and quick,2024-03-25T10:00:00Z,2024-03-20,1980-02-03,2024-03-24
1,Nobody called me back,2024-03-26T10:00:00Z,2024-03-21,1990-02-03,2024-03-24
`,
    { date_format: 'iso' },
  ],
  [
    'Datum',
    `Datum,Note (1-10),Kommentar
45060,9,Alles war gut und schnell
45079,3,Niemand rief zurück
27.04.2024,5,Nicht sehr freundlich
`,
    { date_format: ['d.M.yyyy', 'excel'] },
  ],
  [
    'Date',
    'Date,Stars,Text\n45060,5,It was very good\n45061,1,It was very bad',
    { date_format: 'excel' },
  ],
])('dates are those of "%s"', (heading, content, mapping) => {
  const dates = proposal(content).mapping;
  expect(dates).toMatchObject({ columns: { date: heading }, ...mapping });
});

test('tips of a guest are words, the branch goes before the business, and Vine proves nothing', () => {
  const { mapping } =
    proposal(`publishedDate,Business Name,Location,who,rating,text,roomTip,verified
2024-03-25,Sea Inns,North,Ada Lang,5,All was well and quick,Ask for room 4 by the sea,Verified Purchase
2024-03-26,Sea Inns,South,Bo Zed,1,Nobody called me back,,Vine Customer Review of Free Product
2024-03-27,Sea Inns,North,Cy Orr,4,Good and warm all week,,Verifizierter Kauf
`);
  expect(mapping).toMatchObject({
    columns: {
      date: 'publishedDate',
      location: 'Location',
      text: { '': 'text', 'Room tip': 'roomTip' },
    },
    verified_values: ['Verified Purchase', 'Verifizierter Kauf'],
  });
  expect(mapping).not.toHaveProperty('only');
  expect(mapping).not.toHaveProperty('attributes');
});

const MARKS = `Datum,Gesamtnote,Beratung,Empfehlung,Kommentar
25.03.2024,"4,67",5,Ja,Alles war gut und schnell
26.03.2024,"1,33",2,Nein,Niemand rief zurück
`;
const NO_ADVICE = MARKS.replaceAll(/,(?:Empfehlung|Ja|Nein)(?=,)/g, '');
const GRADES = { min: 6, max: 1 };

test.each<[string, string, Partial<Given>, object]>([
  ['who recommends gives more', MARKS, {}, {}],
  [
    'the heading says that these are marks of schools',
    NO_ADVICE.replace('Gesamtnote', 'Note (Schulnote 1-6)'),
    {},
    { rating_scale: GRADES, ratings_scale: GRADES },
  ],
  [
    'kind words stand beside 1',
    NO_ADVICE.replace('schnell', 'schlecht')
      .replace('Alles war gut und', 'Alles war')
      .replace('Niemand rief zurück', 'Sehr gut'),
    {},
    { rating_scale: GRADES, ratings_scale: GRADES },
  ],
  [
    'a heading names the best',
    'Date,Rating (1 = best to 5),Text\n2024-03-25,1,All was well and quick\n2024-03-26,4,It was late again',
    {},
    { rating_scale: { min: 5, max: 1 } },
  ],
  [
    'a legend names the worst, and 5 is the best',
    'Marks: 1 = very poor\nDatum,Note,Kommentar\n25.03.2024,1,Alles war kalt\n26.03.2024,4,Niemand rief zurück',
    {},
    {},
  ],
  [
    'of 0 to 5 stars one is one',
    'Data,Nota (0 a 5),Texto\n2024-03-25,1,Cobraram duas vezes\n2024-03-26,0,Perdi a consulta toda',
    {},
    {},
  ],
  ['a platform has stars', NO_ADVICE, { name: 'provenexpert.csv' }, {}],
  [
    'the scale is given, for parts too',
    NO_ADVICE,
    { scale: { min: 1, max: 5 } },
    { ratings_scale: { min: 1, max: 5 } },
  ],
  [
    'values are percent',
    'Date,Overall,Staff,Review\n2024-03-25,96%,80%,All was well\n2024-03-26,40%,20%,It was bad',
    {},
    { rating_scale: { min: 0, max: 100 }, ratings_scale: { min: 0, max: 100 } },
  ],
  [
    'five words are in order',
    withColumn('How was it?', ['Excellent', 'Very good', 'Good', 'Poor', 'Fair']).replaceAll(
      /,\d,/g,
      ',x,',
    ),
    {},
    { rating_values: { Excellent: 5, 'Very good': 4, Good: 3, Fair: 2, Poor: 1 } },
  ],
])('scales: %s', (_, content, given, scales) => {
  const { mapping } = proposal(content, given);
  const found = Object.entries(mapping).filter(([key]) => /^ratings?_/.test(key));
  expect(Object.fromEntries(found)).toEqual(scales);
});

test('marks whose best nothing tells are asked for, and read only then', () => {
  const { mapping, open } = proposal(NO_ADVICE, { source: 'paper' });
  expect(open).toMatchObject([{ option: '--scale WORST-BEST' }]);
  expect(mapping).not.toHaveProperty('columns.rating');
  const wrong = [
    'Name,Stars,Date,Comment',
    ...['1,Excellent', '1,Great', '5,Awful', '5,Terrible'].map(
      (cells, at) => `Ada ${at},${cells.replace(',', `,2024-03-2${at},`)} work all day`,
    ),
  ];
  expect(proposal(wrong.join('\n')).open).toMatchObject([{}, { option: '--scale WORST-BEST' }]);
});

test('the id of a part is not that of its review', () => {
  const rows = [1, 2].map((at) => ({
    stars: at,
    when: `2025-04-1${at}`,
    text: `The bread and the view, day ${at}`,
    parts: { Quality: { Id: `Quality ${at}` } },
  }));
  expect(proposal({ rows }).mapping).not.toHaveProperty('columns.source_id');
});

test('what is taken for stars is told', () => {
  const notesOf = (content: string) => proposal(content).notes.join('; ');
  expect(
    notesOf(`Name,Rating,Recommended,Date,Review
Ada Lang,5,,2024-03-25,Very friendly and quick
Bo Zed,,Recommends,2024-03-26,They called me back at once
`),
  ).toContain('stars of words: "Recommends" is 5');
  expect(
    notesOf(`Name,Response,Survey type,Date,Comment
Ada Lang,9,Net Promoter Score (NPS),2024-03-25,Very friendly and quick
Bo Zed,0,Net Promoter Score (NPS),2024-03-26,Nobody called me back
`),
  ).toContain('answers to a survey (such as NPS or CSAT) are no reviews: publish them only if');
  expect(
    notesOf(`Name,Stars,Service,Food,Date,Comment
Ada Lang,5,9,10,2024-03-25,Very friendly and quick
Bo Zed,1,3,6,2024-03-26,Nobody called me back
`),
  ).toContain('part scores are taken from a scale of 1 to 10');
});

test.each([
  'Anything you want to tell *only us*?',
  "Remarques pour l'équipe (ne sera pas publié)",
  'Was sollen nur wir wissen? (wird nicht veröffentlicht)',
  'Algo que no se publicará',
  'Alleen voor ons: wat ging er mis?',
  '備考（社内用）',
])('words under "%s" are not read', (heading) => {
  const words = [
    'The second teacher was late twice',
    'He smoked near the pans',
    'All was well',
    '',
  ];
  const { mapping } = proposal(withColumn(heading, words));
  expect(mapping).toMatchObject({ columns: { text: 'Comment' } });
  expect(JSON.stringify(mapping)).not.toContain(heading.slice(0, 8));
});

test('columns that are not read are named once', () => {
  const { mapping, notes } =
    proposal(`Name,Stars,Date,Comment,Colour,Mechanic,photo_url,Product photo,incentivized
Ada Lang,5,2024-03-25,Very friendly and quick,red,Sid,https://a.example/1.jpg,https://a.example/1,TRUE
Bo Zed,1,2024-03-26,Nobody called me back at all,blue,Tom,,https://a.example/2,FALSE
`);
  expect(notes).toEqual(['columns that are not read: "Colour", "Mechanic", "photo_url"']);
  expect(mapping).toMatchObject({ attributes: { incentivized: 'incentivized' } });
});

test('the name of the file may name the platform', () => {
  const { mapping } = proposal(OPEN, { name: 'exports/doctify 2024.csv' });
  expect(mapping['constants']).toEqual({ source: 'doctify' });
});

const OPEN = `Name,Date,Points,Text
Ada Lang,03/04/2024,9,Sehr freundlich und schnell
Bo Zed,05/04/2024,3,Leider viel zu teuer gewesen
`;

test('what the file does not decide is open, and options settle it', () => {
  expect(proposal(OPEN).open).toEqual([
    {
      question:
        'whether "03/04/2024" begins with the day or with the month (ORDER is day-first or month-first)',
      option: '--dates ORDER',
    },
    { question: 'where these reviews were written', option: '--source NAME' },
  ]);
  const settled = proposal(OPEN, {
    source: 'survey',
    dateOrder: 'month-first',
    scale: { min: 0, max: 10 },
    verifiedBy: 'invoice',
  });
  expect(settled.open).toEqual([]);
  expect(settled.mapping).toMatchObject({
    date_format: 'M/d/yyyy',
    rating_scale: { min: 0, max: 10 },
    constants: { source: 'survey', verified_by: 'invoice' },
  });
  const ago = `Name,Stars,When,Words
Ada Lang,5,3 weeks ago,Friendly and fast all day
Bo Zed,2,a month ago,Nobody called me back
`;
  expect(proposal(ago, { source: 'google' })).toMatchObject({
    missing: [],
    open: [
      {
        question: 'on which day "3 weeks ago" was exported (YYYY-MM-DD)',
        option: '--dates YYYY-MM-DD',
      },
    ],
  });
  expect(proposal(ago, { source: 'google', dateOrder: '2025-06-20' })).toMatchObject({
    mapping: { date_format: 'relative', relative_to: '2025-06-20' },
    open: [],
  });
});

test('what a table lacks is said, and e-mail addresses and private words are not taken', () => {
  const { missing, mapping, notes } = proposal(
    `E-mail,When,Private feedback,Private feedback for host,Note to host
a@b.c,2024-03-25,Please do not publish this anywhere,The lock of the gate is broken,Thank you for the towels
b@b.c,2024-03-26,I only tell you this in confidence,Your neighbour shouted at us,We left the key in the box
`,
  );
  expect(missing).toEqual(['words', 'stars']);
  expect(mapping['columns']).toEqual({ date: 'When' });
  expect(notes[0]).toBe('no column has names: each author is "A customer"');
});

/** What a table that shows one mend each is read by, in part. */
test.each<[string, string | object, object]>([
  [
    'the words of a survey are under "Response", and addresses are no words',
    `Rating,Response,Submission Date,Contact
9,They mended my roof in a day,2024-03-25,Dr. Ada van Lang (ada@x.example)
0,,2024-03-26,bo@x.example
6,A long wait and then no answer,2024-03-27,Mr. Cy De Orr (cy@x.example)
`,
    { columns: { text: 'Response', author: 'Contact' }, rating_scale: { min: 0, max: 10 } },
  ],
  [
    'the date of a reply is none of a review, and a part score is no branch',
    `Published,Stars,Words,Answer,Response Date,Property,Location
"Mar 24, 2025",5,Quiet room above the harbour,Thank you for staying with us,"Mar 26, 2025",Pier Inn,4
"Mar 9, 2025",2,The heating failed for two nights,,,Pier Inn,5
"Feb 2, 2025",4,A small lift but kind people,,,Pier Inn,3
`,
    { columns: { date: 'Published', owner_reply_date: 'Response Date', location: 'Property' } },
  ],
  [
    'answers to a question that repeat are no words',
    `Name,Stars,Date,Comment,How does it fit?,Your usual size,How was it? [Tub]
Ada Lang,5,2024-03-25,It held all winter long,Too small,43,Cold
Bo Zed,1,2024-03-26,The seam split in a week,As it should,41,Warm
Cy Orr,4,2024-03-27,Warm and light on the hill,Too small,24.5,Hot
`,
    {
      columns: { text: 'Comment' },
      attributes: { your_usual_size: 'Your usual size', tub: 'How was it? [Tub]' },
    },
  ],
  [
    'a table that a browser extension took from a page',
    `a-name,a-size href,a-size,a-size 2,a-icon,text-x,vote-text
Ada Lang,https://x.example/customer-reviews/R1,A knife that cuts,12 March 2024,5.0 out of 5 stars,Cuts bread and thumbs with ease,14 people found this helpful
Bo Zed,https://x.example/customer-reviews/R2,Blunt in a week,3 April 2024,1.0 out of 5 stars,It went blunt on the first loaf,One person found this helpful
`,
    { columns: { title: 'a-size', text: 'text-x', author: 'a-name', source_url: 'a-size href' } },
  ],
  [
    'the best score stands beside each, types are written out, and names have two parts',
    [4, 9].map((value, at) => ({
      ts: { $date: { $numberLong: `${1_714_550_400_000 + at * 86_400_000}` } },
      by: { name: { first: ['Ada', 'Bo'][at], last: ['Lang', 'Zed'][at] } },
      score: { value, max: [5, 10][at] },
      body: ['The drum is as loud as a bell', 'Quick in and out with a card'][at],
      meta: { v: 3 + at },
    })),
    {
      columns: { date: 'ts', author: ['by.name.first', 'by.name.last'], rating: 'score.value' },
      rating_scales: { 'score.max': { 5: { min: 1, max: 5 }, 10: { min: 1, max: 10 } } },
      date_format: 'iso',
    },
  ],
  [
    'a zone without minutes',
    `When,Stars,Words
2024/03/05 6:22:10 PM GMT+1,5,The dog came out like new
2024/03/06 9:01:44 AM GMT+1,2,They were three quarters late
`,
    { columns: { date: 'When' }, date_format: 'yyyy/MM/dd h:mm:ss a XXX' },
  ],
  [
    'scores of an unknown name, scores in a cell, and the place of each',
    `Onde,Nota,Data,Texto,Sabor,Rapidez,ratings
Google,5,2024-03-25,Melhor torta de toda a rua,5,4,Food: 5|Wait time: 4
Facebook,2,2024-03-26,Uma hora por um pastel frio,2,1,Food: 2|Wait time: 1
Livro,4,2024-03-27,Musica alta e comida boa,4,3,Food: 4|Wait time: 3
`,
    {
      columns: { source: 'Onde', rating: 'Nota' },
      ratings: { sabor: 'Sabor', rapidez: 'Rapidez', food: 'ratings.Food' },
    },
  ],
])('mends: %s', (_, content, mapping) => {
  expect(proposal(content).mapping).toMatchObject(mapping);
});

test('none is no star, a translation is no text, and who wrote may be gone', () => {
  const { mapping, notes } = proposal(
    [5, 0, 3].map((rating, at) => ({
      createdAt: `2024-03-2${at}T10:00:00Z`,
      rating,
      comments: ['Die Stube war warm und hell', 'The stay was cancelled by us', 'Leider laut'][at],
      localized: { comments: ['The parlour was warm', 'The stay was', 'Loud alas'][at] },
      reviewer: { deleted: at > 1, __typename: 'Person', firstName: ['Ada', 'Bo', ''][at] },
    })),
  );
  expect(mapping).not.toHaveProperty('rating_scale');
  expect(mapping).not.toHaveProperty('only');
  expect(mapping).toMatchObject({ columns: { text: 'comments', author: 'reviewer.firstName' } });
  expect(notes.join()).not.toContain('__typename');
});

test('fit is no score, and a list of invoices is refused', () => {
  const { mapping } = proposal(`Name,Stars,Date,Words,Fit,Comfort
Ada Lang,5,2024-03-25,It held all winter long,2,5
Bo Zed,1,2024-03-26,The seam split in a week,1,1
Cy Orr,3,2024-03-27,Warm but rough at the neck,3,4
`);
  expect(mapping).toMatchObject({ ratings: { comfort: 'Comfort' } });
  expect(mapping['ratings']).not.toHaveProperty('fit');
  const invoices = `Invoice no.;Customer;Invoice date;Due date;Description;Net;Rate;VAT;Comment
17;Quay Ltd;02.10.2024;01.11.2024;Gutters of the hall;120,00;20;24,00;Paid at once and with a smile
18;Ada Lang;04.10.2024;03.11.2024;Windows of the barn;85,00;5;4,25;
`;
  const visits = `Code,Business,Searches,Views,Calls,Directions
1,Rose Inn,120,300,4,9
2,Rose Spa,80,210,2,5
`;
  expect(() => proposal(visits)).toThrow(/a report on visits \("Searches", "Views", "Calls"/);
  const reviewed = visits.replaceAll(/(?=\n)/g, ',4').replace('Directions,4', 'Directions,Reviews');
  expect(() => proposal(reviewed)).toThrow(/a report on visits/);
  expect(() => proposal(invoices)).toThrow(
    /invoices or orders \("Invoice no\.", "Due date", "VAT"/,
  );
});

test('a day for all rows stands in for a column of dates', () => {
  const table =
    'Name,Stars,Words\nAda Lang,5,The best stew of the town\nBo Zed,2,An hour for a cold pie\n';
  expect(proposal(table)).toMatchObject({
    missing: ['a date'],
    open: [{ option: '--dates YYYY-MM-DD' }, { option: '--source NAME' }],
  });
  const given = proposal(table, { source: 'book', dateOrder: '2024-03-25' });
  expect(given).toMatchObject({
    missing: [],
    open: [],
    mapping: { constants: { date: '2024-03-25' } },
  });
});

test('stars win over advice, and a yes to first names shows no more', () => {
  const form = (consent: string) =>
    proposal(`First name,Last name,How would you rate your visit?,Tell us more,"How likely are you to recommend us, from 0 to 10?",${consent},Submit Date
Ann,Berg,5,"Lovely garden, quiet rooms and a warm welcome",10,Yes,2024-03-25
Bo,Carr,2,The shower was cold on all three mornings,4,Yes,2024-03-26
Cy,Dahl,4,Near the beach but the road is noisy at night,8,No,2024-03-27
`);
  const asked = 'May we publish this with your first name?';
  const { mapping, notes } = form(asked);
  expect(mapping).toMatchObject({
    columns: { rating: 'How would you rate your visit?', author: ['First name'] },
    agreed: { [asked]: ['Yes'] },
  });
  expect(mapping).not.toHaveProperty('nameless');
  expect(notes).toContain(`"${asked}" asks for no more than the first name or initials`);
  const full = form('May we publish this?');
  expect(full.mapping).toMatchObject({ columns: { author: ['First name', 'Last name'] } });
  expect(full.notes).toContainEqual(expect.stringContaining('"authors": "initials"'));
  expect(full.notes).not.toContainEqual(expect.stringContaining('answers to a survey'));
  expect(form('Visits').notes).toContainEqual(expect.stringContaining('answers to a survey'));
});

test.each([
  ['How was your visit?', 0],
  ['Wie war es bei uns?', 0],
  ['How many people came with you?', 1],
  ['How often do you come?', 1],
])('of questions with numbers, "%s" and one that asks for advice', (question, taken) => {
  const advice = 'How likely are you to recommend us to a friend?';
  const form = (first: string, second: string) =>
    proposal(`What is your name?,${first},${second},Tell us a bit more,Date
Ann,5,10,"Lovely garden, quiet rooms and a warm welcome",2024-03-25
Bo,2,4,The shower was cold on all three mornings,2024-03-26
Cy,4,9,Near the beach but the road is noisy at night,2024-03-27
`);
  const { mapping, notes } = form(question, advice);
  expect(mapping).toMatchObject({ columns: { rating: [question, advice][taken] } });
  const told = `"${advice}" could be the stars too: to take it, rename that heading to "Stars", and import the file again`;
  expect(notes.includes(told)).toBe(taken === 0);
  const renamed = form(question, 'Stars');
  expect(renamed.mapping).toMatchObject({
    columns: { rating: 'Stars' },
    rating_scale: { max: 10 },
  });
  expect(renamed.notes.join()).not.toContain('could be the stars too');
});

test('a survey of three faces beside one of ten has its own scale', () => {
  const survey = (faces: string[]) =>
    proposal(`Date,Survey Type,Rating,Response,Contact
2026-10-08,NPS,10,The team was on time and polite,Ann Berg
2026-09-17,NPS,3,I called three times for the papers,Bo Carr
2026-08-03,CSAT,${faces[0]},It was solved on the same day,Cy Dahl
2026-07-19,CSAT,${faces[1]},Nobody answered my question,Di Ebel
`);
  const { mapping, notes } = survey(['2', '0']);
  expect(mapping).toMatchObject({
    rating_scales: { 'Survey Type': { NPS: { min: 0, max: 10 }, CSAT: { min: 0, max: 2 } } },
  });
  expect(notes).toContain(
    'stars are taken from the scale of each "Survey Type", whose worst is 1 star and whose best is 5: "NPS" 0 to 10, "CSAT" 0 to 2',
  );
  for (const faces of [
    ['2', '1'],
    ['5', '0'],
  ])
    expect(survey(faces).mapping).toMatchObject({
      rating_scales: { 'Survey Type': { CSAT: { min: 1, max: 5 } } },
    });
});

test('names beside nicknames are told, and shares of helpful votes are no scores', () => {
  const rows = [
    { nickname: 'gus', full_name: 'Gus Hale', Helpfulness: 1 },
    { nickname: '', full_name: 'José Ruiz', Helpfulness: null },
  ].map((row, index) => ({
    ...row,
    rating: 4 + index,
    date: `2024-03-2${index}`,
    review: 'A buckle broke on the first trip',
    scores: [
      { ratingCategory: 'value', rating: 5 },
      { ratingCategory: 'cleanliness', rating: 4 - index },
    ],
    SyndicationSource: index === 0 ? null : { Name: 'other.example' },
  }));
  const { mapping, notes } = proposal(rows);
  expect(mapping).toMatchObject({
    columns: { author: [['nickname'], ['full_name']] },
    ratings: {
      value: 'scores.[ratingCategory=value].rating',
      cleanliness: 'scores.[ratingCategory=cleanliness].rating',
    },
    attributes: { syndicated_from: 'SyndicationSource.Name' },
  });
  expect(mapping['ratings']).not.toHaveProperty('helpfulness');
  expect(notes).toContainEqual(expect.stringContaining('"authors": "initials"'));
});
