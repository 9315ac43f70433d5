/** Two hundred texts that would run a script if they were treated as anything but text; `hit()` counts. */
const RUNNING = [
  '<script>hit()</script>',
  '<img src=x onerror=hit()>',
  '<svg onload=hit()></svg>',
  '<svg><script href="data:text/javascript,hit()"></script></svg>',
  '<iframe srcdoc="<script>parent.hit()</script>"></iframe>',
  '<iframe src="javascript:parent.hit()"></iframe>',
  '<body onload=hit()>',
  '<input autofocus onfocus=hit()>',
  '<details open ontoggle=hit()>x</details>',
  '<video><source onerror=hit()></video>',
  '<object data="javascript:hit()"></object>',
  '<embed src="javascript:hit()">',
  '<a href="javascript:hit()">x</a>',
  '<form action="javascript:hit()"><button>x</button></form>',
  '<meta http-equiv="refresh" content="0;url=javascript:hit()">',
  '<style onload=hit()>*{color:red}</style>',
  '<math><mi xlink:href="javascript:hit()">x</mi></math>',
  "{{constructor.constructor('hit()')()}}",
  'javascript:hit()',
  '<marquee onstart=hit()>x</marquee>',
]

/** Prefixes that end the context in which a text may be placed. */
const CLOSING = [
  '',
  '">',
  "'>",
  '-->',
  '</title>',
  '</textarea>',
  ']]>',
  '" onmouseover="hit()" x="',
  '&lt;&quot;',
  '\u202e',
]

export const PAYLOADS: readonly string[] = CLOSING.flatMap((closing) => RUNNING.map((running) => closing + running))
