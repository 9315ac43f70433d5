/**
 * The light build has the types of the full one. It lacks subtitles, alternative audio and encryption, which we do not
 * use.
 */
declare module 'hls.js/light' {
  import Hls from 'hls.js'
  export default Hls
}
