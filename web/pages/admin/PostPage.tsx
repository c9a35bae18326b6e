import DOMPurify from "dompurify";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { PostEditor } from "../../features/admin/blog/PostEditor.tsx";
import { NEW_POST } from "../../features/admin/blog/posts.queries.ts";
import type { Preview } from "../../features/admin/blog/Revisions.tsx";
import { PostArticle } from "../../features/blog/PostArticle.tsx";
import { Desk } from "./Desk.tsx";

const preview: Preview = (post) => (
  <article className="grid min-w-0 gap-6">
    <PostArticle
      heading="h2"
      coverUrl={post.coverUrl}
      post={{ ...post, cover: post.coverUrl ? post.cover : null, body: DOMPurify.sanitize(post.body) }}
    />
  </article>
);

/** /admin/blog/:slug: one post in its languages, or a new one. */
export default function PostPage() {
  const { t } = useTranslation("adminBlog");
  const { slug = NEW_POST } = useParams();
  const fresh = slug === NEW_POST;
  return (
    <Desk title={t(fresh ? "new" : "one")}>
      <PostEditor slug={fresh ? undefined : slug} preview={preview} />
    </Desk>
  );
}
