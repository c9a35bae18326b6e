import { createHash } from "node:crypto";
import { open, realpath } from "node:fs/promises";
import { dirname, extname, resolve, sep } from "node:path";
import { marked } from "marked";

/**
 * A problem in a file, with its line number for an editor.
 * @param {string} file
 * @param {number} line
 * @param {string} problem
 */
const problemAt = (file, line, problem) => `${file}:${line}: ${problem}`;

/**
 * The fields before a post's text: the pattern of each, and the message for other values.
 * @type {Record<string, { takes: RegExp, says: string, optional?: true }>}
 */
const FIELDS = {
  title: { takes: /^.{1,200}$/, says: "takes up to 200 characters" },
  slug: {
    takes: /^(?=.{1,100}$)[a-z0-9]+(-[a-z0-9]+)*$/,
    says: "takes small letters, digits and hyphens, as a-box-of-slides",
  },
  language: { takes: /^(en|it)$/, says: "is en or it" },
  summary: { takes: /^.{1,500}$/, says: "takes up to 500 characters" },
  author: { takes: /^.{1,100}$/, says: "takes up to 100 characters" },
  date: {
    takes: /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/,
    says: "is a day, as 2026-12-01, or a moment, as 2026-12-01T08:00Z",
    optional: true,
  },
  draft: { takes: /^(true|false)$/, says: "is true or false", optional: true },
  cover: {
    takes: /\.(jpe?g|png|webp|gif|avif|tiff?|heic|heif)$/i,
    says: "is a picture, as slides.jpg",
    optional: true,
  },
  cover_alt: { takes: /^.{1,300}$/, says: "takes up to 300 characters", optional: true },
};

/**
 * Reads one post: fields between two lines of `---`, then Markdown.
 * @param {string} file
 * @param {string} text
 * @returns {{ problems: string[], row: Record<string, string | null>, line: (field: string) => number }}
 */
export function readPost(file, text) {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const end = lines.indexOf("---", 1);
  if (lines[0] !== "---" || end < 0) {
    return {
      problems: [problemAt(file, 1, "It begins with fields between two lines of ---.")],
      row: {},
      line: () => 1,
    };
  }
  /** @type {string[]} */
  const problems = [];
  /** @type {Record<string, { value: string, line: number }>} */
  const fields = {};
  lines.slice(1, end).forEach((content, index) => {
    const line = index + 2;
    const [, name = "", written = ""] = /^(\w+):\s*(.*?)\s*$/.exec(content) ?? [];
    const value = written.replace(/^"(.*)"$|^'(.*)'$/, "$1$2");
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (content.trim() === "" || content.startsWith("#")) return;
    if (name === "")
      problems.push(problemAt(file, line, "Each line is a field and its value, as title: A box of slides"));
    else if (!field)
      problems.push(problemAt(file, line, `There is no field ${name}: ${Object.keys(FIELDS).join(", ")}`));
    else if (fields[name]) problems.push(problemAt(file, line, `${name} stands on line ${fields[name].line} already`));
    else if (!field.takes.test(value) || (name === "date" && Number.isNaN(Date.parse(value))))
      problems.push(problemAt(file, line, `${name} ${field.says}`));
    if (field) fields[name] ??= { value, line };
  });
  for (const [name, { optional }] of Object.entries(FIELDS)) {
    if (!optional && !fields[name]) problems.push(problemAt(file, end + 1, `${name} is missing`));
  }
  const draft = fields.draft?.value === "true";
  if (!draft && !fields.date) problems.push(problemAt(file, end + 1, "date is missing, or draft: true"));
  const body = lines.slice(end + 1).join("\n");
  if (body.trim() === "") problems.push(problemAt(file, end + 2, "The text is missing"));
  const { title, slug, language, summary, author, date, cover, cover_alt } = Object.fromEntries(
    Object.entries(fields).map(([name, { value }]) => [name, value]),
  );
  return {
    problems,
    row: {
      slug: slug ?? "",
      language: language ?? "",
      title: title ?? "",
      summary: summary ?? "",
      author: author ?? "",
      published_at: draft || problems.length > 0 || !date ? null : new Date(date).toISOString(),
      // The file's path, replaced by the stored name later.
      cover: cover ? resolve(dirname(file), cover) : null,
      cover_alt: cover_alt ?? "",
      body: problems.length > 0 ? "" : marked.parse(body, { async: false }),
    },
    line: (field) => fields[field]?.line ?? 1,
  };
}

/** Upper limits in bytes: of a post, whose HTML has at most 200,000 characters, and of a picture, as for uploads. */
const MOST_TEXT = 1024 * 1024;
const MOST_PICTURE = 50 * 1024 * 1024;

/**
 * Reads a file of at most so many bytes; undefined if it cannot be read. Not more is read, whatever size it states.
 * @param {string} path
 * @param {number} most
 * @returns {Promise<Buffer | "too large" | undefined>}
 */
async function readUpTo(path, most) {
  const file = await open(path).catch(() => undefined);
  try {
    /** @type {Buffer[]} */
    const parts = [];
    let size = 0;
    for await (const part of file?.createReadStream({ autoClose: false, end: most }) ?? []) {
      size += part.length;
      if (size > most) return "too large";
      parts.push(part);
    }
    return file && Buffer.concat(parts);
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}

/**
 * Whether a picture is in its post's folder or below it, also after links of the file system. Posts may come from
 * somebody else, and would otherwise publish any picture of this machine.
 * @param {string} file
 * @param {string} picture
 */
async function isBeside(file, picture) {
  const [folder, path] = await Promise.all([realpath(dirname(file)), realpath(picture)]);
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * Reads posts from Markdown files and stores their covers. If there is any problem, throws one error that names all of
 * them by file and line, and imports nothing.
 * @param {string[]} files
 * @param {(name: string, bytes: Buffer) => Promise<unknown>} store
 */
export async function readPosts(files, store) {
  /** @type {string[]} */
  const problems = [];
  /** @type {Map<string, string>} */
  const places = new Map();
  /** @type {Record<string, string | null>[]} */
  const rows = [];
  /** @type {{ row: Record<string, string | null>, bytes: Buffer, at: { file: string, line: number } }[]} */
  const covers = [];
  for (const file of files) {
    const text = await readUpTo(file, MOST_TEXT);
    if (text === undefined || text === "too large") {
      problems.push(`${file}: ${text ? "It is larger than 1 MB" : "There is no such file"}`);
      continue;
    }
    const post = readPost(file, text.toString("utf8"));
    const key = `${post.row.slug} ${post.row.language}`;
    const earlier = places.get(key);
    if (earlier && post.row.slug)
      problems.push(problemAt(file, post.line("slug"), `${earlier} has the same slug and language`));
    places.set(key, file);
    problems.push(...post.problems);
    if (post.row.cover) {
      const path = post.row.cover;
      const at = { file, line: post.line("cover") };
      const isAllowed = await isBeside(file, path).catch(() => undefined);
      const bytes = isAllowed ? await readUpTo(path, MOST_PICTURE) : undefined;
      if (isAllowed === false) problems.push(problemAt(file, at.line, "The picture is not in the folder of the post"));
      else if (bytes === undefined) problems.push(problemAt(file, at.line, `There is no picture ${path}`));
      else if (bytes === "too large") problems.push(problemAt(file, at.line, "The picture is larger than 50 MB"));
      else covers.push({ row: post.row, bytes, at });
    }
    rows.push(post.row);
  }
  for (const { row, bytes, at } of problems.length > 0 ? [] : covers) {
    const name = coverName(bytes, extname(row.cover ?? ""));
    await store(name, bytes).catch((error) => problems.push(problemAt(at.file, at.line, error.message)));
    row.cover = name;
  }
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return rows;
}

/**
 * The stored name of a picture. It derives from the bytes, so that importing again stores nothing new.
 * @param {Buffer} bytes
 * @param {string} extension
 */
function coverName(bytes, extension) {
  const digest = createHash("sha256").update(bytes).digest("hex");
  const id = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(12, 16),
    digest.slice(16, 20),
    digest.slice(20, 32),
  ];
  return id.join("-") + extension.toLowerCase();
}

/**
 * Describes the state of an imported post.
 * @param {Record<string, string | null>} row
 */
export function describePost({ slug, language, published_at: at }) {
  const state = !at ? "a draft" : Date.parse(at) > Date.now() ? `to appear at ${at}` : "published";
  return `${slug} (${language}): ${state}`;
}
