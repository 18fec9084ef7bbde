/** All texts of the interface, so that they read as one voice. */
export const texts = {
  skip: 'Skip to content',
  search: {
    label: 'Search talks, speakers, events',
    submit: 'Search',
    placeholder: 'Search talks, speakers, events …',
  },
  menu: { label: 'Main', events: 'Events', speakers: 'Speakers', tags: 'Tags', stats: 'Statistics' },
  footer: {
    label: 'About this site',
    about: 'About',
    api: 'API',
    feed: 'Feed',
    contact: 'Contact',
    imprint: 'Imprint',
    privacy: 'Privacy',
    poweredBy: 'Powered by Rostrum',
  },
  home: {
    description: (name: string) => `${name}: recorded talks to search and watch.`,
    counts: { talks: 'talks', hours: 'hours', speakers: 'speakers', events: 'events' },
    newest: 'New here',
    events: 'Latest events',
    tags: 'Topics',
    languages: 'Languages',
    all: { talks: 'All talks', events: 'All events', tags: 'All tags' },
    empty: 'No talks yet.',
  },
  feed: { newest: 'New talks' },
  card: { talks: (count: number) => `${toNumber(count)} ${count === 1 ? 'talk' : 'talks'}` },
  errors: {
    missing: { title: 'Page not found', text: 'There is nothing at this address. Perhaps a search finds it.' },
    gone: { title: 'No longer available', text: 'This talk was withdrawn from the archive.' },
    busy: { title: 'Too busy right now', text: 'This page took too long. Please try again in a moment.' },
    other: { title: 'Something went wrong', text: 'The error was logged. Please try again.' },
    bad: { title: 'This address does not work' },
    home: 'Go to the home page',
  },
} as const

const numbers = new Intl.NumberFormat('en')

export function toNumber(value: number): string {
  return numbers.format(value)
}
