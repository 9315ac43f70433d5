/** The id of an opened match's title, which takes the focus. */
export const MATCH_TITLE_ID = 'match-title'
