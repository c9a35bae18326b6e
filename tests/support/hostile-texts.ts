import { hostileHtml } from "./hostile-html.ts";

/** Wraps a payload to evade filters, or to break out of its context. */
const WRAPS: ((payload: string) => string)[] = [
  (payload) => payload,
  (payload) => `">${payload}`,
  (payload) => `'>${payload}`,
  (payload) => `</title></textarea></style></script>${payload}`,
  (payload) => `-->${payload}<!--`,
  (payload) => `]]>${payload}`,
  (payload) => payload.replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  (payload) => payload.replaceAll("<", "\u003c").replaceAll("hit()", "hit`1`"),
  (payload) => payload.toUpperCase().replaceAll("HIT()", "hit()"),
  (payload) => encodeURIComponent(payload),
  (payload) => `{{constructor.constructor('hit()')()}}${payload}`,
  (payload) => `\${hit()}<%= hit() %>#{hit()}${payload}`,
];

/** URLs and expressions that run if they are used as a link, a style or a template. */
const EXPRESSIONS = [
  ...[
    "javascript:hit()",
    " javascript:hit()",
    "java\tscript:hit()",
    "JaVaScRiPt://%0ahit()",
    "data:text/html,<script>hit()</script>",
  ],
  ...[
    "vbscript:hit()",
    "x onmouseover=hit()",
    "';hit();//",
    '";hit();//',
    "\\u0022;hit();//",
    "`;hit();//",
    "*/hit()/*",
  ],
  ...["expression(hit())", "url(javascript:hit())", "@import 'javascript:hit()'", "x:hit", "__proto__", "constructor"],
];

/** More than 500 texts that try to run code in a reader's browser. */
// A zero byte is refused before anything is stored.
export const hostileTexts: string[] = [
  ...hostileHtml.flatMap((payload) => WRAPS.map((wrap) => wrap(payload))),
  ...EXPRESSIONS,
].filter((text) => !text.includes("\u0000"));

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => String.fromCodePoint(from + n));

/** Harmless texts that often break programs; they must be stored and shown unchanged. */
export const naughtyStrings: string[] = [
  ...[
    "undefined",
    "null",
    "NaN",
    "true",
    "0",
    "-0",
    "1e1000",
    "0x0",
    "1/0",
    "[object Object]",
    "None",
    "NULL",
    "nil",
    "(null)",
  ],
  ...[
    "' or 1=1 --",
    "'; drop table memories; --",
    "\\'; select 1; --",
    "%s%n%x",
    "$(touch x)",
    "`touch x`",
    "../../etc/passwd",
  ],
  ...["C:\\con\\nul", "a/b\\c:d*e?f", "{0}", "%d", "{{7*7}}", "<%= 7*7 %>", "&amp;amp;", "&#0;x", "\\n\\r\\t"],
  // Letters that change their length with case, look alike, combine, or run from right to left.
  ...["ß ẞ İ ı ſ ŉ ǰ", "Ａｄａ", "аdа", "שלום שלום", "مرحبا بكم", "‮evil‬", "⁦a⁩⁧b⁩", "T̶h̶e̷ ̸n̴a̵m̶e̸", "Z̲̅ä̴̧l̢g̕o", "नमस्ते", "ทดสอบ"],
  ...[
    "👩‍👩‍👧‍👦",
    "🏳️‍🌈",
    "👋🏽",
    "🇮🇹🇬🇧",
    "1️⃣",
    "社會科學院語學研究所",
    "ｱｲｳ",
    "test\u00a0space",
    "a\u200bb\u200dc",
    "\ufeffmark",
    "﷽",
  ],
  ...[
    "x\u2028y\u2029z",
    " leading and trailing ",
    "\ttab",
    "ﬁ ﬂ ﬀ",
    "１２３",
    "٣٤٥",
    "½ ¾",
    "∮ E⋅da",
    "( ͡° ͜ʖ ͡°)",
    "Ω≈ç√∫˜µ≤≥÷",
  ],
  ...range(0xa1, 0xff),
  ...range(0x2010, 0x2027),
];
