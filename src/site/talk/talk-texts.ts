import { toNumber } from '../../record/text/counted.ts'

/** Texts of the page of a talk. */
export const talkTexts = {
  player: {
    play: (title: string) => `Play “${title}”`,
    /** What loads, and from whom, is said before it does. */
    playsFrom: (host: string) => `Plays from ${host}`,
    opens: (host: string) => `Opens on ${host}`,
    none: 'No recording is known.',
    speed: 'Speed',
    copyTime: 'Copy link at this time',
    copied: 'Copied',
    copyFailed: 'Could not copy',
    keys: {
      title: 'Keyboard shortcuts',
      use: 'Use these keys on this site',
      list: [
        ['Space or K', 'play, pause'],
        ['← → or J L', '10 seconds back, forward'],
        ['< >', 'slower, faster'],
        ['F', 'full screen'],
        ['M', 'sound off, on'],
        ['/', 'search'],
      ],
    },
  },
  talk: {
    tags: 'Tags',
    moreTags: (count: number) => `${toNumber(count)} more`,
    downloads: 'Download',
    watchOn: (host: string) => `Watch on ${host}`,
    licence: 'Licence',
    quality: 'About the quality',
    links: 'Links',
    next: 'Watch next',
    fromEvent: (event: string) => `More from ${event}`,
    bySpeakers: (names: readonly string[]) => (names.length === 1 ? `More by ${names[0]}` : 'More by these speakers'),
    similar: 'Similar talks',
    cite: 'Cite',
    citation: 'As text',
    bibTex: 'BibTeX',
    embed: 'Embed',
    embedHint: 'This frame shows the player. It sets no cookies.',
    copy: 'Copy',
    edit: 'Edit',
    json: 'JSON',
    share: 'Share and reuse',
  },
} as const
