import { readFile } from "node:fs/promises";
import { marked } from "marked";

/**
 * A problem of one file, by its line, so that an editor can go there.
 * @param {string} file
 * @param {number} line
 * @param {string} problem
 */
const problemAt = (file, line, problem) => `${file}:${line}: ${problem}`;

/**
 * The fields before a post's text: what each takes, and what is said of anything else.
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
  const given = {};
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
    else if (given[name]) problems.push(problemAt(file, line, `${name} stands on line ${given[name].line} already`));
    else if (!field.takes.test(value) || (name === "date" && Number.isNaN(Date.parse(value))))
      problems.push(problemAt(file, line, `${name} ${field.says}`));
    if (field) given[name] ??= { value, line };
  });
  for (const [name, { optional }] of Object.entries(FIELDS)) {
    if (!optional && !given[name]) problems.push(problemAt(file, end + 1, `${name} is missing`));
  }
  const draft = given.draft?.value === "true";
  if (!draft && !given.date) problems.push(problemAt(file, end + 1, "date is missing, or draft: true"));
  const body = lines.slice(end + 1).join("\n");
  if (body.trim() === "") problems.push(problemAt(file, end + 2, "The text is missing"));
  const { title, slug, language, summary, author, date } = Object.fromEntries(
    Object.entries(given).map(([name, { value }]) => [name, value]),
  );
  return {
    problems,
    row: {
      ...{
        slug: slug ?? "",
        language: language ?? "",
        title: title ?? "",
        summary: summary ?? "",
        author: author ?? "",
      },
      published_at: draft || problems.length > 0 || !date ? null : new Date(date).toISOString(),
      body: problems.length > 0 ? "" : marked.parse(body, { async: false }),
    },
    line: (field) => given[field]?.line ?? 1,
  };
}

/**
 * Reads posts from Markdown files. Throws one error that names every problem by file and line; then no post is imported.
 * @param {string[]} files
 */
export async function readPosts(files) {
  /** @type {string[]} */
  const problems = [];
  /** @type {Map<string, string>} */
  const places = new Map();
  /** @type {Record<string, string | null>[]} */
  const rows = [];
  for (const file of files) {
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text === undefined) {
      problems.push(`${file}: There is no such file`);
      continue;
    }
    const post = readPost(file, text);
    const key = `${post.row.slug} ${post.row.language}`;
    const earlier = places.get(key);
    if (earlier && post.row.slug)
      problems.push(problemAt(file, post.line("slug"), `${earlier} has the same slug and language`));
    places.set(key, file);
    problems.push(...post.problems);
    rows.push(post.row);
  }
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return rows;
}

/**
 * How a post stands once it is imported.
 * @param {Record<string, string | null>} row
 */
export function describePost({ slug, language, published_at: at }) {
  const state = !at ? "a draft" : Date.parse(at) > Date.now() ? `to appear at ${at}` : "published";
  return `${slug} (${language}): ${state}`;
}
