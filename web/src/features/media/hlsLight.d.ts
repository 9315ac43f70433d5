/** The light build has the types of the whole one, of which it lacks what we do not use: subtitles, other voices, keys. */
declare module 'hls.js/light' {
  import Hls from 'hls.js'
  export default Hls
}
