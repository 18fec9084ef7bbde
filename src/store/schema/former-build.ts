/**
 * Builds before the first release numbered their schemas up to 14 and 9, and marked stores in another way, so that no
 * number is taken for one of ours (decision 79). `import` reads their dumps.
 */
export const explainFormerBuild = (shown: string) =>
  `${shown} was made by a build of Rostrum from before its first release. This one cannot open it. Nothing was changed. ` +
  'With that build, run: rostrum export --format dump --out FILE. Then with this one: rostrum import FILE --db NEW, ' +
  'and create its tokens again with rostrum token create.'
