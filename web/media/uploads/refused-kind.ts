/** A kind of file that cannot be added; each has an advice in the texts. */
export type RefusedKind = "empty" | "drawing" | "picture" | "video" | "sound" | "archive" | "document" | "other";

/** Signatures by kind, at the beginning unless a position is given. ZIP is examined further, since documents are ZIP files. */
const SIGNATURES: readonly (readonly [kind: RefusedKind, text: string, at?: number])[] = [
  ["drawing", "%!PS"],
  ["drawing", "\xc5\xd0\xd3\xc6"],
  ["drawing", "gimp xcf"],
  ["drawing", "AFFX", 2],
  ["document", "{\\rtf"],
  ["document", "\xd0\xcf\x11\xe0"],
  ["document", "AT&TFORM"],
  ["picture", "\0\0\x01\0"],
  ["picture", "v/1\x01"],
  ["picture", "#?RADIANCE"],
  ["picture", "qoif"],
  ["picture", "DDS "],
  ["picture", "\x8aMNG"],
  ["picture", " EMF", 40],
  ["picture", "\xd7\xcd\xc6\x9a"],
  ["video", "FLV"],
  ["video", ".RMF"],
  ["video", "FWS"],
  ["video", "CWS"],
  ["video", "\x06\x0e\x2b\x34"],
  ["video", "\xb7\xd8\0\x20"],
  ["video", "OggS\0\x02\0\0"],
  ["sound", "ID3"],
  ["sound", "fLaC"],
  ["sound", "#!AMR"],
  ["sound", "caff"],
  ["sound", "FORM"],
  ["sound", "MThd"],
  ["sound", "WAVE", 8],
  ["sound", "ftypM4A", 4],
  ["sound", "ftypM4B", 4],
  ["sound", "ftypM4P", 4],
  ["archive", "Rar!"],
  ["archive", "7z\xbc\xaf"],
  ["archive", "\x1f\x8b"],
  ["archive", "BZh"],
  ["archive", "ustar", 257],
  ["archive", "PK\x03\x04"],
];

/** Endings of files without a signature, or with one that several kinds share. */
const ENDINGS: readonly (readonly [kind: RefusedKind, pattern: RegExp])[] = [
  ["drawing", /\.(svgz?|ai|eps|xcf|cdr|afphoto|afdesign|sketch|procreate)$/i],
  ["document", /\.(pdf|docx?|odt|rtf|pages|xlsx?|ods|numbers|pptx?|odp|key|txt|md|csv|html?|epub|djvu?|xps)$/i],
  ["picture", /\.(ico|cur|tga|pcx|p[bgpn]m|pct|pict|wmf|emf|exr|hdr|sgi|ras|xbm|xpm|wbmp|jxr|wdp|pcd)$/i],
  ["video", /\.(flv|f4v|rm|rmvb|ogv|mxf|swf|wtv|divx|m2v|h26[45]|braw|r3d)$/i],
  ["sound", /\.(mp3|m4[abp]|aac|wav|aiff?|flac|og[ga]|opus|amr|awb|caf|wma|midi?)$/i],
  ["archive", /\.(zip|rar|7z|tar|t?gz|bz2|xz|iso|dmg)$/i],
];

/** The number of a file's first bytes that {@link refusedKind} needs. */
export const REFUSED_HEAD_BYTES = 512;

/** The kind of a file that is neither photo nor video, by its first bytes and, for a kind without any, its name. */
export function refusedKind(head: Uint8Array, name: string): RefusedKind {
  if (head.length === 0) return "empty";
  const text = String.fromCharCode(...head.subarray(0, REFUSED_HEAD_BYTES));
  const byName = ENDINGS.find(([, pattern]) => pattern.test(name))?.[0];
  // Sound and video share the beginning of an Ogg file, documents and archives that of a ZIP file.
  if (text.startsWith("OggS")) return /theora|\x80kate/.test(text) ? "video" : "sound";
  if (text.startsWith("PK\x03\x04") && byName) return byName;
  const byContent = SIGNATURES.find(([, signature, at = 0]) => text.startsWith(signature, at))?.[0];
  if (byContent) return byContent;
  if (/^\s*<(\?xml|svg|!doctype svg)/i.test(text) && /<svg/i.test(text)) return "drawing";
  // An MP3 without a description begins with its first frame.
  const [first = 0, second = 0] = head;
  if (first === 0xff && second >= 0xe2 && !byName) return "sound";
  return byName ?? "other";
}
